"""The information set that a seat is in, as one 64-bit key."""
from libc.stdint cimport uint64_t, uint8_t

from casino_core.game.move cimport Move
from casino_core.game.position cimport Position
from casino_core.moves.state cimport hand_size
from casino_core.rules.types cimport MAX_SEATS, build_cards, lowest, popcount
from casino_core.search.context cimport rules_hash

from casino_core._arguments import shown
from casino_core.errors import CasinoError
from casino_core.game.round import Round

cdef enum:
    SALT_CARD = 601
    SALT_TABLE = 602
    SALT_PILE = 603                      # and the side
    SALT_HAND = 607
    SALT_COUNTS = 608
    SALT_CAPTURED = 609
    SALT_DECLARED = 610
    SALT_OUT = 611
    SALT_SCORE = 612
    SALT_MOVE = 613                      # and the two after it
    SALT_SEAT = 616                      # and the seat
    SALT_BUILD = 1000                    # and the build's value, owner and kind


cdef uint64_t cards_key(cards_t cards, const uint8_t* alike, uint64_t place) noexcept nogil:
    """Cards at a place: a sum over cards, so that only how many there are of each kind counts."""
    cdef uint64_t hashed = 0
    if alike == NULL:
        return mix(cards, place)
    while cards:
        hashed += mix(alike[lowest(cards)] + 1, SALT_CARD)
        cards &= cards - 1
    return mix(hashed, place)


cdef uint64_t counts_key(const State* state) noexcept nogil:
    """What a state counts and whose turn it is."""
    cdef uint64_t sizes = state.turn | <uint64_t>state.last << 8 | <uint64_t>state.stock << 16
    cdef uint64_t captured = 0
    cdef int i
    for i in range(MAX_SEATS):
        sizes |= <uint64_t>hand_size(state, i) << (24 + 8 * i)
        captured |= <uint64_t>(popcount(state.piles[i]) + state.forgotten[i]) << (8 * i)
        captured |= <uint64_t>state.sweeps[i] << (32 + 8 * i)
    return mix(sizes, SALT_COUNTS) + mix(captured, SALT_CAPTURED)


cdef uint64_t builds_key(const State* state, const uint8_t* alike) noexcept nogil:
    """The builds, in any order, each with its value and owner, and the values declared besides."""
    cdef uint64_t key, declared = 0
    cdef int i
    for i in range(MAX_SEATS):
        declared |= <uint64_t>state.declared[i] << (16 * i)
    key = mix(declared, SALT_DECLARED)
    for i in range(state.build_count):
        key += cards_key(build_cards(state.builds[i]), alike, SALT_BUILD + (state.builds[i] >> 52))
    return key


cdef uint64_t public_key(const State* state, const uint8_t* alike) noexcept nogil:
    """What lies open to every seat, and how many cards lie where."""
    cdef uint64_t key = cards_key(state.table, alike, SALT_TABLE)
    cdef int i
    for i in range(MAX_SEATS):
        key += cards_key(state.piles[i], alike, SALT_PILE + i)
    return key + builds_key(state, alike) + counts_key(state)


cdef uint64_t seat_key(uint64_t seen, int seat, cards_t hand, const uint8_t* alike) noexcept nogil:
    """The information set of a seat that sees this and holds the hand."""
    return mix(seen + cards_key(hand, alike, SALT_HAND), SALT_SEAT + seat)


cdef uint64_t move_key(Move move) noexcept:
    """A play, as all seats see it."""
    cdef uint64_t card = move.data.card | <uint64_t>move.data.kind << 8
    card |= <uint64_t>move.data.value << 16
    return (mix(card, SALT_MOVE) + mix(move.data.loose, SALT_MOVE + 1)
            + mix(move.built, SALT_MOVE + 2))


def key(seen not None, seat not None):
    """The information set that a seat is in: the same for all that it cannot tell apart.

    Of a position it is made of all that `view(seat)` shows; of a round, of that and the plays of
    the present deal. It is the same on every platform.

    Args:
        seen: a `Position` or a `Round`.
        seat: the seat's letter.

    Returns:
        A number from 0 to 2**64 - 1.

    Raises:
        CasinoError: neither a position nor a round.
        NotationError: there is no such seat.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5hJdKc hands=7c8dAs9h/AcThQcKd")
        >>> other = Position.parse("table=2s5hJdKc hands=7c8dAs9h/2c3c4c5c")
        >>> key(position, "a") == key(other, "a"), key(position, "b") == key(other, "b")
        (True, False)
    """
    cdef uint64_t plays = 0
    if isinstance(seen, Round):
        for _, move in seen.plays_of_deal():
            plays = after_play(plays, move_key(move))
        seen = seen.position
    if not isinstance(seen, Position):
        raise CasinoError(f"an information set is that of a Position or a Round, not {shown(seen)}")
    return key_of_position(seen, (<Position>seen).seat_index(seat), plays)


cdef uint64_t key_of_position(Position position, int seat, uint64_t plays) noexcept:
    """The information set of a seat in a position, after plays."""
    cdef const State* state = &position.layout.state
    cdef uint64_t seen = public_key(state, NULL) + plays + rules_hash(&position.compiled.ruleset)
    cdef int i
    seen += mix(position.layout.out, SALT_OUT)
    for i in range(MAX_SEATS):
        seen = mix(seen ^ <uint64_t>position.layout.score[i], SALT_SCORE)
    return seat_key(seen, seat, state.hands[seat], NULL)
