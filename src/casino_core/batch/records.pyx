"""Positions as records in arrays, and back to texts and Positions; records of random play.
"""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from casino_core.game.move cimport new_move
from casino_core.game.notation cimport parse_layout
from casino_core.game.position cimport Position, new_position
from casino_core.game.writing cimport layout_text
from casino_core.moves.movegen cimport pick_move
from casino_core.moves.segments cimport Generator
from casino_core.moves.state cimport (
    copy_state, hand_size, inconsistency, is_over, play_move, sort_builds, start_round,
)
from casino_core.moves.sums cimport count_values, splits
from casino_core.moves.workspace cimport close_generator, list_growing, open_generator
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport (
    DECK, MAX_BUILDS, MAX_HAND, MAX_SEATS, Layout, Move, Rng, Ruleset, STATUS_OK, State, Stock,
    build_cards, build_t, build_value, cards_t, mix, rng_below, rng_seed,
)
from casino_core.search.context cimport LIST_LIMIT

from casino_core.errors import CasinoError
from casino_core.formats.reading import position_line


cdef bint is_sound(const Layout* layout, const Ruleset* rules) noexcept nogil:
    """Whether the core may work on a layout that came from outside."""
    cdef const State* state = &layout.state
    cdef uint8_t counts[16]
    cdef cards_t cards, seen = state.table | layout.out
    cdef int i
    if inconsistency(state, rules) != NULL or layout.out >> DECK:
        return False
    for i in range(MAX_SEATS):
        if hand_size(state, i) > MAX_HAND or state.declared[i] >> 15 or state.sweeps[i] > DECK:
            return False
        seen |= state.hands[i] | state.piles[i]
    for i in range(state.build_count):
        cards = build_cards(state.builds[i])
        if (state.builds[i] >> 59 or cards & ~rules.valued
                or not rules.by_value[build_value(state.builds[i])]):
            return False
        count_values(rules, cards, counts)
        if not splits(counts, build_value(state.builds[i]), rules.aces_high):
            return False
        seen |= cards
    if layout.stock.count and layout.stock.count != state.stock:
        return False
    for i in range(layout.stock.count):
        if layout.stock.cards[i] >= DECK or seen >> layout.stock.cards[i] & 1:
            return False
        seen |= <cards_t>1 << layout.stock.cards[i]
    return True


# Records from texts and positions, and back

cdef inline void clear_builds(State* state) noexcept nogil:
    """Zeros for the builds beyond the count, of which a copy may have some."""
    memset(&state.builds[state.build_count], 0,
           <size_t>(MAX_BUILDS - state.build_count) * sizeof(build_t))


cdef void keep_layout(Layout* out, const Layout* layout) noexcept nogil:
    """Copy a layout into zeros, without the cards that have been dealt and builds that are gone:
    equal positions are equal bytes."""
    copy_state(&out.state, &layout.state)
    clear_builds(&out.state)
    keep_stock(&out.stock, &layout.stock, layout.state.stock)
    out.out = layout.out
    memcpy(out.score, layout.score, sizeof(out.score))


cdef void keep_stock(Stock* out, const Stock* stock, int left) noexcept nogil:
    """Copy what is left of a stock, if its order is known."""
    cdef int i
    if stock.count:
        out.count = <uint8_t>left
        for i in range(left):
            out.cards[i] = stock.cards[stock.count - left + i]


cdef CompiledRules read_record(Record* record, str text, list warnings):
    """Fill a record from a text of any form that `read` takes: a bare position line, as nearly all
    are, or another."""
    try:
        return parse_layout(text, &record.layout, warnings)
    except CasinoError:
        line = position_line(text)[0]
        if line == text:
            raise
    return parse_layout(line, &record.layout, warnings)


cdef CompiledRules fill_record(Record* record, object item, list warnings):
    """Fill a record, but for the rules' index, from a text or a Position; the rules."""
    if isinstance(item, str):
        return read_record(record, item, warnings)
    if isinstance(item, CasinoError):
        raise item
    if not isinstance(item, Position):
        raise CasinoError(f"a position is a Position or its text, not {type(item).__name__}")
    keep_layout(&record.layout, &(<Position>item).layout)
    return (<Position>item).compiled


def fill_records(items, uint8_t[:, ::1] records not None, list compiled not None):
    """Write items into the rows of a position array.

    Args:
        items: texts, Positions, or errors in place of items that could not be read, one for each
            row.
        records: the bytes of the array, zeros.
        compiled: the list of rule sets, to which new ones are appended.

    Returns:
        A dictionary of the errors by row; the rules of such a row are marked as unreadable.
    """
    cdef Record* record
    cdef CompiledRules rules = None, last = None
    cdef Py_ssize_t row = 0
    cdef int index = -1
    cdef list warnings = []
    cdef dict errors = {}
    cdef dict known = {one.rules: place for place, one in enumerate(compiled)}
    if records.shape[1] != sizeof(Record):
        raise CasinoError("the array does not have the shape of positions")
    for item in items:
        record = <Record*>&records[row, 0]
        try:
            rules = fill_record(record, item, warnings)
            if rules is not last:
                last = None              # only once it is among the others
                found = known.get(rules.rules)
                if found is None:
                    if len(compiled) == MOST_RULES:
                        raise CasinoError(
                            f"rules: a position array holds {MOST_RULES} rule sets at most")
                    found = known[rules.rules] = len(compiled)
                    compiled.append(rules)
                index = found
                last = rules
            record.rules = <uint16_t>index
        except CasinoError as error:
            memset(record, 0, sizeof(Record))
            record.rules = UNREADABLE_RULES
            errors[row] = str(error)
        row += 1
    return errors


cdef Position position_of(const Record* record, list compiled):
    """The position of a record; refused where there is none."""
    cdef CompiledRules rules
    if record.rules >= len(compiled):
        raise CasinoError("the item holds no position: it could not be read")
    rules = compiled[record.rules]
    if not is_sound(&record.layout, &rules.ruleset):
        raise CasinoError("the item of the array is not a position that can be")
    return new_position(rules, &record.layout)


def positions_of(const uint8_t[:, ::1] records not None, list compiled not None, bint as_text):
    """The Positions of the rows of an array, or their texts."""
    cdef Py_ssize_t i
    cdef Position position
    cdef list result = []
    for i in range(records.shape[0]):
        position = position_of(<const Record*>&records[i, 0], compiled)
        result.append(layout_text(&position.layout, position.compiled) if as_text else position)
    return result


def moves_of(const uint8_t[:, ::1] records not None, list compiled not None,
             const uint8_t[:, ::1] moves not None, const int32_t[::1] counts, bint in_line,
             bint as_text):
    """A list for each row of its moves or their texts.

    Args:
        records: the bytes of the array.
        compiled: the rule sets of the array.
        moves: the packed moves, row after row.
        counts: the number of moves of each row.
        in_line: whether the moves of a row follow one another; else all are moves of its position.
        as_text: whether to return texts.

    Returns:
        The lists; a move without a card is None.
    """
    cdef Py_ssize_t i, place = 0
    cdef int _k
    cdef Position position
    cdef State state
    cdef const Move* move
    cdef const Stock* stock
    cdef list result = [], part
    for i in range(records.shape[0]):
        part = []
        if counts[i]:
            if place + counts[i] > moves.shape[0] or moves.shape[1] < <Py_ssize_t>sizeof(Move):
                raise CasinoError("fewer moves than the counts say")
            position = position_of(<const Record*>&records[i, 0], compiled)
            copy_state(&state, &position.layout.state)
            stock = position.stock_order()
            for _k in range(counts[i]):
                move = <const Move*>&moves[place, 0]
                place += 1
                if move.card >= DECK:
                    part.append(None)
                    continue
                one = new_move(&state, move)
                part.append(one.text if as_text else one)
                if in_line:
                    play_move(&state, &position.compiled.ruleset, stock, move)
                    sort_builds(&state)
        result.append(part)
    return result


# Rounds of random play

cdef enum:
    KEEP_ALL = 0                         # every position in which a card is to be played
    KEEP_LAST_DEAL = 1                   # those of the last deal
    KEEP_DEAL_END = 2                    # the one that follows the last play of a deal


cdef inline void keep_state(Record* record, const State* state, const Stock* stock) noexcept nogil:
    memset(record, 0, sizeof(Record))
    copy_state(&record.layout.state, state)
    clear_builds(&record.layout.state)
    sort_builds(&record.layout.state)
    keep_stock(&record.layout.stock, stock, state.stock)


def random_records(CompiledRules compiled not None, uint8_t[:, ::1] records not None, int64_t first,
                   int64_t rounds, uint64_t seed, int keep, int deal):
    """Fill an array with positions of rounds of random play.

    Args:
        compiled: the rule set.
        records: the bytes of the array, large enough.
        first: number of the first round, from 0.
        rounds: the number of rounds.
        seed: round n begins as `Position.start(rules, seed=round_seed(seed, n))`.
        keep: 0 for all positions, 1 for those of the last deal, 2 for the position after the last
            play of a deal.
        deal: number of that deal, from 1.

    Returns:
        The number of rows filled.

    Raises:
        CasinoError: the array is too small.
    """
    cdef Generator generator
    cdef State state
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef const Ruleset* rules = &compiled.ruleset
    cdef Py_ssize_t row = 0, room = records.shape[0]
    cdef int64_t number
    cdef int before, deals
    cdef bint full = False
    if records.shape[1] != sizeof(Record):
        raise CasinoError("the array does not have the shape of positions")
    if room == 0:
        return 0
    if open_generator(&generator) != STATUS_OK:
        raise MemoryError
    with nogil:
        for number in range(first, first + rounds):
            rng_seed(&rng, mix(seed, <uint64_t>number))
            start_round(&state, rules, &stock, &rng)
            deals = 1
            while not full:
                if (keep == KEEP_ALL and not is_over(&state)
                        or keep == KEEP_LAST_DEAL and not state.stock and not is_over(&state)
                        or keep == KEEP_DEAL_END and deals == deal + 1):
                    full = row == room
                    if full:
                        break
                    keep_state(<Record*>&records[row, 0], &state, &stock)
                    row += 1
                if is_over(&state) or keep == KEEP_DEAL_END and deals > deal:
                    break
                full = list_growing(&generator, &state, rules, LIST_LIMIT) != STATUS_OK
                if full:
                    break
                pick_move(&generator, <int64_t>rng_below(&rng, generator.total), &move)
                before = state.stock
                play_move(&state, rules, &stock, &move)
                if (before != state.stock and not rules.draw) or is_over(&state):
                    deals += 1
        close_generator(&generator)
    if full:
        raise CasinoError("the positions of the random rounds do not fit")
    return row


def round_seed(uint64_t seed, uint64_t number):
    """The seed of a round of a series.

    Args:
        seed: of the series.
        number: of the round.

    Example:
        >>> round_seed(1, 0) == round_seed(1, 1)
        False
    """
    return mix(seed, number)
