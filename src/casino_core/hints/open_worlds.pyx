"""Exact search with open cards in many worlds (perfect-information Monte Carlo)."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from casino_core.evaluation.estimate cimport estimate_number
from casino_core.evaluation.goal cimport Goal
from casino_core.game.position cimport Move as PublicMove, Position
from casino_core.moves.state cimport is_over, points_ahead
from casino_core.rules.types cimport (
    DECK, MAX_SEATS, Move, STATUS_OK, State, Stock, side_of,
)
from casino_core.search.alphabeta cimport expect_last_deal, root_value, some_root_moves
from casino_core.search.chances cimport (
    ChanceSearch, chance_of_move, close_chances, open_chances, set_chances, tell_apart,
)
from casino_core.search.context cimport (
    LARGE, Likeness, Search, class_of_move, close_search, open_search, set_search,
    unknown_cards,
)
from casino_core.search.last_deals cimport LastDeals
from casino_core.search.limits cimport STOPPED_NODES, Watched, set_limits
from casino_core.search.table cimport clear_window

from casino_core.errors import CasinoError, TooManyMovesError, not_copied

cdef enum:
    WHOLE_DEAL = 99                      # more plays than a deal has
    MOST_DEPTHS = 8


cdef int list_rows(Search* search, Position position, int unit, Goal goal, Likeness* own,
                   Move** moves, int64_t* count, list classes) except -1:
    """List one of each class of equivalent root moves, in memory that the caller frees, and append
    to `classes` the number of each legal move's class. Prepares the search for the position.

    With a goal, `own` has room for what it tells apart.
    """
    cdef State* state = &position.layout.state
    cdef PublicMove move
    cdef dict rows = {}
    cdef int64_t i
    search.out = position.layout.out
    set_search(search, &position.compiled.ruleset, state, NULL, unit, True, 0)
    if goal is not None:
        tell_apart(&goal.chances, search, own)
    count[0] = some_root_moves(search, state)
    if count[0] < 0:
        raise TooManyMovesError("the position has too many legal moves to list")
    moves[0] = <Move*>malloc(<size_t>count[0] * sizeof(Move))
    if moves[0] == NULL:
        raise MemoryError
    for i in range(count[0]):
        moves[0][i] = search.arena.moves[i]
        rows[class_of_move(search, &moves[0][i])] = i
    for move in position.some_legal_moves():
        classes.append(rows[class_of_move(search, &move.data)])
    return 0


@cython.final
cdef class WorldSearch(Watched):
    """Exact search to the end of the deal in one world after the other; not for two threads at
    once.

    Values depend on the position and the world alone, never on earlier worlds.

    Args:
        position: the position as the seat to play sees it, with two sides.
        table_mib: size of the transposition table in MiB.
        unit: value of one point.
        depths: numbers of plays after which values are estimated, in the order in which they are
            tried, 99 for the end of the deal. A world that needs more nodes than allowed is
            searched with the next depth; the last depth has no limit.
        goal: makes the values chances to win the match, in billionths, instead of points.
        last_deals: makes a search to the end of the deal take the exact mean of the last deal
            instead of an estimate; `unit` is then its number of splits.
        estimate: the estimate at the end of the deal.

    Raises:
        CasinoError: the position has no such search.
        ValueError: no depths, or too many; another unit.
        TooManyMovesError: there are too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> search = WorldSearch(position, table_mib=1, unit=60, depths=b"c")
        >>> len(search.classes) == len(position.legal_moves())
        True
    """
    cdef Search search
    cdef ChanceSearch chances            # with a goal
    cdef Goal goal
    cdef LastDeals last_deals
    cdef Position position
    cdef Stock stock
    cdef Move* moves                     # one of each class of equivalent moves
    cdef int64_t count
    cdef uint8_t depths[MOST_DEPTHS]
    cdef int last                        # number of the last depth
    cdef int64_t total_nodes
    cdef readonly list classes           # the row of each legal move, in the order of texts

    def __cinit__(self, Position position not None, *, double table_mib, int unit,
                  bytes depths not None, Goal goal=None, LastDeals last_deals=None,
                  str estimate="fitted"):
        if position.compiled.ruleset.sides != 2:
            raise CasinoError("worlds are searched for two sides")
        if (is_over(&position.layout.state)
                or position.layout.state.hidden[position.layout.state.turn]):
            raise CasinoError("worlds are searched for a seat that is to play and knows its hand")
        if last_deals is not None and last_deals.splits != unit:
            raise ValueError(f"the unit is {last_deals.splits}, the number of splits")
        self.position = position
        self.last_deals = last_deals
        if not 0 < len(depths) <= MOST_DEPTHS:
            raise ValueError(f"there are 1 to {MOST_DEPTHS} depths")
        memcpy(self.depths, PyBytes_AS_STRING(depths), len(depths))
        self.last = <int>len(depths) - 1
        if open_search(&self.search, table_mib) != STATUS_OK:
            raise MemoryError(f"no memory for a table of {table_mib:g} MiB")
        self.search.estimate.kind = estimate_number(estimate)
        self.goal = goal
        if (goal is not None
                and open_chances(&self.chances, &self.search, &goal.chances,
                                 WHOLE_DEAL) != STATUS_OK):
            raise MemoryError
        self.classes = []
        list_rows(&self.search, position, unit, goal, &self.chances.likeness, &self.moves,
                  &self.count, self.classes)

    def __dealloc__(self):
        close_chances(&self.chances)
        close_search(&self.search)
        free(self.moves)

    def __reduce__(self):
        raise not_copied(self)

    @property
    def nodes(self):
        """Number of nodes searched so far."""
        return self.total_nodes

    def values(self, bytes worlds not None, *, bytes orders=None, bytes wanted=None, int level=0,
               int64_t nodes=0, double deadline=0):
        """Values of the moves in each world.

        Args:
            worlds: 64 bytes for each, the masks of the hidden cards of four hands and four piles as
                unsigned integers.
            orders: 52 bytes for each world, the order of the stock, next card first; None for a
                hidden stock.
            wanted: a byte for each row, not 0 if the row is to be evaluated; None for all rows.
            level: index of the depth to begin with in each world.
            nodes: the most nodes of a world before the next depth is tried, 0 for no limit.
            deadline: on the clock of `time.perf_counter`, 0 for none.

        Returns:
            The values, the number of worlds done, and the highest level used. Values are 32-bit
            integers, for each world a number for each row, 0 if not wanted: the points that the
            side to play gains on the other side, including those already gained, in units; with a
            goal its chance to win the match, in billionths.

        Raises:
            ValueError: arguments whose sizes differ.
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef int64_t number = len(worlds) // <int64_t>sizeof(World), done = 0, i
        cdef const World* world = <const World*>PyBytes_AS_STRING(worlds)
        cdef const uint8_t* order = NULL
        cdef const uint8_t* chosen = NULL
        cdef bytes answer = PyBytes_FromStringAndSize(
            NULL, number * self.count * <int64_t>sizeof(int32_t))
        cdef int32_t* values = <int32_t*>PyBytes_AS_STRING(answer)
        cdef int reached, used
        if len(worlds) != number * <int64_t>sizeof(World) or (orders is not None
                                                              and len(orders) != number * DECK) \
                or (wanted is not None
                    and len(wanted) != self.count) or not 0 <= level <= self.last:
            raise ValueError("worlds, orders, wanted or level do not fit")
        if orders is not None:
            order = <const uint8_t*>PyBytes_AS_STRING(orders)
        if wanted is not None:
            chosen = <const uint8_t*>PyBytes_AS_STRING(wanted)
        set_limits(&self.search.limits, 0, deadline)
        self.watch_from(&self.search.limits)
        reached = level
        with nogil:
            for i in range(number):
                used = self.one_world(&world[i], order + i * DECK if order != NULL else NULL,
                                      chosen, level, nodes, values + i * self.count)
                reached = used if used > reached else reached
                if self.search.limits.stopped:
                    break
                done += 1
        self.raise_of(&self.search.limits)
        return answer[:done * self.count * <int64_t>sizeof(int32_t)], done, reached

    cdef int one_world(self, const World* world, const uint8_t* order, const uint8_t* chosen,
                       int level, int64_t nodes, int32_t* values) noexcept nogil:
        """Fill in the row of a world by the first depth within its node limit. Returns the index of
        that depth."""
        cdef State state = self.position.layout.state
        cdef const Stock* stock = NULL
        cdef int seat
        for seat in range(MAX_SEATS):
            state.hands[seat] |= world.hands[seat]
            state.piles[seat] |= world.piles[seat]
            state.hidden[seat] = 0
            state.forgotten[seat] = 0
        if order != NULL:
            self.stock.count = state.stock
            memcpy(self.stock.cards, order, DECK)
            stock = &self.stock
        while True:
            self.one_depth(&state, stock, chosen, self.depths[level],
                           0 if level == self.last else nodes, values)
            if self.search.limits.stopped != STOPPED_NODES or level == self.last:
                return level
            level += 1

    cdef void one_depth(self, const State* state, const Stock* stock, const uint8_t* chosen,
                        int depth, int64_t nodes, int32_t* values) noexcept nogil:
        cdef Search* search = &self.search
        cdef int64_t* total = &self.total_nodes
        cdef int fixed
        cdef int64_t row
        set_search(search, &self.position.compiled.ruleset, state, stock, search.unit, True,
                   0 if depth == WHOLE_DEAL else depth)
        if self.goal is not None:
            set_chances(&self.chances)
        elif self.last_deals is not None and depth == WHOLE_DEAL:
            expect_last_deal(search, &self.last_deals.data.deals, unknown_cards(search, state))
        clear_window(&search.table)
        search.arena.used = 0
        search.nodes = 0
        set_limits(&search.limits, nodes, search.limits.deadline)
        fixed = search.unit * points_ahead(search.rules, state, side_of(search.rules, state.turn))
        for row in range(self.count):
            values[row] = 0
            if chosen != NULL and not chosen[row]:
                continue
            if self.goal is not None:
                values[row] = chance_of_move(&self.chances, state, &self.moves[row])
            else:
                values[row] = fixed + root_value(search, state, &self.moves[row], -LARGE, LARGE)
            if search.limits.stopped:
                break
        total[0] += search.nodes
