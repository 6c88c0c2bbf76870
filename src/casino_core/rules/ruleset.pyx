"""Rules in the form that the core uses."""
cimport cython
from libc.string cimport memset

from casino_core.rules.types cimport SPADES, cards_t

cdef object OPTIONS                      # imported into a C variable: no name of the module

from casino_core.rules.options import OPTIONS

cdef enum:
    RANKS = 13
    ACE = 0
    TWO = 1
    TEN = 9
    JACK = 10


cdef inline cards_t rank_cards(int rank) noexcept nogil:
    return <cards_t>15 << 4 * rank


cdef inline cards_t one_card(int rank, int suit) noexcept nogil:
    return <cards_t>1 << (4 * rank + suit)


cdef void fill_values(Ruleset* ruleset, int court, bint aces_high) noexcept nogil:
    """Values of the ranks: court 0 pair, 1 numbered, 2 ten."""
    cdef int rank, value
    for rank in range(RANKS):
        value = rank + 1
        if rank >= JACK and court == 0:
            continue
        if rank >= JACK and court == 2:
            value = 10
        ruleset.sum_value[rank] = value
        ruleset.values_of_rank[rank] = 1 << value
        ruleset.by_value[value] |= rank_cards(rank)
        ruleset.valued |= rank_cards(rank)
    if aces_high:
        ruleset.aces_high = 1
        ruleset.values_of_rank[ACE] |= 1 << 14
        ruleset.by_value[14] = rank_cards(ACE)


cdef void fill_points(Ruleset* ruleset, int scoring) noexcept nogil:
    """Points of cards: 0 standard, 1 spade, 2 spade26, 3 spade27. Spades are suit 0, diamonds suit
    2."""
    cdef cards_t spade_ace = one_card(ACE, 0), spade_two = one_card(TWO, 0), big = one_card(TEN, 2)
    if scoring == 0:
        ruleset.point_cards[0] = rank_cards(ACE) | big | spade_two
        ruleset.point_cards[1] = big
        ruleset.most_spades = 1
        return
    ruleset.point_cards[0] = SPADES | rank_cards(ACE) | big
    ruleset.point_cards[1] = spade_ace | one_card(JACK, 0) | spade_two | big
    ruleset.most_spades = 1 if scoring >= 2 else 0
    if scoring >= 2:
        ruleset.point_cards[2] = spade_ace
    if scoring >= 3:
        ruleset.point_cards[2] |= spade_two


@cython.final
cdef class CompiledRules:
    """A rule set in the form that the core uses.

    Args:
        rules: a `Rules`.

    Example:
        >>> from casino_core import Rules
        >>> CompiledRules(Rules.parse("royal")).rules.court
        'numbered'
    """

    def __cinit__(self, rules):
        cdef Ruleset* ruleset = &self.ruleset

        def index(name):
            return OPTIONS[name].values.index(getattr(rules, name))

        memset(ruleset, 0, sizeof(Ruleset))
        self.rules = rules
        ruleset.seats = rules.players
        ruleset.partners = rules.partners
        ruleset.sides = rules.sides
        ruleset.court_capture = index("court_capture")
        ruleset.capture = index("capture")
        ruleset.trail = index("trail")
        ruleset.multiple = rules.multiple
        ruleset.raising = index("raising")
        ruleset.raise_own_needs_both = rules.raise_own_needs_both
        ruleset.raise_table_cards = rules.raise_table_cards
        ruleset.raise_absorb = rules.raise_absorb
        ruleset.add_to_own_only = rules.add_to == "own"
        ruleset.max_builds = min(rules.max_builds, 255)
        ruleset.merge = rules.same_value == "merge"
        ruleset.owner_turn = index("owner_turn")
        ruleset.partner_builds = rules.partner_builds == "declared"
        ruleset.draw = rules.draw
        ruleset.sweep = rules.sweep
        fill_values(ruleset, index("court"), rules.ace == "low_or_high")
        fill_points(ruleset, index("scoring"))

    def __eq__(self, other):
        if not isinstance(other, CompiledRules):
            return NotImplemented
        return self.rules == (<CompiledRules>other).rules

    def __hash__(self):
        return hash(self.rules)

    def __reduce__(self):
        return CompiledRules, (self.rules,)
