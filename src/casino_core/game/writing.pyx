"""The written form of positions and moves."""
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport uint32_t

from casino_core.rules.cardtext cimport put, write_card, write_cards, write_number
from casino_core.rules.types cimport (
    CAPTURE, NEW_BUILD, NOBODY, Ruleset, TRAIL, build_cards, build_multiple, build_owner, build_t,
    build_value, cards_t, lowest,
)


cdef void write_text(Writer* writer, const char* text) noexcept nogil:
    while text[0]:
        put(writer, text[0])
        text += 1


cdef inline void write_seat(Writer* writer, int seat) noexcept nogil:
    put(writer, c"-" if seat == NOBODY else c"a" + <char>seat)


cdef void write_known(Writer* writer, cards_t cards, int unknown) noexcept nogil:
    """Write cards, then `?` for each unknown card; `-` for none."""
    cdef int _i
    write_cards(writer, cards)
    for _i in range(unknown):
        put(writer, c"?")
    if not cards and not unknown:
        put(writer, c"-")


cdef void write_build(Writer* writer, build_t build) noexcept nogil:
    write_number(writer, build_value(build))
    write_seat(writer, build_owner(build))
    if build_multiple(build):
        put(writer, c"*")
    put(writer, c":")
    write_cards(writer, build_cards(build))


cdef void write_declared(Writer* writer, const State* state, int seats) noexcept nogil:
    cdef int seat, value
    cdef bint some
    write_text(writer, " declared=")
    for seat in range(seats):
        if seat:
            put(writer, c"/")
        some = False
        for value in range(14, 0, -1):
            if state.declared[seat] >> value & 1:
                if some:
                    put(writer, c".")
                write_number(writer, value)
                some = True
        if not some:
            put(writer, c"-")


cdef str layout_text(const Layout* layout, CompiledRules compiled):
    """Write a position line: always `rules`, `table`, `hands` and `turn`, other fields if not the
    default."""
    cdef const State* state = &layout.state
    cdef const Ruleset* rules = &compiled.ruleset
    cdef Writer writer
    cdef int i, piles = 0, sweeps = 0, declared = 0, score = 0
    writer.length = 0
    for i in range(rules.sides):
        piles |= (state.piles[i] != 0) | state.forgotten[i]
        sweeps |= state.sweeps[i]
        score |= layout.score[i]
    for i in range(rules.seats):
        declared |= state.declared[i]
    write_text(&writer, " table=")
    write_known(&writer, state.table, 0)
    for i in range(state.build_count):
        write_text(&writer, "," if i else " builds=")
        write_build(&writer, state.builds[i])
    for i in range(rules.seats):
        write_text(&writer, "/" if i else " hands=")
        write_known(&writer, state.hands[i], state.hidden[i])
    if piles:
        for i in range(rules.sides):
            write_text(&writer, "/" if i else " piles=")
            write_known(&writer, state.piles[i], state.forgotten[i])
    write_text(&writer, " turn=")
    write_seat(&writer, state.turn)
    if state.last != NOBODY:
        write_text(&writer, " last=")
        write_seat(&writer, state.last)
    if sweeps:
        for i in range(rules.sides):
            write_text(&writer, "/" if i else " sweeps=")
            write_number(&writer, state.sweeps[i])
    if layout.stock.count and state.stock:
        write_text(&writer, " stock=")
        for i in range(layout.stock.count - state.stock, layout.stock.count):
            write_card(&writer, layout.stock.cards[i])
    # out=- says that the pack is whole though a stock of unknown order does not go round
    if (layout.out
            or (state.stock % (4 * rules.seats) and not layout.stock.count and not rules.draw)):
        write_text(&writer, " out=")
        write_known(&writer, layout.out, 0)
    if declared:
        write_declared(&writer, state, rules.seats)
    if score:
        for i in range(rules.sides):
            write_text(&writer, "/" if i else " score=")
            write_number(&writer, layout.score[i])
    return f"rules={compiled.rules}" + PyUnicode_DecodeASCII(writer.text, writer.length, NULL)


cdef void write_bracket(Writer* writer, const State* state, int index) noexcept nogil:
    """Write a build as in a move, with its cards if another build has the same value and owner."""
    cdef build_t build = state.builds[index]
    cdef int i
    put(writer, c"[")
    write_number(writer, build_value(build))
    write_seat(writer, build_owner(build))
    for i in range(state.build_count):
        if i != index and build_value(state.builds[i]) == build_value(build) \
                and build_owner(state.builds[i]) == build_owner(build):
            put(writer, c":")
            write_cards(writer, build_cards(build))
            break
    put(writer, c"]")


cdef void write_move(Writer* writer, const State* state, const Move* move) noexcept nogil:
    """Write a move; the builds of the state are sorted."""
    cdef uint32_t builds = move.builds
    write_card(writer, move.card)
    if move.kind == TRAIL:
        return
    put(writer, c"x" if move.kind == CAPTURE else c"+")
    write_cards(writer, move.loose)
    if move.kind == CAPTURE:
        while builds:
            write_bracket(writer, state, lowest(builds))
            builds &= builds - 1
        return
    if move.kind != NEW_BUILD:
        if move.loose:
            put(writer, c"+")
        write_bracket(writer, state, lowest(builds))
    put(writer, c"=")
    write_number(writer, move.value)
