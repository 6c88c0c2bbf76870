# Many positions in one call: loops over records in arrays.
