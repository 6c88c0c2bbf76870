"""The exact search as Python calls it: one call in, plain values out."""
cimport cython
from libc.limits cimport INT_MIN
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from casino_core.evaluation.estimate cimport FITTED, estimate_number
from casino_core.game.position cimport Move as PublicMove, Position
from casino_core.moves.state cimport is_over, points_ahead
from casino_core.rules.types cimport DECK, Move, Ruleset, STATUS_OK, State, cards_t, side_of
from casino_core.search.alphabeta cimport (
    expect_last_deal, move_bounds, move_value, root_moves, tests_above,
)
from casino_core.search.context cimport (
    LARGE, Search, all_in_play, class_of_move, close_search, open_search, set_search,
)
from casino_core.search.limits cimport (
    STOPPED_CALLER, STOPPED_NODES, STOPPED_SIGNAL, deadline_after, raise_stopped, set_limits,
)
from casino_core.search.table cimport clear_table, fitting_mib

from math import comb

from casino_core.errors import CasinoError, HiddenCardError, TooManyMovesError, not_copied


cdef enum:
    FIRST_BUDGET = 2000                  # nodes of a test in the first pass


cpdef int need_every_card(Position position, bint to_deal=False) except -1:
    """Raise an error if a card of a position is not known.

    Args:
        position: the position.
        to_deal: whether the order of the stock may be unknown.

    Raises:
        HiddenCardError: a card is not known.

    Example:
        >>> from casino_core import Position
        >>> need_every_card(Position.start(seed=1))
        0
    """
    cdef const State* state = &position.layout.state
    cdef int i
    for i in range(position.compiled.ruleset.seats):
        if state.hidden[i]:
            raise HiddenCardError(f"solve needs every card: the cards of seat {'abcd'[i]} are not "
                                  "all known; hint works with what is seen")
    for i in range(position.compiled.ruleset.sides):
        if state.forgotten[i]:
            raise HiddenCardError(
                "solve needs every card: captured cards are not all known (? in piles)")
    if state.stock and not position.layout.stock.count and not to_deal:
        raise HiddenCardError("solve needs every card: the order of the stock is not known; hint "
                              "works with what is seen")
    return 0


@cython.final
cdef class SearchContext:
    """A search with its table and its memory; not for two threads at once.

    Args:
        table_mib: size of the transposition table in MiB.
        deals_mib: size of the table of last deals in MiB, for expectations over them.

    Raises:
        CasinoError: the size is not valid, or there is not enough memory.

    Example:
        >>> SearchContext(1).nodes
        0
    """
    cdef Search search
    cdef Search inner                    # of last deals, for an expectation over them
    cdef bint has_inner
    cdef double deals_mib                # size of its table
    cdef bint busy                       # a call is under way
    cdef object report                   # None, or what is called while a search goes on
    cdef object raised                   # what the report has raised
    cdef const int* bounds               # of the root moves of a call under way
    cdef int64_t count
    cdef int fixed

    def __cinit__(self, double table_mib, *, double deals_mib=4):
        self.deals_mib = deals_mib
        if not 0 < table_mib <= 65536:
            raise CasinoError(f"table_mib is a size in MiB from 0 to 65536, not {table_mib:g}")
        if open_search(&self.search, table_mib) != STATUS_OK:
            raise CasinoError(f"no memory for a table of {table_mib:g} MiB")

    def __dealloc__(self):
        close_search(&self.search)
        if self.has_inner:
            close_search(&self.inner)

    def __reduce__(self):
        raise not_copied(self)

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
        """Prepare a search of the position."""
        cdef const State* state = &position.layout.state
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        if position.compiled.ruleset.sides != 2:
            raise CasinoError("exact values are for two sides: two players, or four in partnership")
        need_every_card(position, to_deal)
        self.search.out = position.layout.out
        set_search(&self.search, &position.compiled.ruleset, state, position.stock_order(), unit,
                   to_deal, horizon)
        self.search.nodes = 0
        set_limits(&self.search.limits, nodes, deadline_after(seconds))
        self.search.arena.used = 0
        return 0

    def clear(self):
        """Empty the tables."""
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        clear_table(&self.search.table)
        if self.has_inner:
            clear_table(&self.inner.table)

    cdef int begin_expectation(self, Position position) except -1:
        """Prepare a search for the expectation over the last deal, whose cards are the only unknown
        ones.

        The unit is then the number of splits of these cards.
        """
        cdef const State* state = &position.layout.state
        cdef int first = min(4, state.stock)
        cdef cards_t known = all_in_play(state) | state.piles[0] | state.piles[1]
        known |= position.layout.out
        if (position.compiled.ruleset.seats != 2 or position.compiled.ruleset.draw
                or not 0 < state.stock <= 8):
            raise CasinoError("the expectation over an unknown stock is exact before the last deal "
                              "of two players only; hint works with what is seen")
        if not self.has_inner:
            if open_search(&self.inner, self.deals_mib) != STATUS_OK:
                raise MemoryError
            self.has_inner = True
        set_search(&self.search, &position.compiled.ruleset, state, NULL, comb(state.stock, first),
                   True, 0)
        expect_last_deal(&self.search, &self.inner, ((<cards_t>1 << DECK) - 1) & ~known)
        return 0

    cdef int check_size(self, const State* state) except -1:
        """Raise an error if values are too large for the table."""
        cdef int lower, upper
        move_bounds(&self.search, state, &lower, &upper)
        if upper >= LARGE or lower <= -LARGE:
            raise CasinoError(
                f"sweep={self.search.rules.sweep} makes values too large for this search")
        return 0

    def values(self, Position position not None, *, int unit=1, bint to_deal=False, int horizon=0,
               int64_t nodes=0, seconds=None, bint expect=False, bint narrow=False,
               str estimate="fitted", report=None):
        """Bounds of the value of each legal move, equal if it is exact.

        Args:
            position: the position, of two sides.
            unit: value of one point.
            to_deal: whether to stop where the next deal comes, and to estimate the rest of the
                round.
            horizon: number of plays after which to estimate, 0 for none.
            nodes: the most nodes to search, 0 for no limit.
            seconds: a time limit, None for none.
            expect: whether to compute the expectation over the last deal, with the order of the
                stock unknown; the attribute `unit` is then the number of splits.
            narrow: whether to narrow the bounds of all moves step by step, to prove as much as
                possible within the limits, instead of solving one move after the other.
            estimate: name of the estimate where the search stops early: "fitted", "learned" or
                "material".
            report: called now and then with (nodes, moves settled, moves, lower, upper), with the
                bounds of the position; True ends the search as a limit does.

        Returns:
            A list of (move, lower, upper) for every legal move in the order of their texts. Values
            are for the side to play, in units, including points already captured.

        Raises:
            HiddenCardError: a card is not known.
            CasinoError: the position or an argument is not valid for this search.
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef int64_t count, i
        cdef int* bounds
        cdef list result = []
        cdef dict known = {}
        cdef PublicMove move
        cdef Move* moves
        cdef State* state = &position.layout.state
        if is_over(state):
            return []
        self.search.estimate.kind = estimate_number(estimate)
        self.begin(position, unit, to_deal or expect, horizon, nodes, seconds)
        if expect:
            self.begin_expectation(position)
        self.check_size(state)
        self.fixed = self.points_so_far(position)
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
            self.watch(report, bounds, count)
            with nogil:
                if narrow:
                    narrow_bounds(&self.search, state, moves, bounds, count)
                else:
                    for i in range(count):
                        if self.search.limits.stopped:
                            break
                        move_value(&self.search, state, &moves[i], &bounds[2 * i],
                                   &bounds[2 * i + 1])
            self.end_watch()
            for i in range(count):
                known[class_of_move(&self.search, &moves[i])] = (bounds[2 * i] + self.fixed,
                                                                 bounds[2 * i + 1] + self.fixed)
        finally:
            self.busy = False
            free(bounds)
            free(moves)
        for move in position.legal_moves():
            lower, upper = known[class_of_move(&self.search, &move.data)]
            result.append((move, lower, upper))
        return result

    cdef int watch(self, object report, const int* bounds, int64_t count) except -1:
        """Take note of what a report shows, before a search."""
        self.report = report
        self.raised = None
        self.bounds = bounds
        self.count = count
        self.search.limits.watch = NULL
        if report is not None:
            self.search.limits.watch = report_progress
        self.search.limits.owner = <void*>self
        self.busy = True
        return 0

    cdef int end_watch(self) except -1:
        """After a search: raise what has stopped it, but for a limit."""
        self.busy = False
        self.report = None
        self.search.limits.watch = NULL
        if self.raised is not None:
            raise self.raised
        raise_stopped(self.search.limits.stopped)
        return 0

    cdef int points_so_far(self, Position position) except? -1:
        """Points that the side to play has gained on the other so far, in units."""
        cdef const State* state = &position.layout.state
        cdef const Ruleset* rules = &position.compiled.ruleset
        return self.search.unit * points_ahead(rules, state, side_of(rules, state.turn))

    def best(self, Position position not None, *, int unit=1, bint to_deal=False, int horizon=0,
             int64_t nodes=0, seconds=None):
        """Bounds of the value of a position, equal unless a limit was met, and the best move found.

        Args:
            position: not finished, of two sides.
            unit, to_deal, horizon: as for `values`, which takes longer as it values every move.
            nodes: the most nodes to search, 0 for no limit.
            seconds: a time limit, None for none.

        Returns:
            The lower bound, the upper bound, and the move.

        Raises:
            HiddenCardError: a card is not known.
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef int64_t count
        cdef int best = 0, most = 0
        cdef State* state = &position.layout.state
        cdef Move best_move
        self.search.estimate.kind = FITTED
        self.begin(position, unit, to_deal, horizon, nodes, seconds)
        self.check_size(state)
        count = root_moves(&self.search, state)
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        self.watch(None, NULL, 0)
        with nogil:
            best_value(&self.search, state, count, &best, &most, &best_move)
        self.end_watch()
        self.fixed = self.points_so_far(position)
        return best + self.fixed, most + self.fixed, position.wrap(&best_move)


cdef void best_value(Search* search, const State* state, int64_t count, int* best, int* most,
                     Move* best_move) noexcept nogil:
    """Bounds of the value to go, equal unless the search was stopped, and the best move found.

    The arena has the `count` moves of `root_moves`, at least one. Which of equal moves is returned
    does not depend on the content of the table.
    """
    cdef int64_t i
    cdef int lower = 0, upper = 0, value
    cdef Move move
    best_move[0] = search.arena.moves[0]
    move_bounds(search, state, best, most)
    for i in range(count):
        move = search.arena.moves[i]
        if i:
            value = tests_above(search, state, &move, best[0])
            if search.limits.stopped:
                return
            if value <= best[0]:
                continue
            best[0] = value
            best_move[0] = move
        move_bounds(search, state, &lower, &upper)
        if i:
            lower = best[0]
        value = move_value(search, state, &move, &lower, &upper)
        if search.limits.stopped:
            return
        best[0] = value
    most[0] = best[0]


cdef int report_progress(void* owner) noexcept:
    """Call the context's report. True from it ends the search; an exception ends it too and is
    raised again after it."""
    cdef SearchContext context = <SearchContext>owner
    cdef int64_t i, settled = 0
    cdef int lower = INT_MIN, upper = INT_MIN
    for i in range(context.count):
        settled += context.bounds[2 * i] == context.bounds[2 * i + 1]
        lower = max(lower, context.bounds[2 * i])
        upper = max(upper, context.bounds[2 * i + 1])
    try:
        if context.report(context.search.nodes, settled, context.count,
                          (lower + context.fixed) / context.search.unit,
                          (upper + context.fixed) / context.search.unit) is True:
            return STOPPED_CALLER
    except BaseException as error:
        context.raised = error
        return STOPPED_SIGNAL
    return 0


cdef bint next_test(Search* search, int64_t budget, int64_t node_limit) noexcept nogil:
    """Prepare a test with a budget of nodes; False if the limits of the call are met."""
    if search.limits.stopped == STOPPED_NODES and not (node_limit and search.nodes >= node_limit):
        search.limits.stopped = 0
    if search.limits.stopped:
        return False
    search.limits.node_limit = search.nodes + budget
    if node_limit and search.limits.node_limit > node_limit:
        search.limits.node_limit = node_limit
    search.limits.until_look = 0
    return True


cdef bint narrow_at(Search* search, const State* state, const Move* move, int bound, int* lower,
                    int* upper) noexcept nogil:
    """Test a move at a bound and narrow its bounds. Returns whether the test was finished."""
    cdef int value = tests_above(search, state, move, bound)
    if search.limits.stopped:
        return False
    if value > bound:
        lower[0] = min(value, upper[0])
    else:
        upper[0] = max(value, lower[0])
    return True


cdef void narrow_bounds(Search* search, const State* state, const Move* moves, int* bounds,
                        int64_t count) noexcept nogil:
    """Narrow the bounds of all moves until they are equal or a limit is met, with more nodes for
    each test in each pass.

    A test in the middle of the bounds gives the most information, one near an end is the shortest.
    """
    cdef int64_t i, budget = FIRST_BUDGET, node_limit = search.limits.node_limit
    cdef int* lower
    cdef int* upper
    cdef bint open_ = True
    while open_:
        open_ = False
        for i in range(count):
            lower = &bounds[2 * i]
            upper = &bounds[2 * i + 1]
            while lower[0] < upper[0]:
                if not next_test(search, budget, node_limit):
                    return
                if narrow_at(search, state, &moves[i], lower[0] + (upper[0] - lower[0]) // 2, lower,
                             upper):
                    continue
                if not next_test(search, budget, node_limit):
                    return
                if narrow_at(search, state, &moves[i], upper[0] - 1, lower, upper):
                    continue
                if not next_test(search, budget, node_limit):
                    return
                if not narrow_at(search, state, &moves[i], lower[0], lower, upper):
                    open_ = True
                    break
        budget = budget * 4 if budget < <int64_t>1 << 58 else budget


def table_size(int plays):
    """Size in MiB of a table that suits a search.

    Args:
        plays: the number of plays from the position to the end of the round.

    Example:
        >>> table_size(8)
        0.25
    """
    return fitting_mib(plays)
