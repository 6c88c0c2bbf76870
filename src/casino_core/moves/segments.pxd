# Segments, the form in which the generator writes moves.
#
# A segment is all moves of one kind, played rank, announced value and base, with the loose cards as
# a family of subsets. Each is written as moves at once, or kept, or only counted; choosing at
# random and long lists are loops over kept segments.
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from casino_core.moves.sums cimport Sums
from casino_core.rules.types cimport CAPTURE, Move, cards_t, lowest, popcount


cdef enum:
    MOST_OF_SEGMENT = 256                # moves of a segment without free builds: at most 64
                                         # subsets of cards, 4 cards played
    LOOK_EVERY = 1 << 12                 # steps of a walk between looks at the caller


cdef struct Segment:                     # 32 bytes
    uint64_t subsets                     # family over the low part: bit i,
                                         # the subset with the bits of i
    cards_t high                         # loose cards beyond the low part that belong to every move
    uint32_t fixed                       # builds of every move: the base,
                                         # or builds that must be captured
    uint32_t free                        # builds that a capture may take or leave, each
    uint8_t rank                         # rank index of the card played
    uint8_t suits                        # bit per suit: cards of that rank in the hand
    uint8_t kind
    uint8_t value                        # value announced; 0 unless a build
    uint32_t moves                       # number of moves, set as the segment is written: at most
                                         # 64 subsets of cards, 2**20 of builds, 4 cards


cdef struct Family:                      # which loose cards go with a play
    int value                            # of the capture or build
    int need                             # sum of the cards joined to the card played (and the base)
    bint also_alone                      # an ace played as 14: the family of need 0 too
    bint absorb                          # further groups of the value may go with them
    bint empty                           # no loose card at all is allowed
    bint drop_aces                       # sets of aces alone are left out: the ace as 1 has them
    bint maximal                         # capture=maximal: only sets that are in no other one
    cards_t required                     # capture=matching: cards that must be in it


cdef struct Probe:                       # one move: on a crowded table only it is generated
    bint active
    uint8_t rank
    uint8_t kind
    uint8_t value
    cards_t loose


ctypedef bint (*look_t)() noexcept nogil    # whether the caller ends the generation


cdef struct Generator:                   # the caller's scratch
    Move* moves                          # NULL, or where the next move is written: no segments then
    Move* moves_end
    Segment* segments
    int64_t capacity
    int64_t count                        # segments written
    int64_t found                        # segments met, skipped and only counted ones included
    int64_t total                        # moves of the segments written or counted
    int64_t skip                         # segments still to skip
    int64_t stride                       # 0, or one of each `stride` segments is written
    bint counting                        # write nothing, count moves
    bint full                            # the buffer, of segments or of moves, was too small
    bint fallback                        # no play was legal, so any card may be trailed
    Probe probe
    look_t look                          # NULL, or asked now and then on crowded tables
    int64_t steps                        # of walks over crowded tables
    bint stopped                         # the caller has ended the generation
    # NULL, or for each card the lowest card that counts the same: of moves that differ only in
    # such cards one is written (not on crowded tables).
    const uint8_t* alike
    Sums sums


cdef inline bint is_stopped(Generator* generator) noexcept nogil:
    """Whether the caller ends the generation; for every step of a walk."""
    generator.steps += 1
    if generator.look != NULL and not generator.steps & (LOOK_EVERY - 1) and generator.look():
        generator.stopped = generator.full = True
    return generator.stopped


cdef inline int64_t count_moves(const Segment* segment) noexcept nogil:
    """Number of moves of a segment, worked out; of a written one `moves` has it. A capture takes at
    least one loose card or build."""
    cdef int64_t count = <int64_t>popcount(segment.subsets) << popcount(segment.free)
    if segment.kind == CAPTURE and not segment.fixed and not segment.high:
        count -= segment.subsets & 1
    return count * popcount(segment.suits)


cdef inline cards_t low_cards(const Generator* generator, uint64_t index) noexcept nogil:
    """The cards of a low subset."""
    cdef cards_t cards = 0
    while index:
        cards |= generator.sums.card[lowest(index)]
        index &= index - 1
    return cards


cdef inline bint without_nothing(const Segment* segment) noexcept nogil:
    """Whether the segment's first combination, no loose card and no build, is no capture."""
    return (segment.kind == CAPTURE and not segment.fixed and not segment.high
            and segment.subsets & 1)


cdef inline void write_move(Move* move, const Segment* segment, cards_t loose, uint32_t builds,
                            int suit) noexcept nogil:
    move.loose = loose
    move.builds = builds
    move.card = <uint8_t>(4 * segment.rank + suit)
    move.kind = segment.kind
    move.value = segment.value
    move.unused = 0


cdef inline Move* write_segment(const Generator* generator, const Segment* segment,
                                Move* moves) noexcept nogil:
    """Write a segment's moves out; the place after them."""
    cdef uint64_t subsets
    cdef uint32_t taken
    cdef int suits = segment.suits
    while suits:
        taken = 0                        # all subsets of the free builds, none first
        while True:
            subsets = segment.subsets
            if taken == 0 and without_nothing(segment):
                subsets &= subsets - 1
            while subsets:
                write_move(moves, segment, segment.high | low_cards(generator, lowest(subsets)),
                           segment.fixed | taken, lowest(suits))
                moves += 1
                subsets &= subsets - 1
            if not segment.free:
                break
            taken = (taken - segment.free) & segment.free
            if taken == 0:
                break
        suits &= suits - 1
    return moves


cdef inline void write_at_once(Generator* generator, const Segment* play) noexcept nogil:
    """Write the moves of `play`, if there is room for them."""
    cdef int64_t room = generator.moves_end - generator.moves
    if (play.free or room < MOST_OF_SEGMENT) and count_moves(play) > room:
        generator.full = True
    else:
        generator.moves = write_segment(generator, play, generator.moves)


cdef inline void add_segment(Generator* generator, Segment* play, uint64_t subsets,
                             cards_t high) noexcept nogil:
    """Write `play` with a family of loose cards, or count it, or skip it."""
    generator.found += 1
    if generator.skip:
        generator.skip -= 1
        return
    play.subsets = subsets
    play.high = high
    if generator.moves != NULL:
        write_at_once(generator, play)
        return
    play.moves = <uint32_t>count_moves(play)
    if not generator.counting:
        if generator.count >= generator.capacity:
            generator.full = True
            return
        generator.segments[generator.count] = play[0]
        generator.count += 1
        if generator.stride:
            generator.skip = generator.stride - 1
    generator.total += play.moves
