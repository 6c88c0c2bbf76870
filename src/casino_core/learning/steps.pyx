"""A turn as steps over 121 numbers, and the plays that steps lead to."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from casino_core.game.position cimport Position
from casino_core.moves.state cimport is_over
from casino_core.moves.workspace cimport (
    close_generator, open_generator, push_moves, push_some,
)
from casino_core.rules.types cimport (
    ADD_BUILD, CAPTURE, NEW_BUILD, RAISE_BUILD, STATUS_OK, TRAIL, build_cards, build_value, lowest,
)

cdef tuple CARD_NAMES                    # imported into a C variable: no name of the module

from casino_core._arguments import shown
from casino_core.errors import CasinoError, IllegalMoveError, TooManyMovesError
from casino_core.rules.cards import CARD_NAMES

cdef enum:
    LIST_LIMIT = 1 << 20                 # plays that a turn may be chosen from
    MANY_PLAYS = 1 << 16                 # the same for many games at once

#: How many numbers there are for steps.
STEP_COUNT = STEPS


cdef play_t play_of(const State* state, const Move* move) noexcept nogil:
    """A legal move as one word."""
    cdef play_t play = move.loose | <play_t>move.card << PLAY_CARD
    cdef uint32_t builds = move.builds
    cdef int what = TRAILS
    while builds:
        play |= <play_t>1 << lowest(build_cards(state.builds[lowest(builds)]))
        builds &= builds - 1
    if move.kind == CAPTURE:
        what = CAPTURES
    elif move.kind != TRAIL:
        what = CAPTURES + move.value
    return play | <play_t>what << PLAY_WHAT


cdef void move_of(const State* state, play_t play, Move* move) noexcept nogil:
    """The move that a word stands for; the word is that of a legal move."""
    cdef int i, what = play_what(play)
    memset(move, 0, sizeof(Move))
    move.card = <uint8_t>play_card(play)
    move.loose = play_taken(play) & state.table
    for i in range(state.build_count):
        if play >> lowest(build_cards(state.builds[i])) & 1:
            move.builds |= <uint32_t>1 << i
    move.kind = CAPTURE if what == CAPTURES else TRAIL
    if what > CAPTURES:
        move.value = <uint8_t>(what - CAPTURES)
        move.kind = NEW_BUILD
        if move.builds:
            i = lowest(move.builds)
            move.kind = ADD_BUILD if build_value(state.builds[i]) == move.value else RAISE_BUILD


cdef int64_t list_plays(Generator* generator, Arena* arena, const State* state,
                        const Ruleset* rules, bint some) noexcept nogil:
    """Write the plays of a state over the arena's memory. Returns their number, or STATUS_FULL.

    With `some`, of more than MANY_PLAYS those of `push_some`.
    """
    cdef int64_t i, count
    cdef play_t* plays
    cdef Move move
    arena.used = 0
    count = push_moves(arena, generator, state, rules, MANY_PLAYS if some else LIST_LIMIT)
    if count < 0 and some:
        count = push_some(arena, generator, state, rules)
    plays = <play_t*>arena.moves         # a play is half a move: none is overwritten unread
    for i in range(count):
        move = arena.moves[i]
        plays[i] = play_of(state, &move)
    return count


cdef void offer_steps(const play_t* plays, int64_t count, const Prefix* prefix,
                      Offer* offer) noexcept nogil:
    """The steps that follow a prefix of these plays, all of which begin with it."""
    cdef int64_t i
    cdef cards_t rest
    offer.cards = 0
    offer.whats = 0
    offer.done = False
    offer.playing = not prefix.count
    if prefix.count == 0:
        for i in range(count):
            offer.cards |= <cards_t>1 << play_card(plays[i])
    elif prefix.count == 1:
        for i in range(count):
            offer.whats |= <uint32_t>1 << play_what(plays[i])
    else:
        for i in range(count):
            rest = play_taken(plays[i]) ^ prefix.taken
            offer.cards |= rest & (0 - rest)
            offer.done |= rest == 0


cdef bint is_offered(const Offer* offer, int64_t step) noexcept nogil:
    """Whether a number is among the steps offered."""
    if step < 0 or step >= STEPS:
        return False
    if step == STEP_DONE:
        return offer.done
    if step >= STEP_WHAT:
        return offer.whats >> (step - STEP_WHAT) & 1
    if step >= STEP_TAKE:
        return not offer.playing and offer.cards >> (step - STEP_TAKE) & 1
    return offer.playing and offer.cards >> step & 1


cdef inline bint goes_on(play_t play, const Prefix* prefix, int step) noexcept nogil:
    """Whether a play that begins with the prefix goes on with the step."""
    cdef cards_t rest
    if step < STEP_TAKE:
        return play_card(play) == step
    if step >= STEP_WHAT and step != STEP_DONE:
        return play_what(play) == step - STEP_WHAT
    rest = play_taken(play) ^ prefix.taken
    return rest == 0 if step == STEP_DONE else rest and lowest(rest) == step - STEP_TAKE


cdef bint take_step(play_t* plays, int64_t* count, Prefix* prefix, int step) noexcept nogil:
    """Keep the plays that go on with a step that is offered. Returns whether the turn is complete;
    then one play is left."""
    cdef int64_t i, kept = 0
    for i in range(count[0]):
        if goes_on(plays[i], prefix, step):
            plays[kept] = plays[i]
            kept += 1
    count[0] = kept
    prefix.count += 1
    if step < STEP_TAKE:
        prefix.card = <uint8_t>step
    elif step < STEP_WHAT:
        prefix.taken |= <cards_t>1 << (step - STEP_TAKE)
    elif step < STEP_DONE:
        prefix.what = <uint8_t>(step - STEP_WHAT)
        return prefix.what == TRAILS
    return step == STEP_DONE


# For Python

def describe(step not None):
    """What a step does, in words.

    Args:
        step: its number, 0 to 120.

    Raises:
        CasinoError: there is no such step.

    Example:
        >>> [describe(step) for step in (0, 52 + 7, 104, 105, 106 + 8, 120)]
        ['play As', 'take 2c', 'trail', 'capture', 'build 9', 'done']
    """
    cdef int number = step_number(step)
    if number < STEP_TAKE:
        return f"play {CARD_NAMES[number]}"
    if number < STEP_WHAT:
        return f"take {CARD_NAMES[number - STEP_TAKE]}"
    if number == STEP_DONE:
        return "done"
    number -= STEP_WHAT
    return ("trail", "capture")[number] if number < 2 else f"build {number - CAPTURES}"


cdef int step_number(step) except -1:
    """A step that Python gives, checked."""
    try:
        number = step.__index__()
    except (AttributeError, TypeError):
        number = -1
    if isinstance(step, bool) or not 0 <= number < STEPS:
        raise CasinoError(f"a step is a whole number from 0 to {STEPS - 1}, not {shown(step)}")
    return number


@cython.final
cdef class Choice:
    """The steps of a turn so far, and those that may follow. Immutable.

    Only steps that begin a legal move are offered. Each legal move has one sequence of steps: the
    card, what it does, the loose cards and builds that it takes in the order of their card numbers
    (a build goes by its lowest card), then `done`; a trail ends with its second step.

    Args:
        position: the position of the turn; the hand of the seat to play is known.
        some: whether of more than 65,536 legal moves about 4,096 are offered, those that a hint
            compares, as by `casino_core.learning.games.Games`.

    Raises:
        CasinoError: the round is over.
        HiddenCardError: a card of the seat to play is unknown.
        TooManyMovesError: there are more than a million moves, and all are to be offered.

    Attributes:
        position: the position of the turn.
        steps: the steps so far, a tuple of numbers.

    Example:
        >>> from casino_core import Position
        >>> choice = Choice(Position.parse("table=2s5hJdKc hands=7c8dAs9h/????"))
        >>> [describe(step) for step in choice.legal]
        ['play As', 'play 7c', 'play 8d', 'play 9h']
        >>> choice = choice.follow([27, 105])
        >>> [describe(step) for step in choice.legal]
        ['take 2s']
    """
    def __init__(self, Position position not None, *, bint some=False):
        cdef Generator generator
        cdef Arena arena
        if is_over(&position.layout.state):
            raise CasinoError("the round is over: there is no turn to choose")
        position.need_hand()
        memset(&arena, 0, sizeof(Arena))
        memset(&self.prefix, 0, sizeof(Prefix))
        if open_generator(&generator) != STATUS_OK:
            raise MemoryError
        try:
            with nogil:
                self.count = list_plays(&generator, &arena, &position.layout.state,
                                        &position.compiled.ruleset, some)
            if self.count < 0:
                raise TooManyMovesError("there are more than a million moves")
            self.plays = PyBytes_FromStringAndSize(<char*>arena.moves,
                                                   self.count * <int64_t>sizeof(play_t))
        finally:
            close_generator(&generator)
            free(arena.moves)
        self.position = position
        self.some = some
        self.steps = ()

    cdef const play_t* first(self) noexcept:
        return <const play_t*>PyBytes_AS_STRING(self.plays)

    @property
    def legal(self):
        """The steps that may follow, in ascending order; none once the turn is complete."""
        cdef Offer offer
        cdef int step
        if self.complete:
            return ()
        offer_steps(self.first(), self.count, &self.prefix, &offer)
        return tuple([step for step in range(STEPS) if is_offered(&offer, step)])

    def step(self, step not None):
        """The choice after one more step.

        Args:
            step: one of the steps in `legal`.

        Raises:
            IllegalMoveError: the step is not offered.
            CasinoError: it is no step at all.
        """
        cdef Choice after = Choice.__new__(Choice)
        cdef int number = step_number(step)
        cdef Offer offer
        if not self.complete:
            offer_steps(self.first(), self.count, &self.prefix, &offer)
        if self.complete or not is_offered(&offer, number):
            words = ", ".join(map(describe, self.steps)) or "the beginning of a turn"
            raise IllegalMoveError(f"step {number} ({describe(number)}) does not lead to a legal "
                                   f"move after {words}")
        after.position = self.position
        after.some = self.some
        after.prefix = self.prefix
        after.plays = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.plays), len(self.plays))
        after.count = self.count
        after.complete = take_step(<play_t*>PyBytes_AS_STRING(after.plays), &after.count,
                                   &after.prefix, number)
        after.steps = (*self.steps, number)
        return after

    def follow(self, steps not None):
        """The choice after several steps.

        Args:
            steps: their numbers.

        Raises:
            IllegalMoveError: one of them is not offered.
        """
        after = self
        for step in steps:
            after = after.step(step)
        return after

    @property
    def move(self):
        """The move that the steps make, or None before the turn is complete.

        Example:
            >>> from casino_core import Position
            >>> choice = Choice(Position.parse("table=2s5hJdKc hands=7c8dAs9h/????"))
            >>> str(choice.follow([27, 105, 52 + 4, 52 + 17, 120]).move)
            '7cx2s5h'
        """
        cdef Move move
        if not self.complete:
            return None
        move_of(&self.position.layout.state, self.first()[0], &move)
        return self.position.wrap(&move)

    def __repr__(self):
        return f"<Choice of {self.position.turn}: {', '.join(map(describe, self.steps))}>"

    def __eq__(self, other):
        if not isinstance(other, Choice):
            return NotImplemented
        return (self.steps == other.steps and self.position == other.position
                and self.some == (<Choice>other).some)

    def __hash__(self):
        return hash((self.steps, self.position))

    def __reduce__(self):
        return _restore_choice, (self.position, self.steps, self.some)


def _restore_choice(position, steps, some):
    return Choice(position, some=some).follow(steps)


def steps_of(Position position not None, move not None):
    """The steps of a legal move.

    Args:
        position: the position.
        move: a `Move` or its text.

    Returns:
        The numbers of the steps, a tuple.

    Raises:
        IllegalMoveError: the move is not legal.
        NotationError: the text is not a move.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
        >>> [describe(step) for step in steps_of(position, "7cx2s5h")]
        ['play 7c', 'capture', 'take 2s', 'take 5h', 'done']
    """
    cdef Move data
    cdef play_t play
    cdef cards_t taken
    position.resolve(move, &data)
    position.check(move, &data)
    play = play_of(&position.layout.state, &data)
    taken = play_taken(play)
    steps = [play_card(play), STEP_WHAT + play_what(play)]
    while taken:
        steps.append(STEP_TAKE + lowest(taken))
        taken &= taken - 1
    if play_what(play) != TRAILS:
        steps.append(STEP_DONE)
    return tuple(steps)


def move_of_steps(Position position not None, steps not None):
    """The move that complete steps make.

    Args:
        position: the position.
        steps: their numbers.

    Raises:
        IllegalMoveError: a step does not lead to a legal move, or the turn is not complete.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
        >>> str(move_of_steps(position, (27, 105, 56, 69, 120)))
        '7cx2s5h'
    """
    move = Choice(position).follow(steps).move
    if move is None:
        raise IllegalMoveError("the steps end before the turn is complete")
    return move
