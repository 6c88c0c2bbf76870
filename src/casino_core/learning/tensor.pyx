"""What a seat knows as one row of small numbers, the same exactly where the seat knows the same."""
from libc.string cimport memset

import numpy as np

from casino_core.game.move cimport Move
from casino_core.game.position cimport Position
from casino_core.learning.steps cimport WHATS, Choice
from casino_core.moves.state cimport hand_size
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport (
    CAPTURE, DECK, MAX_VALUE, NOBODY, TRAIL, State, build_cards, build_multiple, build_owner,
    build_t, build_value, lowest, popcount, side_of,
)

from casino_core._arguments import shown
from casino_core.errors import CasinoError
from casino_core.game.round import Round
from casino_core.rules.options import Rules

cdef enum:
    PLAY_CELLS = DECK + 2                # of a play: who, what, and a cell for each card
    ROLE_PLAYED = 1
    ROLE_LOOSE = 2
    ROLE_BUILT = 3
    HALF = 1 << 15                       # a match score is two cells

#: The fields in their order: name, shape with S for seats, D for sides, P for plays, and meaning.
FIELDS = (
    ("own", "S", "1 for the seat whose row it is, seat a first"),
    ("turn", "S", "1 for the seat to play, the own seat first, then the next ones"),
    ("hand", "52", "1 for each card of the own hand that is known"),
    ("table", "52", "1 for each loose card"),
    ("owners", "S,52", "1 for each card of a build of the own seat, of the next one, and so on"),
    ("values", "52", "the value of the build that a card is in"),
    ("multiple", "52", "1 for each card of a multiple build"),
    ("numbers", "52", "the number of the build that a card is in, from 1, as builds are sorted"),
    ("piles", "D,52", "1 for each known card captured by the own side, by the next one, and so on"),
    ("out", "52", "1 for each card that is not in the game"),
    ("declared", "S,14", "partnership only: 1 for each value declared, the own seat first"),
    ("last", "S", "1 for the seat that captured last, the own seat first"),
    ("cards", "S", "cards in each hand, the own seat first"),
    ("stock", "1", "cards in the stock"),
    ("captured", "D", "cards captured by each side, the own side first"),
    ("sweeps", "D", "sweeps of each side, the own side first"),
    ("score", "D,2", "match score of each side: modulo 32768, and the rest divided by it"),
    ("plays", "P,54", "plays of the deal: 1 + distance of the seat, 1 + what, and for each card "
                      "1 played, 2 taken loose, 3 taken in a build"),
    ("played", "52", "of an unfinished turn, for the seat to play only: 1 for the card"),
    ("what", "16", "1 for what it does: trail, capture, build of 1, of 2, ..."),
    ("taken", "52", "1 for each card taken so far"),
)


cdef void lay_out(const Ruleset* rules, Fields* fields) noexcept nogil:
    """Where each field begins in a row."""
    cdef int seats = rules.seats, sides = rules.sides, at = 0
    # A deal has four plays a seat, draw casino one deal of all cards that the table does not get.
    fields.most_plays = DECK - 4 if rules.draw else 4 * seats
    fields.own = at
    fields.turn = fields.own + seats
    fields.hand = fields.turn + seats
    fields.table = fields.hand + DECK
    fields.owners = fields.table + DECK
    fields.values = fields.owners + seats * DECK
    fields.multiple = fields.values + DECK
    fields.numbers = fields.multiple + DECK
    fields.piles = fields.numbers + DECK
    fields.out = fields.piles + sides * DECK
    fields.declared = fields.out + DECK
    fields.last = fields.declared + (seats * MAX_VALUE if rules.partners else 0)
    fields.cards = fields.last + seats
    fields.stock = fields.cards + seats
    fields.captured = fields.stock + 1
    fields.sweeps = fields.captured + sides
    fields.score = fields.sweeps + sides
    fields.plays = fields.score + 2 * sides
    fields.played = fields.plays + fields.most_plays * PLAY_CELLS
    fields.what = fields.played + DECK
    fields.taken = fields.what + WHATS
    fields.size = fields.taken + DECK


cdef inline void mark(cell_t* cells, cards_t cards, int number) noexcept nogil:
    """Write a number into the cell of each card."""
    while cards:
        cells[lowest(cards)] = <cell_t>number
        cards &= cards - 1


cdef inline int distance(int other, int seat, int seats) noexcept nogil:
    """How many seats after `seat` another one sits."""
    return other - seat if other >= seat else other - seat + seats


cdef inline void write_builds(cell_t* row, const Fields* fields, const Ruleset* rules,
                              const State* state, int seat) noexcept nogil:
    cdef int i, owner
    cdef build_t build
    cdef cards_t cards
    for i in range(state.build_count):
        build = state.builds[i]
        cards = build_cards(build)
        owner = distance(build_owner(build), seat, rules.seats)
        mark(row + fields.owners + owner * DECK, cards, 1)
        mark(row + fields.values, cards, build_value(build))
        mark(row + fields.numbers, cards, i + 1)
        if build_multiple(build):
            mark(row + fields.multiple, cards, 1)


cdef inline void write_sides(cell_t* row, const Fields* fields, const Ruleset* rules,
                             const Layout* layout, int seat) noexcept nogil:
    """What each side has, the own side first."""
    cdef const State* state = &layout.state
    cdef int i, side = side_of(rules, seat)
    for i in range(rules.sides):
        mark(row + fields.piles + i * DECK, state.piles[side], 1)
        row[fields.captured + i] = <cell_t>(popcount(state.piles[side]) + state.forgotten[side])
        row[fields.sweeps + i] = state.sweeps[side]
        row[fields.score + 2 * i] = <cell_t>(layout.score[side] % HALF)
        row[fields.score + 2 * i + 1] = <cell_t>(layout.score[side] // HALF)
        side = side + 1 if side + 1 < rules.sides else 0


cdef inline void write_seats(cell_t* row, const Fields* fields, const Ruleset* rules,
                             const State* state, int seat) noexcept nogil:
    """What each seat has, the own seat first."""
    cdef int i, value, other = seat
    for i in range(rules.seats):
        row[fields.cards + i] = <cell_t>hand_size(state, other)
        if rules.partners:
            for value in range(1, MAX_VALUE + 1):
                row[fields.declared + i * MAX_VALUE + value - 1] = (
                    state.declared[other] >> value & 1)
        other = other + 1 if other + 1 < rules.seats else 0
    row[fields.own + seat] = 1
    row[fields.turn + distance(state.turn, seat, rules.seats)] = 1
    if state.last != NOBODY:
        row[fields.last + distance(state.last, seat, rules.seats)] = 1


cdef inline void write_play(cell_t* cells, const Shown* play, int seats, int seat) noexcept nogil:
    cells[0] = <cell_t>(1 + distance(play.seat, seat, seats))
    cells[1] = <cell_t>(1 + play.what)
    cells[2 + play.card] = ROLE_PLAYED
    mark(cells + 2, play.loose, ROLE_LOOSE)
    mark(cells + 2, play.built, ROLE_BUILT)


cdef inline void write_plays(cell_t* row, const Fields* fields, const Ruleset* rules,
                             const Shown* plays, int count, int seat) noexcept nogil:
    cdef int i
    for i in range(count):
        write_play(row + fields.plays + i * PLAY_CELLS, &plays[i], rules.seats, seat)


cdef void write_row(cell_t* row, const Fields* fields, const Ruleset* rules, const Layout* layout,
                    const Shown* plays, int count, const Prefix* prefix, int seat) noexcept nogil:
    """Write what a seat knows. `count` is at most the plays that there is room for; an unfinished
    turn is known to the seat that makes it only."""
    cdef const State* state = &layout.state
    memset(row, 0, <size_t>fields.size * sizeof(cell_t))
    mark(row + fields.hand, state.hands[seat], 1)
    mark(row + fields.table, state.table, 1)
    mark(row + fields.out, layout.out, 1)
    row[fields.stock] = state.stock
    write_builds(row, fields, rules, state, seat)
    write_sides(row, fields, rules, layout, seat)
    write_seats(row, fields, rules, state, seat)
    write_plays(row, fields, rules, plays, count, seat)
    if prefix != NULL and seat == state.turn and prefix.count:
        row[fields.played + prefix.card] = 1
        if prefix.count > 1:
            row[fields.what + prefix.what] = 1
        mark(row + fields.taken, prefix.taken, 1)


# For Python

cdef CompiledRules compiled_of(rules):
    return CompiledRules(rules if isinstance(rules, Rules) else Rules.parse(rules))


def tensor_size(rules="standard"):
    """How many numbers a row has under these rules.

    Args:
        rules: a `Rules` or its text.

    Example:
        >>> tensor_size("standard"), tensor_size("standard,players=4,partners=yes")
        (1089, 1689)
    """
    cdef Fields fields
    lay_out(&compiled_of(rules).ruleset, &fields)
    return fields.size


def tensor_fields(rules="standard"):
    """Where each field is in a row: a dict of slices with their shapes, in order.

    Args:
        rules: a `Rules` or its text.

    Returns:
        For each name of `FIELDS` a pair: the slice of the row, and the shape of the field.

    Example:
        >>> tensor_fields("standard")["owners"]
        (slice(108, 212, None), (2, 52))
    """
    cdef CompiledRules compiled = compiled_of(rules)
    cdef Fields fields
    lay_out(&compiled.ruleset, &fields)
    lengths = {"S": compiled.ruleset.seats, "D": compiled.ruleset.sides, "P": fields.most_plays}
    found, at = {}, 0
    for name, letters, _ in FIELDS:
        if name == "declared" and not compiled.ruleset.partners:
            continue
        shape = tuple([lengths.get(one) or int(one) for one in letters.split(",")])
        size = int(np.prod(shape))
        found[name] = (slice(at, at + size), shape)
        at += size
    return found


cdef int fill_shown(Shown* one, int seat, Move move) except -1:
    one.loose = move.data.loose
    one.built = move.built
    one.card = move.data.card
    one.seat = <uint8_t>seat
    one.what = 0 if move.data.kind == TRAIL else 1 if move.data.kind == CAPTURE else (
        <uint8_t>(1 + move.data.value))
    return 0


def play_cells(plays, str seat, rules="standard"):
    """Plays as the field `plays` of a row has them.

    Args:
        plays: moves, each with the position that it was made in.
        seat: the letter of the seat whose row it is.
        rules: a `Rules` or its text.

    Returns:
        A NumPy array of a row of 54 numbers for each play.

    Example:
        >>> from casino_core import Position
        >>> played = Round(Position.start(seed=1)).play("3h")
        >>> play_cells(played.plays_of_deal(), "b")[0, :2].tolist()
        [2, 1]
    """
    cdef CompiledRules compiled = compiled_of(rules)
    cdef Shown play
    cdef cell_t[:, ::1] cells
    cdef int i, own = "abcd".index(seat)
    listed = list(plays)
    found = np.zeros((len(listed), PLAY_CELLS), np.int16)
    cells = found
    for i, (before, move) in enumerate(listed):
        fill_shown(&play, (<Position>before).layout.state.turn, move)
        write_play(&cells[i, 0], &play, compiled.ruleset.seats, own)
    return found


def information_tensor(seen not None, seat=None, Choice choice=None):
    """What a seat knows as a row of small numbers.

    Two rows of a seat are equal exactly where the seat cannot tell the positions apart: by what
    `Position.view` shows, and by the plays of the deal where a `Round` is given. `FIELDS` documents
    the row field by field.

    Args:
        seen: a `Position` or a `Round`.
        seat: the seat's letter; None for the seat to play.
        choice: the steps of an unfinished turn in this position.

    Returns:
        A NumPy array of `tensor_size(rules)` numbers of type int16.

    Raises:
        CasinoError: neither a position nor a round, a choice of another position, or more plays
            than a deal of these rules has.
        NotationError: there is no such seat.

    Example:
        >>> from casino_core import Position
        >>> row = information_tensor(Position.start(seed=1), "a")
        >>> where, _ = tensor_fields("standard")["hand"]
        >>> row.shape, int(row[where].sum())
        ((1089,), 4)
    """
    cdef Shown plays[DECK]
    cdef Fields fields
    cdef Position position
    cdef cell_t[::1] cells
    cdef int index, count = 0
    cdef const Prefix* prefix = NULL
    if not isinstance(seen, (Position, Round)):
        raise CasinoError("an information state is that of a Position or a Round, not "
                          f"{shown(seen)}")
    position = seen.position if isinstance(seen, Round) else seen
    lay_out(&position.compiled.ruleset, &fields)
    index = position.seat_index(position.turn if seat is None else seat)
    if isinstance(seen, Round):
        for before, move in seen.plays_of_deal():
            if count == fields.most_plays:
                raise CasinoError(f"a row has room for {fields.most_plays} plays of a deal, and "
                                  "this deal has more")
            fill_shown(&plays[count], (<Position>before).layout.state.turn, move)
            count += 1
    if choice is not None:
        if (choice.position is not position
                and choice.position.view(position.turn) != position.view(position.turn)):
            raise CasinoError("the choice is one of another position")
        prefix = &choice.prefix
    row = np.empty(fields.size, np.int16)
    cells = row
    write_row(&cells[0], &fields, &position.compiled.ruleset, &position.layout, plays, count,
              prefix, index)
    return row
