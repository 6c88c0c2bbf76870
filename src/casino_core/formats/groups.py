"""Groups of cards that sum to a value under the preset `ramapo`.

Used only for saved games, which give the cards of a build but not its value. The core decides
what is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["HIGHEST_VALUE", "split_into_groups", "values_of_group"]

#: The value of an ace by itself.
HIGHEST_VALUE = 14


def values_of_group(group: Sequence[int]) -> set[int]:
    """The possible values of a group: its sum, or 1 and 14 for a lone ace.

    Args:
        group: numbers of cards.

    Example:
        >>> sorted(values_of_group([0])), values_of_group([0, 4]), values_of_group([51, 50])
        ([1, 14], {3}, set())
    """
    total = sum(card // 4 + 1 for card in group)
    if len(group) == 1 and total == 1:
        return {1, 14}
    return {total} if total <= HIGHEST_VALUE else set()


def split_into_groups(cards: Iterable[int], value: int) -> list[list[int]] | None:
    """Split cards into groups that each sum to a value.

    Args:
        cards: numbers of cards.
        value: 1 to 14, as the preset `ramapo` counts.

    Returns:
        The groups, or None if there is no such split.

    Example:
        >>> split_into_groups([8, 20, 33], 9)
        [[33], [20, 8]]
    """
    hopeless: set[tuple[int, ...]] = set()

    def split(left: tuple[int, ...]) -> list[list[int]] | None:
        if not left:
            return []
        ranks = tuple(card // 4 for card in left)
        if ranks in hopeless:
            return None
        for group in _groups_with_first(left, value):
            others = split(tuple(card for card in left if card not in group))
            if others is not None:
                return [list(group), *others]
        hopeless.add(ranks)
        return None

    return split(tuple(sorted(cards, reverse=True)))


def _groups_with_first(cards: tuple[int, ...], value: int) -> Iterator[tuple[int, ...]]:
    """The groups of a value that hold the first of the cards, which go from high to low.

    An ace comes first only if all cards are aces, so an ace counts 14 only by itself.
    """
    first, others = cards[0], cards[1:]
    worth = first // 4 + 1
    if worth == value or (worth == 1 and value == HIGHEST_VALUE):
        yield (first,)
    elif worth < value:
        for index, card in enumerate(others):
            # only the first card of each rank is tried, as suits do not change a sum
            if index and others[index - 1] // 4 == card // 4:
                continue
            for group in _groups_with_first(others[index:], value - worth):
                yield (first, *group)
