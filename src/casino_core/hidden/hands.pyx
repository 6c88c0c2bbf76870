"""Hidden hands of a seat that fit what is known, listed with their posterior weights or sampled."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport exp
from libc.stdint cimport int64_t, uint16_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from casino_core.evaluation.play_model cimport is_modelled, strong_score
from casino_core.evaluation.preference cimport move_score
from casino_core.game.move cimport resolve_move
from casino_core.moves.captures cimport can_announce, each_by_itself
from casino_core.moves.movegen cimport pick_of_segment
from casino_core.moves.workspace cimport close_generator, list_growing, open_generator
from casino_core.rules.streams cimport fraction
from casino_core.rules.types cimport (
    MAX_SEATS, STATUS_FULL, STATUS_OK, lowest, popcount, rng_below, rng_seed,
    values_of,
)

from functools import partial
from time import perf_counter

from casino_core.errors import CasinoError, TooManyMovesError

cdef enum:
    SEGMENT_LIMIT = 1 << 20
    MAX_DRAWS = 1 << 21                  # tries to draw before giving up; about a second
    LOOK_EVERY = 1024                    # tries between checks of the time and signals
    MAX_PAIRS = 1 << 25                  # product of the seats' numbers of hands, for all deals
    MAX_DEALS = 1 << 19                  # combinations of hands that are listed
    WAY = 8 * MAX_SEATS                  # bytes of one combination


cdef inline bint same_move(const Move* one, const Move* other) noexcept nogil:
    return (one.card == other.card and one.kind == other.kind and one.value == other.value
            and one.loose == other.loose and one.builds == other.builds)


cdef bint prepare_play(PastPlay* play, Generator* generator, const Ruleset* rules,
                       double temperature, bint allowed, bint legal_only) noexcept nogil:
    """Fill the tables of likelihoods by card of a play, if the moves of a card are independent of
    the rest of the hand, except that a build needs another card of its value. False if memory or
    the list is too small.

    The moves are listed once, for a hand of the whole pack.
    """
    cdef int64_t i, j, size
    cdef int seat = play.state.turn, value
    cdef Move move
    cdef double score
    play.modelled = not legal_only and is_modelled(rules, &play.state)
    play.by_card = allowed and not play.modelled and each_by_itself(rules, &play.state)
    if not play.by_card:
        return True
    play.state.hands[seat] = (<cards_t>1 << DECK) - 1
    if list_growing(generator, &play.state, rules, SEGMENT_LIMIT) == STATUS_FULL:
        play.by_card = False             # the lists of single hands are shorter
        return True
    for i in range(generator.count):
        size = generator.segments[i].moves
        value = generator.segments[i].value
        for j in range(size):
            pick_of_segment(generator, &generator.segments[i], j, &move)
            score = exp(move_score(rules, &play.state, &move) / temperature)
            play.total[move.card][value] += score
            play.counts[move.card][value] += 1
            if same_move(&move, &play.move):
                play.possible = True
                play.chosen = score
    return True


cdef inline double mixed(const Knowledge* knowledge, double chosen, double total,
                         int64_t count) noexcept nogil:
    """Likelihood of a move among `count` legal ones."""
    if knowledge.legal_only:
        return 1.0
    return (1 - knowledge.chance) * chosen / total + knowledge.chance / count


cdef double likelihood_by_card(const Knowledge* knowledge, const PastPlay* play,
                               const Ruleset* rules, cards_t hand) noexcept nogil:
    """Likelihood of a play for a hand, from the tables."""
    cdef cards_t left = hand
    cdef uint16_t values
    cdef int card, value
    cdef int64_t count = 0
    cdef double total = 0
    if not play.possible:
        return 0
    if not can_announce(rules, hand, play.move.card, play.move.value):
        return 0
    if knowledge.legal_only:
        return 1
    while left:
        card = lowest(left)
        left &= left - 1
        total += play.total[card][0]
        count += play.counts[card][0]
        values = values_of(rules, hand & ~(<cards_t>1 << card))
        while values:
            value = lowest(values)
            values &= values - 1
            total += play.total[card][value]
            count += play.counts[card][value]
    return mixed(knowledge, play.chosen, total, count)


cdef double likelihood_by_hand(const Knowledge* knowledge, PastPlay* play, Generator* generator,
                               const Ruleset* rules, cards_t hand) noexcept nogil:
    """Likelihood of a play for a hand, from the list of its legal moves; negative if the list is
    too long."""
    cdef int64_t i, j
    cdef Move move
    cdef double score, strong = 0, total = 0, chosen = 0, strong_total = 0
    cdef bint found = False
    play.state.hands[play.state.turn] = hand
    if play.modelled:                    # the play has weight 1: no share is undefined
        strong = strong_score(rules, &play.state, &play.move)
    if list_growing(generator, &play.state, rules, SEGMENT_LIMIT) == STATUS_FULL:
        return -1
    for i in range(generator.count):
        for j in range(generator.segments[i].moves):
            pick_of_segment(generator, &generator.segments[i], j, &move)
            score = exp(move_score(rules, &play.state, &move) / knowledge.temperature)
            total += score
            if play.modelled:
                strong_total += exp((strong_score(rules, &play.state, &move) - strong)
                                    / knowledge.temperature)
            if same_move(&move, &play.move):
                found = True
                chosen = score
    if not found:
        return 0
    if play.modelled:                    # it may be either kind of player
        chosen = (chosen / total + 1 / strong_total) / 2
        total = 1
    return mixed(knowledge, chosen, total, generator.total)


cdef double hand_weight(Knowledge* knowledge, Generator* generator, const Ruleset* rules,
                        cards_t hidden) noexcept nogil:
    """Weight of a hand by its hidden cards: 0 if it does not fit, negative if a move list is too
    long."""
    cdef cards_t hand = hidden | knowledge.known, left = hidden
    cdef double weight = 1, likelihood
    cdef PastPlay* play
    cdef int i
    for i in range(knowledge.needs):
        if popcount(hand & knowledge.need[i].cards) < knowledge.need[i].count:
            return 0
    if knowledge.weighted:
        while left:
            weight *= knowledge.odds[lowest(left)]
            left &= left - 1
    for i in range(knowledge.plays):
        play = &knowledge.play[i]
        if play.by_card:
            likelihood = likelihood_by_card(knowledge, play, rules, hand | play.later)
        else:
            likelihood = likelihood_by_hand(knowledge, play, generator, rules, hand | play.later)
        if likelihood <= 0:
            return likelihood
        weight *= likelihood
    return weight


cdef inline int64_t find_place(const double* upto, int64_t count, double wanted) noexcept nogil:
    """The first place whose cumulative weight is above `wanted`."""
    cdef int64_t low = 0, high = count - 1, middle
    while low < high:
        middle = (low + high) >> 1
        if upto[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


cdef int64_t list_hands(Knowledge* knowledge, Generator* generator, const Ruleset* rules,
                        cards_t* hands, double* upto) noexcept nogil:
    """List the hands that fit, in the order of their masks, with cumulative weights. Returns their
    number, or -1 if a move list is too long."""
    cdef uint8_t card[DECK]
    cdef int place[DECK]
    cdef int n = 0, k = knowledge.size, i
    cdef int64_t count = 0
    cdef cards_t left = knowledge.unseen, hidden
    cdef double weight, total = 0
    while left:
        card[n] = <uint8_t>lowest(left)
        left &= left - 1
        n += 1
    if k > n:
        return 0
    for i in range(k):
        place[i] = i
    while True:
        hidden = 0
        for i in range(k):
            hidden |= <cards_t>1 << card[place[i]]
        weight = hand_weight(knowledge, generator, rules, hidden)
        if weight < 0:
            return -1
        if weight > 0:
            total += weight
            hands[count] = hidden
            upto[count] = total
            count += 1
        i = k - 1
        while i >= 0 and place[i] == n - k + i:
            i -= 1
        if i < 0:
            return count
        place[i] += 1
        for i in range(i + 1, k):
            place[i] = place[i - 1] + 1


cdef double ways(int n, int k) noexcept nogil:
    """Binomial coefficient of n and k."""
    cdef double product = 1
    cdef int i
    for i in range(k):
        product = product * (n - i) / (i + 1)
    return product


@cython.final
cdef class Hands:
    """The hidden hands of one seat that fit what is known, with their posterior weights.

    Args:
        compiled: the rules.
        known: mask of the known cards of the hand.
        unseen: mask of the cards that the hidden ones may be.
        size: number of hidden cards.
        needs: pairs of a mask and the least number of its cards in the hand.
        odds: 52 weights, one for each card.
        plays: the seat's plays in this deal, each as (bytes of the state, seat, text of the move,
            mask of the cards that the seat has played since, this one included).
        temperature: of the softmax over scores of moves, in points; 0 if a play only excludes hands
            for which it would be illegal.
        chance: share of plays that are any legal move.
        by_card: whether tables by card may replace lists of moves.
        most: the largest number of hands to list.

    Attributes:
        count: number of hands that fit; -1 if there are too many to list.

    Raises:
        CasinoError: more is known than there is room for.
        TooManyMovesError: a position of the history has too many legal moves to list.

    Example:
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> from casino_core import Rules
        >>> hands = Hands(CompiledRules(Rules()), 0, 0b1111, 2, [(0b11, 1)], [1.0] * 52, [], 0, 0)
        >>> hands.count, [round(share, 2) for share in hands.marginals()[:4]]
        (5, [0.6, 0.6, 0.4, 0.4])
    """

    def __cinit__(self):
        if open_generator(&self.generator) != STATUS_OK:
            raise MemoryError

    def __init__(self, CompiledRules compiled not None, cards_t known, cards_t unseen, int size,
                 needs, odds, plays, double temperature, double chance, *, bint by_card=True,
                 int64_t most=MAX_HANDS):
        cdef int i = 0
        cdef double number = ways(popcount(unseen), size)
        cdef PastPlay* play
        cdef bytes state
        if self.compiled is not None:
            raise CasinoError("Hands are made once")
        self.compiled = compiled
        self.made_of = (compiled, known, unseen, size, tuple(needs), tuple(odds), tuple(plays),
                        temperature, chance, by_card, most)
        self.knowledge.known = known
        self.knowledge.unseen = unseen
        self.knowledge.size = size
        self.knowledge.legal_only = temperature <= 0
        self.knowledge.temperature = temperature if temperature > 0 else 1
        self.knowledge.chance = chance
        if len(needs) > MAX_NEEDS or len(plays) > MAX_PLAYS:
            raise CasinoError("more is known of one hand than there is room for")
        for cards, least in needs:
            self.knowledge.need[self.knowledge.needs].cards = cards
            self.knowledge.need[self.knowledge.needs].count = least
            self.knowledge.needs += 1
        for i in range(DECK):
            self.knowledge.odds[i] = odds[i]
            self.knowledge.weighted |= odds[i] != 1
        self.most = 1                    # upper bound of the weights
        for share in sorted((odds[i] for i in range(DECK) if unseen >> i & 1), reverse=True)[:size]:
            self.most *= share
        self.knowledge.play = <PastPlay*>calloc(len(plays) + 1, sizeof(PastPlay))
        if self.knowledge.play == NULL:
            raise MemoryError
        for state, seat, move, later in plays:
            play = &self.knowledge.play[self.knowledge.plays]
            memcpy(&play.state, <const char*>state, sizeof(State))
            play.state.turn = <uint8_t>(<int>seat)
            play.state.hidden[play.state.turn] = 0
            play.later = later
            resolve_move(&play.state, move, &play.move)
            prepare_play(play, &self.generator, &compiled.ruleset, self.knowledge.temperature,
                         by_card, self.knowledge.legal_only)
            self.knowledge.plays += 1
        self.count = -1
        if number > min(most, <int64_t>MAX_HANDS):
            return
        self.hand = <cards_t*>malloc(<size_t>(number + 1) * sizeof(cards_t))
        self.upto = <double*>malloc(<size_t>(number + 1) * sizeof(double))
        if self.hand == NULL or self.upto == NULL:
            raise MemoryError
        with nogil:
            self.count = list_hands(&self.knowledge, &self.generator, &compiled.ruleset, self.hand,
                                    self.upto)
        if self.count < 0:
            raise TooManyMovesError("a position of the history has too many legal moves to list")

    def __dealloc__(self):
        close_generator(&self.generator)
        free(self.knowledge.play)
        free(self.hand)
        free(self.upto)

    def __eq__(self, other):
        if not isinstance(other, Hands):
            return NotImplemented
        return self.made_of == (<Hands>other).made_of

    def __hash__(self):
        return hash(self.made_of)

    def __reduce__(self):
        return partial(Hands, *self.made_of[:9], by_card=self.made_of[9], most=self.made_of[10]), ()

    cdef cards_t draw(self, Rng* rng) noexcept nogil:
        """Hidden cards drawn by weight; 0 if hands are not listed and the drawn one is rejected."""
        cdef cards_t hidden = 0, left
        cdef double wanted
        cdef int _i
        if self.count >= 0:
            wanted = fraction(rng) * self.upto[self.count - 1]
            return self.hand[find_place(self.upto, self.count, wanted)]
        # Too many to list: rejection sampling, which is exact too.
        left = self.knowledge.unseen
        for _i in range(self.knowledge.size):
            hidden |= take_card(&left, rng)
        wanted = fraction(rng) * self.most
        if hand_weight(&self.knowledge, &self.generator, &self.compiled.ruleset, hidden) > wanted:
            return hidden
        return 0

    def listed(self):
        """The listed hands and their probabilities.

        Returns:
            Two objects of bytes: 64-bit masks of the hidden cards, and probabilities as doubles.
            Both are empty if hands are not listed.
        """
        cdef int64_t i, count = max(self.count, 0)
        cdef double before = 0
        cdef bytes shares = PyBytes_FromStringAndSize(NULL, count * <int64_t>sizeof(double))
        cdef double* share = <double*>PyBytes_AS_STRING(shares)
        for i in range(count):
            share[i] = (self.upto[i] - before) / self.upto[count - 1]
            before = self.upto[i]
        return PyBytes_FromStringAndSize(<const char*>self.hand,
                                         count * <int64_t>sizeof(cards_t)), shares

    def weight(self, cards_t hidden):
        """Weight of one hand, not normalized.

        Args:
            hidden: mask of its hidden cards.
        """
        return hand_weight(&self.knowledge, &self.generator, &self.compiled.ruleset, hidden)

    @property
    def total(self):
        """Sum of the weights of all listed hands."""
        return self.upto[self.count - 1] if self.count > 0 else 0.0

    def marginals(self):
        """For each of the 52 cards the probability that it is in the hand, by the listed hands."""
        cdef double share[DECK]
        cdef double before = 0
        cdef cards_t left
        cdef int64_t i
        memset(share, 0, sizeof(share))
        with nogil:
            for i in range(max(self.count, 0)):
                left = self.hand[i]
                while left:
                    share[lowest(left)] += self.upto[i] - before
                    left &= left - 1
                before = self.upto[i]
        return [share[i] / before if before else 0.0 for i in range(DECK)]


cdef inline cards_t take_card(cards_t* left, Rng* rng) noexcept nogil:
    """A random one of the cards left, each equally likely."""
    cdef cards_t cards = left[0], card
    cdef int _i
    for _i in range(<int>(fraction(rng) * popcount(cards))):
        cards &= cards - 1
    card = cards & (0 - cards)
    left[0] ^= card
    return card


cdef struct Deals:                       # combinations of hands of several seats
    int64_t count
    cards_t* hands                       # [4 * i + seat]
    double* upto


cdef bint list_deals(Deals* deals, const cards_t** hand, const double** upto, const int64_t* count,
                     int seats) noexcept nogil:
    """List the combinations of hands without a common card; False if there are too many."""
    cdef int64_t i, j, k
    cdef double one, two, three, total = 0
    deals.count = 0
    for i in range(count[0]):
        one = upto[0][i] - (upto[0][i - 1] if i else 0)
        for j in range(count[1]):
            if hand[0][i] & hand[1][j]:
                continue
            two = one * (upto[1][j] - (upto[1][j - 1] if j else 0))
            for k in range(count[2] if seats > 2 else 1):
                if seats > 2 and hand[2][k] & (hand[0][i] | hand[1][j]):
                    continue
                three = two
                if seats > 2:
                    three *= upto[2][k] - (upto[2][k - 1] if k else 0)
                if deals.count == MAX_DEALS:
                    return False
                total += three
                deals.hands[4 * deals.count] = hand[0][i]
                deals.hands[4 * deals.count + 1] = hand[1][j]
                deals.hands[4 * deals.count + 2] = hand[2][k] if seats > 2 else 0
                deals.upto[deals.count] = total
                deals.count += 1
    return True


def all_deals(list seats not None, bytes places not None):
    """All combinations of hands of several seats without a common card, with their probabilities.

    Args:
        seats: two or three objects of type `Hands`, all listed.
        places: the number of the seat of each.

    Returns:
        Two objects of bytes: four 64-bit masks for each combination, the hidden cards of each seat,
        and probabilities as doubles. None if there are too many.

    Raises:
        CasinoError: another number of seats.
    """
    cdef Deals deals
    cdef const cards_t* hand[3]
    cdef const double* upto[3]
    cdef int64_t count[3]
    cdef int n = len(seats), i
    cdef int64_t j
    cdef double product = 1
    cdef bint fits
    cdef bytes ways, shares
    cdef cards_t* way
    cdef double* share
    cdef Hands one
    if not 2 <= n <= 3 or len(places) != n:
        raise CasinoError("deals are those of two or three hidden hands")
    for i in range(n):
        one = seats[i]
        hand[i] = one.hand
        upto[i] = one.upto
        count[i] = one.count
        product *= one.count
        if one.count < 0:
            return None
    if product > MAX_PAIRS:
        return None
    deals.hands = <cards_t*>malloc(4 * MAX_DEALS * sizeof(cards_t))
    deals.upto = <double*>malloc(MAX_DEALS * sizeof(double))
    try:
        if deals.hands == NULL or deals.upto == NULL:
            raise MemoryError
        with nogil:
            fits = list_deals(&deals, hand, upto, count, n)
        if not fits:
            return None
        ways = PyBytes_FromStringAndSize(NULL, deals.count * WAY)
        shares = PyBytes_FromStringAndSize(NULL, deals.count * <int64_t>sizeof(double))
        way = <cards_t*>PyBytes_AS_STRING(ways)
        share = <double*>PyBytes_AS_STRING(shares)
        memset(way, 0, <size_t>(deals.count * WAY))
        for j in range(deals.count):
            for i in range(n):
                way[MAX_SEATS * j + seat_of(places, i)] = deals.hands[4 * j + i]
            share[j] = (deals.upto[j]
                        - (deals.upto[j - 1] if j else 0)) / deals.upto[deals.count - 1]
        return ways, shares
    finally:
        free(deals.hands)
        free(deals.upto)


cdef inline int seat_of(bytes places, int i) noexcept:
    return (<const uint8_t*>PyBytes_AS_STRING(places))[i] & 3


def draw_hands(list seats not None, bytes places not None, int64_t number, uint64_t seed, *,
               double deadline=0):
    """Draw hidden hands of several seats together, by weight.

    The hands of a single seat, if listed, are drawn by systematic sampling, which has less variance
    than independent draws. Otherwise each seat's hands are drawn independently, and draws with a
    card in two hands are rejected, which is exact; there may be fewer draws than asked for if few
    fit.

    Args:
        seats: objects of type `Hands`, none of them empty.
        places: the number of the seat of each.
        number: the number of draws.
        seed: of the generator.
        deadline: on the clock of `time.perf_counter`, after which one draw is enough; 0 for none.

    Returns:
        Bytes: four 64-bit masks for each draw, the hidden cards of each seat, in random order. None
        if hardly any draw fits.

    Raises:
        CasinoError: numbers of seats and places that differ, or a number of draws below 0.

    Example:
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> from casino_core import Rules
        >>> hands = Hands(CompiledRules(Rules()), 0, 0b11, 1, [], [1.0] * 52, [], 0, 0)
        >>> drawn = draw_hands([hands, hands], b"\\0\\1", 20, 1)
        >>> sorted({(drawn[32 * i], drawn[32 * i + 8]) for i in range(20)})
        [(1, 2), (2, 1)]
    """
    cdef Rng rng
    cdef int64_t i, chosen, tries = 0, done = 0
    cdef int n = len(seats)
    cdef bytes ways
    cdef cards_t* way
    cdef Hands one
    if n > MAX_SEATS or len(places) != n or number < 0:
        raise CasinoError("as many seats are drawn for as there are places, and 0 times or more")
    ways = PyBytes_FromStringAndSize(NULL, number * WAY)
    way = <cards_t*>PyBytes_AS_STRING(ways)
    memset(way, 0, <size_t>(number * WAY))
    rng_seed(&rng, seed)
    if n == 1 and (<Hands>seats[0]).count > 0:
        one = <Hands>seats[0]
        draw_evenly(one.hand, one.upto, one.count, &rng, number, way + seat_of(places, 0))
        for i in range(number - 1, 0, -1):   # shuffle
            chosen = <int64_t>rng_below(&rng, <uint64_t>(i + 1))
            way[MAX_SEATS * i + seat_of(places, 0)], way[MAX_SEATS * chosen + seat_of(places,
                                                                                      0)] = (
                way[MAX_SEATS * chosen + seat_of(places, 0)],
                way[MAX_SEATS * i + seat_of(places, 0)])
        return ways
    while done < number and tries < MAX_DRAWS:
        tries += 1
        done += draw_together(seats, places, &rng, way + MAX_SEATS * done)
        if tries % LOOK_EVERY == 0:
            with nogil:                  # let other threads run
                pass
            PyErr_CheckSignals()
            if deadline and done and perf_counter() >= deadline:
                break
    if number and not done:
        return None
    return ways[:done * WAY]


cdef void draw_evenly(const cards_t* hand, const double* upto, int64_t count, Rng* rng,
                      int64_t number, cards_t* way) noexcept nogil:
    """Systematic sampling: one random start, the other places at equal distances from it."""
    cdef double step = upto[count - 1] / (number if number else 1), begin = fraction(rng)
    cdef int64_t i, place = 0
    for i in range(number):
        while place < count - 1 and upto[place] <= (i + begin) * step:
            place += 1
        way[MAX_SEATS * i] = hand[place]


cdef bint draw_together(list seats, bytes places, Rng* rng, cards_t* way) except -1:
    """Draw hands of all seats into an empty row. Returns whether they fit; if not, the row is empty
    again."""
    cdef cards_t taken = 0
    cdef int i, place
    cdef Hands one
    for i in range(len(seats)):
        one = <Hands>seats[i]
        place = seat_of(places, i)
        way[place] = one.draw(rng)
        if way[place] & taken or (not way[place] and one.knowledge.size):
            memset(way, 0, WAY)
            return False
        taken |= way[place]
    return True


def card_shares(const cards_t[:] masks, const double[:] weights):
    """For each of the 52 cards the sum of the weights of the masks that contain it, as a list.

    Args:
        masks: 64-bit masks of cards.
        weights: a double for each mask.

    Raises:
        ValueError: numbers of masks and weights that differ.

    Example:
        >>> import numpy as np
        >>> card_shares(np.array([1, 3], dtype=np.uint64), np.array([0.25, 0.75]))[:3]
        [1.0, 0.75, 0.0]
    """
    cdef double share[DECK]
    cdef cards_t left
    cdef Py_ssize_t i
    if masks.shape[0] != weights.shape[0]:
        raise ValueError("there are as many masks as weights")
    memset(share, 0, sizeof(share))
    with nogil:
        for i in range(masks.shape[0]):
            left = masks[i] & ((<cards_t>1 << DECK) - 1)
            while left:
                share[lowest(left)] += weights[i]
                left &= left - 1
    return [share[i] for i in range(DECK)]
