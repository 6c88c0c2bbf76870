"""Memory of the transposition table."""
from libc.stdint cimport uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from casino_core.rules.types cimport STATUS_FULL, STATUS_OK

cdef enum:
    LINE = BUCKET * sizeof(Entry)        # bytes of a bucket
    LARGE_TABLE = 64 << 20               # bytes; a smaller one is cleared faster by small pages


cdef int open_table(Table* table, double mib) noexcept nogil:
    """Allocate the largest power of two of buckets within `mib` MiB, at least one; STATUS_FULL
    without memory."""
    cdef uint64_t buckets = 1
    cdef size_t size, start
    while <double>(2 * buckets * LINE) <= mib * 1048576:
        buckets *= 2
    size = <size_t>(buckets * LINE)
    start = HUGE_PAGE if size >= LARGE_TABLE else LINE
    table.memory = calloc(1, size + start)
    table.entries = NULL
    if table.memory == NULL:
        return STATUS_FULL
    table.entries = <Entry*>((<uintptr_t>table.memory + start - 1) // start * start)
    if size >= LARGE_TABLE:
        use_huge_pages(table.entries, size)
    table.mask = table.window = buckets - 1
    table.touched = 0
    table.generation = 1
    return STATUS_OK


cdef void close_table(Table* table) noexcept nogil:
    free(table.memory)
    table.memory = NULL
    table.entries = NULL


cdef inline void erase(Table* table, uint64_t mask) noexcept nogil:
    """Fill the buckets of a mask with zeros."""
    memset(table.entries, 0, <size_t>((mask + 1) * LINE))


cdef void clear_table(Table* table) noexcept nogil:
    erase(table, table.mask)
    table.touched = 0
    table.generation = 1


cdef void forget_entries(Table* table) noexcept nogil:
    """Empty the table as `clear_table` does, but by a new generation, in constant time."""
    if table.generation == 255:
        erase(table, table.touched)
        table.touched = 0
        table.generation = 0
    table.generation += 1


cdef void clear_window(Table* table) noexcept nogil:
    """Empty the part of the table in use."""
    erase(table, table.window)
