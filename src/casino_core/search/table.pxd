# Transposition table: bounds of the value to go, by a 64-bit key.
from libc.stdint cimport int16_t, uint16_t, uint64_t, uint8_t


cdef struct Entry:                       # 16 bytes
    uint64_t key                         # 64 bits, all compared
    int16_t lower                        # proven bounds of the value to go, for the side to play
    int16_t upper
    uint16_t move                        # tag of the best move, for the ordering; 0 for none
    uint8_t plays                        # plays left: the depth of the entry
    uint8_t used                         # the generation of the entry


# Pairs of entries: the first keeps the larger search, the second the latest one.
cdef struct Table:
    Entry* entries
    uint64_t mask                        # pairs - 1
    uint64_t window                      # the mask in use: small searches stay in the caches
    uint64_t touched                     # the largest window used since the table was cleared
    uint8_t generation                   # 1 to 255; entries of other generations are empty


cdef int open_table(Table* table, double mib) noexcept nogil
cdef void close_table(Table* table) noexcept nogil
cdef void clear_table(Table* table) noexcept nogil
cdef void forget_entries(Table* table) noexcept nogil
cdef void clear_window(Table* table) noexcept nogil


cdef inline double fitting_mib(int plays) noexcept nogil:
    """Size in MiB of a table that suits a search with `plays` plays left."""
    return 0.25 if plays <= 8 else 4 if plays <= 16 else 32 if plays <= 24 else 256


cdef inline void fit_window(Table* table, int plays) noexcept nogil:
    """Use as much of the table as a search with `plays` plays left needs."""
    table.window = <uint64_t>(fitting_mib(plays) * 1048576) // (2 * sizeof(Entry)) - 1
    if table.window > table.mask:
        table.window = table.mask
    if table.window > table.touched:
        table.touched = table.window


cdef inline Entry* find_entry(const Table* table, uint64_t key) noexcept nogil:
    """The entry of a key, or NULL; valid until the next store."""
    cdef Entry* pair = &table.entries[2 * (key & table.window)]
    if pair[0].key == key and pair[0].used == table.generation:
        return &pair[0]
    if pair[1].key == key and pair[1].used == table.generation:
        return &pair[1]
    return NULL


cdef inline void store_entry(Table* table, uint64_t key, int lower, int upper, int move,
                             int plays) noexcept nogil:
    """Keep bounds in the entry of the key, or else replace the smaller search, or else the last
    entry."""
    cdef Entry* pair = &table.entries[2 * (key & table.window)]
    cdef Entry* entry = &pair[0]
    if entry.key != key and entry.used == table.generation:
        if entry.plays > plays:
            entry = &pair[1]
        elif pair[1].key != key or pair[1].used != table.generation:
            pair[1] = entry[0]
    entry.key = key
    entry.lower = <int16_t>lower
    entry.upper = <int16_t>upper
    entry.move = <uint16_t>move
    entry.plays = <uint8_t>plays
    entry.used = table.generation
