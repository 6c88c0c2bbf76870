"""Memory of loops over the generator: its buffer of segments, and a stack of move lists."""
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from casino_core.moves.movegen cimport MAX_SEGMENTS, list_segments, write_moves
from casino_core.moves.segments cimport Segment
from casino_core.rules.types cimport STATUS_FULL, STATUS_OK

cdef enum:
    SPARE_MOVES = 512                    # with less room no list is written at once


cdef int open_generator(Generator* generator) noexcept nogil:
    """Give a generator its buffer; STATUS_FULL without memory."""
    memset(generator, 0, sizeof(Generator))
    generator.segments = <Segment*>malloc(MAX_SEGMENTS * sizeof(Segment))
    if generator.segments == NULL:
        return STATUS_FULL
    generator.capacity = MAX_SEGMENTS
    return STATUS_OK


cdef void close_generator(Generator* generator) noexcept nogil:
    free(generator.segments)
    generator.segments = NULL


cdef int list_growing(Generator* generator, const State* state, const Ruleset* rules,
                      int64_t limit) noexcept nogil:
    """`list_segments` with a buffer that grows up to `limit` segments."""
    cdef Segment* larger
    cdef int64_t capacity
    while list_segments(generator, state, rules) == STATUS_FULL:
        if generator.capacity >= limit or generator.stopped:
            return STATUS_FULL
        capacity = 8 * generator.capacity
        if capacity > limit:
            capacity = limit
        larger = <Segment*>realloc(generator.segments, <size_t>capacity * sizeof(Segment))
        if larger == NULL:
            return STATUS_FULL
        generator.segments = larger
        generator.capacity = capacity
    return STATUS_OK


cdef bint write_list(Arena* arena, Generator* generator, const State* state,
                     const Ruleset* rules, int64_t limit) noexcept nogil:
    """Write up to `limit` legal moves on the arena at once; False where they are more, or the arena
    has too little room."""
    cdef int status
    if arena.capacity - arena.used < SPARE_MOVES:
        return False
    generator.moves = &arena.moves[arena.used]
    generator.moves_end = &arena.moves[min(arena.capacity, arena.used + limit)]
    status = list_segments(generator, state, rules)
    generator.total = generator.moves - &arena.moves[arena.used]
    generator.moves = NULL
    if status == STATUS_FULL:
        return False
    arena.used += generator.total
    return True


cdef int64_t push_moves(Arena* arena, Generator* generator, const State* state,
                        const Ruleset* rules, int64_t limit) noexcept nogil:
    """Push the legal moves onto the arena, which grows. Returns their number, or STATUS_FULL if
    they exceed `limit` or memory runs out."""
    cdef int64_t count, capacity
    cdef Move* larger
    if generator.stride == 0 and write_list(arena, generator, state, rules, limit):
        return generator.total
    if list_growing(generator, state, rules, limit) == STATUS_FULL:
        return STATUS_FULL
    count = generator.total
    if count > limit:
        return STATUS_FULL
    if arena.used + count + SPARE_MOVES > arena.capacity:
        capacity = 2 * (arena.used + count + SPARE_MOVES)
        larger = <Move*>realloc(arena.moves, <size_t>capacity * sizeof(Move))
        if larger == NULL:
            return STATUS_FULL
        arena.moves = larger
        arena.capacity = capacity
    write_moves(generator, &arena.moves[arena.used])
    arena.used += count
    return count


cdef int64_t push_some(Arena* arena, Generator* generator, const State* state,
                       const Ruleset* rules) noexcept nogil:
    """`push_moves`; where more than MOST_CONSIDERED moves are legal, about as many of them.

    Of each kind of play the one that takes the most cards is among them, on crowded tables, the
    others at even distances.
    """
    cdef const uint8_t* alike = generator.alike
    cdef int64_t count
    generator.alike = NULL               # which moves are considered does not depend on it
    generator.counting = True
    list_segments(generator, state, rules)
    generator.counting = False
    if generator.total <= MOST_CONSIDERED:
        generator.alike = alike
        return push_moves(arena, generator, state, rules, MOST_CONSIDERED)
    generator.stride = (generator.total + MOST_CONSIDERED - 1) // MOST_CONSIDERED
    count = push_moves(arena, generator, state, rules, 256 * MOST_CONSIDERED)
    generator.stride = generator.skip = 0
    generator.alike = alike
    return count
