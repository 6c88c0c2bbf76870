# Transposition table: bounds of the value to go, by a 64-bit key.
from libc.stdint cimport int16_t, int8_t, uint16_t, uint64_t, uint8_t

cdef extern from "pages.h" nogil:
    const size_t HUGE_PAGE "CC_HUGE_PAGE"
    void use_huge_pages "cc_use_huge_pages"(void* memory, size_t size)
    void prefetch "cc_prefetch"(const void* memory)


cdef enum:
    BUCKET = 4                           # entries of a bucket: one line of a cache
    DECIDED = 53                         # in an entry, a lead that can no longer be lost; -DECIDED,
                                         # one that can no longer be made up
    NO_BOUND = 127                       # above every value of an entry that is shared
    ANY_LEAD = 1000                      # of a limit: no limit


cdef struct Own:                         # bounds for one lead in cards and one in spades, which
    int16_t lower                        # the key tells apart
    int16_t upper


cdef struct Shared:                      # bounds for many leads
    int8_t lower                         # holds for leads not below these
    int8_t upper                         # holds for leads not above these
    int8_t cards
    int8_t spades


cdef union Bounds:
    Own own
    Shared shared


cdef struct Entry:                       # 16 bytes
    uint64_t key                         # 64 bits, all compared
    Bounds bounds                        # proven, of the value to go for the side to play
    uint16_t move                        # tag of the best move, for the ordering; 0 for none
    uint8_t plays                        # plays left: the depth of the entry
    uint8_t used                         # the generation of the entry


cdef struct Leads:                       # of the side to play
    int cards
    int spades


cdef struct Found:                       # what a table knows of a position at its leads
    int lower
    int upper
    int move                             # tag of a move, 0 for none
    const Entry* lower_from              # the entries that have narrowed the bounds
    const Entry* upper_from


cdef struct Table:
    Entry* entries
    void* memory                         # of the entries, which begin at a line of the cache, or
                                         # at a huge page
    uint64_t mask                        # buckets - 1
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
    table.window = <uint64_t>(fitting_mib(plays) * 1048576) // (BUCKET * sizeof(Entry)) - 1
    if table.window > table.mask:
        table.window = table.mask
    if table.window > table.touched:
        table.touched = table.window


cdef inline Entry* bucket_of(const Table* table, uint64_t key) noexcept nogil:
    return &table.entries[BUCKET * (key & table.window)]


cdef inline Entry* entry_to_replace(const Table* table, Entry* bucket,
                                    uint64_t key) noexcept nogil:
    """An empty entry, or else that of the smallest search; of equal ones first that of the key."""
    cdef Entry* entry = &bucket[key >> 62]
    cdef int i
    for i in range(BUCKET):
        if bucket[i].used != table.generation:
            return &bucket[i]
        if bucket[i].plays < entry.plays:
            entry = &bucket[i]
    return entry


cdef inline void fill_entry(const Table* table, Entry* entry, uint64_t key, int move,
                            int plays) noexcept nogil:
    """Write all of an entry but its bounds."""
    entry.key = key
    entry.move = <uint16_t>move
    entry.plays = <uint8_t>plays
    entry.used = table.generation


# Keys that tell leads apart

cdef inline Entry* find_entry(const Table* table, uint64_t key) noexcept nogil:
    """The entry of a key, or NULL; valid until the next store."""
    cdef Entry* bucket = bucket_of(table, key)
    cdef int i
    for i in range(BUCKET):
        if bucket[i].key == key and bucket[i].used == table.generation:
            return &bucket[i]
    return NULL


cdef inline void store_entry(Table* table, uint64_t key, int lower, int upper, int move,
                             int plays) noexcept nogil:
    """Keep bounds in the entry of the key, or else in `entry_to_replace`."""
    cdef Entry* entry = find_entry(table, key)
    if entry == NULL:
        entry = entry_to_replace(table, bucket_of(table, key), key)
    fill_entry(table, entry, key, move, plays)
    entry.bounds.own.lower = <int16_t>lower
    entry.bounds.own.upper = <int16_t>upper


# Keys without leads. The value to go never falls when a lead grows: points of a majority never fall
# when its lead grows, nothing else depends on leads, and best play keeps that. So an upper bound
# proven at one pair of leads holds where neither lead is larger, a lower bound where neither is
# smaller.

cdef inline void find_shared(const Table* table, uint64_t key, const Leads* leads,
                             Found* found) noexcept nogil:
    """Narrow the bounds of `found` by all entries of the key that hold for these leads. The move is
    that of the same leads, else any, 0 if there is none."""
    cdef Entry* bucket = bucket_of(table, key)
    cdef Entry* entry
    cdef int i, cards, spades
    for i in range(BUCKET):
        entry = &bucket[i]
        if entry.key != key or entry.used != table.generation:
            continue
        cards = entry.bounds.shared.cards
        spades = entry.bounds.shared.spades
        if entry.move and (not found.move or (cards == leads.cards and spades == leads.spades)):
            found.move = entry.move
        if cards >= leads.cards and spades >= leads.spades \
                and entry.bounds.shared.upper < found.upper:
            found.upper = entry.bounds.shared.upper
            found.upper_from = entry
        if cards <= leads.cards and spades <= leads.spades \
                and entry.bounds.shared.lower > found.lower:
            found.lower = entry.bounds.shared.lower
            found.lower_from = entry


cdef inline void store_shared(Table* table, uint64_t key, const Leads* leads, int lower, int upper,
                              int move, int plays) noexcept nogil:
    """Keep bounds, NO_BOUND or -NO_BOUND for none, together with those of the same key and
    leads."""
    cdef Entry* bucket = bucket_of(table, key)
    cdef Entry* entry
    cdef int i
    for i in range(BUCKET):
        entry = &bucket[i]
        if (entry.key == key and entry.used == table.generation
                and entry.bounds.shared.cards == leads.cards
                and entry.bounds.shared.spades == leads.spades):
            if entry.bounds.shared.lower > lower:
                lower = entry.bounds.shared.lower
            if entry.bounds.shared.upper < upper:
                upper = entry.bounds.shared.upper
            break
    else:
        entry = entry_to_replace(table, bucket, key)
    fill_entry(table, entry, key, move, plays)
    entry.bounds.shared.lower = <int8_t>lower
    entry.bounds.shared.upper = <int8_t>upper
    entry.bounds.shared.cards = <int8_t>leads.cards
    entry.bounds.shared.spades = <int8_t>leads.spades
