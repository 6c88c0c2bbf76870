"""Information-set Monte Carlo tree search: the best play from what a seat can see. `rounds` has the
rounds.
"""
cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from casino_core.evaluation.goal cimport Goal
from casino_core.evaluation.players cimport Outlook, POINT, careful_score, look_around
from casino_core.game.position cimport Position
from casino_core.hidden.dealing cimport Hidden, set_hidden
from casino_core.hints.tree.memory cimport Play, clear_tree, close_tree, open_tree
from casino_core.hints.tree.rounds cimport (
    CERTAIN_POINTS, RootMove, Searcher, UNIT, key_of, open_learner, root_worth, run_rounds,
)
from casino_core.moves.state cimport hand_size, is_over
from casino_core.moves.workspace cimport push_some
from casino_core.rules.types cimport (
    Move, Ruleset, STATUS_OK, State, Stock, cards_t, mix, popcount, side_of,
)
from casino_core.search.chances cimport tell_apart
from casino_core.search.context cimport Search, close_search, open_search, set_search
from casino_core.search.limits cimport (
    STOPPED_CALLER, STOPPED_SIGNAL, Limits, deadline_after, raise_stopped, set_limits,
)

from casino_core._arguments import MIB, SECONDS, SEED, shown, whole
from casino_core.errors import CasinoError, TooManyMovesError, not_copied

cdef enum:
    DRAW_PLAYS = 12                      # plays of a round of draw casino with a stock

cdef object ITERATIONS = whole(1, 2**40)


@cython.final
cdef class TreeSearch:
    """Information-set tree search with its memory; not for two threads at once.

    Args:
        tree_mib: size of the tree in MiB, more than 0; when it is full, further plays are not
            stored.
        goal: makes the values chances to win the match, instead of points.

    Raises:
        CasinoError: the size is not valid.

    Example:
        >>> TreeSearch(1).capacity
        24576
    """
    cdef Searcher searcher
    cdef bint busy                       # a call is under way
    cdef object report                   # None, or what is called while it goes on
    cdef object raised                   # what the report has raised
    cdef Position position
    cdef Goal goal

    def __cinit__(self, tree_mib=16, Goal goal=None):
        tree_mib = MIB("tree_mib", tree_mib)
        self.goal = goal
        if goal is not None:
            self.searcher.goal = &goal.chances
        if open_search(&self.searcher.search, 0.001) != STATUS_OK:
            raise MemoryError
        if open_tree(&self.searcher.tree, tree_mib) != STATUS_OK:
            raise MemoryError(f"no memory for a tree of {tree_mib:g} MiB")

    def __dealloc__(self):
        close_search(&self.searcher.search)
        close_tree(&self.searcher.tree)
        free(self.searcher.root)

    def __reduce__(self):
        raise not_copied(self)

    @property
    def iterations(self):
        """Number of rounds of the last search: the sum of the visits."""
        return self.searcher.own.rounds

    @property
    def model_iterations(self):
        """Number of further rounds, in which the plays of the others were learnt."""
        return self.searcher.model.rounds

    @property
    def kept(self):
        """Number of plays in the tree."""
        return self.searcher.tree.count

    @property
    def capacity(self):
        """Number of plays that the tree has room for."""
        return <int64_t>(self.searcher.tree.mask + 1 - (self.searcher.tree.mask + 1) // 4)

    cdef int begin(self, Position position, uint64_t seed) except -1:
        """Prepare a search of the position."""
        cdef Searcher* searcher = &self.searcher
        cdef const Ruleset* rules = &position.compiled.ruleset
        cdef const State* state = &position.layout.state
        cdef const Stock* stock = position.stock_order()
        cdef State nothing, public
        cdef int seat
        position.need_hand()
        if not state.stock:
            stock = NULL
        memset(&nothing, 0, sizeof(State))   # equivalence must not depend on the position
        searcher.search.out = position.layout.out
        set_search(&searcher.search, rules, &nothing, NULL, UNIT, True, 0)
        if self.goal is not None:
            tell_apart(searcher.goal, &searcher.search, &searcher.likeness)
        searcher.seat = state.turn
        searcher.side = side_of(rules, state.turn)
        searcher.plays = 0
        for seat in range(rules.seats):
            searcher.plays += hand_size(state, seat)
        if rules.draw:
            searcher.plays += state.stock
            if searcher.plays > DRAW_PLAYS and state.stock:
                searcher.plays = DRAW_PLAYS
        open_learner(&searcher.own, mix(seed, 1))
        open_learner(&searcher.model, mix(seed, 2))
        set_hidden(&searcher.own.hidden, state, rules, stock, position.layout.out)
        public = state[0]
        public.hidden[state.turn] += <uint8_t>popcount(public.hands[state.turn])
        public.hands[state.turn] = 0
        set_hidden(&searcher.model.hidden, &public, rules, stock, position.layout.out)
        # Two players who know all other cards know each other's hand.
        searcher.open = searcher.own.hidden.count == 0
        if rules.seats == 2:
            searcher.open = searcher.own.hidden.count == state.hidden[state.turn ^ 1]
        searcher.stamp = 0
        self.list_root(state)
        return 0

    cdef int list_root(self, const State* state) except -1:
        """List one of each class of equivalent root moves, best careful score first."""
        cdef Searcher* searcher = &self.searcher
        cdef Search* search = &searcher.search
        cdef Outlook outlook
        cdef const Move* moves
        cdef RootMove* root
        cdef int64_t count, i
        cdef uint64_t key
        search.arena.used = 0
        search.generator.alike = search.likeness.alike
        count = push_some(&search.arena, &search.generator, state, search.rules)
        free(searcher.root)
        searcher.root = NULL
        searcher.root_count = 0
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        searcher.root = <RootMove*>calloc(<size_t>count, sizeof(RootMove))
        if searcher.root == NULL:
            raise MemoryError
        look_around(&outlook, search.rules, state)
        moves = search.arena.moves
        keys = set()
        looks = []
        for i in range(count):
            key = key_of(search, &moves[i])
            if key not in keys:          # on crowded tables equivalent moves are listed
                keys.add(key)
                looks.append((-careful_score(&outlook, &moves[i]), i))
        looks.sort()
        for score, i in looks:
            root = &searcher.root[searcher.root_count]
            root.move = moves[i]
            root.key = key_of(search, &moves[i])
            root.behind = <double>(score - looks[0][0]) / POINT
            searcher.root_count += 1
        return 0

    def run(self, Position position not None, *, iterations=None, seconds=None, seed=0, hands=None,
            report=None):
        """Search for the best move of the seat to play, from what the position shows.

        Args:
            position: the position as that seat sees it (`Position.view`); hidden cards are dealt at
                random to fit.
            iterations: the most rounds of the search; each root move is tried once in any case.
            seconds: a time limit, after which some moves may not have been tried; one of the two
                limits is required.
            seed: 0 to 2**64 - 1.
            hands: a list of (masks of the hidden cards, one for each seat, and a weight); None for
                all hands that fit, equally likely.
            report: called now and then with (iterations, the most visited move, its value); True
                ends the search as at a time limit, an exception is raised again.

        Returns:
            (move, visits, value, standard error) for every legal move, most visits first, then by
            value and text; if there was not time for all, by value with the careful score as a
            prior. A value is the mean of the final points of playouts, played out or estimated, of
            the mover's side minus the other or best other side. Equivalent moves share their value.

        Raises:
            CasinoError: the round is finished, or an argument is not valid.
            HiddenCardError: the hand of the seat to play is not known.
            TooManyMovesError: there are too many legal moves to list.

        Example:
            >>> from casino_core import Position
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> str(TreeSearch(1).run(position, iterations=2000, seed=1)[0][0])[:2]
            'Qd'
        """
        cdef int64_t rounds = 0
        cdef int stopped = 0
        cdef double deadline = 0
        cdef Limits* limits = &self.searcher.search.limits
        cdef double* sums = NULL
        cdef cards_t* masks = NULL
        if self.busy:
            raise CasinoError("a tree search answers one call at a time; give each thread its own")
        if is_over(&position.layout.state):
            raise CasinoError("the round is finished, so there is no play to look for")
        if iterations is None and seconds is None:
            raise CasinoError("a tree search needs a limit: iterations or seconds")
        if iterations is not None:
            rounds = ITERATIONS("iterations", iterations)
        if seconds is not None:
            deadline = deadline_after(SECONDS("seconds", seconds))
        self.begin(position, SEED("seed", seed))
        self.position = position
        self.report = report
        self.raised = None
        set_limits(limits, 0, deadline)
        limits.watch = NULL
        limits.owner = <void*>self
        if report is not None:
            limits.watch = report_progress
        self.busy = True
        try:
            if hands is not None:
                if not isinstance(hands, (tuple, list)) or not hands:
                    raise CasinoError(
                        f"hands is a list of masks and weights, one at least, not {shown(hands)}")
                masks = <cards_t*>malloc(<size_t>(len(hands) * position.compiled.ruleset.seats)
                                         * sizeof(cards_t))
                sums = <double*>malloc(<size_t>len(hands) * sizeof(double))
                if masks == NULL or sums == NULL:
                    raise MemoryError
                self.take_hands(hands, masks, sums)
            with nogil:
                clear_tree(&self.searcher.tree,
                           2 * (rounds + self.searcher.root_count) if rounds else 0)
                stopped = run_rounds(&self.searcher, rounds, limits)
        finally:
            self.searcher.own.hidden.hand_count = 0
            free(masks)
            free(sums)
            self.busy = False
            self.report = None
            self.position = None
        if self.raised is not None:
            raise self.raised
        raise_stopped(stopped)
        return self.results(position)

    cdef int take_hands(self, object hands, cards_t* masks, double* sums) except -1:
        """Check the caller's hands and use them."""
        cdef Hidden* hidden = &self.searcher.own.hidden
        cdef int64_t i
        cdef int seat, seats = hidden.seats
        cdef cards_t free_cards = 0, mask
        cdef double total = 0
        for seat in range(hidden.count):
            free_cards |= <cards_t>1 << hidden.cards[seat]
        for i, entry in enumerate(hands):
            left = free_cards
            try:
                given, weight = entry
                given = [<cards_t>mask for mask in given]
                weight = float(weight)
            except (TypeError, ValueError, OverflowError):
                raise CasinoError(
                    f"hands: entry {i} is not the masks of all seats and a weight") from None
            if len(given) != seats:
                raise CasinoError(f"hands: {len(given)} masks for {seats} seats")
            for seat in range(seats):
                mask = given[seat]
                if popcount(mask) != hidden.seen.hidden[seat] or mask & ~<cards_t>left:
                    raise CasinoError(
                        f"hands: entry {i} does not fit what seat {'abcd'[seat]} may hold")
                left ^= mask
                masks[i * seats + seat] = mask
            if not 0 <= weight < 1e300:
                raise CasinoError(f"hands: a weight is 0 or more, not {weight}")
            total += weight
            sums[i] = total
        if not total > 0:
            raise CasinoError("hands: no hand has a weight")
        hidden.hands = masks
        hidden.sums = sums
        hidden.hand_count = len(hands)
        return 0

    cdef list results(self, Position position):
        """The statistics of every legal move, best first; an untried move has its careful score."""
        cdef dict known = {}
        cdef list found = []
        cdef int64_t i
        cdef double mean, error
        cdef const RootMove* root
        for i in range(self.searcher.root_count):
            root = &self.searcher.root[i]
            mean = self.searcher.own.mean - root.behind
            error = self.searcher.own.spread
            if root.visits:
                mean = root.total / root.visits
            if root.visits > 1:
                error = sqrt(max(root.squares / root.visits - mean * mean, 0.0) / (root.visits - 1))
            worth = root_worth(&self.searcher, root)
            if self.goal is not None:
                mean, error = chance_of_points(mean), error / CERTAIN_POINTS
            known[root.key] = (root.visits, mean, error, worth)
        for move in position.some_legal_moves():
            found.append((move, *known[self.key(position, move)]))
        if self.searcher.own.rounds < self.searcher.root_count:
            found.sort(key=lambda item: (-item[4], str(item[0])))
        else:
            found.sort(key=lambda item: (-item[1], -item[2], str(item[0])))
        return [item[:4] for item in found]

    cdef double value_of(self, double mean):
        """A mean as callers see it."""
        return mean if self.goal is None else chance_of_points(mean)

    cdef uint64_t key(self, Position position, object move) except? 0:
        cdef Move data
        position.resolve(move, &data)
        return key_of(&self.searcher.search, &data)

    def _model_digest(self):
        """A hash of what the model has learnt, for tests."""
        cdef uint64_t digest = 0, i
        cdef const Play* play
        for i in range(self.searcher.tree.window + 1):
            play = &self.searcher.tree.plays[i]
            if play.key & 1:
                digest += mix(play.key ^ mix(<uint64_t><int64_t>(play.total * 4096), 1),
                              play.visits)
        return digest


cdef double chance_of_points(double points):
    """The chance to win the match that the search counts as these points."""
    return min(max(0.5 + points / CERTAIN_POINTS, 0.0), 1.0)


cdef int report_progress(void* owner) noexcept:
    """Call the report. True from it ends the search as at a time limit; an exception ends the
    search and is raised again after it."""
    cdef TreeSearch search = <TreeSearch>owner
    cdef const RootMove* best = search.searcher.root
    cdef int64_t i
    for i in range(search.searcher.root_count):
        if search.searcher.root[i].visits > best.visits:
            best = &search.searcher.root[i]
    if not best.visits:
        return 0
    try:
        if search.report(search.searcher.own.rounds, search.position.wrap(&best.move),
                         search.value_of(best.total / best.visits)) is True:
            return STOPPED_CALLER
    except BaseException as error:
        search.raised = error
        return STOPPED_SIGNAL
    return 0
