"""Which cards split into groups of a value, by the tests' own enumeration.

Neither the core's method nor the reference's: sets of cards are told apart by how many cards of
each value they hold, and all that split are reached from nothing by laying down group after group.
"""

from functools import cache
from math import comb

HIGHEST = 13

Counts = tuple[int, ...]  # counts[v - 1] cards of value v


@cache
def groups_of(value: int, aces_high: bool) -> tuple[Counts, ...]:
    """Every group of a value, as counts; an ace is 1 in a sum and, alone, 14 where it is high."""

    def extend(counts, smallest, rest):
        if rest == 0:
            yield tuple(counts)
        for card in range(smallest, min(rest, HIGHEST) + 1):
            counts[card - 1] += 1
            yield from extend(counts, card, rest - card)
            counts[card - 1] -= 1

    groups = [counts for counts in extend([0] * HIGHEST, 1, value) if max(counts) <= 16]
    if value == 14 and aces_high:
        groups.append((1, *[0] * (HIGHEST - 1)))
    return tuple(groups)


@cache
def splits(counts: Counts, value: int, aces_high: bool) -> bool:
    """Whether all the cards split: some group with the highest card in it, and the rest splits."""
    highest = max((v for v in range(HIGHEST) if counts[v]), default=None)
    if highest is None:
        return True
    for group in groups_of(value, aces_high):
        if group[highest] and all(a <= b for a, b in zip(group, counts, strict=True)):
            if splits(tuple(b - a for a, b in zip(group, counts, strict=True)), value, aces_high):
                return True
    return False


def splitting(available: Counts, value: int, aces_high: bool = False) -> set[Counts]:
    """All counts within those available that split into groups of the value; nothing is one."""
    groups = [
        group
        for group in groups_of(value, aces_high)
        if all(a <= b for a, b in zip(group, available, strict=True))
    ]
    found = {(0,) * HIGHEST}
    fresh = list(found)
    while fresh:
        counts = fresh.pop()
        for group in groups:
            more = tuple(a + b for a, b in zip(counts, group, strict=True))
            if more not in found and all(a <= b for a, b in zip(more, available, strict=True)):
                found.add(more)
                fresh.append(more)
    return found


def maximal(sets: set[Counts]) -> set[Counts]:
    """The counts that are within no others."""
    return {
        counts
        for counts in sets
        if not any(
            other != counts and all(a <= b for a, b in zip(counts, other, strict=True))
            for other in sets
        )
    }


def ways(counts: Counts, available: Counts) -> int:
    """How many sets of cards have these counts, chosen from those available."""
    product = 1
    for chosen, there in zip(counts, available, strict=True):
        product *= comb(there, chosen)
    return product


def plus(counts: Counts, value: int, cards: int = 1) -> Counts:
    """The counts with cards of a value more (or, below 0, fewer)."""
    return tuple(count + cards * (v == value) for v, count in enumerate(counts, 1))


def counts_of(cards, court_values=(11, 12, 13)) -> Counts:
    """Counts of cards by name; court cards count as told, 0 for not at all."""
    ranks = "A23456789T"
    worth = {rank: value for value, rank in enumerate(ranks, 1)}
    worth |= dict(zip("JQK", court_values, strict=True))
    counts = [0] * HIGHEST
    for card in cards:
        if worth[card[0]]:
            counts[worth[card[0]] - 1] += 1
    return tuple(counts)
