"""The parser of moves."""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memset

from casino_core.rules.cardtext cimport Span, names_of, read_card, span_text
from casino_core.rules.types cimport (
    ADD_BUILD, CAPTURE, NEW_BUILD, RAISE_BUILD, TRAIL, build_cards, build_owner, build_value,
    cards_t, lowest, popcount,
)

from casino_core._text import plain
from casino_core.errors import IllegalMoveError, NotationError, quoted

cdef enum:
    TOO_HIGH = 100                       # a number is read no further than this


cdef inline void skip_spaces(const char** place, const char* end) noexcept nogil:
    while place[0] < end and (place[0][0] == c" " or place[0][0] == c"\t"):
        place[0] += 1


cdef int refuse_move(str text, str why) except -1:
    raise NotationError(f"move {quoted(text)}: {why}")


cdef inline int read_value(const char** place, const char* end) noexcept nogil:
    """Read a number, capped at `TOO_HIGH`; -1 if there is none."""
    cdef int value = -1
    while place[0] < end and c"0" <= place[0][0] <= c"9":
        value = min(10 * max(value, 0) + (place[0][0] - c"0"), <int>TOO_HIGH)
        place[0] += 1
    return value


cdef cards_t read_loose(const char** place, const char* end, cards_t* twice) noexcept nogil:
    """Read a row of cards up to its end; `twice` receives repeated cards."""
    cdef cards_t cards = 0
    cdef int card
    while True:
        skip_spaces(place, end)
        card = read_card(place, end)
        if card < 0:
            return cards
        twice[0] |= cards & <cards_t>1 << card
        cards |= <cards_t>1 << card


cdef str read_bracket(str text, const char** place, const char* end, const State* state, Move* move,
                      cards_t* twice):
    """Read a build in brackets and set its bit in `move.builds`. Returns why there is no such
    build, or None."""
    cdef int value, owner, i, found = -1
    cdef cards_t cards = 0
    place[0] += 1
    skip_spaces(place, end)
    value = read_value(place, end)
    skip_spaces(place, end)
    owner = (place[0][0] | 32) - c"a" if place[0] < end else -1
    if value < 0 or not 0 <= owner < 4:
        refuse_move(text, "a build is written as [value owner], such as [9a]")
    place[0] += 1
    skip_spaces(place, end)
    if place[0] < end and place[0][0] == c":":
        place[0] += 1
        cards = read_loose(place, end, twice)
    if place[0] == end or place[0][0] != c"]":
        refuse_move(text, "a bracket is not closed")
    place[0] += 1
    for i in range(state.build_count):
        if build_value(state.builds[i]) == value and build_owner(state.builds[i]) == owner:
            if cards and cards != build_cards(state.builds[i]):
                continue
            if found >= 0:
                refuse_move(text, f"there are two builds {value}{'abcd'[owner]}; write their cards "
                                  f"too, as in "
                                  f"[{value}{'abcd'[owner]}:"
                                  f"{names_of(build_cards(state.builds[i]))}]")
            found = i
    if found < 0:
        named = f"{value}{'abcd'[owner]}{':' + names_of(cards) if cards else ''}"
        return f"no build {named} is on the table"
    if move.builds >> found & 1:
        return f"build {value}{'abcd'[owner]} is named twice"
    move.builds |= <uint32_t>1 << found
    return None


cdef int parse_move(str text, const State* state, Move* move) except -1:
    """Read a move in a state. Further legality is not checked.

    Raises:
        NotationError: the text does not have the form of a move, or is ambiguous.
        IllegalMoveError: the text has that form, but the move cannot exist in the state, for
            example because it names a build that is not on the table.
    """
    cdef Py_ssize_t length
    cdef const char* place
    cdef const char* end
    cdef int card, value = 0, builds = 0
    cdef char sign
    cdef cards_t twice = 0
    cdef str fault = None, found, code = "not_a_move"
    memset(move, 0, sizeof(Move))
    try:
        place = PyUnicode_AsUTF8AndSize(text, &length)
        if length != len(text):          # not all ASCII
            text = plain(text, NotationError, "move ")
            place = PyUnicode_AsUTF8AndSize(text, &length)
    except UnicodeEncodeError:
        raise NotationError(
            "the move is not text that can be written down (lone surrogates)") from None
    end = place + length
    while end > place and ((end - 1)[0] == c" " or c"\t" <= (end - 1)[0] <= c"\r"):
        end -= 1
    skip_spaces(&place, end)
    card = read_card(&place, end)
    if card < 0:
        refuse_move(text, "it does not begin with the card that is played")
    move.card = <uint8_t>card
    skip_spaces(&place, end)
    if place == end:
        move.kind = TRAIL
        return 0
    sign = place[0]
    place += 1
    if sign | 32 != c"x" and sign != c"+":
        refuse_move(text,
                    "after the card stands x for a capture, + for a build, or nothing for a trail")
    move.loose = read_loose(&place, end, &twice)
    while place < end and (place[0] == c"[" or place[0] == c"+"):
        if place[0] == c"+":
            place += 1
            skip_spaces(&place, end)
            if sign != c"+" or place == end or place[0] != c"[":
                refuse_move(text, "a second + goes before the build that is added to or raised")
        found = read_bracket(text, &place, end, state, move, &twice)
        if fault is None and found is not None:
            fault, code = found, "not_on_table"
        builds += 1
        skip_spaces(&place, end)
    if sign == c"+":
        if place == end or place[0] != c"=":
            refuse_move(text, "a build ends with = and the value announced")
        place += 1
        skip_spaces(&place, end)
        value = read_value(&place, end)
        if value < 0:
            refuse_move(text, "the value announced is a number from 1 to 14")
    if place < end:
        refuse_move(text, f"{quoted(span_text(Span(place, end)), 12)} cannot be read")
    if not move.loose and not builds:
        refuse_move(text, "no card and no build is named to be taken or built with")
    if sign == c"+":
        found = set_build(state, move, value)
        if fault is None:
            fault = found
    else:
        move.kind = CAPTURE
    if twice:
        fault, code = f"{names_of(twice)} is named twice", "not_a_move"
    if fault is not None:
        raise IllegalMoveError(f"{quoted(text)} is not legal: {fault}", fault, code)
    return 0


cdef str set_build(const State* state, Move* move, int value):
    """Set the kind and value of a building move. Returns why there can be no such move, or None."""
    cdef int base
    move.kind = NEW_BUILD
    if not 1 <= value <= 14:
        return "the value of a build is a number from 1 to 14"
    move.value = <uint8_t>value
    if popcount(move.builds) > 1:
        return "only one build can be added to or raised"
    if move.builds:
        base = build_value(state.builds[lowest(move.builds)])
        if value < base:
            return f"a build of {base} cannot become one of {value}"
        move.kind = ADD_BUILD if value == base else RAISE_BUILD
    return None
