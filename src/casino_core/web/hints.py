"""Hints for the page: the value of every play, better as time goes by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from casino_core.game.round import Round
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint
from casino_core.web.thinking import News
from casino_core.web.words import request_words

__all__ = ["hint_view", "thought"]

_MOST = 60  # moves that the page is sent
#: The letter of a seat in a reason.
_SEAT = re.compile(r"\b([a-d])(?='s | (?:can|may|lacks|probably|holds) )")


def hint_view(asked: Round, found: Hint, names: Mapping[str, str]) -> dict[str, Any]:
    """A hint as the page shows it.

    Args:
        asked: the round that it is for.
        found: the hint.
        names: what the seats are called.

    Example:
        >>> from casino_core import Position, hint
        >>> asked = Round(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))
        >>> view = hint_view(asked, hint(asked, samples=5), {"b": "Ben"})
        >>> view["moves"][0]["text"] == view["best"], view["samples"]
        (True, 5)
    """
    return {
        "best": str(found.best),
        "seat": asked.position.turn,
        "moves": [
            {
                "text": str(item.move),
                "words": request_words(asked.position, item.move),
                "value": item.value,
                "stderr": item.stderr,
                "chance": item.chance,
            }
            for item in found.moves[:_MOST]
        ],
        "count": len(found.moves),
        "exact": found.exact,
        "samples": found.samples,
        "seconds": found.seconds,
        "method": found.method,
        "objective": found.objective,
        "holds": found.holds,
        "reasons": [_SEAT.sub(lambda seat: names[seat[1]], reason) for reason in found.reasons],
    }


def thought(
    asked: Round,
    news: News,
    seconds: float,
    names: Mapping[str, str],
    **options: Any,
) -> dict[str, Any]:
    """A hint, with news while it gets better.

    Args:
        asked: the round; its plays are taken into account.
        news: called with what is found so far.
        seconds: the longest time.
        names: what the seats are called.
        **options: further options of `hint`.
    """

    def so_far(found: Hint) -> bool:
        return news(lambda: hint_view(asked, found, names))

    return hint_view(asked, hint(asked, seconds=seconds, progress=so_far, **options), names)
