"""Rounds of an information-set tree search: selection, expansion, playout and backpropagation.

A round deals the hidden cards at random, goes down the tree, lets the careful player of `players`
play out the deal, and values its end. Selection is UCB1 with counts of availability (P. Cowling, E.
Powley and D. Whitehouse, "Information set Monte Carlo tree search", 2012): the exploration of a
play depends on how often it could have been made. In their search the others reply to the true hand
of the searching seat; here they reply to what they can see (see rounds.pxd).
"""
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from casino_core.evaluation.goal cimport CERTAIN_WIN
from casino_core.evaluation.material cimport WORTH_POINT, material_lead
from casino_core.evaluation.players cimport Outlook, POINT, careful_score, look_around
from casino_core.hidden.dealing cimport deal_hidden
from casino_core.hidden.information cimport after_play, builds_key, seat_key
from casino_core.hints.tree.memory cimport add_play, find_play
from casino_core.moves.movegen cimport pick_move
from casino_core.moves.state cimport is_over, play_move, points_ahead
from casino_core.moves.workspace cimport push_moves
from casino_core.rules.types cimport (
    Ruleset, State, Stock, cards_t, highest, mix, popcount, rng_below, rng_next, rng_seed, side_of,
)
from casino_core.search.chances cimport deal_end_chance
from casino_core.search.context cimport TABLE_PLACE, hash_cards
from casino_core.search.endings cimport deal_end_value
from casino_core.search.limits cimport STOPPED_TIME, Limits, look_outside

cdef enum:
    LOOK_EVERY = 4096                    # plays between checks of limits and signals
    FEW_HANDS = 128                      # the most hands of a seat that the model distinguishes
    CHANCE_PLAYS = 8                     # one play in this many is random in a playout
    SALT_OWN = 300
    SALT_MODEL = 301
    SALT_PLAY = 320

cdef double EXPLORE = 1.4                # exploration constant, in spreads of values
cdef double GLANCE_VISITS = 2.0          # visits that the careful score of a play counts as
cdef double DOUBT = 0.5                  # penalty for few visits in the model, in spreads over
                                         # the square root of visits
cdef double FIRST_SPREAD = 2.0           # spread in points, before there are values
cdef double LEAST_SPREAD = 1.0           # smallest spread, so that exploration never ends


cdef inline double logarithm(double x) noexcept nogil:
    """Approximate natural logarithm of a number of at least 1, the same on every platform."""
    cdef int bits = highest(<uint64_t>x)
    return 0.6931471805599453 * (bits + x / <double>(<uint64_t>1 << bits) - 1)


cdef void value_end(Searcher* searcher, const State* state) noexcept nogil:
    """Values of the end of a playout for all sides: exact at the end of the round; else estimated,
    with more than two sides by captured cards. Chances to win the match become points."""
    cdef const Ruleset* rules = searcher.search.rules
    cdef int side
    if searcher.goal != NULL:
        searcher.value[0] = deal_end_chance(searcher.goal, &searcher.search, state)
        searcher.value[0] = CERTAIN_POINTS * (searcher.value[0] / CERTAIN_WIN - 0.5)
        searcher.value[1] = -searcher.value[0]
        return
    if rules.sides == 2 and not is_over(state):
        searcher.value[0] = (points_ahead(rules, state, 0)
                             + deal_end_value(&searcher.search, state, 0) / <double>UNIT)
        searcher.value[1] = -searcher.value[0]
        return
    for side in range(rules.sides):
        searcher.value[side] = material_lead(rules, state, side) / <double>WORTH_POINT


cdef uint64_t key_of(const Search* search, const Move* move) noexcept nogil:
    """Hash of a move, equal for equivalent moves of a position."""
    return mix(hash_cards(search, TABLE_PLACE, move.loose)
               + search.likeness.place_hash[0][move.card] + move.builds
               * <uint64_t>0x9E3779B97F4A7C15 + (move.kind | move.value << 4), SALT_PLAY)


cdef inline bint few_hands(int cards, int size) noexcept nogil:
    """Whether `cards` unseen cards can form few different hands of this size."""
    cdef int64_t ways = 1
    cdef int i
    for i in range(size):
        ways = ways * (cards - i) // (i + 1)
        if ways > FEW_HANDS:
            return False
    return True


cdef inline uint64_t node_key(const Searcher* searcher, const State* state, uint64_t history,
                              bint model, int made) noexcept nogil:
    """Key of an information set of the seat to play: all plays so far, the owners of the builds,
    and its hand. The model leaves the hand out if it is one of many, so that the value of a play is
    learnt from all hands that hold its card."""
    cdef const uint8_t* alike = searcher.search.likeness.alike
    cdef int seat = state.turn
    cdef cards_t hand = state.hands[seat]
    if model and not few_hands(searcher.model.hidden.count - made, popcount(hand)):
        hand = 0
    if searcher.search.rules.partner_builds:
        history += builds_key(state, alike)
    return mix(seat_key(history, seat, hand, alike), SALT_MODEL if model else SALT_OWN)


cdef inline uint64_t play_key(uint64_t node, uint64_t key, bint model) noexcept nogil:
    """Key of a play at a node, never 0; the last bit distinguishes the model from the search."""
    cdef uint64_t mixed = mix(node ^ key, SALT_PLAY + 1) & ~<uint64_t>1
    return (mixed if mixed else 2) | model


cdef inline int64_t glance_at(Searcher* searcher, const State* state, int64_t count) noexcept nogil:
    """Fill in the careful scores of the moves. Returns the index of the best."""
    cdef Outlook outlook
    cdef int64_t i, best = 0
    look_around(&outlook, searcher.search.rules, state)
    for i in range(count):
        searcher.worth[i] = careful_score(&outlook, &searcher.search.arena.moves[i])
        if searcher.worth[i] > searcher.worth[best]:
            best = i
    return best


cdef inline int64_t choose_at_a_glance(Searcher* searcher, const State* state, int64_t count,
                                       Rng* rng) noexcept nogil:
    """The playout policy: the best careful score, and now and then a random move."""
    if count == 1:
        return 0
    if rng_next(rng) >> 32 & (CHANCE_PLAYS - 1) == 0:
        return <int64_t>rng_below(rng, count)
    return glance_at(searcher, state, count)


cdef inline int look_up(Searcher* searcher, uint64_t node, int64_t count, bint model, double* mean,
                        uint32_t* available) noexcept nogil:
    """Find the statistics of the moves, their mean value, and the largest availability. Returns the
    number of moves found."""
    cdef int64_t i, visits = 0
    cdef double total = 0
    cdef int known = 0
    cdef Play* play
    searcher.stamp += 1
    available[0] = 0
    for i in range(count):
        play = find_play(&searcher.tree, play_key(node, searcher.keys[i], model))
        if play != NULL and play.stamp == searcher.stamp:
            searcher.worth[i] = -(1 << 30)   # equivalent to an earlier one, on a crowded table
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
    """Points by which the careful score of a move is below the best."""
    return <double>(searcher.worth[best] - searcher.worth[i]) / POINT


cdef int64_t choose_to_learn(Searcher* searcher, const State* state, uint64_t node, int64_t count,
                             bint model, double spread, Play** chosen) noexcept nogil:
    """The move with the highest upper confidence bound and its place in the tree: a new place for a
    new move, NULL if the memory is full."""
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
                value = value / visits + EXPLORE * spread * sqrt(logarithm(play.available
                                                                           + 1) / visits)
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


cdef int64_t choose_as_learnt(Searcher* searcher, const State* state, uint64_t node,
                              int64_t count) noexcept nogil:
    """The best move of the model, with a penalty for few visits; -1 if the model does not know the
    node."""
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


cdef double root_worth(const Searcher* searcher, const RootMove* move) noexcept nogil:
    """Value of a root move, with its careful score as a prior of some visits."""
    return (move.total + GLANCE_VISITS * (searcher.own.mean - move.behind)) / (move.visits
                                                                               + GLANCE_VISITS)


cdef int64_t choose_root(Searcher* searcher) noexcept nogil:
    """The root move of the next round: each move once, then the highest upper confidence bound."""
    cdef int64_t i, best = 0, rounds = searcher.own.rounds
    cdef double value, most = -1e30, logs = logarithm(rounds + 1)
    cdef const RootMove* move
    if rounds < searcher.root_count:
        return rounds
    for i in range(searcher.root_count):
        move = &searcher.root[i]
        value = root_worth(searcher, move)
        value += EXPLORE * searcher.own.spread * sqrt(logs / (move.visits + GLANCE_VISITS))
        if value > most:
            most = value
            best = i
    return best


cdef void open_learner(Learner* learner, uint64_t seed) noexcept nogil:
    """A learner without any rounds."""
    memset(learner, 0, sizeof(Learner))
    learner.spread = FIRST_SPREAD
    rng_seed(&learner.rng, seed)


cdef void learn(Searcher* searcher, Learner* learner) noexcept nogil:
    """Backpropagate the values of a round."""
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
    """Play one round of the model or of the search. Returns its work in plays."""
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
            history = after_play(history, root.key)
        else:
            count = push_moves(&search.arena, &search.generator, &state, rules, TREE_MOVES)
            work += (LOOK_EVERY if search.generator.sums.crowded
                     else 1 + (search.generator.total >> 4))
            if count < 0:                # too many moves: a random one, and no tree below
                pick_move(&search.generator,
                          <int64_t>rng_below(&learner.rng, search.generator.total), &move)
                learning = modelled = False
            else:
                if learning or modelled:
                    for i in range(count):
                        searcher.keys[i] = key_of(search, &search.arena.moves[i])
                chosen = -1
                if model or searcher.open or state.turn == searcher.seat:
                    if learning:
                        node = node_key(searcher, &state, history, model, made)
                        chosen = choose_to_learn(searcher, &state, node, count, model,
                                                 learner.spread, &play)
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
                    history = after_play(history, searcher.keys[chosen])
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


cdef int run_rounds(Searcher* searcher, int64_t rounds, Limits* limits) noexcept nogil:
    """Run rounds up to a limit; with a limit of rounds, at least one for each move of the root.
    Returns 0, or the reason of an early end."""
    while not rounds or searcher.own.rounds < rounds or searcher.own.rounds < searcher.root_count:
        if limits.until_look <= 0:
            limits.until_look = LOOK_EVERY
            if look_outside(limits) and (limits.stopped != STOPPED_TIME or searcher.own.rounds):
                return limits.stopped
        if not searcher.open:
            limits.until_look -= play_round(searcher, &searcher.model, True)
        limits.until_look -= play_round(searcher, &searcher.own, False) + (searcher.root_count >> 3)
    return 0
