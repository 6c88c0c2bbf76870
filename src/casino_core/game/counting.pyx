"""What cards count under a rule set: values, sums, groups and points, for Python code."""
from libc.stdint cimport uint16_t, uint8_t

from casino_core.moves.state cimport card_points, set_value_sum
from casino_core.moves.sums cimport count_values, splits
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport cards_t

cdef tuple CARD_NAMES                    # imported into a C variable: no name of the module

from casino_core.rules.cards import CARD_NAMES


def card_values(CompiledRules rules not None, str card not None):
    """Return the values that a card has, lowest first."""
    cdef uint16_t values = rules.ruleset.values_of_rank[CARD_NAMES.index(card) >> 2]
    return tuple([value for value in range(1, 15) if values >> value & 1])


def value_sum(CompiledRules rules not None, cards not None):
    """Return the sum of the values of a CardSet, aces as 1."""
    return set_value_sum(&rules.ruleset, cards.mask)


def points_of_cards(CompiledRules rules not None, cards not None):
    """Return the points of captured cards, a CardSet, without most cards and most spades."""
    return card_points(&rules.ruleset, cards.mask)


def most_spades_points(CompiledRules rules not None):
    """Return the points that a side scores for most spades."""
    return rules.ruleset.most_spades


def splits_into_groups(CompiledRules rules not None, cards not None, int value):
    """Return whether a CardSet splits into groups that each sum to `value`."""
    cdef uint8_t counts[16]
    cdef cards_t mask = cards.mask
    if mask & ~rules.ruleset.valued:
        return False
    count_values(&rules.ruleset, mask, counts)
    return bool(splits(counts, value, rules.ruleset.aces_high))
