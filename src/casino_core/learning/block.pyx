"""Many games in the memory of one thread, stepped by arrays."""
cimport cython
from libc.stdint cimport int32_t, int64_t, int8_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from casino_core.game.position cimport new_position
from casino_core.learning.steps cimport (
    STEPS, STEP_DONE, STEP_TAKE, STEP_WHAT, Offer, Prefix, is_offered, list_plays, move_of,
    offer_steps, play_t, take_step,
)
from casino_core.learning.tensor cimport Fields, Shown, cell_t, lay_out, write_row
from casino_core.moves.segments cimport Generator
from casino_core.moves.state cimport (
    is_over, play_move, score_round, sort_builds, start_round,
)
from casino_core.moves.workspace cimport Arena, close_generator, open_generator
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.streams cimport Stream
from casino_core.rules.types cimport (
    Layout, Move, Rng, Ruleset, STATUS_FULL, STATUS_OK, cards_in_builds,
    cards_t, lowest, popcount, rng_below, rng_seed, side_of,
)

cdef object Purpose                      # imported into a C variable: no name of the module

from casino_core.errors import CasinoError, not_copied
from casino_core.rules.purposes import Purpose

cdef str STEP = Purpose.STEP.value

cdef enum:
    FIRST_ROOM = 64                      # plays of a turn that a game has room for at first


cdef struct Game:
    Layout layout
    Rng deals                            # the shuffles
    Rng steps                            # what `sample` draws
    Offer offer                          # the steps that may follow
    Prefix prefix                        # the unfinished turn
    play_t* plays                        # those that begin with the prefix
    int64_t room
    int64_t count
    int32_t shown                        # plays of the deal


@cython.final
cdef class GameBlock:
    """Games of one rule set for one thread; see `casino_core.learning.games.Games`.

    Args:
        compiled: the rules.
        count: number of games.

    Example:
        >>> import numpy as np
        >>> from casino_core import Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> block = GameBlock(CompiledRules(Rules()), 2)
        >>> block.reset(np.array([1, 2], np.uint64))
        >>> str(block.position(0).turn)
        'a'
    """
    cdef CompiledRules compiled
    cdef Fields fields
    cdef Generator generator
    cdef Arena arena
    cdef Game* games
    cdef Shown* shown                    # room for the plays of a deal, game after game
    cdef readonly int64_t count

    def __cinit__(self, CompiledRules compiled not None, int64_t count):
        cdef int64_t plays
        if not 0 < count <= 1 << 24:
            raise CasinoError(f"a block has 1 to {1 << 24} games, not {count}")
        self.compiled = compiled
        lay_out(&compiled.ruleset, &self.fields)
        plays = count * self.fields.most_plays
        self.games = <Game*>calloc(<size_t>count, sizeof(Game))
        self.shown = <Shown*>calloc(<size_t>plays, sizeof(Shown))
        if self.games == NULL or self.shown == NULL or open_generator(&self.generator):
            raise MemoryError
        self.count = count

    def __dealloc__(self):
        cdef int64_t i
        if self.games != NULL:
            for i in range(self.count):
                free(self.games[i].plays)
        free(self.games)
        free(self.shown)
        free(self.arena.moves)
        close_generator(&self.generator)

    def __reduce__(self):
        raise not_copied(self)

    cdef int begin_turn(self, Game* game) noexcept nogil:
        """List the plays of the turn. Returns STATUS_FULL without memory."""
        cdef play_t* larger
        cdef int64_t count = list_plays(&self.generator, &self.arena, &game.layout.state,
                                        &self.compiled.ruleset, True)
        if count < 0:
            return STATUS_FULL
        if count > game.room:
            game.room = max(count, FIRST_ROOM)
            larger = <play_t*>realloc(game.plays, <size_t>game.room * sizeof(play_t))
            if larger == NULL:
                return STATUS_FULL
            game.plays = larger
        memcpy(game.plays, self.arena.moves, <size_t>count * sizeof(play_t))
        game.count = count
        memset(&game.prefix, 0, sizeof(Prefix))
        offer_steps(game.plays, game.count, &game.prefix, &game.offer)
        return STATUS_OK

    cdef int begin_round(self, Game* game) noexcept nogil:
        start_round(&game.layout.state, &self.compiled.ruleset, &game.layout.stock, &game.deals)
        game.shown = 0
        return self.begin_turn(game)

    def reset(self, const uint64_t[::1] seeds not None):
        """Deal the first round of every game.

        Args:
            seeds: the seed of each game.

        Raises:
            MemoryError: there is no memory for the moves of a turn.
        """
        cdef int64_t i
        cdef int status = STATUS_OK
        cdef Stream stream
        assert seeds.shape[0] == self.count
        for i in range(self.count):
            stream = Stream(seeds[i], STEP)
            self.games[i].steps = stream.rng
        with nogil:
            for i in range(self.count):
                rng_seed(&self.games[i].deals, seeds[i])
                status |= self.begin_round(&self.games[i])
        if status:
            raise MemoryError

    cdef void end_turn(self, Game* game, Shown* shown) noexcept nogil:
        """Play the one play that is left."""
        cdef Move move
        cdef int stock = game.layout.state.stock
        move_of(&game.layout.state, game.plays[0], &move)
        shown = &shown[game.shown]
        shown.loose = move.loose
        shown.built = cards_in_builds(&game.layout.state, move.builds)
        shown.card = move.card
        shown.seat = game.layout.state.turn
        shown.what = game.prefix.what
        game.shown += 1
        play_move(&game.layout.state, &self.compiled.ruleset, &game.layout.stock, &move)
        sort_builds(&game.layout.state)
        if game.layout.state.stock != stock and not self.compiled.ruleset.draw:
            game.shown = 0

    cdef void reward(self, const Game* game, float* rewards, int32_t* points) noexcept nogil:
        """Points of each side at the end of a round, and what each seat has over the mean of the
        other sides."""
        cdef const Ruleset* rules = &self.compiled.ruleset
        cdef int seat, side, total = 0
        score_round(&game.layout.state, rules, points)
        for side in range(rules.sides):
            total += points[side]
        for seat in range(rules.seats):
            side = points[side_of(rules, seat)]
            rewards[seat] = <float>(rules.sides * side - total) / <float>(rules.sides - 1)

    def first_refused(self, const int64_t[::1] steps not None):
        """The first game that does not offer its step, or -1.

        Args:
            steps: a step for each game.
        """
        cdef int64_t i
        assert steps.shape[0] == self.count
        for i in range(self.count):
            if not is_offered(&self.games[i].offer, steps[i]):
                return i
        return -1

    def step(self, const int64_t[::1] steps not None, float[:, ::1] rewards not None,
             int32_t[:, ::1] points not None, uint8_t[::1] done not None):
        """Take one step in every game; a game whose round ends goes on with the next round.

        Args:
            steps: a step for each game.
            rewards: filled with the rewards of each seat, zeros unless a round has ended.
            points: filled with the points of each side, likewise.
            done: filled with 1 where a round has ended.

        Returns:
            -1, or the first game whose step is not offered; then no game has changed.

        Raises:
            MemoryError: there is no memory for the moves of a turn.
        """
        cdef int64_t i
        cdef int status = STATUS_OK
        i = self.first_refused(steps)
        if i >= 0:
            return i
        with nogil:
            for i in range(self.count):
                status |= self.step_game(i, <int>steps[i], &rewards[i, 0], &points[i, 0], &done[i])
        if status:
            raise MemoryError
        return -1

    cdef int step_game(self, int64_t i, int step, float* rewards, int32_t* points,
                       uint8_t* done) noexcept nogil:
        cdef Game* game = &self.games[i]
        done[0] = 0
        memset(rewards, 0, self.compiled.ruleset.seats * sizeof(float))
        memset(points, 0, self.compiled.ruleset.sides * sizeof(int32_t))
        if not take_step(game.plays, &game.count, &game.prefix, step):
            offer_steps(game.plays, game.count, &game.prefix, &game.offer)
            return STATUS_OK
        self.end_turn(game, &self.shown[i * self.fields.most_plays])
        if not is_over(&game.layout.state):
            return self.begin_turn(game)
        done[0] = 1
        self.reward(game, rewards, points)
        return self.begin_round(game)

    def sample(self, int64_t[::1] steps not None):
        """Draw a step of every game, each that is offered with equal probability.

        Args:
            steps: filled with the steps.
        """
        cdef int64_t i
        with nogil:
            for i in range(self.count):
                steps[i] = draw_step(&self.games[i])

    def observe(self, int8_t[::1] seats not None, uint8_t[:, ::1] mask, cell_t[:, ::1] rows):
        """Write what the seat to play of each game knows and may do.

        Args:
            seats: filled with the number of the seat to play.
            mask: filled with 1 for each step that is offered; None to leave it out.
            rows: filled with the information state; None to leave it out.
        """
        cdef int64_t i
        cdef Game* game
        cdef bint masked = mask is not None, written = rows is not None
        with nogil:
            for i in range(self.count):
                game = &self.games[i]
                seats[i] = <int8_t>game.layout.state.turn
                if masked:
                    write_mask(&mask[i, 0], &game.offer)
                if written:
                    write_row(&rows[i, 0], &self.fields, &self.compiled.ruleset, &game.layout,
                              &self.shown[i * self.fields.most_plays], game.shown, &game.prefix,
                              game.layout.state.turn)

    def position(self, int64_t index):
        """The position of a game.

        Args:
            index: its number in the block.

        Raises:
            CasinoError: there is no such game.
        """
        if not 0 <= index < self.count:
            raise CasinoError(f"the block has {self.count} games, not one of number {index}")
        return new_position(self.compiled, &self.games[index].layout)


cdef void write_mask(uint8_t* mask, const Offer* offer) noexcept nogil:
    """1 for each step that is offered, 0 for the others."""
    cdef cards_t cards = offer.cards
    cdef uint64_t whats = offer.whats
    cdef int first = 0 if offer.playing else STEP_TAKE
    memset(mask, 0, STEPS)
    while cards:
        mask[first + lowest(cards)] = 1
        cards &= cards - 1
    while whats:
        mask[STEP_WHAT + lowest(whats)] = 1
        whats &= whats - 1
    mask[STEP_DONE] = offer.done


cdef int draw_step(Game* game) noexcept nogil:
    """A step that is offered, each with equal probability."""
    cdef const Offer* offer = &game.offer
    cdef uint64_t bits = offer.cards if offer.cards else offer.whats
    cdef int first = STEP_WHAT, count = popcount(bits)
    cdef int left = <int>rng_below(&game.steps, <uint64_t>(count + offer.done))
    if offer.cards:
        first = 0 if offer.playing else STEP_TAKE
    if left == count:
        return STEP_DONE
    while left:
        bits &= bits - 1
        left -= 1
    return first + lowest(bits)
