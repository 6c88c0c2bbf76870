"""The chance to win a match, by what a round brings: at its end, and expected before it."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t
from libc.string cimport memset

from casino_core.evaluation.estimate cimport MOST_CARDS, Shares, WHOLE_SHARE, estimated_shares
from casino_core.rules.types cimport NOBODY, SPADES, cards_in_builds, popcount, side_of

# Measured in rounds of `hint` and of careful players, `standard`, at the ends of deals.
cdef enum:
    CARDS_OF_DEAL = 8
    DEALS = 6

cdef double LEAST_CHANCE = 0.02          # of a side to get a card that is still open
cdef double TIED_CARDS = 0.08            # how often both have 26 cards where nobody leads
cdef double SPADES_FOLLOW = 0.45         # how much more likely a side has most spades or, by the
                                         # number of deals left in the stock, a card, once it
cdef double* CARDS_FOLLOW = [0.49, 0.37, 0.30, 0.25, 0.22, 0.20]   # has most cards


cdef int32_t counted_chance(const Chances* chances, const Ruleset* rules, const cards_t* captured,
                            const int* counts, const int* sweeps) noexcept nogil:
    """The chance of side 0 once all cards are captured: by the cards of both sides, their numbers
    and sweeps."""
    cdef int points[2]
    cdef int i, side, lead
    points[0] = points[1] = 0
    for i in range(chances.steps):
        if chances.cards[i]:
            side = 0 if captured[0] & chances.cards[i] else 1
            if not captured[side] & chances.cards[i]:
                continue
        else:
            lead = counts[0] - counts[1]
            if chances.spades[i]:
                lead = popcount(captured[0] & SPADES) - popcount(captured[1] & SPADES)
            if lead == 0:
                continue
            side = lead < 0
        points[side] += chances.points[i]
        if chances.counts_out and points[side] >= chances.needs[side]:
            return 0 if side else CERTAIN_WIN
    for side in range(2):
        points[side] += rules.sweep * sweeps[side]
        if points[side] >= chances.size:   # the tables are as large as a round can become
            points[side] = chances.size - 1
    return chances.ended[points[0] * chances.size + points[1]]


cdef int32_t ended_chance(const Chances* chances, const Ruleset* rules,
                          const State* state) noexcept nogil:
    """The chance of side 0 at the end of a round."""
    cdef cards_t captured[2]
    cdef int counts[2]
    cdef int sweeps[2]
    cdef int side
    for side in range(2):
        captured[side] = state.piles[side]
        if state.last != NOBODY and side_of(rules, state.last) == side:
            captured[side] |= state.table
            captured[side] |= cards_in_builds(state, (<unsigned int>1 << state.build_count) - 1)
        counts[side] = popcount(captured[side]) + state.forgotten[side]
        sweeps[side] = state.sweeps[side]
    return counted_chance(chances, rules, captured, counts, sweeps)


cdef int32_t best_chance(const Chances* chances, const Ruleset* rules, const State* state,
                         cards_t left, int side, int sweeps) noexcept nogil:
    """The chance of side 0 if one side captures all the cards left, with this number of sweeps."""
    cdef cards_t captured[2]
    cdef int counts[2]
    cdef int swept[2]
    cdef int i
    for i in range(2):
        captured[i] = state.piles[i] | (left if i == side else 0)
        counts[i] = popcount(captured[i]) + state.forgotten[i]
        swept[i] = state.sweeps[i] + (sweeps if i == side else 0)
    return counted_chance(chances, rules, captured, counts, swept)


cdef inline double within(double chance) noexcept nogil:
    """A chance that is not certain either way."""
    if chance < LEAST_CHANCE:
        return LEAST_CHANCE
    return 1 - LEAST_CHANCE if chance > 1 - LEAST_CHANCE else chance


cdef inline double majority_chance(int share) noexcept nogil:
    """The chance of side 0 to win a majority, from its expected share of the points."""
    return 0.5 + 0.5 * share / WHOLE_SHARE


cdef struct Open:                        # what is known of the points before a round ends
    double cards                         # chance of side 0 to win most cards
    double spades
    double card                          # to get a card that is not in sight
    double lying                         # to get one that lies on the table


cdef inline bint is_certain(double chance) noexcept nogil:
    return chance == 0 or chance == 1


cdef void look_at_open(const Estimate* estimate, const Standing* standing, cards_t table, int stop,
                       Open* found) noexcept nogil:
    """Chances of side 0 for what is still open. What the estimate adds to the majorities is spread
    over all open points."""
    cdef Shares shares
    cdef int left = standing.points_left
    cdef double more
    estimated_shares(estimate, standing, table, stop, &shares)
    found.cards = majority_chance(shares.cards)
    found.spades = majority_chance(shares.spades)
    if not is_certain(found.cards):
        left += MOST_CARDS
    if not is_certain(found.spades):
        left += estimate.rules.most_spades
    more = 0.0005 * shares.lead / left if left else 0.0
    if not is_certain(found.cards):
        found.cards = within(found.cards + more)
    if not is_certain(found.spades):
        found.spades = within(found.spades + more)
    found.card = within(0.5 + more)
    found.lying = within(0.5 + more + 0.0005 * shares.lying)


cdef void follow_cards(const Open* before, int lead, int stock, Open* found) noexcept nogil:
    """Chances of side 0 once most cards is known: its lead is 1, 0 or -1. On average over these
    they are as before."""
    cdef int deals = min(stock // CARDS_OF_DEAL, DEALS - 1)
    cdef double half = 0.5 * (lead - (2 * before.cards - 1))
    found[0] = before[0]
    found.cards = 0.5 + 0.5 * lead
    found.card = within(before.card + CARDS_FOLLOW[deals] * half)
    found.lying = within(before.lying + CARDS_FOLLOW[deals] * half)
    if not is_certain(before.spades):
        found.spades = within(before.spades + SPADES_FOLLOW * half)


cdef double counted_on(const Chances* chances, const Ruleset* rules, const State* state,
                       cards_t out, const Open* outlook) noexcept nogil:
    """The chance of side 0 if open points go to either side independently; nobody has most cards
    if that is even.

    Steps are counted in their order. `weights[n]` is the chance that side 0 has n of the open
    points so far and that nobody is there yet.
    """
    cdef double weights[MOST_OPEN + 1]
    cdef double won = 0, chance
    cdef int i, k, points, mine, others, most = 0
    cdef int base[2]
    memset(weights, 0, sizeof(weights))
    weights[0] = 1
    base[0] = base[1] = 0
    for i in range(chances.steps):
        points = chances.points[i]
        if not chances.cards[i]:
            chance = outlook.spades if chances.spades[i] else outlook.cards
            if chance == 0.5 and not chances.spades[i]:
                continue
        elif state.piles[0] & chances.cards[i]:
            chance = 1
        elif state.piles[1] & chances.cards[i]:
            chance = 0
        elif out & chances.cards[i]:
            continue
        else:
            chance = outlook.lying if state.table & chances.cards[i] else outlook.card
        if is_certain(chance):
            base[0 if chance == 1 else 1] += points
        elif most + points <= MOST_OPEN:
            for k in range(most, -1, -1):
                weights[k + points] += chance * weights[k]
                weights[k] *= 1 - chance
            most += points
        if chances.counts_out:
            for k in range(most + 1):
                if base[0] + k >= chances.needs[0]:
                    won += weights[k]
                    weights[k] = 0
                elif base[1] + most - k >= chances.needs[1]:
                    weights[k] = 0
    for k in range(most + 1):
        if weights[k]:
            mine = base[0] + k + rules.sweep * state.sweeps[0]
            others = base[1] + most - k + rules.sweep * state.sweeps[1]
            mine = min(mine, chances.size - 1)
            others = min(others, chances.size - 1)
            won += weights[k] * chances.coming[mine * chances.size + others] / CERTAIN_WIN
    return won


cdef int32_t expected_chance(const Chances* chances, const Estimate* estimate, const State* state,
                             const Standing* standing, cards_t out, int stop) noexcept nogil:
    """The expected chance of side 0 before the end of a round, with `standing` of side 0, the cards
    `out` that are not in the game, and the kind of stop of `estimated`."""
    cdef Open outlook, after
    cdef double won = 0, tied, weight
    cdef int lead
    look_at_open(estimate, standing, state.table, stop, &outlook)
    if is_certain(outlook.cards):
        won = counted_on(chances, estimate.rules, state, out, &outlook)
        return <int32_t>(CERTAIN_WIN * won + 0.5)
    tied = 4 * TIED_CARDS * outlook.cards * (1 - outlook.cards)
    for lead in range(-1, 2):
        weight = tied
        if lead:
            weight = 0.5 + lead * (outlook.cards - 0.5) - tied / 2
        follow_cards(&outlook, lead, state.stock, &after)
        won += weight * counted_on(chances, estimate.rules, state, out, &after)
    return <int32_t>(CERTAIN_WIN * won + 0.5)


@cython.final
cdef class Goal:
    """The chances of a match by what a round brings, for the searches.

    Args:
        needs: the points that each of two sides still needs.
        counts_out: whether the first side to get there in the order of counting wins.
        steps: (mask of the card, points) of each step of counting in order; 0 for most cards, -1
            for most spades.
        size: rows and columns of the tables.
        ended: chances of side 0 where a round ends, in billionths, as 32-bit integers, by the
            points of side 0 and then of side 1.
        coming: the same where the sweeps of the rest of the round are still to come.

    Raises:
        ValueError: tables whose sizes differ, or too many steps.

    Example:
        >>> Goal((1, 1), False, [(0, 3)], 1, bytes(4), bytes(4)).needs
        (1, 1)
    """

    def __cinit__(self, tuple needs not None, bint counts_out, list steps not None, int size,
                  bytes ended not None, bytes coming not None):
        cdef int i
        if (len(steps) > MOST_STEPS or size < 1 or len(ended) != size * size * 4
                or len(coming) != len(ended)):
            raise ValueError("steps or tables do not fit")
        memset(&self.chances, 0, sizeof(Chances))
        self.chances.needs[0], self.chances.needs[1] = needs
        self.chances.counts_out = counts_out
        self.chances.steps = <int>len(steps)
        for i, (card, points) in enumerate(steps):
            self.chances.cards[i] = card if card > 0 else 0
            self.chances.spades[i] = card == -1
            self.chances.points[i] = points
        self.ended = ended
        self.coming = coming
        self.chances.size = size
        self.chances.ended = <const int32_t*>PyBytes_AS_STRING(ended)
        self.chances.coming = <const int32_t*>PyBytes_AS_STRING(coming)

    def __reduce__(self):
        return Goal, self._arguments()

    @property
    def needs(self):
        """The points that each side still needs."""
        return self.chances.needs[0], self.chances.needs[1]

    def _arguments(self):
        cdef list steps = []
        cdef int i
        for i in range(self.chances.steps):
            card = self.chances.cards[i] or (-1 if self.chances.spades[i] else 0)
            steps.append((card, self.chances.points[i]))
        return (self.needs, self.chances.counts_out, steps, self.chances.size, self.ended,
                self.coming)
