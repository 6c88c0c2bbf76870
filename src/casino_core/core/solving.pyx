"""The public face of the exact search: one call in, plain values out."""
cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from casino_core.core.position cimport Move as PublicMove, Position
from casino_core.core.search cimport (
    LARGE, Search, canonical_cards, close_search, open_search, raise_stopped, set_search,
)
from casino_core.core.solver cimport move_bounds, move_value, root_moves, tests_above
from casino_core.core.state cimport card_points, is_over
from casino_core.core.table cimport clear_table
from casino_core.core.types cimport DECK, Move, STATUS_OK, State, build_cards, cards_t, mix, side_of

from math import comb
from time import perf_counter

from casino_core.errors import CasinoError, HiddenCardError, SearchLimitError, TooManyMovesError


@cython.final
cdef class SearchContext:
    """A search with its table and its memory; not for two threads at once.

    Arguments: table_mib, size of the transposition table in MiB.

    >>> SearchContext(1).nodes
    0
    """
    cdef Search search
    cdef Search inner                    # of last deals, for an expectation over them
    cdef bint has_inner
    cdef bint busy                       # a call is under way

    def __cinit__(self, double table_mib):
        if not 0 < table_mib <= 65536:
            raise CasinoError(f"table_mib is a size in MiB from 0 to 65536, not {table_mib:g}")
        if open_search(&self.search, table_mib) != STATUS_OK:
            raise MemoryError(f"no memory for a table of {table_mib:g} MiB")

    def __dealloc__(self):
        close_search(&self.search)
        if self.has_inner:
            close_search(&self.inner)

    @property
    def nodes(self):
        """Nodes of the last call."""
        return self.search.nodes

    @property
    def unit(self):
        """Value of one point in the last call."""
        return self.search.unit

    cdef int begin(self, Position position, int unit, bint to_deal, int horizon, int64_t nodes,
                   object seconds) except -1:
        """Make ready for the position."""
        cdef int i
        cdef const State* state = &position.layout.state
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        if nodes < 0:
            raise CasinoError(f"nodes is 0 or more, not {nodes}")
        if position.compiled.ruleset.sides != 2:
            raise CasinoError("exact values are for two sides: two players, or four in partnership")
        for i in range(position.compiled.ruleset.seats):
            if state.hidden[i]:
                raise HiddenCardError(f"solve needs every card: the cards of seat {'abcd'[i]} are not all known; "
                                      "hint works with what is seen")
        if state.forgotten[0] or state.forgotten[1]:
            raise HiddenCardError("solve needs every card: captured cards are not all known (? in piles)")
        if state.stock and not position.layout.stock.count and not to_deal:
            raise HiddenCardError("solve needs every card: the order of the stock is not known; hint works with "
                                  "what is seen")
        set_search(&self.search, &position.compiled.ruleset, state, position.stock_order(), unit, to_deal, horizon)
        self.search.nodes = 0
        self.search.node_limit = nodes
        self.search.deadline = 0 if seconds is None else perf_counter() + seconds
        self.search.stopped = 0
        self.search.until_look = 0
        self.inner.until_look = 0
        self.search.arena.used = 0
        self.inner.arena.used = 0
        return 0

    def clear(self):
        """Forget what the tables hold."""
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        clear_table(&self.search.table)
        if self.has_inner:
            clear_table(&self.inner.table)

    cdef int expect_last_deal(self, Position position) except -1:
        """Make the search one for the expectation over the last deal, whose cards are the only ones not known.

        The unit is then the number of ways in which they may fall.
        """
        cdef const State* state = &position.layout.state
        cdef int i, first = min(4, state.stock)
        cdef cards_t known = state.table | position.layout.out
        if position.compiled.ruleset.seats != 2 or position.compiled.ruleset.draw or not 0 < state.stock <= 8:
            raise CasinoError("the expectation over an unknown stock is exact before the last deal of two players only; "
                              "hint works with what is seen")
        for i in range(2):
            known |= state.hands[i] | state.piles[i]
        for i in range(state.build_count):
            known |= build_cards(state.builds[i])
        if not self.has_inner:
            if open_search(&self.inner, 0.5) != STATUS_OK:
                raise MemoryError
            self.has_inner = True
        self.inner.stopped = 0
        self.inner.nodes = 0
        set_search(&self.search, &position.compiled.ruleset, state, NULL, comb(state.stock, first), True, 0)
        self.search.expects = True
        self.search.inner = &self.inner
        self.search.unseen = ((<cards_t>1 << DECK) - 1) & ~known
        self.search.salt ^= mix(self.search.unseen, 77)
        return 0

    cdef int check_size(self, const State* state) except -1:
        """Refuse a search whose values a table could not hold."""
        cdef int lower, upper
        move_bounds(&self.search, state, &lower, &upper)
        if upper >= LARGE or lower <= -LARGE:
            raise CasinoError(f"sweep={self.search.rules.sweep} makes values too large for this search")
        return 0

    def values(self, Position position not None, *, int unit=1, bint to_deal=False, int horizon=0, int64_t nodes=0,
               seconds=None, bint expect=False):
        """Bounds of the value of each root move, equal where it is exact, and which moves are alike.

        Arguments: position; unit, value of one point; to_deal, whether to stop where the next deal comes, and estimate;
        horizon, plays after which to estimate, 0 for none; nodes, seconds, limits (0 and None for none); expect,
        whether to go by the expectation over the last deal, the order of the stock being unknown: `unit` is then set to
        the number of splits, and is an attribute.
        Returns a list of (move, lower, upper) for every legal move in the order of their texts; values are for the side
        to play, points already in the piles included, in units.
        """
        cdef int64_t count, i
        cdef int fixed
        cdef int* bounds
        cdef list result = []
        cdef dict known = {}
        cdef PublicMove move
        cdef Move* moves
        cdef State* state = &position.layout.state
        if is_over(state):
            return []
        self.begin(position, unit, to_deal or expect, horizon, nodes, seconds)
        if expect:
            self.expect_last_deal(position)
        self.check_size(state)
        fixed = self.fixed(position)
        count = root_moves(&self.search, state)
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        bounds = <int*>malloc(<size_t>count * 2 * sizeof(int))
        moves = <Move*>malloc(<size_t>count * sizeof(Move))
        if bounds == NULL or moves == NULL:
            free(bounds)
            free(moves)
            raise MemoryError
        try:
            for i in range(count):
                moves[i] = self.search.arena.moves[i]
                move_bounds(&self.search, state, &bounds[2 * i], &bounds[2 * i + 1])
            self.busy = True
            with nogil:
                for i in range(count):
                    if self.search.stopped:
                        break
                    move_value(&self.search, state, &moves[i], &bounds[2 * i], &bounds[2 * i + 1])
            self.busy = False
            raise_stopped(self.search.stopped)
            for i in range(count):
                known[self.sort_of(&moves[i])] = (bounds[2 * i] + fixed, bounds[2 * i + 1] + fixed)
        finally:
            free(bounds)
            free(moves)
        for move in position.legal_moves():
            lower, upper = known[self.sort_of(&move.data)]
            result.append((move, lower, upper))
        return result

    cdef tuple sort_of(self, const Move* move):
        """The same for moves that are alike."""
        return (self.search.alike[move.card], canonical_cards(&self.search, move.loose), move.builds, move.kind,
                move.value)

    cdef int fixed(self, Position position) except? -1:
        """Points that the side to play has gained on the other so far, in units."""
        cdef const State* state = &position.layout.state
        cdef int side = side_of(&position.compiled.ruleset, state.turn)
        return self.search.unit * (
            card_points(&position.compiled.ruleset, state.piles[side])
            - card_points(&position.compiled.ruleset, state.piles[side ^ 1])
            + position.compiled.ruleset.sweep * (<int>state.sweeps[side] - <int>state.sweeps[side ^ 1]))

    def best(self, Position position not None, *, int64_t nodes=0, seconds=None):
        """Value of a position and a best move: (value, move).

        Arguments: position, not finished; nodes, seconds, limits (0 and None for none).
        Raises SearchLimitError at a limit.
        """
        cdef int64_t count, i
        cdef int lower = 0, upper = 0, best = 0, value
        cdef State* state = &position.layout.state
        cdef Move move, best_move
        self.begin(position, 1, False, 0, nodes, seconds)
        count = root_moves(&self.search, state)
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        best_move = self.search.arena.moves[0]
        self.busy = True
        with nogil:
            for i in range(count):
                move = self.search.arena.moves[i]
                if i:
                    value = tests_above(&self.search, state, &move, best)
                    if self.search.stopped or value <= best:
                        if self.search.stopped:
                            break
                        continue
                    best = value
                    best_move = move
                move_bounds(&self.search, state, &lower, &upper)
                if i:
                    lower = best
                best = move_value(&self.search, state, &move, &lower, &upper)
                if self.search.stopped:
                    break
        self.busy = False
        raise_stopped(self.search.stopped)
        if self.search.stopped:
            raise SearchLimitError(f"the search ended at its limit after {self.search.nodes} nodes without an exact value")
        return best + self.fixed(position), position.wrap(&best_move)
