"""A play judged by what its seat could know: the hint's value of the best play less its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from casino_core.game.counting import card_values, points_of_cards
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.hints.hint import Hint, hint
from casino_core.hints.reasons import reasons_for
from casino_core.review.grades import Grade, counted, grade_of
from casino_core.rules.cards import CardSet

__all__ = ["Judgement", "judged"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a play gave away by what its seat could know.

    Values are expected final points of the round, as `hint` has them.

    Attributes:
        best: the best play; the play itself where none is better.
        value: of the best play.
        cost: points that the play gave away, 0 or more.
        stderr: standard error of the cost, both plays being valued in the same worlds.
        at_random: what a random legal move costs on average.
        method: how the values were found, as in `Hint`.
        exact: whether nothing was sampled or estimated.
        samples: worlds looked at.
        reasons: what the play does and risks, in words.
        best_reasons: the same of the best play.
        chances: for each other seat, the probability of the cards that mattered, as the seat could
            infer it from what lay open and from the plays of the deal.
    """

    best: Move
    value: float
    cost: float
    stderr: float
    at_random: float
    method: str
    exact: bool
    samples: int
    reasons: tuple[str, ...]
    best_reasons: tuple[str, ...]
    chances: dict[str, dict[str, float]]

    @property
    def grade(self) -> Grade:
        """What the play is called."""
        return grade_of(self.cost, self.stderr)

    @property
    def counted(self) -> float:
        """The cost as totals have it: 0 where it may be chance."""
        return counted(self.cost, self.stderr)

    def fields(self) -> dict[str, Any]:
        """The judgement as JSON has it."""
        return {
            "best": str(self.best),
            "value": self.value,
            "cost": self.cost,
            "stderr": self.stderr,
            "at_random": self.at_random,
            "method": self.method,
            "exact": self.exact,
            "samples": self.samples,
            "reasons": list(self.reasons),
            "best_reasons": list(self.best_reasons),
            "chances": self.chances,
        }

    @classmethod
    def read(cls, fields: Mapping[str, Any], position: Position) -> Judgement:
        """The judgement that JSON holds.

        Args:
            fields: as `fields` gives them.
            position: before the play.
        """
        values = dict(fields)
        for name in ("reasons", "best_reasons"):
            values[name] = tuple(values[name])
        return cls(**{**values, "best": position.move(values["best"])})


def judged(
    before: Round,
    move: Move,
    *,
    samples: int | None,
    seconds: float | None,
    seed: int,
    stop: Callable[[], bool] | None = None,
) -> Judgement | None:
    """A play judged by a hint for its seat.

    Args:
        before: the round before the play; the hand of the seat to play is known.
        move: the play.
        samples: worlds that the hint looks at; None for no limit but the time.
        seconds: the time of the hint; None for no limit.
        seed: of its sampling.
        stop: asked now and then; True ends the hint, whose answer is then of no use.

    Returns:
        None where there are more legal moves than a hint compares, and the play is not among them.

    Raises:
        HiddenCardError: a card of the seat to play is not known.
    """
    answer = hint(
        before,
        samples=samples,
        seconds=seconds,
        seed=seed,
        measure_all=True,
        progress=None if stop is None else lambda _: stop(),
    )
    own = next((item for item in answer.moves if item.move == move), None)
    if own is None:
        return None
    top = max(answer.moves, key=lambda item: item.value)
    cost = max(0.0, top.value - own.value)
    best = top.move if cost else move
    seen = before.position.view(before.position.turn)
    return Judgement(
        best,
        top.value,
        cost,
        own.gap_stderr if cost else 0.0,
        top.value - fmean(item.value for item in answer.moves),
        answer.method,
        answer.exact,
        answer.samples,
        reasons_for(seen, move, answer.holds),
        reasons_for(seen, best, answer.holds),
        _chances(seen, answer, (move, best)),
    )


def _chances(seen: Position, answer: Hint, moves: tuple[Move, ...]) -> dict[str, dict[str, float]]:
    """The probability of each card that scores, or can take what one of the moves leaves."""
    values = {build.value for move in moves for build in seen.play(move).builds}
    ranks = {move.card[0] for move in moves if move.kind == "trail"}

    def matters(card: str) -> bool:
        takes = card[0] in ranks or not values.isdisjoint(card_values(seen._compiled, card))
        return takes or points_of_cards(seen._compiled, CardSet(card)) > 0

    return {
        seat: {card: chance for card, chance in cards.items() if matters(card)}
        for seat, cards in answer.holds.items()
    }
