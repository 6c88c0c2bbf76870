"""Exact play of more than two sides, each for itself: max^n.

The side to play chooses what gives it the largest lead: its final points less those of the best other side. Such values
depend on how ties are broken, since a choice that is nothing to the mover may be much to the others. So ties go by what
the sides end with and by nothing else: first more points for the mover, which is what wins matches, then fewer for the
side that plays next, then for the one after it. What is still equal then is equal for everybody: the outcome of a
position does not depend on the order of its moves, on the table's size, or on what was solved before.

There is no alpha-beta here: what a side would not choose may still decide what others get. The table does the work.
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
    DECK, MAX_SEATS, Move, Ruleset, SPADES, STATUS_OK, State, Stock, build_cards, cards_t, lowest, mix, popcount,
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
    LOOK_EVERY = 65536                   # moves between looks at the time and signals
    CARD_COUNT_SHIFT = 6                 # in the key, from below: spades, cards, points beyond those of the last side
    POINTS_SHIFT = 12
    SPADE_COUNT = 13
    LAST_PLAYS = 1                       # searched without the table: they are most, and quickly done
    SETTLED = 63                         # in the key, of who has a majority for certain; beyond every count


cdef struct Wish:                        # what a mover wants of an outcome, the first difference deciding
    int part[MAX_SEATS + 1]


cdef void wish_for(const Outcome* outcome, int side, int sides, Wish* wish) noexcept nogil:
    """The order in which a side prefers outcomes: lead, own points, then few for those who play after it."""
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
    """What every outcome is better than."""
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
    """Points that each side has already, but for majorities."""
    cdef int side
    for side in range(MAX_SEATS):
        fixed[side] = <int16_t>(card_points(maxn.rules, state.piles[side]) + maxn.rules.sweep * state.sweeps[side])


cdef void contenders(int* counts, int sides, int whole) noexcept nogil:
    """Take out of counts what a majority no longer depends on: those who cannot reach the first any more, and how many
    the first has once nobody can reach him."""
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
    """Hashes of cards in their places. Cards of a rank that score alike are one: exchanged, nobody's points change."""
    cdef int card, other, place
    cdef cards_t pair, majority = SPADES if maxn.rules.most_spades else 0
    for card in range(DECK):
        other = card & ~3
        while other < card:
            pair = <cards_t>1 << card | <cards_t>1 << other
            if not (differ(pair, maxn.rules.point_cards[0]) or differ(pair, maxn.rules.point_cards[1])
                    or differ(pair, maxn.rules.point_cards[2]) or differ(pair, majority)):
                break
            other += 1
        for place in range(PLACES):
            maxn.place_hash[place][card] = mix(other, 400 + place)


cdef inline bint differ(cards_t pair, cards_t kind) noexcept nogil:
    """Whether one card of the two is of a kind and the other not."""
    return popcount(pair & kind) == 1


cdef inline uint64_t hash_place(const Maxn* maxn, int place, cards_t cards) noexcept nogil:
    cdef uint64_t hashed = 0
    while cards:
        hashed += maxn.place_hash[place][lowest(cards)]
        cards &= cards - 1
    return hashed


cdef uint64_t key_of(const Maxn* maxn, const State* state, const int16_t* fixed, int lowest_fixed) noexcept nogil:
    """Hash of all that the rest of the round depends on: of the piles, the points by which the sides differ, and the
    counts of cards and spades as far as a majority is open."""
    cdef int cards[MAX_SEATS]
    cdef int spades[MAX_SEATS]
    cdef int i
    cdef uint64_t key = mix(state.turn | <uint64_t>state.last << 8, 500) ^ maxn.stock_hash[state.stock]
    key += hash_place(maxn, TABLE_PLACE, state.table)
    for i in range(state.build_count):
        key += mix(hash_place(maxn, BUILD_PLACE, build_cards(state.builds[i])), 520 + (state.builds[i] >> 52))
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
    """The points that all sides end with. Nothing of worth where `stopped` is set."""
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

    Arguments: table_mib, size of the table in MiB, of which the largest power of two of entries is used.

    >>> MaxnContext(1).nodes
    0
    """
    cdef Maxn maxn
    cdef object rules                    # those of what the table holds, or None
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
        """Forget what the table holds."""
        if self.busy:
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        memset(self.maxn.table, 0, <size_t>(self.maxn.table_mask + 1) * sizeof(Known))

    cdef int begin(self, Position position, int64_t nodes, object seconds) except -1:
        """Make ready for the position."""
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
            self.maxn.stock_hash[i] = mix(self.maxn.stock_hash[i - 1] + stock.cards[stock.count - i], 300 + i)
        self.maxn.arena.used = 0
        self.maxn.nodes = 0
        set_limits(&self.maxn.limits, nodes, deadline_after(seconds))
        self.maxn.limits.owner = <void*>self
        self.maxn.limits.watch = NULL
        return 0

    cdef int bound(self, Position position) noexcept:
        """Points beyond which no lead can be."""
        cdef const State* state = &position.layout.state
        cdef const Ruleset* rules = self.maxn.rules
        cdef int i, sweeps = state.stock
        for i in range(MAX_SEATS):
            sweeps += state.sweeps[i] + popcount(state.hands[i])
        return card_points(rules, (<cards_t>1 << DECK) - 1) + 3 + rules.most_spades + rules.sweep * sweeps

    def values(self, Position position not None, *, int64_t nodes=0, seconds=None, report=None):
        """Each legal move with the points that the sides end with after it, as they play their best.

        Arguments: position, not finished, of more than two sides, in which every card is known; nodes, seconds, limits
        (0 and None for none); report, called now and then with (nodes, moves settled, moves, lower, upper), the bounds
        being those of the lead of the side to play: where it returns True, the search ends as at a limit.
        Returns a list of (move, lead, points), points a tuple by side, best first by the tie rule, then by text.
        Raises SearchLimitError where a limit is met, HiddenCardError where a card is not known, TooManyMovesError.
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
                               tuple([found.points[side] for side in range(self.maxn.rules.sides)])))
        finally:
            self.busy = False
            self.report = None
            self.maxn.arena.used = 0
        if self.raised is not None:
            raise self.raised
        raise_stopped(self.maxn.limits.stopped)
        if self.maxn.limits.stopped:
            raise SearchLimitError("the search met its limit before the values were known; with more than two sides "
                                   "there are no bounds to give")
        result.sort(key=itemgetter(0))   # stable, and the moves come in the order of their texts
        return [(move, -wished[0], points) for wished, move, points in result]


cdef int report_progress(void* owner) noexcept:
    """Tell the context's report how the search goes; True ends the search as if the time were up, what it raises ends
    the search too and is raised again after it."""
    cdef MaxnContext context = <MaxnContext>owner
    try:
        if context.report(context.maxn.nodes, context.settled, context.count, context.lower, context.upper) is True:
            return STOPPED_CALLER
    except BaseException as error:
        context.raised = error
        return STOPPED_SIGNAL
    return 0
