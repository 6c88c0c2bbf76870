"""Who has won: matches of several rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from casino_core._arguments import instance_of
from casino_core.game.position import Position
from casino_core.rules.cards import CardSet

__all__ = ["MatchResult", "match_result"]

_MOST_CARDS = 3
_SPADES = tuple(f"{rank}s" for rank in "AKQJT98765432")
_NO_SPADES = ("Td", "Ac", "Ah", "Ad")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match stands at the end of a round.

    Attributes:
        totals: score of each side with this round.
        over: whether the match has ended; else another round is played.
        winner: index of the side that has won, None while nobody has, and in a drawn match.
    """

    totals: tuple[int, ...]
    over: bool
    winner: int | None


def match_result(position: Position) -> MatchResult:
    """How the match stands at the end of a finished round.

    The position's `match_score` is the score before the round. Under `finish=highest` the
    highest total at or over the target wins. Under `count_out` the points are counted one by
    one and the first side there wins; the order is that of the handbook text on Casino: cards,
    spades, big casino, little casino, aces, sweeps.

    Args:
        position: a finished round with every captured card known.

    Raises:
        CasinoError: the round is not finished.
        HiddenCardError: captured cards are not known.

    Example:
        >>> position = Position.start("standard", seed=1, score=(20, 0))
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> position.score()
        (6, 5)
        >>> match_result(position)
        MatchResult(totals=(26, 5), over=True, winner=0)
    """
    rules = instance_of(Position)("position", position).rules
    points = position.score()
    totals = tuple(
        before + round_points
        for before, round_points in zip(position.match_score, points, strict=True)
    )
    if max(totals) < rules.target:
        return MatchResult(totals, False, None)
    winner = _first_there(position) if rules.finish == "count_out" else None
    if winner is None:
        winner = _highest(totals)
    return MatchResult(totals, winner is not None or rules.tie == "draw", winner)


def _highest(counts: tuple[int, ...]) -> int | None:
    """Index of the one largest count, None if several share it."""
    best = max(counts)
    return counts.index(best) if counts.count(best) == 1 else None


def _first_there(position: Position) -> int | None:
    """The side that alone reaches the target first; None where sweeps bring several there."""
    target = position.rules.target
    totals = list(position.match_score)
    steps = _counted(position)
    while max(totals) < target:
        step = next(steps, None)
        if step is None:
            for side, sweeps in enumerate(position.sweeps):
                totals[side] += position.rules.sweep * sweeps
            break
        side, points = step
        totals[side] += points
    there = [side for side, total in enumerate(totals) if total >= target]
    return there[0] if len(there) == 1 else None


def _counted(position: Position) -> Iterator[tuple[int, int]]:
    """(side, points) in the order of counting, without sweeps."""
    piles = _captured(position)
    standard = position.rules.scoring == "standard"
    most_cards = _highest(tuple(len(pile) for pile in piles))
    if most_cards is not None:
        yield most_cards, _MOST_CARDS
    if not standard:
        yield from _points_of(position, piles, _SPADES)
    if position.rules.scoring != "spade":
        most_spades = _highest(tuple(sum(card[1] == "s" for card in pile) for pile in piles))
        if most_spades is not None:
            yield most_spades, 1
    rest = ("Td", "2s", "As", "Ac", "Ah", "Ad") if standard else _NO_SPADES
    yield from _points_of(position, piles, rest)


def _captured(position: Position) -> list[CardSet]:
    """Cards of each side, those left on the table with the last capturer's."""
    piles = [pile.cards for pile in position.piles]
    if position.last is not None:
        side = position.rules.side_of(position.rules.seats.index(position.last))
        piles[side] |= position.table
        for build in position.builds:
            piles[side] |= build.cards
    return piles


def _points_of(
    position: Position, piles: list[CardSet], cards: tuple[str, ...]
) -> Iterator[tuple[int, int]]:
    for card in cards:
        for side, pile in enumerate(piles):
            if card in pile:
                yield side, position._points(CardSet(card))
