"""Memory of the transposition table."""
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from casino_core.rules.types cimport STATUS_FULL, STATUS_OK


cdef int open_table(Table* table, double mib) noexcept nogil:
    """Allocate the largest power of two of pairs of entries within `mib` MiB, at least one;
    STATUS_FULL without memory."""
    cdef uint64_t pairs = 1
    while <double>(2 * pairs * 2 * sizeof(Entry)) <= mib * 1048576:
        pairs *= 2
    table.entries = <Entry*>calloc(2 * pairs, sizeof(Entry))
    if table.entries == NULL:
        return STATUS_FULL
    table.mask = table.window = pairs - 1
    table.touched = 0
    table.generation = 1
    return STATUS_OK


cdef void close_table(Table* table) noexcept nogil:
    free(table.entries)
    table.entries = NULL


cdef void clear_table(Table* table) noexcept nogil:
    memset(table.entries, 0, <size_t>(2 * (table.mask + 1) * sizeof(Entry)))
    table.touched = 0
    table.generation = 1


cdef void forget_entries(Table* table) noexcept nogil:
    """Empty the table as `clear_table` does, but by a new generation, in constant time."""
    if table.generation == 255:
        memset(table.entries, 0, <size_t>(2 * (table.touched + 1) * sizeof(Entry)))
        table.touched = 0
        table.generation = 0
    table.generation += 1


cdef void clear_window(Table* table) noexcept nogil:
    """Empty the part of the table in use."""
    memset(table.entries, 0, <size_t>(2 * (table.window + 1) * sizeof(Entry)))
