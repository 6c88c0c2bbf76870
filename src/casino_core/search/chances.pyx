"""Exact search for the chance to win the match: alpha-beta with the chance at the end of the round.

Chances are those of the side to play, in billionths. If the search stops at the end of a deal, the
chance is expected over the rest of the round.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from casino_core.evaluation.estimate cimport DEAL_COMES, LAST_DEAL_COMES, MIDWAY, Standing
from casino_core.evaluation.goal cimport (
    CERTAIN_WIN, Chances, Goal, best_chance, ended_chance, expected_chance,
)
from casino_core.game.position cimport Move as PublicMove, Position
from casino_core.moves.state cimport card_points, copy_state, is_over, play_move
from casino_core.moves.workspace cimport push_moves
from casino_core.rules.types cimport (
    DECK, Move, NOBODY, SPADES, STATUS_FULL, STATUS_OK, State, cards_t, mix, popcount, side_of,
)
from casino_core.search.alphabeta cimport (
    LOOK_EVERY, cards_held, look_around, move_tag, order_moves, root_moves,
)
from casino_core.search.context cimport (
    LIST_LIMIT, Likeness, PLACES, Search, all_in_play, class_of_move, close_search, hash_after,
    open_search, search_hash, set_search,
)
from casino_core.search.endings cimport take_stock_of
from casino_core.search.limits cimport (
    STOPPED_FULL, Watched, deadline_after, set_limits,
)

from casino_core.errors import TooManyMovesError, not_copied
from casino_core.search.root import need_every_card

cdef enum:
    FEW_PLAYS = 8                        # with more plays left the table is larger
    FEW_ENTRIES = 1 << 13
    MANY_ENTRIES = 1 << 18
    LEAST_PLAYS = 2                      # positions with fewer plays left do without the table


cdef int open_chances(ChanceSearch* chances, Search* search, const Chances* goal,
                      int plays) noexcept nogil:
    """Allocate the table for searches of `plays` plays; STATUS_FULL without memory."""
    cdef int i
    memset(chances, 0, sizeof(ChanceSearch))
    chances.search = search
    chances.goal = goal
    chances.mask = (FEW_ENTRIES if plays <= FEW_PLAYS else MANY_ENTRIES) - 1
    chances.entries = <ChanceEntry*>calloc(<size_t>chances.mask + 1, sizeof(ChanceEntry))
    for i in range(goal.steps):
        chances.counted |= goal.cards[i]
    return STATUS_OK if chances.entries != NULL else STATUS_FULL


cdef void close_chances(ChanceSearch* chances) noexcept nogil:
    free(chances.entries)
    chances.entries = NULL


cdef void tell_apart(const Chances* goal, Search* search, Likeness* own) noexcept nogil:
    """Make a prepared search tell cards with points apart if the order of counting matters."""
    cdef int card, place
    if not goal.counts_out:
        return
    own[0] = search.likeness[0]
    for card in range(DECK):
        if card_points(search.rules, <cards_t>1 << card):
            own.alike[card] = <unsigned char>card
            for place in range(PLACES):
                own.place_hash[place][card] = mix(card + 1, 100 + place)
    search.likeness = own


cdef void set_chances(ChanceSearch* chances) noexcept nogil:
    """Begin a world; its search has been prepared by `set_search`."""
    tell_apart(chances.goal, chances.search, &chances.likeness)
    chances.world += 1


cdef int32_t deal_end_chance(const Chances* goal, const Search* search,
                             const State* state) noexcept nogil:
    """The chance of side 0 after the last play of a deal: exact at the end of the round, else
    expected."""
    cdef Standing standing
    if is_over(state):
        return ended_chance(goal, search.rules, state)
    take_stock_of(search, state, 0, &standing)
    return expected_chance(goal, &search.estimate, state, &standing, search.out,
                           DEAL_COMES if state.stock else LAST_DEAL_COMES)


cdef int32_t midway_chance(const ChanceSearch* chances, const State* state) noexcept nogil:
    """The expected chance of side 0 where a search stops within a deal."""
    cdef Standing standing
    take_stock_of(chances.search, state, 0, &standing)
    return expected_chance(chances.goal, &chances.search.estimate, state, &standing,
                           chances.search.out, MIDWAY)


cdef inline int32_t seen_by(int side, int32_t chance) noexcept nogil:
    """The chance of a side from that of side 0, and the other way round."""
    return CERTAIN_WIN - chance if side else chance


cdef inline uint64_t chance_key(const ChanceSearch* chances, const State* state, uint64_t hashed,
                                int plays) noexcept nogil:
    """The key of the table: cards outside the piles, and all of the piles that matters."""
    cdef const Search* search = chances.search
    cdef uint64_t rest = state.turn
    rest |= <uint64_t>(2 if state.last == NOBODY else side_of(search.rules, state.last)) << 2
    rest |= <uint64_t>popcount(state.piles[0]) << 4
    rest |= <uint64_t>popcount(state.piles[0] & SPADES) << 10
    rest |= <uint64_t>state.sweeps[0] << 16 | <uint64_t>state.sweeps[1] << 24
    rest |= <uint64_t>state.stock << 32 | <uint64_t>plays << 40
    if not chances.goal.counts_out:
        rest |= <uint64_t>card_points(search.rules, state.piles[0]) << 48
    else:
        hashed ^= mix(state.piles[0] & chances.counted, 79)
    return mix(hashed + search.stock_hash[state.stock] ^ mix(rest, 78), 76)


cdef int32_t chance_after(ChanceSearch* chances, const State* state, uint64_t hashed,
                          const Move* move, int plays, int32_t alpha, int32_t beta) noexcept nogil:
    """The chance of the side that makes a move; `plays` have been made before it."""
    cdef Search* search = chances.search
    cdef int side = side_of(search.rules, state.turn)
    cdef State child
    copy_state(&child, state)
    play_move(&child, search.rules, search.stock, move)
    if is_over(&child) or (search.to_deal and child.stock != state.stock
                           and not search.rules.draw):
        return seen_by(side, deal_end_chance(chances.goal, search, &child))
    if plays + 1 == search.horizon:
        return seen_by(side, midway_chance(chances, &child))
    hashed = hash_after(search, state, &child, move, hashed)
    if side_of(search.rules, child.turn) == side:
        return chance_node(chances, &child, hashed, plays + 1, alpha, beta)
    return CERTAIN_WIN - chance_node(chances, &child, hashed, plays + 1, CERTAIN_WIN - beta,
                                     CERTAIN_WIN - alpha)


cdef void chance_bounds(const ChanceSearch* chances, const State* state, int side, int mine,
                        int others, int32_t* lower, int32_t* upper) noexcept nogil:
    """Bounds of the chance of a side: as if it or the other captured all that is left, and swept
    with each of its plays."""
    cdef const Search* search = chances.search
    cdef cards_t left = all_in_play(state) | search.stock_left[state.stock]
    cdef int32_t most = best_chance(chances.goal, search.rules, state, left, side, mine)
    cdef int32_t least = best_chance(chances.goal, search.rules, state, left, side ^ 1, others)
    upper[0] = seen_by(side, most)
    lower[0] = seen_by(side, least)


cdef int32_t chance_node(ChanceSearch* chances, const State* state, uint64_t hashed, int plays,
                         int32_t alpha, int32_t beta) noexcept nogil:
    """The chance of the side to play if it is between alpha and beta, else a bound of it."""
    cdef Search* search = chances.search
    cdef int side = side_of(search.rules, state.turn)
    cdef int mine = cards_held(search, state, side), others = cards_held(search, state, side ^ 1)
    cdef int32_t lower = 0, upper = CERTAIN_WIN, best = -1, first_alpha, value
    cdef int64_t first = search.arena.used, count, k
    cdef uint64_t key = 0
    cdef ChanceEntry* entry
    cdef int tag = 0
    cdef Move move
    search.nodes += 1
    search.limits.until_look -= 1
    if search.limits.until_look <= 0 and look_around(search):
        return 0
    if not search.horizon and not (search.to_deal and state.stock):
        chance_bounds(chances, state, side, mine + state.stock, others + state.stock, &lower,
                      &upper)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    if mine + others >= LEAST_PLAYS:
        key = chance_key(chances, state, hashed, plays if search.horizon else 0)
        entry = &chances.entries[key & chances.mask]
        if entry.key == key and entry.world == chances.world:
            lower = max(lower, entry.lower)
            upper = min(upper, entry.upper)
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
            tag = entry.move
    alpha = max(alpha, lower)
    beta = min(beta, upper)
    first_alpha = alpha
    search.generator.alike = search.likeness.alike
    count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if count < 0:
        search.limits.stopped = STOPPED_FULL
        return 0
    search.limits.until_look -= LOOK_EVERY >> 3 if search.generator.sums.crowded else count >> 4
    order_moves(search, state, &search.arena.moves[first], count, tag)
    for k in range(first, first + count):
        move = search.arena.moves[k]     # a copy: the arena may move
        value = chance_after(chances, state, hashed, &move, plays, alpha, beta)
        if search.limits.stopped:
            break
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                tag = move_tag(search, &move)
                if value >= beta:
                    break
    search.arena.used = first
    if search.limits.stopped:
        return 0
    if mine + others >= LEAST_PLAYS:
        entry = &chances.entries[key & chances.mask]
        entry.lower = lower if best <= first_alpha else best
        entry.upper = upper if best >= beta else best
        entry.key = key
        entry.world = chances.world
        entry.move = <unsigned short>tag
    return best


cdef int32_t chance_of_move(ChanceSearch* chances, const State* state,
                            const Move* move) noexcept nogil:
    """The chance of the side to play after a move of it."""
    cdef Move copy = move[0]             # the arena may move
    return chance_after(chances, state, search_hash(chances.search, state), &copy, 0, -1,
                        CERTAIN_WIN + 1)


@cython.final
cdef class ChanceContext(Watched):
    """A search for chances of one match, with its memory; not for two threads at once.

    Args:
        goal: the chances at the end of the round.
        plays: the most plays to the end of a round that is searched.

    Example:
        >>> from casino_core.evaluation.match_goal import match_goal
        >>> from casino_core import Position
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> found = ChanceContext(match_goal(position, "20/20"), 4).values(position)
        >>> all(lower == upper for _, lower, upper in found)
        True
    """
    cdef Search search
    cdef ChanceSearch chances
    cdef Goal goal

    def __cinit__(self, Goal goal not None, int plays):
        self.goal = goal
        if open_search(&self.search, 0.001) != STATUS_OK:
            raise MemoryError
        if open_chances(&self.chances, &self.search, &goal.chances, plays) != STATUS_OK:
            raise MemoryError

    def __dealloc__(self):
        close_chances(&self.chances)
        close_search(&self.search)

    def __reduce__(self):
        raise not_copied(self)

    @property
    def nodes(self):
        """Nodes of the last call."""
        return self.search.nodes

    def values(self, Position position not None, *, int64_t nodes=0, seconds=None):
        """The chance of each legal move to win the match, with best play to the end of the round.

        Args:
            position: not finished, of two sides, every card known.
            nodes: the most nodes to search, 0 for no limit.
            seconds: a time limit, None for none.

        Returns:
            A list of (move, lower, upper) for every legal move in the order of their texts: bounds
            of the chance of the side to play, equal if it is exact.

        Raises:
            HiddenCardError: a card is not known.
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef const State* state = &position.layout.state
        cdef int64_t count, i, done = 0
        cdef dict known = {}
        cdef int32_t* values
        cdef Move* moves
        cdef PublicMove move
        need_every_card(position)
        self.search.out = position.layout.out
        set_search(&self.search, &position.compiled.ruleset, state, position.stock_order(), 1,
                   False, 0)
        set_chances(&self.chances)
        self.search.nodes = 0
        set_limits(&self.search.limits, nodes, deadline_after(seconds))
        self.watch_from(&self.search.limits)
        count = root_moves(&self.search, state)
        if count < 0:
            raise TooManyMovesError("the position has too many legal moves to list")
        moves = <Move*>malloc(<size_t>count * sizeof(Move))
        values = <int32_t*>malloc(<size_t>count * sizeof(int32_t))
        try:
            if moves == NULL or values == NULL:
                raise MemoryError
            for i in range(count):
                moves[i] = self.search.arena.moves[i]
            with nogil:
                for i in range(count):
                    values[i] = chance_of_move(&self.chances, state, &moves[i])
                    if self.search.limits.stopped:
                        break
                    done += 1
            self.raise_of(&self.search.limits)
            for i in range(count):
                value = values[i] / <double>CERTAIN_WIN
                known[class_of_move(&self.search, &moves[i])] = (
                    (value, value) if i < done else (0.0, 1.0))
        finally:
            free(moves)
            free(values)
        return [(move, *known[class_of_move(&self.search, &move.data)])
                for move in position.legal_moves()]
