"""Judgement of a play by what its seat could know: its value in a hint against the best one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from casino_core.game.counting import card_values, points_of_cards
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint
from casino_core.hints.reasons import reasons_for
from casino_core.review.grades import Grade, counted, grade_of
from casino_core.rules.cards import CardSet

__all__ = ["Judgement", "judged"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cost of a play by what its seat could know.

    Values are expected final points of the round, as in `hint`.

    Attributes:
        best: the best play; the play itself if none is better.
        value: value of the best play.
        cost: points that the play gave away, 0 or more.
        stderr: standard error of the cost, with both plays valued in the same worlds.
        at_random: average cost of a random legal move.
        method: how the values were found, as in `Hint`.
        exact: whether nothing was sampled or estimated.
        samples: number of worlds sampled.
        reasons: reasons for and against the play, in words.
        best_reasons: the reasons of the best play.
        chances: for each other seat, the probabilities that it held the cards that mattered, as
            the seat to play could infer them from open cards and from the plays of the deal.
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
        """The grade of the play."""
        return grade_of(self.cost, self.stderr)

    @property
    def counted(self) -> float:
        """The cost that counts in totals: 0 if it may be chance."""
        return counted(self.cost, self.stderr)

    def fields(self) -> dict[str, Any]:
        """The judgement as fields of JSON."""
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
        """The judgement from fields of JSON.

        Args:
            fields: the fields as `fields` returns them.
            position: the position before the play.
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
    """Judge a play by a hint for its seat.

    Args:
        before: the round before the play; the hand of the seat to play is known.
        move: the play.
        samples: number of worlds of the hint; None for no limit but the time.
        seconds: time of the hint; None for no limit.
        seed: seed of its sampling.
        stop: called now and then; True stops the hint, whose answer is then unusable.

    Returns:
        The judgement; None if the play is not among the moves that the hint compares, as there are
        too many.

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
    """Probabilities of cards that score, or can capture what one of the moves leaves."""
    values = {build.value for move in moves for build in seen.play(move).builds}
    ranks = {move.card[0] for move in moves if move.kind == "trail"}

    def matters(card: str) -> bool:
        takes = card[0] in ranks or not values.isdisjoint(card_values(seen._compiled, card))
        return takes or points_of_cards(seen._compiled, CardSet(card)) > 0

    return {
        seat: {card: chance for card, chance in cards.items() if matters(card)}
        for seat, cards in answer.holds.items()
    }
