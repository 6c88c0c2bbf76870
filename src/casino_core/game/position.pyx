"""The public class Position: an immutable face of the plain structs."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from casino_core.game.move cimport new_move, resolve_move
from casino_core.game.movelist cimport count_moves, is_listed, lazy_moves, sorted_moves
from casino_core.game.notation cimport parse_layout
from casino_core.game.opening cimport deal_opening
from casino_core.game.writing cimport layout_text
from casino_core.moves.perft cimport perft_state
from casino_core.moves.state cimport hash_state, is_over, play_move, score_round, sort_builds
from casino_core.rules.types cimport (
    DECK, MAX_SEATS, NOBODY, Ruleset, State, build_cards, build_multiple, build_owner,
    build_value, cards_t, popcount, side_of,
)

cdef tuple CARD_NAMES                    # imported into a C variable: no name of the module

from casino_core._arguments import shown
from casino_core.errors import CasinoError, HiddenCardError, IllegalMoveError, NotationError
from casino_core.game.points import points_so_far
from casino_core.game.possible import refusal
from casino_core.game.refusals import explain
from casino_core.game.whereabouts import whereabouts
from casino_core.rules.cards import CARD_NAMES, CardSet
from casino_core.rules.options import Rules
from casino_core.rules.pieces import Build, BySeat, Hand, PilesOfPartners

cdef str SEATS = "abcd"
cdef CompiledRules STANDARD = CompiledRules(Rules())

globals()["Move"] = Move                 # a cimport alone is not there for Python


cdef Position new_position(CompiledRules compiled, const Layout* layout):
    """A position from its parts, which are taken as they are, but for the order of the builds."""
    cdef Position position = Position.__new__(Position)
    position.layout = layout[0]
    sort_builds(&position.layout.state)
    position.compiled = compiled
    position.warnings = ()
    return position


@cython.final
cdef class Position:
    """A position of the game: cards, builds, turn and rules. Immutable.

    Use `Position.parse(text)` or `Position.start(rules, seed)` to make one. `str(position)` is its
    line in the notation; parsing that line gives an equal position.

    Attributes:
        warnings: oddities in the text that was parsed, one line each.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("rules=royal table=2s5h8d hands=AsTd7c9h/???? piles=?/-")
        >>> len(position.legal_moves())
        10
        >>> str(position.play("7cx2s5h"))
        'rules=royal table=8d hands=As9hTd/???? piles=2s5h7c?/- turn=b last=a'
    """

    def __cinit__(self):
        self.compiled = STANDARD         # so that a bare object is a finished round, not a crash
        self.warnings = ()

    def __init__(self, *_, **__):
        raise TypeError("a Position is made by Position.parse(text) or Position.start(rules, seed)")

    @staticmethod
    def parse(text):
        """Read a position line.

        Args:
            text: fields `key=value` in any order, as described in docs/notation.md.

        Raises:
            NotationError: the line cannot be read; the message names the field and the cards.
            RulesError: there are no such rules.

        Example:
            >>> Position.parse("table=2s hands=As/Ah").turn
            Traceback (most recent call last):
            ...
            casino_core.errors.NotationError: stock: 49 cards are left, but a deal takes 8; if 1 \
of them has been captured, add piles=?/-; if the last deal is a short one, add out=-
        """
        cdef Position position = Position.__new__(Position)
        cdef list warnings = []
        if not isinstance(text, str):
            raise NotationError(f"a position is read from text, not from {type(text).__name__}")
        position.compiled = parse_layout(text, &position.layout, warnings)
        position.warnings = tuple(warnings)
        return position

    @staticmethod
    def start(rules="standard", *, seed=None, score=None, deck=None):
        """Deal the first position of a round; all cards and the order of the stock are known.

        Args:
            rules: a `Rules` or its text.
            seed: seed of the shuffle, 0 to 2**64 - 1; 0 if neither seed nor deck is given.
            score: match score of each side before the round.
            deck: the pack in the order of dealing, instead of a seed: 52 cards as text or names,
                four to seat a, four to each other seat in turn, four to the table, then the stock,
                next card first.

        Raises:
            RulesError: there are no such rules.
            NotationError: the score or the deck cannot be read.
            CasinoError: the seed is out of range, or both a seed and a deck are given.

        Example:
            >>> Position.start("royal", seed=1).stock_count
            40
        """
        cdef Layout layout
        cdef CompiledRules compiled = CompiledRules(rules if isinstance(rules, Rules)
                                                    else Rules.parse(rules))
        deal_opening(compiled, seed, deck, score, &layout)
        return new_position(compiled, &layout)

    # What lies where

    @property
    def rules(self):
        """The rules, a `Rules`."""
        return self.compiled.rules

    @property
    def _compiled(self):
        """The rules as the core reads them."""
        return self.compiled

    @property
    def table(self):
        """The loose cards on the table, a `CardSet`."""
        return CardSet(self.layout.state.table)

    @property
    def builds(self):
        """The builds, a tuple of `Build` sorted by value, owner and cards."""
        cdef int i
        cdef const State* state = &self.layout.state
        return tuple([
            Build(build_value(state.builds[i]), SEATS[build_owner(state.builds[i])],
                  bool(build_multiple(state.builds[i])), CardSet(build_cards(state.builds[i])))
            for i in range(state.build_count)
        ])

    @property
    def hands(self):
        """The hand of each seat, a `Hand`: `hands[0]` or `hands["a"]`."""
        cdef int i
        return BySeat([Hand(CardSet(self.layout.state.hands[i]), self.layout.state.hidden[i])
                       for i in range(self.compiled.ruleset.seats)])

    @property
    def hand(self):
        """The hand of the seat to play, a `Hand`."""
        cdef const State* state = &self.layout.state
        return Hand(CardSet(state.hands[state.turn]), state.hidden[state.turn])

    @property
    def side(self):
        """Number of the side to play, from 0."""
        return side_of(&self.compiled.ruleset, self.layout.state.turn)

    @property
    def piles(self):
        """The captured cards of each side, a `Hand`; cards not remembered count as hidden.

        `piles[0]` is the pile of side 0, `piles["a"]` that of the side for which seat a plays.
        """
        cdef int i
        return (PilesOfPartners if self.compiled.ruleset.partners else BySeat)([
            Hand(CardSet(self.layout.state.piles[i]), self.layout.state.forgotten[i])
            for i in range(self.compiled.ruleset.sides)
        ])

    @property
    def points(self):
        """The captures of each side so far, a `Points`: counts, and points by category.

        Example:
            >>> Position.start("royal", seed=1).points[0].total
            0
        """
        return points_so_far(self)

    @property
    def turn(self):
        """Letter of the seat to play, 'a' if the round is finished."""
        return SEATS[self.layout.state.turn]

    @property
    def last(self):
        """Letter of the seat that made the last capture, or None."""
        return None if self.layout.state.last == NOBODY else SEATS[self.layout.state.last]

    @property
    def sweeps(self):
        """Number of sweeps of each side."""
        return tuple([self.layout.state.sweeps[i] for i in range(self.compiled.ruleset.sides)])

    @property
    def stock(self):
        """Names of the cards in the stock, next card first; None if their order is unknown."""
        cdef int i
        if not self.layout.state.stock:
            return ()
        if not self.layout.stock.count:
            return None
        return tuple([CARD_NAMES[self.layout.stock.cards[i]]
                      for i in range(self.layout.stock.count - self.layout.state.stock,
                                     self.layout.stock.count)])

    @property
    def stock_count(self):
        """Number of cards in the stock."""
        return self.layout.state.stock

    @property
    def out(self):
        """Cards that are not in the game, a `CardSet`."""
        return CardSet(self.layout.out)

    @property
    def unseen(self):
        """The unseen cards, a `CardSet`: in hidden hands, in the stock, or captured and not
        remembered.

        Example:
            >>> len(Position.parse("table=QsQh5d8c hands=QdAsThJh/????").unseen)
            44
        """
        return CardSet(self.unseen_cards())

    @property
    def declared(self):
        """Values declared by each seat beyond those of its builds, highest first."""
        cdef int seat, value
        return tuple([tuple([value for value in range(14, 0, -1)
                             if self.layout.state.declared[seat] >> value & 1])
                      for seat in range(self.compiled.ruleset.seats)])

    @property
    def match_score(self):
        """Match score of each side before this round."""
        return tuple([self.layout.score[i] for i in range(self.compiled.ruleset.sides)])

    @property
    def is_over(self):
        """Whether the round is finished: no cards are left in the hands or the stock."""
        return bool(is_over(&self.layout.state))

    # Moves

    cdef const Stock* stock_order(self) noexcept nogil:
        return &self.layout.stock if self.layout.stock.count else NULL

    cdef cards_t unseen_cards(self) noexcept nogil:
        """The cards that lie nowhere in sight; an order of the stock that is known is in sight."""
        cdef const State* state = &self.layout.state
        cdef cards_t seen = state.table | self.layout.out
        cdef int i
        for i in range(MAX_SEATS):
            seen |= state.hands[i] | state.piles[i]
        for i in range(state.build_count):
            seen |= build_cards(state.builds[i])
        for i in range(self.layout.stock.count):
            seen |= <cards_t>1 << self.layout.stock.cards[i]
        return ((<cards_t>1 << DECK) - 1) & ~seen

    cdef int need_hand(self) except -1:
        if self.layout.state.hidden[self.layout.state.turn]:
            raise HiddenCardError(f"the cards of seat {SEATS[self.layout.state.turn]}, whose turn "
                                  "it is, are not all known")
        return 0

    cdef Move wrap(self, const MoveData* data):
        """The public form of a move of this position."""
        return new_move(&self.layout.state, data)

    def legal_moves(self):
        """List the legal moves, sorted by text; none if the round is finished.

        Raises:
            HiddenCardError: a card of the seat to play is unknown.
            TooManyMovesError: there are more than a million; see `iter_legal_moves`.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> [str(move) for move in position.legal_moves()]
            ['As', 'Jh', 'Qd', 'QdxQh', 'QdxQs', 'Th']
        """
        if is_over(&self.layout.state):
            return []
        self.need_hand()
        return sorted_moves(&self.layout.state, &self.compiled.ruleset)

    def some_legal_moves(self):
        """List the legal moves, sorted by text; of more than 4,096 about as many.

        Of each kind of play the one that takes the most cards is among them, the others at even
        distances. These are the moves that a hint compares.

        Raises:
            HiddenCardError: a card of the seat to play is not known.

        Example:
            >>> len(Position.parse("table=QsQh5d8c hands=QdAsThJh/????").some_legal_moves())
            6
        """
        if is_over(&self.layout.state):
            return []
        self.need_hand()
        return sorted_moves(&self.layout.state, &self.compiled.ruleset, True)

    def iter_legal_moves(self):
        """Iterate over the legal moves, in no particular order.

        A table crowded with loose cards may allow billions; the iterator makes each move only when
        it is needed.

        Raises:
            HiddenCardError: a card of the seat to play is unknown.

        Example:
            >>> len(list(Position.parse("table=QsQh5d8c hands=QdAsThJh/????").iter_legal_moves()))
            6
        """
        self.need_hand()
        return lazy_moves(&self.layout.state, self.compiled)

    def count_legal_moves(self):
        """Count the legal moves.

        Raises:
            HiddenCardError: a card of the seat to play is unknown.

        Example:
            >>> Position.parse("table=QsQh5d8c hands=QdAsThJh/????").count_legal_moves()
            6
        """
        if is_over(&self.layout.state):
            return 0
        self.need_hand()
        return count_moves(&self.layout.state, &self.compiled.ruleset)

    cdef int resolve(self, object move, MoveData* data) except -1:
        """A move given as text or as a Move of any position, in terms of this position."""
        return resolve_move(&self.layout.state, move, data)

    def move(self, text):
        """Read a legal move.

        If the hand of the seat to play is not fully known, a move is legal if it is legal from some
        hand that fits what is seen.

        Args:
            text: a move, with cards in any order and any form, and spaces anywhere; or a `Move`.

        Raises:
            NotationError: the text cannot be read.
            IllegalMoveError: the move is not legal; its `reason` says why.

        Example:
            >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").move("7c x 5h 2s")
            Move('7cx2s5h')
        """
        cdef MoveData data
        self.resolve(text, &data)
        self.check(text, &data)
        return self.wrap(&data)

    cdef int check(self, object move, const MoveData* data) except -1:
        """Refuse a move that is not legal."""
        if not is_over(&self.layout.state):
            if self.layout.state.hidden[self.layout.state.turn]:
                reason = refusal(self, self.wrap(data))
                if reason is None:
                    return 0
                raise self.illegal(data, reason)
            if is_listed(&self.layout.state, &self.compiled.ruleset, data):
                return 0
        reason = explain(self, self.wrap(data))
        raise self.illegal(data, reason)

    cdef object illegal(self, const MoveData* data, object reason):
        """The error for a move that is not legal."""
        return IllegalMoveError(f"{self.wrap(data)} is not legal: {reason.text}", reason.text,
                                reason.code)

    def is_legal(self, move):
        """Whether a move is legal, or may be legal if the hand is not fully known.

        Args:
            move: a `Move` or its text.

        Raises:
            NotationError: the text cannot be read.

        Example:
            >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").is_legal("8dx2s5h")
            False
        """
        cdef MoveData data
        if is_over(&self.layout.state):
            return False
        try:
            self.resolve(move, &data)
        except IllegalMoveError:
            return False
        if self.layout.state.hidden[self.layout.state.turn]:
            return refusal(self, self.wrap(&data)) is None
        return bool(is_listed(&self.layout.state, &self.compiled.ruleset, &data))

    def why_illegal(self, move):
        """Explain why a move is not legal.

        Args:
            move: a `Move` or its text.

        Returns:
            The reason in words, None for a legal move.

        Example:
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
        """Play a move and return the new position; this one is unchanged.

        Cards dealt or drawn after the move are known if the order of the stock is known, otherwise
        hidden (`?`). A hidden card that is played becomes known.

        Args:
            move: a `Move` or its text.

        Raises:
            NotationError: the text cannot be read.
            IllegalMoveError: the move is not legal; its `reason` says why.

        Example:
            >>> Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").play("8d").turn
            'b'
        """
        cdef MoveData data
        self.resolve(move, &data)
        self.check(move, &data)
        return self.after(&data, True)

    cdef Position after(self, const MoveData* data, bint own):
        """The position after a move that is legal; a hidden card that is played is filled in.

        `own`: a build that may be the mover's or the partner's, as the mover's hand is hidden, is
        the mover's.
        """
        cdef Layout layout = self.layout
        cdef State* state = &layout.state
        cdef int seat = state.turn
        cdef cards_t held = 0
        if state.hidden[seat]:
            if not state.hands[seat] >> data.card & 1:
                state.hands[seat] |= <cards_t>1 << data.card
                state.hidden[seat] -= 1
            held = self.card_to_keep(state, data) if own else 0
            state.hands[seat] |= held
            state.hidden[seat] -= held != 0
        play_move(state, &self.compiled.ruleset, self.stock_order(), data)
        if held:
            state.hands[seat] ^= held
            state.hidden[seat] += 1
        return new_position(self.compiled, &layout)

    cdef cards_t card_to_keep(self, const State* state, const MoveData* data) noexcept nogil:
        """A card that may be hidden in the hand of a partner who builds, and makes the build its
        own; 0 for none."""
        cdef const Ruleset* rules = &self.compiled.ruleset
        cdef cards_t could = self.unseen_cards() & rules.by_value[data.value]
        could &= ~(<cards_t>1 << data.card)
        if not (rules.partner_builds and rules.partners and data.value
                and state.hidden[state.turn]):
            return 0
        return could & (0 - could)

    def _advance(self, move, bint own=True):
        """The legal move of a text or a Move, and the position after it.

        Args:
            move: a Move or its text.
            own: whether the mover owns a build that, from a hidden hand, might also be the
                partner's.
        """
        cdef MoveData data
        self.resolve(move, &data)
        self.check(move, &data)
        return self.wrap(&data), self.after(&data, own)

    def _with_hand(self, hand):
        """This position with the hand of the seat to play known; the mask is taken as it is."""
        cdef Layout layout = self.layout
        layout.state.hands[layout.state.turn] = hand
        layout.state.hidden[layout.state.turn] = 0
        return new_position(self.compiled, &layout)

    def reveal(self, seat, cards):
        """Return the position with hidden cards of a hand made known: cards that the seat was
        dealt, drew or showed.

        Args:
            seat: letter of the seat.
            cards: a `CardSet`, or the text or the names of at most as many cards as the hand hides.

        Raises:
            NotationError: the hand cannot have these cards.

        Example:
            >>> str(Position.parse("table=2s5hJdKc hands=????/AcThQcKd").reveal("a", "7c8d"))
            'rules=standard table=2s5hJdKc hands=7c8d??/AcThQcKd turn=a'
        """
        cdef Layout layout = self.layout
        cdef int index = self.seat_index(seat)
        cdef cards_t mask = CardSet(cards).mask
        if mask & ~self.unseen_cards():
            elsewhere = CardSet(mask & ~self.unseen_cards())
            where = whereabouts(self, elsewhere)
            raise NotationError(f"seat {seat} cannot be dealt {elsewhere}: {where}")
        if popcount(mask) > layout.state.hidden[index]:
            raise NotationError(f"seat {seat} has {layout.state.hidden[index]} cards that are not "
                                f"known, not {popcount(mask)}")
        layout.state.hands[index] |= mask
        layout.state.hidden[index] -= <uint8_t>popcount(mask)
        return new_position(self.compiled, &layout)

    # What is seen, and scores

    cdef int seat_index(self, seat) except -1:
        cdef int index = SEATS.find(seat) if isinstance(seat, str) and len(seat) == 1 else -1
        if not 0 <= index < self.compiled.ruleset.seats:
            seats = SEATS[:self.compiled.ruleset.seats]
            raise NotationError(f"{shown(seat)} is not a seat; the seats are {seats}")
        return index

    def view(self, seat):
        """Return the position as a seat sees it, with the other hands and the order of the stock
        hidden.

        Args:
            seat: letter of the seat.

        Raises:
            NotationError: there is no such seat.

        Example:
            >>> str(Position.parse("table=2s5hJdKc hands=7c8dAs9h/AcThQcKd").view("b"))
            'rules=standard table=2s5hJdKc hands=????/AcThQcKd turn=a'
        """
        cdef Layout layout = self.layout
        cdef int index = self.seat_index(seat)
        cdef int i
        for i in range(MAX_SEATS):
            if i != index:
                layout.state.hidden[i] += <uint8_t>popcount(layout.state.hands[i])
                layout.state.hands[i] = 0
        layout.stock.count = 0
        return new_position(self.compiled, &layout)

    def open_view(self):
        """Return the position with the order of the stock hidden; the hands stay as they are.

        Example:
            >>> Position.start(seed=1).open_view().stock is None
            True
        """
        cdef Layout layout = self.layout
        layout.stock.count = 0
        return new_position(self.compiled, &layout)

    def score(self):
        """Score the finished round: the points of each side.

        Raises:
            CasinoError: the round is not finished.
            HiddenCardError: captured cards are unknown.

        Example:
            >>> position = Position.start(seed=1)
            >>> while not position.is_over:
            ...     position = position.play(position.legal_moves()[-1])
            >>> position.score()
            (2, 9)
        """
        cdef int32_t points[MAX_SEATS]
        cdef int i
        if not is_over(&self.layout.state):
            raise CasinoError("the round is not finished, so it has no score yet")
        for i in range(self.compiled.ruleset.sides):
            if self.layout.state.forgotten[i]:
                raise HiddenCardError("captured cards are not all known (? in piles), so the "
                                      "points cannot be counted")
        score_round(&self.layout.state, &self.compiled.ruleset, points)
        return tuple([points[i] for i in range(self.compiled.ruleset.sides)])

    # Python's own

    def __str__(self):
        return layout_text(&self.layout, self.compiled)

    def __repr__(self):
        return f"Position.parse({str(self)!r})"

    def _repr_svg_(self):
        """The picture that a notebook shows."""
        from casino_core.render.svg import position_svg  # drawn only where it is asked for

        return position_svg(self)

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

    def _state(self):
        """The state struct as bytes, and the compiled rules."""
        return (<const char*>&self.layout.state)[:sizeof(State)], self.compiled
