"""The points of a finished round, one by one in the order of counting out."""

from __future__ import annotations

from typing import NamedTuple

from casino_core.game.counting import points_of_cards
from casino_core.game.points import captured_cards
from casino_core.game.position import Position
from casino_core.rules.cards import CardSet
from casino_core.rules.options import Rules

__all__ = ["ScoreStep", "highest", "score_steps", "side_names", "step_names", "step_points"]

_MOST_CARDS = 3
_MOST_SPADES = 1
_SPADES = tuple(f"{rank}s" for rank in "AKQJT98765432")
_PLAIN_CARDS = ("Td", "2s", "As", "Ac", "Ah", "Ad")
_NO_SPADES = ("Td", "Ac", "Ah", "Ad")


class ScoreStep(NamedTuple):
    """Points of one kind.

    Attributes:
        name: `cards` for most cards, `spades` for most spades, a card such as `Td`, or `sweeps`.
        side: index of the side that scores; None if nobody does (a tie; a card that is out).
        points: points of that side, 0 if nobody scores.
    """

    name: str
    side: int | None
    points: int


def step_names(rules: Rules) -> tuple[str, ...]:
    """The names of what is counted under a rule set, in order, before sweeps.

    The order is that of the handbook text on Casino: cards, spades, big casino, little casino,
    aces. If every spade scores, spades are counted from the ace and king down to the two.

    Args:
        rules: the rule set.

    Example:
        >>> step_names(Rules())
        ('cards', 'spades', 'Td', '2s', 'As', 'Ac', 'Ah', 'Ad')
    """
    if rules.scoring == "standard":
        return ("cards", "spades", *_PLAIN_CARDS)
    most_spades = () if rules.scoring == "spade" else ("spades",)
    return ("cards", *_SPADES, *most_spades, *_NO_SPADES)


def step_points(rules: Rules, name: str) -> int:
    """The points that a step brings to whoever scores it.

    Args:
        rules: the rule set.
        name: one of `step_names`.

    Example:
        >>> [step_points(Rules(), name) for name in step_names(Rules())]
        [3, 1, 2, 1, 1, 1, 1, 1]
    """
    return _points(Position.start(rules), name)


def _points(position: Position, name: str) -> int:
    fixed = {"cards": _MOST_CARDS, "spades": _MOST_SPADES}
    return fixed.get(name) or points_of_cards(position._compiled, CardSet(name))


def score_steps(position: Position) -> tuple[ScoreStep, ...]:
    """The points of a finished round, kind by kind, with a step of sweeps for each side last.

    Args:
        position: a finished round with every captured card known.

    Raises:
        CasinoError: the round is not finished.
        HiddenCardError: captured cards are not known.

    Example:
        >>> position = Position.start("standard", seed=1)
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> steps = score_steps(position)
        >>> sum(step.points for step in steps if step.side == 0), position.score()[0]
        (6, 6)
    """
    position.score()  # raises if the round cannot be counted
    piles = captured_cards(position)
    steps = [_step(position, piles, name) for name in step_names(position.rules)]
    for side, count in enumerate(position.sweeps):
        steps.append(ScoreStep("sweeps", side, position.rules.sweep * count))
    return tuple(steps)


def _step(position: Position, piles: tuple[CardSet, ...], name: str) -> ScoreStep:
    if name == "cards":
        side = highest(tuple(len(pile) for pile in piles))
    elif name == "spades":
        counts = tuple(sum(card[1] == "s" for card in pile) for pile in piles)
        side = highest(counts)
    else:
        holders = [side for side, pile in enumerate(piles) if name in pile]
        side = holders[0] if holders else None
    return ScoreStep(name, side, 0 if side is None else _points(position, name))


def highest(counts: tuple[int, ...]) -> int | None:
    """Index of the largest count; None if several are equal to it.

    Args:
        counts: a number for each side.

    Example:
        >>> highest((3, 5)), highest((5, 5))
        (1, None)
    """
    best = max(counts)
    return counts.index(best) if counts.count(best) == 1 else None


def side_names(rules: Rules) -> tuple[str, ...]:
    """The names of the sides: the letters of their seats.

    Args:
        rules: the rule set.

    Example:
        >>> side_names(Rules()), side_names(Rules.parse("standard,players=4,partners=yes"))
        (('a', 'b'), ('a+c', 'b+d'))
    """
    members: list[list[str]] = [[] for _ in range(rules.sides)]
    for index, seat in enumerate(rules.seats):
        members[rules.side_of(index)].append(seat)
    return tuple("+".join(side) for side in members)
