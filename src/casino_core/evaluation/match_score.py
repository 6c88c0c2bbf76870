"""The score and the target of a match, as arguments."""

from __future__ import annotations

from casino_core._arguments import shown, whole
from casino_core.errors import NotationError, quoted

__all__ = ["TARGET", "read_score"]

_SCORE = whole(0, 10_000)

#: Points that win a match.
TARGET = whole(1, 1000)


def read_score(score: object) -> tuple[int, int]:
    """The points of both sides.

    Args:
        score: `"18/20"` or a pair.

    Raises:
        CasinoError: it is something else, or a number is out of range.

    Example:
        >>> read_score("18/20"), read_score([0, 3])
        ((18, 20), (0, 3))
    """
    parts = score.split("/") if isinstance(score, str) else score
    try:
        first, second = (int(p) if isinstance(p, str) else p for p in parts)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        given = quoted(score) if isinstance(score, str) else shown(score)
        raise NotationError(
            f"score is the points of two sides, such as 18/20, not {given}"
        ) from None
    return _SCORE("score of side a", first), _SCORE("score of side b", second)
