"""Reviews as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from casino_core.formats.record import Game
from casino_core.game.scoring import side_names
from casino_core.play.luck import DealLuck
from casino_core.review.analysis import ReviewedPlay
from casino_core.review.review import PlayReview, Review, RoundReview

__all__ = ["hindsight_fields", "review_fields"]


def hindsight_fields(item: ReviewedPlay) -> dict[str, Any]:
    """The fields of a play in hindsight.

    Args:
        item: the play with the values around it.
    """
    return {
        "turn": item.position.turn,
        "move": str(item.move),
        "before": item.before,
        "after": item.after,
        "best": None if item.best is None else str(item.best),
        "cost": item.cost,
        "reason": item.reason,
    }


def review_fields(review: Review) -> dict[str, Any]:
    """The fields of a review; those of a match have its rounds under `rounds`.

    Args:
        review: the review.

    Example:
        >>> from casino_core.game.round import Round
        >>> from casino_core.game.position import Position
        >>> from casino_core.review.review import review_game
        >>> fields = review_fields(review_game(Round(Position.start(seed=1)), deals=1))
        >>> fields["plays"], fields["parts"], len(fields["luck"])
        ([], None, 1)
    """
    rounds = [_round_fields(review.game, one) for one in review.rounds]
    own = rounds[0] if len(rounds) == 1 else {"rounds": rounds}
    return {
        **own,
        "samples": review.samples,
        "seconds": review.seconds,
        "seed": review.seed,
    }


def _round_fields(game: Game, one: RoundReview) -> dict[str, Any]:
    parts, names = one.parts, side_names(game.rules)
    by_side = {name: one.parts_of(side) for side, name in enumerate(names)}
    return {
        "number": one.number,
        "seating": game.seating(one.number),
        "players": game.players,
        "position": str(one.round.start),
        "plays": [_play_fields(play) for play in one.plays],
        "seats": [asdict(seat) for seat in one.seats],
        "deals": [asdict(seat) for seat in one.deals],
        "luck": [_deal_fields(deal, names) for deal in one.luck.deals],
        "luck_reason": one.luck.reason,
        "parts": None if parts is None else parts._asdict(),
        "chances": _chances_fields(one),
        "parts_by_side": {
            name: None if found is None else found._asdict() for name, found in by_side.items()
        },
    }


def _deal_fields(deal: DealLuck, names: Sequence[str]) -> dict[str, Any]:
    return {
        "deal": deal.deal,
        "plays": deal.plays,
        "seat": deal.seat,
        "value": deal.value,
        "mean": deal.mean,
        "stderr": deal.stderr if isfinite(deal.stderr) else None,  # of a single deal
        "luck": deal.luck,
        "luck_by_side": {name: deal.luck_of(side) for side, name in enumerate(names)},
    }


def _chances_fields(one: RoundReview) -> dict[str, Any] | None:
    """The win chances of player a's side around a round."""
    if one.chances is None:
        return None
    found = one.chances._asdict().items()
    return {name: None if chance is None else chance._asdict() for name, chance in found}


def _play_fields(play: PlayReview) -> dict[str, Any]:
    known = play.known
    return {
        **hindsight_fields(play.hindsight),
        "number": play.number,
        "deal": play.deal,
        "seen": str(play.position),
        "grade": play.grade,
        "known": None if known is None else {**known.fields(), "counted": known.counted},
        "known_reason": play.reason,
    }
