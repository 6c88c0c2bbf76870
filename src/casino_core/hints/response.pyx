"""The best response to careful players, over worlds that the mover cannot tell apart.

The other seats play as the careful player of `players` does, each from its own hand and the cards
in sight. At each of its turns the mover makes the play that is best on average over all worlds in
which it would have seen the same. So no seat uses cards that it cannot see, unlike in a search of
each world alone. A decision that few worlds lead to is as uncertain as these few worlds: more
worlds make it better.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from casino_core.evaluation.estimate cimport estimate_number
from casino_core.evaluation.goal cimport CERTAIN_WIN, Chances, Goal
from casino_core.evaluation.material cimport WORTH_POINT, material_lead
from casino_core.evaluation.players cimport pick_greedy
from casino_core.game.position cimport Position
from casino_core.hints.open_worlds cimport World, list_rows
from casino_core.moves.state cimport (
    copy_state, is_over, owner_of_build, play_move, points_ahead, score_round,
)
from casino_core.moves.workspace cimport push_moves
from casino_core.rules.types cimport MAX_SEATS, Move, Ruleset, STATUS_OK, State, cards_t, side_of
from casino_core.search.chances cimport deal_end_chance
from casino_core.search.context cimport LIST_LIMIT, Likeness, Search, close_search, open_search
from casino_core.search.endings cimport deal_end_value
from casino_core.search.last_deals cimport DealMeans, LastDeals, last_deal_mean
from casino_core.search.limits cimport (
    STOPPED_FULL, STOPPED_NODES, Watched, look_outside, set_limits,
)

from casino_core.errors import CasinoError, not_copied

cdef enum:
    LOOK_EVERY = 2048                    # plays of the others between checks of limits
    MOST_PLAYS = 64                      # of a deal


cdef struct Response:
    Search search
    const Chances* goal                  # NULL: the goal is points
    DealMeans* means                     # NULL: the rest of the round is estimated
    Likeness likeness                    # with a goal
    int seat                             # the mover's
    int side
    int64_t visits                       # plays of the others searched
    int64_t most_visits                  # of one root move; 0: no limit
    const World* worlds
    Move* replies                        # of each world, a row for each play of a deal
    int32_t* order                       # numbers of worlds, the same
    int32_t* found                       # values of worlds, a row for each play of the mover
    int64_t number                       # worlds
    const int32_t* times                 # the weight of each, NULL for 1


# Worlds searched together differ in hidden cards only, so after a reply the mover can distinguish
# them by the reply alone: `hidden.information` would hash each whole state to find the same groups.
# The reply does not show the owner of a build if partners may build for each other; its spare byte
# keeps it.
cdef inline bint same_move(const Move* one, const Move* other) noexcept nogil:
    return (one.card == other.card and one.loose == other.loose and one.builds == other.builds
            and one.kind == other.kind and one.value == other.value and one.unused == other.unused)


cdef inline void set_hands(Response* response, const State* root, State* state, cards_t played,
                           int64_t world) noexcept nogil:
    """Give the other seats the hands of a world, without the cards that they have played."""
    cdef int seat
    for seat in range(response.search.rules.seats):
        if seat != response.seat:
            state.hands[seat] = (root.hands[seat] | response.worlds[world].hands[seat]) & ~played


cdef inline void note_owner(Move* move, const State* state, const Ruleset* rules) noexcept nogil:
    """Keep the owner of a build that a reply makes in its spare byte."""
    cdef State after
    move.unused = 0
    if move.value and rules.partner_builds:
        copy_state(&after, state)
        after.hands[state.turn] ^= <cards_t>1 << move.card
        move.unused = <uint8_t>owner_of_build(&after, rules, move.value)


cdef int32_t worth(Response* response, const State* state) noexcept nogil:
    """Value in units at the end of a deal: points, and the estimate or the exact mean of the rest
    of the round; or the chance to win the match, in billionths."""
    cdef Search* search = &response.search
    cdef int32_t points[MAX_SEATS]
    cdef int32_t chance
    cdef int side = response.side, ahead
    if response.goal != NULL:
        chance = deal_end_chance(response.goal, search, state)
        return CERTAIN_WIN - chance if side else chance
    if search.rules.sides != 2:
        return <int32_t>(<int64_t>material_lead(search.rules, state, side)
                         * search.unit // WORTH_POINT)
    if is_over(state):
        score_round(state, search.rules, points)
        return search.unit * (points[side] - points[side ^ 1])
    ahead = search.unit * points_ahead(search.rules, state, side)
    if response.means != NULL:
        return ahead + last_deal_mean(response.means, state, side, &search.limits)
    return ahead + deal_end_value(search, state, side)


cdef void fill(Response* response, const int32_t* order, int64_t count, int32_t value,
               int row) noexcept nogil:
    cdef int64_t i
    for i in range(count):
        response.found[row * response.number + order[i]] = value


cdef void go_on(Response* response, const State* root, const State* state, const State* child,
                cards_t played, const int32_t* order, int64_t count, int row,
                int depth) noexcept nogil:
    """Values of the worlds after a play, into a row of `found`; `depth` plays have been made."""
    if is_over(child) or child.stock != state.stock:
        fill(response, order, count, worth(response, child), row)
    elif child.turn == response.seat:
        answer(response, root, child, played, order, count, row, depth)
    else:
        others_play(response, root, child, played, order, count, row, depth)


cdef void answer(Response* response, const State* root, const State* state, cards_t played,
                 const int32_t* order, int64_t count, int row, int depth) noexcept nogil:
    """The play of the mover that is best over these worlds, which are all alike to it; its values
    go into a row of `found`."""
    cdef Search* search = &response.search
    cdef int64_t first = search.arena.used, i, k, moves, total, best = 0
    cdef int32_t* into = response.found + row * response.number
    cdef int32_t* below = response.found + (row + 1) * response.number
    cdef State child
    cdef Move move
    search.generator.alike = search.likeness.alike
    moves = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if moves < 0:
        search.limits.stopped = STOPPED_FULL
        return
    response.visits += moves >> 3        # long lists take their time
    search.limits.until_look -= LOOK_EVERY if search.generator.sums.crowded else moves >> 3
    for k in range(first, first + moves):
        move = search.arena.moves[k]
        copy_state(&child, state)
        play_move(&child, search.rules, NULL, &move)
        go_on(response, root, state, &child, played, order, count, row + 1, depth + 1)
        if search.limits.stopped:
            break
        total = 0
        for i in range(count):
            total += below[order[i]] * <int64_t>(response.times[order[i]] if response.times != NULL
                                                 else 1)
        if k == first or total > best:
            best = total
            for i in range(count):
                into[order[i]] = below[order[i]]
    search.arena.used = first


cdef int look_again(Search* search) noexcept nogil:
    """Whether a limit is reached, the caller ends the search or a signal has come."""
    search.limits.until_look = LOOK_EVERY
    return look_outside(&search.limits)


cdef void others_play(Response* response, const State* root, const State* state, cards_t played,
                      const int32_t* order, int64_t count, int row, int depth) noexcept nogil:
    """The careful reply in each world; worlds with the same reply continue together. Values go into
    a row of `found`."""
    cdef Search* search = &response.search
    cdef Move* replies = response.replies + depth * response.number
    cdef int32_t* parts = response.order + depth * response.number
    cdef int64_t i, j, begun, done = 0
    cdef int32_t score
    cdef State child
    cdef const Move* reply
    copy_state(&child, state)
    response.visits += count
    search.limits.until_look -= count
    if response.most_visits and response.visits > response.most_visits:
        search.limits.stopped = STOPPED_NODES
        return
    if search.limits.until_look <= 0 and look_again(search):
        return
    search.generator.alike = NULL
    for i in range(count):
        parts[i] = order[i]
        set_hands(response, root, &child, played, order[i])
        if pick_greedy(&search.arena, &search.generator, &child, search.rules, True,
                       &replies[order[i]], &score) != STATUS_OK:
            search.limits.stopped = STOPPED_FULL
            return
        note_owner(&replies[order[i]], &child, search.rules)
        if search.generator.sums.crowded:
            search.limits.until_look = 0   # long lists take their time
        if search.limits.until_look <= 0 and look_again(search):
            return
    while done < count:                  # group the worlds by their replies
        begun = done
        reply = &replies[parts[begun]]
        done += 1
        for j in range(done, count):
            if same_move(reply, &replies[parts[j]]):
                parts[j], parts[done] = parts[done], parts[j]
                done += 1
        copy_state(&child, state)
        set_hands(response, root, &child, played, parts[begun])
        play_move(&child, search.rules, NULL, reply)
        go_on(response, root, state, &child, played | <cards_t>1 << reply.card, parts + begun,
              done - begun, row, depth + 1)
        if search.limits.stopped:
            return


@cython.final
cdef class ResponseSearch(Watched):
    """The best response to careful players in many worlds at once; not for two threads at once.

    Args:
        position: the position as the seat to play sees it, outside draw casino.
        unit: value of one point.
        goal: makes the values chances to win the match, in billionths, instead of points.
        last_deals: makes the end of the deal worth the exact mean of the last deal, instead of an
            estimate; `unit` is then its number of splits.
        estimate: the estimate at the end of the deal.

    Raises:
        CasinoError: the position has no such search.
        ValueError: another unit.
        TooManyMovesError: there are too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> len(ResponseSearch(position, unit=60).classes) == len(position.legal_moves())
        True
    """
    cdef Response response
    cdef Goal goal
    cdef LastDeals last_deals
    cdef Position position
    cdef Move* moves                     # one of each class of equivalent moves
    cdef int64_t count
    cdef readonly list classes           # the row of each legal move, in the order of texts

    def __cinit__(self, Position position not None, *, int unit, Goal goal=None,
                  LastDeals last_deals=None, str estimate="fitted"):
        cdef const State* state = &position.layout.state
        if position.compiled.ruleset.draw and state.stock:
            raise CasinoError("answers are not searched where each player draws a card")
        if state.forgotten[0] or state.forgotten[1] or state.forgotten[2] or state.forgotten[3]:
            raise CasinoError("answers are not searched where captured cards are not known")
        if is_over(state) or state.hidden[state.turn]:
            raise CasinoError("answers are searched for a seat that is to play and knows its hand")
        if last_deals is not None:
            if last_deals.splits != unit:
                raise ValueError(f"the unit is {last_deals.splits}, the number of splits")
            self.last_deals = last_deals
            self.response.means = &last_deals.data
        self.position = position
        if open_search(&self.response.search, 0.01) != STATUS_OK:
            raise MemoryError
        self.response.search.estimate.kind = estimate_number(estimate)
        self.response.seat = state.turn
        self.response.side = side_of(&position.compiled.ruleset, state.turn)
        self.goal = goal
        if goal is not None:
            self.response.goal = &goal.chances
        self.classes = []
        list_rows(&self.response.search, position, unit, goal, &self.response.likeness,
                  &self.moves, &self.count, self.classes)

    def __dealloc__(self):
        close_search(&self.response.search)
        free(self.moves)

    def __reduce__(self):
        raise not_copied(self)

    @property
    def visits(self):
        """Number of plays of the others searched so far."""
        return self.response.visits

    def values(self, bytes worlds not None, *, bytes wanted=None, bytes times=None,
               int64_t visits=0, double deadline=0):
        """Values of the moves over worlds that are searched together.

        Args:
            worlds: 64 bytes for each, the masks of the hidden cards of four hands and four piles as
                unsigned integers.
            wanted: a byte for each row, not 0 if the row is to be evaluated; None for all rows.
            times: for each world the weight of its value in decisions of the mover, as 32-bit
                integers; None for 1.
            visits: the most plays of the others to search for a row and a world, 0 for no limit.
            deadline: on the clock of `time.perf_counter`, 0 for none.

        Returns:
            The values, and what ended the search: "done", "time" or "visits". Values are 32-bit
            integers, for each world a number for each row, 0 if not wanted: the points that the
            side to play gains on the best other side, including those already gained, in units;
            with a goal its chance to win the match, in billionths.

        Raises:
            TooManyMovesError: a position of the search has too many legal moves to list.
        """
        cdef Response* response = &self.response
        cdef Search* search = &response.search
        cdef int64_t number = len(worlds) // <int64_t>sizeof(World), i, row
        cdef const uint8_t* chosen = NULL
        cdef bytes found = PyBytes_FromStringAndSize(NULL,
                                                     number * self.count * <int64_t>sizeof(int32_t))
        cdef int32_t* values = <int32_t*>PyBytes_AS_STRING(found)
        cdef State* state = &self.position.layout.state
        cdef State root
        if len(worlds) != number * <int64_t>sizeof(World) or (wanted is not None
                                                              and len(wanted) != self.count) \
                or (times is not None and len(times) != number * <int64_t>sizeof(int32_t)):
            raise ValueError("worlds, wanted or times do not fit")
        if wanted is not None:
            chosen = <const uint8_t*>PyBytes_AS_STRING(wanted)
        copy_state(&root, state)
        for i in range(MAX_SEATS):
            root.hidden[i] = 0
        response.worlds = <const World*>PyBytes_AS_STRING(worlds)
        response.number = number
        response.times = <const int32_t*>PyBytes_AS_STRING(times) if times is not None else NULL
        set_limits(&search.limits, 0, deadline)
        self.watch_from(&search.limits)
        search.arena.used = 0
        response.replies = <Move*>malloc(<size_t>(MOST_PLAYS * number) * sizeof(Move))
        response.order = <int32_t*>malloc(<size_t>((MOST_PLAYS + 1) * number) * sizeof(int32_t))
        response.found = <int32_t*>calloc(<size_t>(MOST_PLAYS * number) + 1, sizeof(int32_t))
        try:
            if response.replies == NULL or response.order == NULL or response.found == NULL:
                raise MemoryError
            with nogil:
                for row in range(self.count):
                    if search.limits.stopped:
                        break
                    if chosen == NULL or chosen[row]:
                        response.most_visits = response.visits + visits * number if visits else 0
                        self.one_row(&root, row)
                    for i in range(number):
                        values[i * self.count + row] = (
                            response.found[i] if chosen == NULL or chosen[row] else 0)
        finally:
            free(response.replies)
            free(response.order)
            free(response.found)
        self.raise_of(&search.limits)
        if search.limits.stopped:
            return found, "visits" if search.limits.stopped == STOPPED_NODES else "time"
        return found, "done"

    cdef void one_row(self, const State* root, int64_t row) noexcept nogil:
        """Values of a root move in all worlds, into the first row of `found`."""
        cdef Response* response = &self.response
        cdef int32_t* order = response.order + MOST_PLAYS * response.number
        cdef State state, child
        cdef int64_t i
        copy_state(&state, root)
        set_hands(response, root, &state, 0, 0)
        for i in range(response.number):
            order[i] = <int32_t>i
        copy_state(&child, &state)
        play_move(&child, response.search.rules, NULL, &self.moves[row])
        go_on(response, root, &state, &child, 0, order, response.number, 0, 0)
