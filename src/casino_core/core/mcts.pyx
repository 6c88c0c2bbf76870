"""Information-set Monte Carlo tree search: the best play from what a seat can see.

A round deals what is hidden at random, goes down the tree, plays the deal out by how plays look at a glance, and values
its end. The rule of choice is UCB1 with counts of availability, as in P. Cowling, E. Powley and D. Whitehouse,
"Information set Monte Carlo tree search", 2012: a play competes with how often it could have been made. Their search
lets the others answer the searching seat's true hand; here they answer what they can see (see mcts.pxd).
"""
cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from casino_core.core.hidden cimport deal_hidden, set_hidden
from casino_core.core.movegen cimport pick_move
from casino_core.core.playout cimport push_moves
from casino_core.core.position cimport Position
from casino_core.core.rollout cimport GLANCE_POINT, Glance, glance_worth, take_glance
from casino_core.core.search cimport (
    LIST_LIMIT, STOPPED_SIGNAL, STOPPED_TIME, TABLE_PLACE, close_search, hash_cards, look_outside, open_search,
    raise_stopped, set_search, watch_t,
)
from casino_core.core.state cimport card_points, hand_size, is_over, play_move, score_round
from casino_core.core.tree cimport add_play, clear_tree, close_tree, find_play, open_tree
from casino_core.core.types cimport (
    DECK, Ruleset, SPADES, STATUS_OK, State, Stock, cards_t, highest, mix, popcount, rng_below, rng_next,
    rng_seed, side_of,
)

from time import perf_counter

from casino_core.checking import MIB, SECONDS, SEED, shown, whole
from casino_core.errors import CasinoError, TooManyMovesError

cdef object ITERATIONS = whole(1, 2**40)
cdef object MASK = whole(0, 2**52 - 1)

cdef enum:
    LOOK_EVERY = 4096                    # plays between looks at limits and signals
    DRAW_PLAYS = 12                      # plays of a round where cards are drawn and the stock is not gone
    FEW_HANDS = 128                      # hands that a seat may hold, up to which the model keeps them apart
    CHANCE_PLAYS = 8                     # one play in so many is left to chance when a deal is played out
    SALT_OWN = 300
    SALT_MODEL = 310
    SALT_PLAY = 320

cdef double EXPLORE = 1.4                # of the spread of values, by square root of log of availability over visits
cdef double GLANCE_VISITS = 2.0          # visits that the look of a play stands for
cdef double DOUBT = 0.5                  # spreads by square root of visits that the model's values are taken lower for
cdef double FIRST_SPREAD = 2.0           # points, before there are values
cdef double LEAST_SPREAD = 1.0           # or what all rounds agree on would not be looked at again
cdef double CARD_WORTH = 0.09            # of more than two sides, before the end: points for a captured card
cdef double SPADE_WORTH = 0.06


cdef inline double logarithm(double x) noexcept nogil:
    """Of 1 or more, near enough, and the same on every platform."""
    cdef int bits = highest(<uint64_t>x)
    return 0.6931471805599453 * (bits + x / <double>(<uint64_t>1 << bits) - 1)


cdef inline double part_of(int lead, int left, int points) noexcept nogil:
    """A majority that is still open, in proportion to the lead: sure once the lead is half of what is left."""
    cdef double value = 2.0 * points * lead / (left + 1)
    return points if value > points else -points if value < -points else value


cdef void value_end(Searcher* searcher, const State* state) noexcept nogil:
    """The values of a round's end to the sides: exact at the end of the round, before it by the leads."""
    cdef const Ruleset* rules = searcher.search.rules
    cdef int32_t points[MAX_SEATS]
    cdef double standing[MAX_SEATS]
    cdef double best
    cdef int side, other, cards_left = searcher.cards, spades_left = searcher.spades
    cdef bint over = is_over(state)
    if over:
        score_round(state, rules, points)
    for side in range(rules.sides):
        if over:
            standing[side] = points[side]
        else:
            standing[side] = card_points(rules, state.piles[side]) + rules.sweep * state.sweeps[side]
            cards_left -= popcount(state.piles[side])
            spades_left -= popcount(state.piles[side] & SPADES)
    if not over and rules.sides == 2:
        standing[0] += part_of(popcount(state.piles[0]) - popcount(state.piles[1]), cards_left, 3)
        standing[0] += part_of(popcount(state.piles[0] & SPADES) - popcount(state.piles[1] & SPADES), spades_left,
                               rules.most_spades)
    elif not over:
        for side in range(rules.sides):
            standing[side] += (CARD_WORTH * popcount(state.piles[side])
                               + SPADE_WORTH * rules.most_spades * popcount(state.piles[side] & SPADES))
    for side in range(rules.sides):
        best = -1e9
        for other in range(rules.sides):
            if other != side and standing[other] > best:
                best = standing[other]
        searcher.value[side] = standing[side] - best


cdef inline uint64_t key_of(const Search* search, const Move* move) noexcept nogil:
    """The same for moves of a position that are alike."""
    return mix(hash_cards(search, TABLE_PLACE, move.loose) + search.likeness.place_hash[0][move.card]
               + move.builds * <uint64_t>0x9E3779B97F4A7C15 + (move.kind | move.value << 4), SALT_PLAY)


cdef inline bint few_hands(int cards, int size) noexcept nogil:
    """Whether so many of the cards can be a hand in few ways."""
    cdef int64_t ways = 1
    cdef int i
    for i in range(size):
        ways = ways * (cards - i) // (i + 1)
        if ways > FEW_HANDS:
            return False
    return True


cdef inline uint64_t node_key(const Searcher* searcher, const State* state, uint64_t history, bint model,
                              int made) noexcept nogil:
    """An information set of the seat to play: all plays so far and its hand. The model leaves the hand out where it is
    one of many, so that what a play is worth is learnt from all hands that hold its card."""
    cdef int seat = state.turn
    if not model or few_hands(searcher.model.hidden.count - made, popcount(state.hands[seat])):
        history += hash_cards(&searcher.search, seat, state.hands[seat])
    return mix(history, (SALT_MODEL if model else SALT_OWN) + seat)


cdef inline uint64_t play_key(uint64_t node, uint64_t key, bint model) noexcept nogil:
    """The last bit tells whose the play is; never 0."""
    cdef uint64_t mixed = mix(node ^ key, SALT_PLAY + 1) & ~<uint64_t>1
    return (mixed if mixed else 2) | model


cdef inline int64_t glance_at(Searcher* searcher, const State* state, int64_t count) noexcept nogil:
    """Fill in how the moves at hand look; which looks best."""
    cdef Glance glance
    cdef int64_t i, best = 0
    take_glance(&glance, state, searcher.search.rules)
    for i in range(count):
        searcher.worth[i] = glance_worth(&glance, state, searcher.search.rules, &searcher.search.arena.moves[i])
        if searcher.worth[i] > searcher.worth[best]:
            best = i
    return best


cdef inline int64_t choose_at_a_glance(Searcher* searcher, const State* state, int64_t count, Rng* rng) noexcept nogil:
    """The policy that plays deals out: what looks best, and now and then anything."""
    if count == 1:
        return 0
    if rng_next(rng) >> 32 & (CHANCE_PLAYS - 1) == 0:
        return <int64_t>rng_below(rng, count)
    return glance_at(searcher, state, count)


cdef inline int look_up(Searcher* searcher, uint64_t node, int64_t count, bint model, double* mean,
                        uint32_t* available) noexcept nogil:
    """Fill in what is known of the moves at hand, their mean value and the most that one was available; how many are
    known."""
    cdef int64_t i, visits = 0
    cdef double total = 0
    cdef int known = 0
    cdef Play* play
    searcher.stamp += 1
    available[0] = 0
    for i in range(count):
        play = find_play(&searcher.tree, play_key(node, searcher.keys[i], model))
        if play != NULL and play.stamp == searcher.stamp:
            searcher.worth[i] = -(1 << 30)   # alike to one before it, on a crowded table
            play = NULL
        searcher.found[i] = play
        if play != NULL:
            play.stamp = searcher.stamp
            known += 1
            visits += play.visits
            total += play.total
            if play.available > available[0]:
                available[0] = play.available
    mean[0] = total / visits if visits else 0
    return known


cdef inline double behind(const Searcher* searcher, int64_t i, int64_t best) noexcept nogil:
    """Points that a move looks worse than the best."""
    return <double>(searcher.worth[best] - searcher.worth[i]) / GLANCE_POINT


cdef int64_t choose_to_learn(Searcher* searcher, const State* state, uint64_t node, int64_t count, bint model,
                             double spread, Play** chosen) noexcept nogil:
    """The move that promises most by the upper bound of its value, and its place in the tree, which is new where it has
    not been tried before, or NULL when the memory is full."""
    cdef int64_t i, best = 0, looks = glance_at(searcher, state, count)
    cdef double mean, value, visits, most = -1e30
    cdef uint32_t available
    cdef Play* play
    if not look_up(searcher, node, count, model, &mean, &available):
        best = looks
    else:
        for i in range(count):
            play = searcher.found[i]
            value = GLANCE_VISITS * (mean - behind(searcher, i, looks))
            visits = GLANCE_VISITS
            if play != NULL:
                play.available += 1
                value += play.total
                visits += play.visits
                value = value / visits + EXPLORE * spread * sqrt(logarithm(play.available + 1) / visits)
            else:
                value = value / visits + EXPLORE * spread * sqrt(logarithm(available + 2) / visits)
            if value > most:
                most = value
                best = i
    chosen[0] = searcher.found[best]
    if chosen[0] == NULL:
        chosen[0] = add_play(&searcher.tree, play_key(node, searcher.keys[best], model))
        if chosen[0] != NULL:
            chosen[0].available = 1
            chosen[0].stamp = searcher.stamp
    return best


cdef int64_t choose_as_learnt(Searcher* searcher, const State* state, uint64_t node, int64_t count) noexcept nogil:
    """The move that the model has found best, those seldom tried with doubt; -1 where it knows nothing."""
    cdef int64_t i, best = 0, looks
    cdef double mean, value, visits, most = -1e30
    cdef uint32_t available
    cdef Play* play
    looks = glance_at(searcher, state, count)
    if not look_up(searcher, node, count, True, &mean, &available):
        return -1
    for i in range(count):
        play = searcher.found[i]
        value = GLANCE_VISITS * (mean - behind(searcher, i, looks))
        visits = GLANCE_VISITS
        if play != NULL:
            value += play.total
            visits += play.visits
        value = value / visits - DOUBT * searcher.model.spread / sqrt(visits)
        if value > most:
            most = value
            best = i
    return best


cdef int64_t choose_root(Searcher* searcher) noexcept nogil:
    """The root's move for the next round: each once, then by the upper bound of its value."""
    cdef int64_t i, best = 0, rounds = searcher.own.rounds
    cdef double value, visits, most = -1e30, logs = logarithm(rounds + 1)
    cdef const RootMove* move
    if rounds < searcher.root_count:
        return rounds
    for i in range(searcher.root_count):
        move = &searcher.root[i]
        visits = move.visits + GLANCE_VISITS
        value = (move.total + GLANCE_VISITS * (searcher.own.mean - move.behind)) / visits
        value += EXPLORE * searcher.own.spread * sqrt(logs / visits)
        if value > most:
            most = value
            best = i
    return best


cdef void learn(Searcher* searcher, Learner* learner) noexcept nogil:
    """Tell the plays of a round what came of them."""
    cdef int i
    cdef double off, value = searcher.value[searcher.side]
    cdef Step* step
    for i in range(searcher.step_count):
        step = &searcher.steps[i]
        step.play.total += searcher.value[step.side]
        step.play.visits += 1
    learner.rounds += 1
    off = value - learner.mean
    learner.mean += off / learner.rounds
    learner.squares += off * (value - learner.mean)
    learner.spread = sqrt((learner.squares + FIRST_SPREAD * FIRST_SPREAD) / learner.rounds)
    if learner.spread < LEAST_SPREAD:
        learner.spread = LEAST_SPREAD


cdef int64_t play_round(Searcher* searcher, Learner* learner, bint model) noexcept nogil:
    """One round, of the model or of the search; how much work it was, in plays."""
    cdef Search* search = &searcher.search
    cdef const Ruleset* rules = search.rules
    cdef State state
    cdef Stock stock
    cdef const Stock* order = NULL
    cdef Move move
    cdef Play* play
    cdef RootMove* root = NULL
    cdef uint64_t history = 1, node
    cdef int64_t count, chosen, i, work = 0
    cdef int made, side, cards_to_come
    cdef bint learning = True, modelled = not model and not searcher.open
    deal_hidden(&learner.hidden, &state, &stock, &learner.rng)
    if learner.hidden.draws or learner.hidden.stock.count:
        order = &stock
    searcher.step_count = 0
    for made in range(searcher.plays):
        cards_to_come = state.stock
        side = side_of(rules, state.turn)
        search.arena.used = 0
        search.generator.alike = search.likeness.alike
        if made == 0 and not model:
            root = &searcher.root[choose_root(searcher)]
            move = root.move
            history = mix(history ^ root.key, SALT_PLAY)
        else:
            count = push_moves(&search.arena, &search.generator, &state, rules, TREE_MOVES)
            work += 1 + (search.generator.total >> 4)
            if count < 0:                # too many to look at: any, and no tree from here
                pick_move(&search.generator, <int64_t>rng_below(&learner.rng, search.generator.total), &move)
                learning = modelled = False
            else:
                if learning or modelled:
                    for i in range(count):
                        searcher.keys[i] = key_of(search, &search.arena.moves[i])
                chosen = -1
                if model or searcher.open or state.turn == searcher.seat:
                    if learning:
                        node = node_key(searcher, &state, history, model, made)
                        chosen = choose_to_learn(searcher, &state, node, count, model, learner.spread, &play)
                        if play == NULL or not play.visits:
                            learning = False
                        if play != NULL:
                            searcher.steps[searcher.step_count].play = play
                            searcher.steps[searcher.step_count].side = side
                            searcher.step_count += 1
                elif modelled:
                    node = node_key(searcher, &state, history, True, made)
                    chosen = choose_as_learnt(searcher, &state, node, count)
                    if chosen < 0:
                        modelled = False
                if chosen < 0:
                    chosen = choose_at_a_glance(searcher, &state, count, &learner.rng)
                move = search.arena.moves[chosen]
                if learning or modelled:
                    history = mix(history ^ searcher.keys[chosen], SALT_PLAY)
        play_move(&state, rules, order, &move)
        if is_over(&state) or (state.stock != cards_to_come and not rules.draw):
            break
    value_end(searcher, &state)
    if root != NULL:
        root.visits += 1
        root.total += searcher.value[searcher.side]
        root.squares += searcher.value[searcher.side] * searcher.value[searcher.side]
    learn(searcher, learner)
    return work


cdef int run_rounds(Searcher* searcher, int64_t rounds, double deadline, watch_t watch, void* owner) noexcept nogil:
    """Rounds up to a limit, each of the root's moves once in any case; 0, or why they have ended early."""
    cdef int64_t until_look = 0
    cdef int stopped
    while not rounds or searcher.own.rounds < rounds or searcher.own.rounds < searcher.root_count:
        if until_look <= 0:
            until_look = LOOK_EVERY
            stopped = look_outside(deadline, watch, owner)
            if stopped and (stopped != STOPPED_TIME or searcher.own.rounds >= searcher.root_count):
                return stopped
        if not searcher.open:
            until_look -= play_round(searcher, &searcher.model, True)
        until_look -= play_round(searcher, &searcher.own, False) + searcher.root_count >> 3
    return 0


@cython.final
cdef class TreeSearch:
    """Information-set tree search with its memory; not for two threads at once.

    Arguments: tree_mib, size of the tree in MiB, more than 0; what is tried when it is full is not kept.

    >>> TreeSearch(1).capacity
    24576
    """
    cdef Searcher searcher
    cdef bint busy                       # a call is under way
    cdef object report                   # None, or what is called while it goes on
    cdef object raised                   # what the report has raised
    cdef Position position

    def __cinit__(self, tree_mib=16):
        tree_mib = MIB("tree_mib", tree_mib)
        if open_search(&self.searcher.search, 0.001) != STATUS_OK:
            raise MemoryError
        if open_tree(&self.searcher.tree, tree_mib) != STATUS_OK:
            raise MemoryError(f"no memory for a tree of {tree_mib:g} MiB")

    def __dealloc__(self):
        close_search(&self.searcher.search)
        close_tree(&self.searcher.tree)
        free(self.searcher.root)

    @property
    def iterations(self):
        """Rounds of the last call's search: the sum of the visits."""
        return self.searcher.own.rounds

    @property
    def model_iterations(self):
        """Rounds beside them in which the others' plays were learnt."""
        return self.searcher.model.rounds

    @property
    def kept(self):
        """Plays in the tree."""
        return self.searcher.tree.count

    @property
    def capacity(self):
        """Plays that the tree has room for."""
        return <int64_t>(self.searcher.tree.mask + 1 - (self.searcher.tree.mask + 1) // 4)

    cdef int begin(self, Position position, uint64_t seed) except -1:
        """Make ready for the position."""
        cdef Searcher* searcher = &self.searcher
        cdef const Ruleset* rules = &position.compiled.ruleset
        cdef const State* state = &position.layout.state
        cdef const Stock* stock = position.stock_order()
        cdef State nothing, public
        cdef int seat
        position.need_hand()
        if not state.stock:
            stock = NULL
        memset(&nothing, 0, sizeof(State))   # which cards are alike must not depend on the position
        set_search(&searcher.search, rules, &nothing, NULL, 1, True, 0)
        searcher.seat = state.turn
        searcher.side = side_of(rules, state.turn)
        searcher.cards = DECK - popcount(position.layout.out)
        searcher.spades = popcount(SPADES & ~position.layout.out)
        searcher.plays = 0
        for seat in range(rules.seats):
            searcher.plays += hand_size(state, seat)
        if rules.draw:
            searcher.plays += state.stock
            if searcher.plays > DRAW_PLAYS and state.stock:
                searcher.plays = DRAW_PLAYS
        memset(&searcher.own, 0, sizeof(Learner))
        memset(&searcher.model, 0, sizeof(Learner))
        set_hidden(&searcher.own.hidden, state, rules, stock, position.layout.out)
        public = state[0]
        public.hidden[state.turn] += <uint8_t>popcount(public.hands[state.turn])
        public.hands[state.turn] = 0
        set_hidden(&searcher.model.hidden, &public, rules, stock, position.layout.out)
        # Two players who know where every other card is know each other's hand.
        searcher.open = searcher.own.hidden.count == 0
        if rules.seats == 2:
            searcher.open = searcher.own.hidden.count == state.hidden[state.turn ^ 1]
        rng_seed(&searcher.own.rng, mix(seed, 1))
        rng_seed(&searcher.model.rng, mix(seed, 2))
        searcher.own.spread = searcher.model.spread = FIRST_SPREAD
        searcher.stamp = 0
        self.list_root(state)
        return 0

    cdef int list_root(self, const State* state) except -1:
        """The root's moves, of those alike one, as they look best."""
        cdef Searcher* searcher = &self.searcher
        cdef Search* search = &searcher.search
        cdef Glance glance
        cdef RootMove move
        cdef int64_t count, i
        search.arena.used = 0
        search.generator.alike = search.likeness.alike
        count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
        free(searcher.root)
        searcher.root = NULL
        searcher.root_count = 0
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        searcher.root = <RootMove*>calloc(<size_t>count, sizeof(RootMove))
        if searcher.root == NULL:
            raise MemoryError
        take_glance(&glance, state, search.rules)
        seen = set()
        for i in range(count):
            memset(&move, 0, sizeof(RootMove))
            move.move = search.arena.moves[i]
            move.key = key_of(search, &move.move)
            if move.key in seen:         # on crowded tables moves that are alike are listed each
                continue
            seen.add(move.key)
            move.behind = -<double>glance_worth(&glance, state, search.rules, &move.move) / GLANCE_POINT
            searcher.root[searcher.root_count] = move
            searcher.root_count += 1
        order_root(searcher.root, searcher.root_count)
        return 0

    def run(self, Position position not None, *, iterations=None, seconds=None, seed=0, hands=None, report=None):
        """Search for the best move of the seat to play, from what the position shows.

        Arguments: position, as that seat sees it (`Position.view`): what it shows is taken as seen, and what it hides
        is dealt at random to fit; iterations, rounds of the search, each move once in any case; seconds, a limit of
        time, one of the two at least; seed, 0 to 2**64 - 1; hands, None for all hands that fit alike, or a list of
        (masks of the hidden cards, one for each seat, and weight); report, called now and then with (iterations, the
        move in the lead, its value), whatever it raises ending the search.
        Returns (move, visits, value, standard error) for every legal move, most visits first, then by value and text.
        A value is the mean of final points, as far as played out or estimated, of the mover's side minus the other or,
        with more than two, the best other; moves that are alike share theirs.
        Raises CasinoError for a finished round or a limit that is none, HiddenCardError, TooManyMovesError.

        >>> from casino_core import Position
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> str(TreeSearch(1).run(position, iterations=2000, seed=1)[0][0])[:2]
        'Qd'
        """
        cdef int64_t rounds = 0
        cdef int stopped = 0
        cdef double deadline = 0
        cdef watch_t watch = NULL
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
            deadline = perf_counter() + SECONDS("seconds", seconds)
        self.begin(position, SEED("seed", seed))
        self.position = position
        self.report = report
        self.raised = None
        if report is not None:
            watch = report_progress
        self.busy = True
        try:
            if hands is not None:
                if not isinstance(hands, (tuple, list)) or not hands:
                    raise CasinoError(f"hands is a list of masks and weights, one at least, not {shown(hands)}")
                masks = <cards_t*>malloc(<size_t>(len(hands) * position.compiled.ruleset.seats) * sizeof(cards_t))
                sums = <double*>malloc(<size_t>len(hands) * sizeof(double))
                if masks == NULL or sums == NULL:
                    raise MemoryError
                self.take_hands(hands, masks, sums)
            with nogil:
                clear_tree(&self.searcher.tree, 2 * (rounds + self.searcher.root_count) if rounds and not deadline else 0)
                stopped = run_rounds(&self.searcher, rounds, deadline, watch, <void*>self)
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
        """Check the caller's hands, and use them."""
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
                given = tuple(given)
                weight = float(weight)
            except (TypeError, ValueError, OverflowError):
                raise CasinoError(f"hands: entry {i} is not the masks of all seats and a weight") from None
            if len(given) != seats:
                raise CasinoError(f"hands: {len(given)} masks for {seats} seats")
            for seat in range(seats):
                mask = MASK(f"hands: mask {seat} of entry {i}", given[seat])
                if popcount(mask) != hidden.seen.hidden[seat] or mask & ~<cards_t>left:
                    raise CasinoError(f"hands: entry {i} does not fit what seat {'abcd'[seat]} may hold")
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
        """What is known of every legal move, best first."""
        cdef dict known = {}
        cdef list found = []
        cdef int64_t i
        cdef double mean, error
        cdef const RootMove* root
        for i in range(self.searcher.root_count):
            root = &self.searcher.root[i]
            mean = root.total / root.visits
            error = self.searcher.own.spread
            if root.visits > 1:
                error = sqrt(max(root.squares / root.visits - mean * mean, 0.0) / (root.visits - 1))
            known[root.key] = (root.visits, mean, error)
        for move in position.legal_moves():
            found.append((move, *known[self.key(position, move)]))
        found.sort(key=lambda item: (-item[1], -item[2], str(item[0])))
        return found

    cdef uint64_t key(self, Position position, object move) except? 0:
        cdef Move data
        position.resolve(move, &data)
        return key_of(&self.searcher.search, &data)

    def _model_digest(self):
        """What the model has learnt, in one number: for tests."""
        cdef uint64_t digest = 0, i
        cdef const Play* play
        for i in range(self.searcher.tree.window + 1):
            play = &self.searcher.tree.plays[i]
            if play.key & 1:
                digest += mix(play.key ^ mix(<uint64_t><int64_t>(play.total * 4096), 1), play.visits)
        return digest


cdef int report_progress(void* owner) noexcept:
    """Tell the report how the search goes. True from it ends the search as if the time were up; what it raises ends the
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
                         best.total / best.visits) is True:
            return STOPPED_TIME
    except BaseException as error:
        search.raised = error
        return STOPPED_SIGNAL
    return 0


cdef void order_root(RootMove* moves, int64_t count) noexcept nogil:
    """What looks best first, `behind` then being how far the others are behind it. Shell's sort."""
    cdef int64_t i, j, gap = 1
    cdef RootMove move
    cdef double least
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, count):
            move = moves[i]
            j = i
            while j >= gap and moves[j - gap].behind > move.behind:
                moves[j] = moves[j - gap]
                j -= gap
            moves[j] = move
        gap //= 3
    least = moves[0].behind
    for i in range(count):
        moves[i].behind -= least
