"""The public classes Position and Move: immutable faces of the plain structs."""
cimport cython
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from casino_core.core.movegen cimport list_segments, write_moves
from casino_core.core.notation cimport Writer, layout_text, parse_layout, parse_move, sort_builds, write_move
from casino_core.core.playout cimport (
    Arena, close_generator, list_growing, open_generator, perft_state, push_moves, start_round,
)
from casino_core.core.segments cimport Segment
from casino_core.core.state cimport card_points, hash_state, inconsistency, is_over, play_move, score_round, set_value_sum
from casino_core.core.sums cimport splits
from casino_core.core.types cimport (
    MAX_SEATS, NOBODY, Rng, STATUS_FULL, STATUS_OK, TRAIL, build_cards, build_multiple,
    build_owner, build_value, lowest, popcount, rng_seed,
)

from casino_core.cards import CARD_NAMES, CardSet
from casino_core.errors import CasinoError, HiddenCardError, IllegalMoveError, NotationError, TooManyMovesError, quoted
from casino_core.pieces import Build, Hand
from casino_core.reasons import explain
from casino_core.rules import Rules

cdef enum:
    LIST_LIMIT = 1 << 20                 # moves that a list may hold
    CHUNK = 4096                         # moves that the lazy list makes at once

cdef tuple KINDS = ("trail", "capture", "build", "build", "build")
cdef str SEATS = "abcd"


@cython.final
cdef class Move:
    """One play: the card, and what it takes or builds with. Immutable; made by a `Position`.

    `str(move)` is its text. `kind` is "trail", "capture" or "build"; `card` the card's name; `loose` the loose cards
    and `built` the cards of the builds that it takes or builds on, each a CardSet; `value` the value announced by a
    build, else None. Moves are equal when card, kind, cards and value are.

    >>> from casino_core import Position
    >>> move = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").move("7cx2s5h")
    >>> move.kind, move.card, move.loose
    ('capture', '7c', CardSet('2s5h'))
    """

    def __init__(self):
        raise TypeError("a Move is made by Position.legal_moves() or Position.move(text)")

    @property
    def kind(self):
        """"trail", "capture" or "build"."""
        return KINDS[self.data.kind]

    @property
    def card(self):
        """Name of the card played."""
        return CARD_NAMES[self.data.card]

    @property
    def loose(self):
        """Loose cards taken or built with, a CardSet."""
        return CardSet(self.data.loose)

    @property
    def built(self):
        """All cards of the builds captured, or of the base, a CardSet."""
        return CardSet(self.built)

    @property
    def value(self):
        """Value announced by a build; None for other plays."""
        return self.data.value if self.data.value else None

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Move({self.text!r})"

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return (self.data.card == (<Move>other).data.card and self.data.kind == (<Move>other).data.kind
                and self.data.value == (<Move>other).data.value and self.data.loose == (<Move>other).data.loose
                and self.built == (<Move>other).built)

    def __hash__(self):
        return hash((self.data.card, self.data.kind, self.data.value, self.data.loose, self.built))

    def __reduce__(self):
        return _restore_move, (self.data.card, self.data.kind, self.data.value, self.data.loose, self.built, self.text)


def _restore_move(int card, int kind, int value, cards_t loose, cards_t built, str text):
    cdef Move move = Move.__new__(Move)
    move.data.card = <uint8_t>card
    move.data.kind = <uint8_t>kind
    move.data.value = <uint8_t>value
    move.data.loose = loose
    move.built = built
    move.text = text
    return move


cdef Position new_position(CompiledRules compiled, const Layout* layout):
    """A position from its parts, which are taken as they are, but for the order of the builds."""
    cdef Position position = Position.__new__(Position)
    position.layout = layout[0]
    sort_builds(&position.layout.state)
    position.compiled = compiled
    position.warnings = ()
    return position


cdef class TextSorter:
    """The texts of many moves, and their order."""
    cdef char* text
    cdef int32_t* start                  # [i], [i + 1]: where text i begins and ends
    cdef int32_t* order
    cdef int32_t* spare
    cdef int64_t count

    def __cinit__(self, int64_t count, int64_t longest):
        self.count = count
        self.text = <char*>malloc(<size_t>(count * longest + 1))
        self.start = <int32_t*>malloc(<size_t>(3 * count + 2) * sizeof(int32_t))
        if self.text == NULL or self.start == NULL:
            raise MemoryError
        self.order = self.start + count + 1
        self.spare = self.order + count
        self.start[0] = 0

    def __dealloc__(self):
        free(self.text)
        free(self.start)

    cdef inline bint before(self, int32_t one, int32_t other) noexcept nogil:
        cdef int32_t a = self.start[one + 1] - self.start[one], b = self.start[other + 1] - self.start[other]
        cdef int compared = memcmp(self.text + self.start[one], self.text + self.start[other], <size_t>min(a, b))
        return compared < 0 or (compared == 0 and a <= b)

    cdef void sort(self) noexcept nogil:
        """Fill `order`: runs of eight by insertion, then merged."""
        cdef int64_t i, j, k, low = 0, middle, high, width = 8, n = self.count
        cdef int32_t held
        cdef int32_t* source = self.order
        cdef int32_t* target = self.spare
        for i in range(n):
            held = <int32_t>i
            j = i
            while j & 7 and not self.before(source[j - 1], held):
                source[j] = source[j - 1]
                j -= 1
            source[j] = held
        while width < n:
            low = 0
            while low < n:
                middle = min(low + width, n)
                high = min(low + 2 * width, n)
                i = low
                j = middle
                for k in range(low, high):
                    if j == high or (i < middle and self.before(source[i], source[j])):
                        target[k] = source[i]
                        i += 1
                    else:
                        target[k] = source[j]
                        j += 1
                low = high
            source, target = target, source
            width *= 2
        self.order = source


@cython.final
cdef class Position:
    """A position of the game: what lies where, whose turn it is, and the rules. Immutable.

    Made by `Position.parse(text)` or `Position.start(rules, seed)`. `str(position)` is the line in the notation, and
    reading it gives an equal position. `warnings` holds what was odd, but readable, in the text.

    >>> from casino_core import Position
    >>> position = Position.parse("rules=royal table=2s5h8d hands=AsTd7c9h/???? piles=?/-")
    >>> len(position.legal_moves())
    16
    >>> str(position.play("7cx2s5h"))
    'rules=royal table=8d hands=As9hTd/???? piles=2s5h7c/- turn=b last=a'
    """

    def __init__(self):
        raise TypeError("a Position is made by Position.parse(text) or Position.start(rules, seed)")

    @staticmethod
    def parse(str text not None):
        """Read a position line.

        Arguments: text, fields `key=value` in any order, as in docs/notation.md.
        Raises NotationError, naming the field and the cards, or RulesError.

        >>> Position.parse("table=2s hands=As/Ah").turn
        Traceback (most recent call last):
        ...
        casino_core.errors.NotationError: stock: 49 cards are left for the stock, which cannot be dealt evenly to 2 \
players; captured cards belong in piles, as ? where not remembered, and cards that are not in the game in out
        """
        cdef Position position = Position.__new__(Position)
        cdef list warnings = []
        position.compiled = parse_layout(text, &position.layout, warnings)
        position.warnings = tuple(warnings)
        return position

    @staticmethod
    def start(rules="standard", *, uint64_t seed=0, score=None):
        """The first position of a round, dealt from a pack shuffled by `seed`: all cards known, the stock in order.

        Arguments: rules, a Rules or its text; seed, 0 to 2**64 - 1; score, the match score per side before the round.
        Raises RulesError.

        >>> Position.start("royal", seed=1).stock_count
        40
        """
        cdef Layout layout
        cdef Rng rng
        cdef CompiledRules compiled = CompiledRules(rules if isinstance(rules, Rules) else Rules.parse(rules))
        cdef int side
        memset(&layout, 0, sizeof(Layout))
        if score is not None:
            if len(score) != compiled.ruleset.sides:
                raise NotationError(f"score: {compiled.ruleset.sides} scores under these rules, not {len(score)}")
            for side in range(compiled.ruleset.sides):
                layout.score[side] = score[side]
        rng_seed(&rng, seed)
        start_round(&layout.state, &compiled.ruleset, &layout.stock, &rng)
        return new_position(compiled, &layout)

    # What lies where

    @property
    def rules(self):
        """The Rules."""
        return self.compiled.rules

    @property
    def table(self):
        """Loose cards, a CardSet."""
        return CardSet(self.layout.state.table)

    @property
    def builds(self):
        """The builds, a tuple of Build sorted by value, owner, cards."""
        cdef int i
        cdef const State* state = &self.layout.state
        return tuple([
            Build(build_value(state.builds[i]), SEATS[build_owner(state.builds[i])],
                  bool(build_multiple(state.builds[i])), CardSet(build_cards(state.builds[i])))
            for i in range(state.build_count)
        ])

    @property
    def hands(self):
        """A Hand per seat."""
        cdef int i
        return tuple([Hand(CardSet(self.layout.state.hands[i]), self.layout.state.hidden[i])
                      for i in range(self.compiled.ruleset.seats)])

    @property
    def piles(self):
        """The captured cards, a Hand per side: cards known, and how many are not remembered."""
        cdef int i
        return tuple([Hand(CardSet(self.layout.state.piles[i]), self.layout.state.forgotten[i])
                      for i in range(self.compiled.ruleset.sides)])

    @property
    def turn(self):
        """Letter of the seat to play; 'a' when the round is finished."""
        return SEATS[self.layout.state.turn]

    @property
    def last(self):
        """Letter of the seat that captured last, or None."""
        return None if self.layout.state.last == NOBODY else SEATS[self.layout.state.last]

    @property
    def sweeps(self):
        """Sweeps per side."""
        return tuple([self.layout.state.sweeps[i] for i in range(self.compiled.ruleset.sides)])

    @property
    def stock(self):
        """Names of the cards to come, next first, where their order is known, else None."""
        cdef int i
        if not self.layout.state.stock:
            return ()
        if not self.layout.stock.count:
            return None
        return tuple([CARD_NAMES[self.layout.stock.cards[i]]
                      for i in range(self.layout.stock.count - self.layout.state.stock, self.layout.stock.count)])

    @property
    def stock_count(self):
        """Number of cards to come."""
        return self.layout.state.stock

    @property
    def out(self):
        """Cards that are not in the game, a CardSet."""
        return CardSet(self.layout.out)

    @property
    def declared(self):
        """Per seat, the values declared beyond those of the builds it owns, highest first."""
        cdef int seat, value
        return tuple([tuple([value for value in range(14, 0, -1) if self.layout.state.declared[seat] >> value & 1])
                      for seat in range(self.compiled.ruleset.seats)])

    @property
    def match_score(self):
        """Match score per side before this round."""
        return tuple([self.layout.score[i] for i in range(self.compiled.ruleset.sides)])

    @property
    def is_over(self):
        """Whether the round is finished: no card in a hand or in the stock."""
        return bool(is_over(&self.layout.state))

    # Moves

    cdef const Stock* stock_order(self) noexcept nogil:
        return &self.layout.stock if self.layout.stock.count else NULL

    cdef int need_hand(self) except -1:
        if self.layout.state.hidden[self.layout.state.turn]:
            raise HiddenCardError(f"the cards of seat {SEATS[self.layout.state.turn]}, whose turn it is, are not all known")
        return 0

    cdef Move wrap(self, const MoveData* data):
        """The public form of a move of this position."""
        cdef Writer writer
        cdef Move move = Move.__new__(Move)
        cdef uint32_t builds = data.builds
        writer.length = 0
        write_move(&writer, &self.layout.state, data)
        move.data = data[0]
        move.built = 0
        while builds:
            move.built |= build_cards(self.layout.state.builds[lowest(builds)])
            builds &= builds - 1
        move.text = PyUnicode_DecodeASCII(writer.text, writer.length, NULL)
        return move

    def legal_moves(self):
        """All legal moves, sorted by text; none when the round is finished.

        Raises HiddenCardError when a card of the seat to play is not known, TooManyMovesError when there are more
        than a million (see `iter_legal_moves`).

        >>> [str(move) for move in Position.parse("table=QsQh5d8c hands=QdAsThJh/????").legal_moves()]
        ['As', 'Jh', 'Qd', 'QdxQh', 'QdxQs', 'Th']
        """
        cdef Generator generator
        cdef Arena arena
        cdef int64_t count, i
        cdef Writer writer
        cdef TextSorter sorter
        cdef Move move
        cdef list moves
        if is_over(&self.layout.state):
            return []
        self.need_hand()
        memset(&arena, 0, sizeof(Arena))
        if open_generator(&generator) != STATUS_OK:
            raise MemoryError
        try:
            with nogil:
                count = push_moves(&arena, &generator, &self.layout.state, &self.compiled.ruleset, LIST_LIMIT)
            if count < 0:
                raise TooManyMovesError("more than a million moves are legal; iter_legal_moves() gives them one by one")
            sorter = TextSorter(count, 2 * 52 + 16 * self.layout.state.build_count + 8)
            with nogil:
                for i in range(count):
                    writer.length = 0
                    write_move(&writer, &self.layout.state, &arena.moves[i])
                    memcpy(sorter.text + sorter.start[i], writer.text, <size_t>writer.length)
                    sorter.start[i + 1] = sorter.start[i] + writer.length
                sorter.sort()
            moves = PyList_New(count)
            for i in range(count):
                move = self.wrap(&arena.moves[sorter.order[i]])
                Py_INCREF(move)
                PyList_SET_ITEM(moves, i, move)
            return moves
        finally:
            close_generator(&generator)
            free(arena.moves)

    def iter_legal_moves(self):
        """All legal moves one by one, in an order of no meaning, however many they are.

        On a table crowded with loose cards there may be billions; the first come at once.
        Raises HiddenCardError when a card of the seat to play is not known.

        >>> len(list(Position.parse("table=QsQh5d8c hands=QdAsThJh/????").iter_legal_moves()))
        6
        """
        self.need_hand()
        return LazyMoves(self)

    def count_legal_moves(self):
        """How many moves are legal.

        Raises HiddenCardError when a card of the seat to play is not known.

        >>> Position.parse("table=QsQh5d8c hands=QdAsThJh/????").count_legal_moves()
        6
        """
        cdef Generator generator
        if is_over(&self.layout.state):
            return 0
        self.need_hand()
        if open_generator(&generator) != STATUS_OK:
            raise MemoryError
        generator.counting = True
        with nogil:
            list_segments(&generator, &self.layout.state, &self.compiled.ruleset)
            close_generator(&generator)
        return generator.total

    cdef int resolve(self, object move, MoveData* data) except -1:
        """A move given as text or as a Move of any position, in terms of this position."""
        cdef int i
        cdef cards_t cards, left
        if isinstance(move, str):
            parse_move(move, &self.layout.state, data)
            return 0
        if not isinstance(move, Move):
            raise NotationError(f"a move is a Move or its text, not {type(move).__name__}")
        data[0] = (<Move>move).data
        data.builds = 0
        left = (<Move>move).built
        for i in range(self.layout.state.build_count):
            cards = build_cards(self.layout.state.builds[i])
            if cards & ~left == 0:
                data.builds |= <uint32_t>1 << i
                left ^= cards
        if left:
            raise IllegalMoveError(f"{move}: the build it names is not on the table",
                                   "the build it names is not on the table")
        return 0

    cdef bint legal(self, const MoveData* move) except -1:
        """Whether the move is among the legal ones."""
        cdef Generator generator
        cdef const Segment* segment
        cdef int64_t i
        cdef uint64_t index
        cdef cards_t rest
        cdef int k, low_count
        cdef bint found = False
        if not self.layout.state.hands[self.layout.state.turn] >> move.card & 1:
            return False
        if open_generator(&generator) != STATUS_OK:
            raise MemoryError
        generator.probe.active = True
        generator.probe.rank = move.card >> 2
        generator.probe.kind = move.kind
        generator.probe.value = move.value
        generator.probe.loose = move.loose
        with nogil:
            if list_growing(&generator, &self.layout.state, &self.compiled.ruleset, LIST_LIMIT) != STATUS_OK:
                close_generator(&generator)
                with gil:
                    raise TooManyMovesError("too many moves are legal here to look one up")
            low_count = 0 if generator.sums.crowded else min(generator.sums.count, 6)
            for i in range(generator.count):
                segment = &generator.segments[i]
                if (segment.rank != move.card >> 2 or segment.kind != move.kind or segment.value != move.value
                        or segment.fixed & ~move.builds or move.builds & ~(segment.fixed | segment.free)
                        or segment.high & ~move.loose):
                    continue
                rest = move.loose ^ segment.high
                index = 0
                for k in range(low_count):
                    if rest & generator.sums.card[k]:
                        index |= <uint64_t>1 << k
                        rest ^= generator.sums.card[k]
                if rest == 0 and segment.subsets >> index & 1 and (move.kind == TRAIL or move.loose or move.builds):
                    found = True
                    break
            close_generator(&generator)
        return found

    def move(self, text):
        """The legal move that a text means.

        Arguments: text, as written, with cards in any order, spaces, and any form of card; or a Move.
        Raises NotationError when it cannot be read, IllegalMoveError with the reason when it is not legal,
        HiddenCardError when a card of the seat to play is not known.

        >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").move("7c x 5h 2s")
        Move('7cx2s5h')
        """
        cdef MoveData data
        self.resolve(text, &data)
        self.check(text, &data)
        return self.wrap(&data)

    cdef int check(self, object move, const MoveData* data) except -1:
        """Refuse a move that is not legal."""
        cdef str reason
        if not is_over(&self.layout.state):
            self.need_hand()
            if self.legal(data):
                return 0
        reason = explain(self, self.wrap(data))
        raise IllegalMoveError(f"{self.wrap(data)} is not legal: {reason}", reason)

    def is_legal(self, move):
        """Whether a move, a Move or its text, is legal here.

        Raises NotationError when the text cannot be read, HiddenCardError when a card of the seat to play is not known.

        >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").is_legal("8dx2s5h")
        False
        """
        cdef MoveData data
        if is_over(&self.layout.state):
            return False
        self.need_hand()
        try:
            self.resolve(move, &data)
        except IllegalMoveError:
            return False
        return bool(self.legal(&data))

    def why_illegal(self, move):
        """None for a legal move, else the reason in words.

        Arguments: move, a Move or its text.
        Raises HiddenCardError when a card of the seat to play is not known.

        >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").why_illegal("8dx2s5h")
        '2s5h cannot be captured with 8d: the cards do not split into groups that each sum to 8'
        """
        try:
            self.move(move)
        except IllegalMoveError as error:
            return error.reason
        except NotationError as error:
            return str(error)
        return None

    def play(self, move):
        """The position after a move; this one is unchanged.

        Arguments: move, a Move or its text. Cards that follow are dealt or drawn: known where the order of the stock
        is known, else as `?`.
        Raises NotationError, IllegalMoveError or HiddenCardError as `move` does.

        >>> str(Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").play("8d").turn)
        'b'
        """
        cdef MoveData data
        cdef Layout layout
        self.resolve(move, &data)
        self.check(move, &data)
        layout = self.layout
        play_move(&layout.state, &self.compiled.ruleset, self.stock_order(), &data)
        return new_position(self.compiled, &layout)

    def _world(self, hands, piles, stock):
        """This position with other hands and piles, as masks, all known, and the stock's order or None.

        For sampling: the masks are taken as they are.
        """
        cdef Layout layout = self.layout
        cdef int i
        for i in range(self.compiled.ruleset.seats):
            layout.state.hands[i] = hands[i]
            layout.state.hidden[i] = 0
        for i in range(self.compiled.ruleset.sides):
            layout.state.piles[i] = piles[i]
            layout.state.forgotten[i] = 0
        layout.stock.count = 0
        if stock is not None:
            for card in stock:
                layout.stock.cards[layout.stock.count] = card
                layout.stock.count += 1
        return new_position(self.compiled, &layout)

    # What is seen, and scores

    def view(self, str seat not None):
        """The position as a seat sees it: the other hands as `?`, the order of the stock unknown.

        Arguments: seat, its letter. Raises NotationError for a seat that does not play.

        >>> str(Position.parse("table=2s5hJdKc hands=7c8dAs9h/AcThQcKd").view("b"))
        'rules=standard table=2s5hJdKc hands=????/AcThQcKd turn=a'
        """
        cdef Layout layout = self.layout
        cdef int index = SEATS.find(seat) if len(seat) == 1 else -1
        cdef int i
        if not 0 <= index < self.compiled.ruleset.seats:
            raise NotationError(f"{quoted(seat)} is not a seat; the seats are {SEATS[:self.compiled.ruleset.seats]}")
        for i in range(MAX_SEATS):
            if i != index:
                layout.state.hidden[i] += <uint8_t>popcount(layout.state.hands[i])
                layout.state.hands[i] = 0
        layout.stock.count = 0
        return new_position(self.compiled, &layout)

    def score(self):
        """Points of each side for the finished round, in the order of sides.

        Raises CasinoError while the round is going on, HiddenCardError when captured cards are not known.

        >>> Position.parse("hands=-/- table=- piles=??/? last=a out=As").score()
        Traceback (most recent call last):
        ...
        casino_core.errors.NotationError: stock: 48 cards are left for the stock, which cannot be dealt evenly to 2 \
players; captured cards belong in piles, as ? where not remembered, and cards that are not in the game in out
        """
        cdef int32_t points[MAX_SEATS]
        cdef int i
        if not is_over(&self.layout.state):
            raise CasinoError("the round is not finished, so it has no score yet")
        for i in range(self.compiled.ruleset.sides):
            if self.layout.state.forgotten[i]:
                raise HiddenCardError("captured cards are not all known (? in piles), so the points cannot be counted")
        score_round(&self.layout.state, &self.compiled.ruleset, points)
        return tuple([points[i] for i in range(self.compiled.ruleset.sides)])

    # Python's own

    def __str__(self):
        return layout_text(&self.layout, self.compiled)

    def __repr__(self):
        return f"Position.parse({str(self)!r})"

    def __eq__(self, other):
        cdef Position another
        if not isinstance(other, Position):
            return NotImplemented
        another = <Position>other
        if self is another:
            return True
        return (self.compiled.rules == another.compiled.rules
                and hash_state(&self.layout.state) == hash_state(&another.layout.state)
                and self.stock == another.stock and self.layout.out == another.layout.out
                and self.match_score == another.match_score
                and str(self).partition(" ")[2] == str(another).partition(" ")[2])

    def __hash__(self):
        return hash((hash_state(&self.layout.state), self.compiled.rules, self.layout.out))

    def __reduce__(self):
        return Position.parse, (str(self),)

    def _perft(self, int depth):
        """Sequences of `depth` plays, 1 or more; see `casino_core.perft`."""
        if is_over(&self.layout.state):
            return 1
        return perft_state(&self.layout.state, self.compiled, self.stock_order(), depth)

    # For the words of `reasons`, and for tests

    def _values(self, str card not None):
        """Values that a card has under the rules, lowest first."""
        cdef uint16_t values = self.compiled.ruleset.values_of_rank[CARD_NAMES.index(card) >> 2]
        return tuple([value for value in range(1, 15) if values >> value & 1])

    def _sum(self, cards not None):
        """Sum of the values of a CardSet, aces as 1."""
        return set_value_sum(&self.compiled.ruleset, cards.mask)

    def _points(self, cards not None):
        """Points of the captured cards of a CardSet, without most cards and most spades."""
        return card_points(&self.compiled.ruleset, cards.mask)

    def _splits(self, cards not None, int value):
        """Whether a CardSet splits into groups of a value."""
        cdef uint8_t counts[16]
        cdef cards_t left = cards.mask
        memset(counts, 0, 16)
        while left:
            if not self.compiled.ruleset.sum_value[lowest(left) >> 2]:
                return False
            counts[self.compiled.ruleset.sum_value[lowest(left) >> 2]] += 1
            left &= left - 1
        return bool(splits(counts, value, self.compiled.ruleset.aces_high))

    def _state(self):
        """The state struct as bytes, and the compiled rules."""
        return (<const char*>&self.layout.state)[:sizeof(State)], self.compiled

    def _inconsistency(self):
        """None, or which invariant of the state is broken: for tests."""
        cdef const char* broken = inconsistency(&self.layout.state, &self.compiled.ruleset)
        return None if broken == NULL else broken.decode()

    def _hash(self):
        """The state's 64-bit hash: for tests."""
        return hash_state(&self.layout.state)


@cython.final
cdef class LazyMoves:
    """Iterator over the legal moves, made in chunks of segments."""
    cdef Position position
    cdef int64_t done                    # segments gone by
    cdef list chunk
    cdef Py_ssize_t place
    cdef bint ended

    def __cinit__(self, Position position not None):
        self.position = position
        self.chunk = []
        self.ended = bool(is_over(&position.layout.state))

    def __iter__(self):
        return self

    def __next__(self):
        cdef Move move
        while self.place == len(self.chunk):
            if self.ended:
                raise StopIteration
            self.fill()
        move = self.chunk[self.place]
        self.place += 1
        return move

    cdef int fill(self) except -1:
        """The next chunk: segments are made again from the first, those gone by being passed over by count."""
        cdef Generator generator
        cdef MoveData* moves = NULL
        cdef int64_t count, i
        cdef const State* state = &self.position.layout.state
        self.chunk = []
        self.place = 0
        if open_generator(&generator) != STATUS_OK:
            raise MemoryError
        try:
            generator.capacity = CHUNK
            generator.skip = self.done
            with nogil:
                self.ended = list_segments(&generator, state, &self.position.compiled.ruleset) == STATUS_OK
            self.done += generator.count
            count = generator.total
            moves = <MoveData*>malloc(<size_t>(count + 1) * sizeof(MoveData))
            if moves == NULL:
                raise MemoryError
            write_moves(&generator, moves)
            for i in range(count):
                self.chunk.append(self.position.wrap(&moves[i]))
        finally:
            free(moves)
            close_generator(&generator)
        return 0


