"""Exact play of more than two sides, each for itself: max^n (C. Luckhardt and K. Irani 1986).

The side to play maximizes its lead: its final points minus those of the best other side. In max^n
values depend on how ties are broken, as a choice that makes no difference to the mover may matter
to the others. Ties are broken by the final points alone: more points for the mover, which win
matches, then fewer for the side that plays next, then for the one after it. Moves that are still
equal are equal for all sides, so that the outcome of a position does not depend on the order of its
moves, on the size of the table, or on earlier searches.

Alpha-beta does not apply: a move that a side would not choose may still decide what others get. The
transposition table saves the work.
"""
cimport cython
from libc.limits cimport INT_MIN
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from casino_core.game.move cimport Move as PublicMove
from casino_core.game.position cimport Position
from casino_core.moves.state cimport card_points, copy_state, is_over, play_move, score_round
from casino_core.moves.workspace cimport close_generator, open_generator, push_moves
from casino_core.rules.types cimport (
    DECK, MAX_SEATS, Move, Ruleset, SPADES, STATUS_OK, State, Stock, build_cards, cards_t, lowest,
    mix, popcount,
)
from casino_core.search.context cimport BUILD_PLACE, LIST_LIMIT, PLACES, TABLE_PLACE
from casino_core.search.limits cimport (
    STOPPED_CALLER, STOPPED_FULL, STOPPED_NODES, STOPPED_SIGNAL, deadline_after, look_outside,
    raise_stopped, set_limits,
)

from operator import itemgetter

from casino_core.errors import CasinoError, SearchLimitError, not_copied
from casino_core.search.root import need_every_card


cdef enum:
    LOOK_EVERY = 65536                   # moves between checks of limits and signals
    CARD_COUNT_SHIFT = 6                 # the key has spades, cards, points above the lowest side's
    POINTS_SHIFT = 12
    SPADE_COUNT = 13
    LAST_PLAYS = 1                       # plays searched without the table: many, but quick
    SETTLED = 63                         # in the key, for a decided majority; above every count


cdef struct Wish:                        # preference over outcomes, compared lexicographically
    int part[MAX_SEATS + 1]


cdef void wish_for(const Outcome* outcome, int side, int sides, Wish* wish) noexcept nogil:
    """The preference of a side over outcomes, as a tuple to compare: lead, own points, then fewer
    points for the sides that play after it."""
    cdef int i, other, best = INT_MIN
    wish.part[1] = outcome.points[side]
    for i in range(1, sides):
        other = side + i if side + i < sides else side + i - sides
        wish.part[1 + i] = -outcome.points[other]
        if outcome.points[other] > best:
            best = outcome.points[other]
    for i in range(sides + 1, MAX_SEATS + 1):
        wish.part[i] = 0
    wish.part[0] = outcome.points[side] - best


cdef Wish lowest_wish() noexcept nogil:
    """A preference below that of every outcome."""
    cdef Wish wish
    cdef int i
    for i in range(MAX_SEATS + 1):
        wish.part[i] = INT_MIN
    return wish


cdef bint is_better(const Wish* one, const Wish* other) noexcept nogil:
    cdef int i
    for i in range(MAX_SEATS + 1):
        if one.part[i] != other.part[i]:
            return one.part[i] > other.part[i]
    return False


cdef void fixed_points(const Maxn* maxn, const State* state, int16_t* fixed) noexcept nogil:
    """Points that each side has already, without majorities."""
    cdef int side
    for side in range(MAX_SEATS):
        fixed[side] = <int16_t>(card_points(maxn.rules, state.piles[side]) + maxn.rules.sweep
                                * state.sweeps[side])


cdef void contenders(int* counts, int sides, int whole) noexcept nogil:
    """Remove from counts what a majority no longer depends on: those that cannot reach the first
    any more, and the lead once the majority is decided."""
    cdef int side, most = 0, left = whole, open_ = 0, first = 0
    for side in range(sides):
        left -= counts[side]
        if counts[side] > most:
            most = counts[side]
    for side in range(sides):
        if counts[side] + left < most:
            counts[side] = 0
        else:
            open_ += 1
            first = side
    if open_ == 1:
        counts[first] = SETTLED


cdef void fill_place_hash(Maxn* maxn) noexcept nogil:
    """Hashes of cards in their places, equal for cards of a rank that score alike."""
    cdef int card, other, place
    cdef cards_t pair, majority = SPADES if maxn.rules.most_spades else 0
    for card in range(DECK):
        other = card & ~3
        while other < card:
            pair = <cards_t>1 << card | <cards_t>1 << other
            if not (differ(pair, maxn.rules.point_cards[0])
                    or differ(pair, maxn.rules.point_cards[1])
                    or differ(pair, maxn.rules.point_cards[2]) or differ(pair, majority)):
                break
            other += 1
        for place in range(PLACES):
            maxn.place_hash[place][card] = mix(other, 400 + place)


cdef inline bint differ(cards_t pair, cards_t kind) noexcept nogil:
    """Whether exactly one of the two cards is of a kind."""
    return popcount(pair & kind) == 1


cdef inline uint64_t hash_place(const Maxn* maxn, int place, cards_t cards) noexcept nogil:
    cdef uint64_t hashed = 0
    while cards:
        hashed += maxn.place_hash[place][lowest(cards)]
        cards &= cards - 1
    return hashed


cdef uint64_t key_of(const Maxn* maxn, const State* state, const int16_t* fixed,
                     int lowest_fixed) noexcept nogil:
    """Hash of all that the rest of the round depends on; of the piles only the differences in
    points, and the counts of cards and spades while a majority is open."""
    cdef int cards[MAX_SEATS]
    cdef int spades[MAX_SEATS]
    cdef int i
    cdef uint64_t key = mix(state.turn | <uint64_t>state.last << 8,
                            500) ^ maxn.stock_hash[state.stock]
    key += hash_place(maxn, TABLE_PLACE, state.table)
    for i in range(state.build_count):
        key += mix(hash_place(maxn, BUILD_PLACE, build_cards(state.builds[i])),
                   520 + (state.builds[i] >> 52))
    for i in range(maxn.rules.sides):
        cards[i] = popcount(state.piles[i])
        spades[i] = popcount(state.piles[i] & SPADES) if maxn.rules.most_spades else 0
    contenders(cards, maxn.rules.sides, DECK)
    if maxn.rules.most_spades:
        contenders(spades, maxn.rules.sides, SPADE_COUNT)
    for i in range(maxn.rules.sides):
        key += hash_place(maxn, i, state.hands[i])
        key += mix(<uint64_t>spades[i] | <uint64_t>cards[i] << CARD_COUNT_SHIFT
                   | <uint64_t>(fixed[i] - lowest_fixed) << POINTS_SHIFT, 510 + i)
    return key if key else 1


cdef inline int cards_left(const State* state) noexcept nogil:
    return popcount(state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]) + state.stock


cdef void search(Maxn* maxn, const State* state, Outcome* outcome) noexcept nogil:
    """The final points of all sides. Undefined if `stopped` is set."""
    cdef int64_t first = maxn.arena.used, count, i
    cdef int32_t points[MAX_SEATS]
    cdef int16_t fixed[MAX_SEATS]
    cdef int side, lowest_fixed = 0
    cdef Wish wish, best = lowest_wish()
    cdef Known* entry = NULL
    cdef uint64_t key = 0
    cdef State child
    cdef Outcome found
    cdef Move move
    maxn.nodes += 1
    if is_over(state):
        score_round(state, maxn.rules, points)
        for side in range(maxn.rules.sides):
            outcome.points[side] = <int16_t>points[side]
        return
    if maxn.limits.node_limit and maxn.nodes >= maxn.limits.node_limit:
        maxn.limits.stopped = STOPPED_NODES
        return
    if cards_left(state) > LAST_PLAYS:
        fixed_points(maxn, state, fixed)
        lowest_fixed = fixed[0]
        for side in range(1, maxn.rules.sides):
            lowest_fixed = min(lowest_fixed, fixed[side])
        key = key_of(maxn, state, fixed, lowest_fixed)
        entry = &maxn.table[key & <uint64_t>maxn.table_mask]
        if entry.key == key:
            for side in range(maxn.rules.sides):
                outcome.points[side] = <int16_t>(entry.outcome.points[side] + lowest_fixed)
            return
    count = push_moves(&maxn.arena, &maxn.generator, state, maxn.rules, LIST_LIMIT)
    if count < 0:
        maxn.limits.stopped = STOPPED_FULL
        return
    maxn.limits.until_look -= 1 + count
    if maxn.limits.until_look < 0:
        maxn.limits.until_look = LOOK_EVERY
        if look_outside(&maxn.limits):
            return
    for i in range(first, first + count):
        move = maxn.arena.moves[i]
        copy_state(&child, state)
        play_move(&child, maxn.rules, maxn.stock, &move)
        search(maxn, &child, &found)
        if maxn.limits.stopped:
            return
        wish_for(&found, state.turn, maxn.rules.sides, &wish)
        if is_better(&wish, &best):
            best = wish
            outcome[0] = found
    maxn.arena.used = first
    if entry == NULL:
        return
    entry.key = key
    for side in range(maxn.rules.sides):
        entry.outcome.points[side] = <int16_t>(outcome.points[side] - lowest_fixed)


@cython.final
cdef class MaxnContext:
    """A max^n search with its table; not for two threads at once.

    Args:
        table_mib: size of the table in MiB; the number of entries is the largest power of two that
            fits.

    Raises:
        CasinoError: the size is not valid.

    Example:
        >>> MaxnContext(1).nodes
        0
    """
    cdef Maxn maxn
    cdef object rules                    # of the entries of the table, or None
    cdef bint busy                       # a call is under way
    cdef object report                   # None, or what is called while a search goes on
    cdef object raised                   # what the report has raised
    cdef int64_t settled                 # root moves, of `count`
    cdef int64_t count
    cdef int lower                       # bounds of the root's value
    cdef int upper

    def __cinit__(self, double table_mib):
        cdef int64_t entries = 1
        if not 0 < table_mib <= 65536:
            raise CasinoError(f"table_mib is a size in MiB from 0 to 65536, not {table_mib:g}")
        while 2 * entries * <int64_t>sizeof(Known) <= table_mib * 1048576:
            entries *= 2
        self.maxn.table = <Known*>calloc(<size_t>entries, sizeof(Known))
        if self.maxn.table == NULL or open_generator(&self.maxn.generator) != STATUS_OK:
            raise MemoryError(f"no memory for a table of {table_mib:g} MiB")
        self.maxn.table_mask = entries - 1

    def __dealloc__(self):
        close_generator(&self.maxn.generator)
        free(self.maxn.arena.moves)
        free(self.maxn.table)

    def __reduce__(self):
        raise not_copied(self)

    @property
    def nodes(self):
        """Nodes of the last call."""
        return self.maxn.nodes

    def clear(self):
        """Empty the table."""
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        memset(self.maxn.table, 0, <size_t>(self.maxn.table_mask + 1) * sizeof(Known))

    cdef int begin(self, Position position, int64_t nodes, object seconds) except -1:
        """Prepare a search of the position."""
        cdef const Stock* stock = position.stock_order()
        cdef int i, left
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        need_every_card(position)
        self.maxn.rules = &position.compiled.ruleset
        if position.compiled.rules != self.rules:
            self.clear()
            self.rules = position.compiled.rules
            fill_place_hash(&self.maxn)
        self.maxn.stock = stock
        left = position.layout.state.stock
        self.maxn.stock_hash[0] = 0
        for i in range(1, left + 1):
            self.maxn.stock_hash[i] = mix(self.maxn.stock_hash[i - 1]
                                          + stock.cards[stock.count - i], 300 + i)
        self.maxn.arena.used = 0
        self.maxn.nodes = 0
        set_limits(&self.maxn.limits, nodes, deadline_after(seconds))
        self.maxn.limits.owner = <void*>self
        self.maxn.limits.watch = NULL
        return 0

    cdef int bound(self, Position position) noexcept:
        """An upper bound of every lead, in points."""
        cdef const State* state = &position.layout.state
        cdef const Ruleset* rules = self.maxn.rules
        cdef int i, sweeps = state.stock
        for i in range(MAX_SEATS):
            sweeps += state.sweeps[i] + popcount(state.hands[i])
        return card_points(rules,
                           (<cards_t>1 << DECK) - 1) + 3 + rules.most_spades + rules.sweep * sweeps

    def values(self, Position position not None, *, int64_t nodes=0, seconds=None, report=None):
        """Each legal move with the final points of all sides after it under max^n.

        Args:
            position: not finished, of more than two sides, with every card known.
            nodes: the most nodes to search, 0 for no limit.
            seconds: a time limit, None for none.
            report: called now and then with (nodes, moves settled, moves, lower, upper), with
                bounds of the lead of the side to play; True ends the search as a limit does.

        Returns:
            A list of (move, lead, points), with points of each side as a tuple, best first by the
            tie rule, then by text.

        Raises:
            SearchLimitError: a limit was met.
            HiddenCardError: a card is not known.
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef State child
        cdef Outcome found
        cdef Wish wish
        cdef PublicMove move
        cdef list legal, result = []
        cdef int side
        if position.compiled.ruleset.sides < 3:
            raise CasinoError("max^n is for more than two sides")
        self.begin(position, nodes, seconds)
        legal = position.legal_moves()
        self.raised = None
        self.report = report
        if report is not None:
            self.maxn.limits.watch = report_progress
        self.settled = 0
        self.count = len(legal)
        self.upper = self.bound(position)
        self.lower = -self.upper
        self.busy = True
        try:
            for move in legal:
                copy_state(&child, &position.layout.state)
                play_move(&child, self.maxn.rules, self.maxn.stock, &move.data)
                with nogil:
                    search(&self.maxn, &child, &found)
                if self.maxn.limits.stopped:
                    break
                wish_for(&found, position.layout.state.turn, self.maxn.rules.sides, &wish)
                self.settled += 1
                self.lower = max(self.lower, wish.part[0])
                result.append((tuple([-part for part in wish.part]), move,
                               tuple([found.points[side]
                                      for side in range(self.maxn.rules.sides)])))
        finally:
            self.busy = False
            self.report = None
            self.maxn.arena.used = 0
        if self.raised is not None:
            raise self.raised
        raise_stopped(self.maxn.limits.stopped)
        if self.maxn.limits.stopped:
            raise SearchLimitError("the search met its limit before the values were known; with "
                                   "more than two sides there are no bounds to give")
        result.sort(key=itemgetter(0))   # stable, and the moves come in the order of their texts
        return [(move, -wished[0], points) for wished, move, points in result]


cdef int report_progress(void* owner) noexcept:
    """Call the context's report. True from it ends the search; an exception ends it too and is
    raised again after it."""
    cdef MaxnContext context = <MaxnContext>owner
    try:
        if context.report(context.maxn.nodes, context.settled, context.count, context.lower,
                          context.upper) is True:
            return STOPPED_CALLER
    except BaseException as error:
        context.raised = error
        return STOPPED_SIGNAL
    return 0
