"""Playouts: each move followed by careful play, to the end of the round or for some plays.

Every seat, the mover's too, plays as the careful player of `players` does, from its own hand and
the cards in sight, so no seat uses cards that it cannot see. The stock has the order of each world,
and then others at random. The end of the round needs no estimate; after fewer plays values differ
less from stock to stock.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from casino_core.evaluation.goal cimport CERTAIN_WIN, Goal
from casino_core.evaluation.material cimport WORTH_POINT, material_lead
from casino_core.evaluation.players cimport pick_greedy
from casino_core.game.position cimport Position
from casino_core.hints.open_worlds cimport World, list_rows
from casino_core.moves.state cimport copy_state, is_over, play_move, points_ahead
from casino_core.rules.types cimport (
    DECK, MAX_SEATS, Move, Rng, STATUS_OK, State, Stock, mix, rng_below, rng_seed, side_of,
)
from casino_core.search.chances cimport deal_end_chance
from casino_core.search.context cimport Likeness, Search, close_search, open_search
from casino_core.search.endings cimport midway_value
from casino_core.search.limits cimport STOPPED_FULL, Watched, look_outside, set_limits

from casino_core.errors import CasinoError, not_copied

cdef enum:
    LOOK_EVERY = 2048                    # plays between checks of limits


cdef uint64_t seed_of(const World* world, const uint8_t* order) noexcept nogil:
    """A seed that depends on the cards of a world alone."""
    cdef uint64_t seed = 75
    cdef int i
    for i in range(MAX_SEATS):
        seed = mix(seed ^ world.hands[i], 76)
    for i in range(DECK):
        seed = mix(seed ^ order[i], 77)
    return seed


cdef void shuffle(Stock* stock, Rng* rng) noexcept nogil:
    """Give the stock another random order."""
    cdef int i, j
    for i in range(stock.count - 1):
        j = i + <int>rng_below(rng, stock.count - i)
        stock.cards[i], stock.cards[j] = stock.cards[j], stock.cards[i]


@cython.final
cdef class PlayoutSearch(Watched):
    """Mean results of careful play after each move; not for two threads at once.

    Args:
        position: the position as the seat to play sees it.
        unit: value of one point.
        plays: careful plays after a move, before the rest of the round is estimated; 0 for play to
            its end.
        goal: makes the values chances to win the match, in billionths, instead of points.

    Raises:
        CasinoError: the seat to play has hidden cards, or the round is finished.
        TooManyMovesError: there are too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> len(PlayoutSearch(position, unit=60).classes) == len(position.legal_moves())
        True
    """
    cdef Search search
    cdef Goal goal
    cdef Likeness likeness               # with a goal
    cdef Position position
    cdef Move* moves                     # one of each class of equivalent moves
    cdef int64_t count
    cdef int side
    cdef int plays                       # after a move; 0: to the end of the round
    cdef readonly list classes           # the row of each legal move, in the order of texts

    def __cinit__(self, Position position not None, *, int unit, int plays=0,
                  Goal goal=None):
        cdef const State* state = &position.layout.state
        if is_over(state) or state.hidden[state.turn]:
            raise CasinoError("playouts are for a seat that is to play and knows its hand")
        self.position = position
        if open_search(&self.search, 0.01) != STATUS_OK:
            raise MemoryError
        self.goal = goal
        self.plays = plays
        self.side = side_of(&position.compiled.ruleset, state.turn)
        self.classes = []
        list_rows(&self.search, position, unit, goal, &self.likeness, &self.moves, &self.count,
                  self.classes)

    def __dealloc__(self):
        close_search(&self.search)
        free(self.moves)

    def __reduce__(self):
        raise not_copied(self)

    def values(self, bytes worlds not None, *, bytes orders not None, bytes wanted=None,
               int stocks=1, double deadline=0):
        """Values of the moves in each world.

        They depend on the position and the world alone, never on earlier worlds.

        Args:
            worlds: 64 bytes for each, the masks of the hidden cards of four hands and four piles as
                unsigned integers.
            orders: 52 bytes for each world, the order of the stock, next card first.
            wanted: a byte for each row, not 0 if the row is to be evaluated; None for all rows.
            stocks: orders of the stock that are played for each world, its own first.
            deadline: on the clock of `time.perf_counter`, 0 for none.

        Returns:
            The values and the number of worlds done. Values are 32-bit integers, for each world a
            number for each row, 0 if not wanted: the mean points that the side to play gains on the
            best other side, including those already gained, in units; with a goal its mean chance
            to win the match, in billionths.

        Raises:
            ValueError: arguments whose sizes differ.
            TooManyMovesError: a position has too many legal moves to list.
        """
        cdef int64_t number = len(worlds) // <int64_t>sizeof(World), done = 0, i
        cdef const World* world = <const World*>PyBytes_AS_STRING(worlds)
        cdef const uint8_t* order = <const uint8_t*>PyBytes_AS_STRING(orders)
        cdef const uint8_t* chosen = NULL
        cdef bytes answer = PyBytes_FromStringAndSize(
            NULL, number * self.count * <int64_t>sizeof(int32_t))
        cdef int32_t* found = <int32_t*>PyBytes_AS_STRING(answer)
        if (len(worlds) != number * <int64_t>sizeof(World) or len(orders) != number * DECK
                or (wanted is not None and len(wanted) != self.count) or stocks < 1):
            raise ValueError("worlds, orders, wanted or stocks do not fit")
        if wanted is not None:
            chosen = <const uint8_t*>PyBytes_AS_STRING(wanted)
        set_limits(&self.search.limits, 0, deadline)
        self.watch_from(&self.search.limits)
        self.search.arena.used = 0
        self.search.generator.alike = NULL
        with nogil:
            for i in range(number):
                self.one_world(&world[i], order + i * DECK, chosen, stocks, found + i * self.count)
                if self.search.limits.stopped:
                    break
                done += 1
        self.raise_of(&self.search.limits)
        return answer[:done * self.count * <int64_t>sizeof(int32_t)], done

    cdef void one_world(self, const World* world, const uint8_t* order, const uint8_t* chosen,
                        int stocks, int32_t* found) noexcept nogil:
        """Fill in the row of a world."""
        cdef State state, child
        cdef Stock stock
        cdef Rng rng
        cdef int64_t row, total
        cdef int n
        self.fill_hands(world, &state)
        for row in range(self.count):
            found[row] = 0
            if chosen != NULL and not chosen[row]:
                continue
            total = 0
            stock.count = state.stock
            memcpy(stock.cards, order, DECK)
            rng_seed(&rng, seed_of(world, order))   # the same stocks for each move
            for n in range(stocks):
                if n:
                    shuffle(&stock, &rng)
                copy_state(&child, &state)
                play_move(&child, self.search.rules, &stock, &self.moves[row])
                self.play_on(&child, &stock)
                if self.search.limits.stopped:
                    return
                total += self.worth(&child)
            found[row] = <int32_t>(total // stocks)

    cdef void fill_hands(self, const World* world, State* state) noexcept nogil:
        """The position with the hidden cards of a world."""
        cdef int i
        copy_state(state, &self.position.layout.state)
        for i in range(MAX_SEATS):
            state.hands[i] |= world.hands[i]
            state.piles[i] |= world.piles[i]
            state.hidden[i] = 0
            state.forgotten[i] = 0

    cdef void play_on(self, State* state, const Stock* stock) noexcept nogil:
        """Let every seat play carefully."""
        cdef Search* search = &self.search
        cdef Move move
        cdef int32_t score
        cdef int made = 0
        while not is_over(state) and (not self.plays or made < self.plays):
            if pick_greedy(&search.arena, &search.generator, state, search.rules, True, &move,
                           &score) != STATUS_OK:
                search.limits.stopped = STOPPED_FULL
                return
            play_move(state, search.rules, stock, &move)
            made += 1
            search.limits.until_look -= LOOK_EVERY if search.generator.sums.crowded else 1
            if search.limits.until_look <= 0:
                search.limits.until_look = LOOK_EVERY
                if look_outside(&search.limits):
                    return

    cdef int32_t worth(self, const State* state) noexcept nogil:
        """What the side to play has at the end of a playout."""
        cdef const Search* search = &self.search
        cdef int32_t chance
        if self.goal is not None:
            chance = deal_end_chance(&self.goal.chances, search, state)
            return CERTAIN_WIN - chance if self.side else chance
        if search.rules.sides != 2 or is_over(state):
            return <int32_t>(<int64_t>material_lead(search.rules, state, self.side)
                             * search.unit // WORTH_POINT)
        return (search.unit * points_ahead(search.rules, state, self.side)
                + midway_value(search, state, self.side))
