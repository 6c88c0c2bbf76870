"""95 % intervals around a mean, for any number of values."""

from __future__ import annotations

from math import atan, cos, sin, sqrt
from statistics import NormalDist, stdev

from casino_core.errors import CasinoError

__all__ = ["half_width", "standard_errors"]

_SHARE = 0.95
_EXACT = 200  # degrees of freedom from which the expansion is as good as the sum


def standard_errors(freedom: int) -> float:
    """Half-width of a 95 % interval around a mean, in standard errors.

    This is the 0.975 quantile of Student's distribution.

    Args:
        freedom: degrees of freedom, one less than the number of values.

    Raises:
        CasinoError: fewer than one degree of freedom.

    Example:
        >>> [round(standard_errors(n), 3) for n in (1, 9, 29, 1_000_000)]
        [12.706, 2.262, 2.045, 1.96]
    """
    if freedom < 1:
        raise CasinoError(f"an interval needs a degree of freedom, not {freedom}")
    if freedom > _EXACT:
        return _expanded(freedom)
    low, high = 0.0, 13.0
    while (middle := (low + high) / 2) not in (low, high):
        if _inside(middle, freedom) < _SHARE:
            low = middle
        else:
            high = middle
    return high


def _inside(t: float, freedom: int) -> float:
    """The probability within `t` standard errors (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term = total = sin(angle) * (cos(angle) if odd else 1.0)
    for power in range(2 + odd, freedom - 1, 2):
        term *= square * (power - 1) / power
        total += term
    if not odd:
        return total
    return (angle + (total if freedom > 1 else 0.0)) / atan(1.0) / 2


def _expanded(freedom: int) -> float:
    """The quantile by its expansion around the normal one (Abramowitz and Stegun 26.7.5)."""
    x = NormalDist().inv_cdf((1 + _SHARE) / 2)
    return (
        x
        + (x**3 + x) / 4 / freedom
        + (5 * x**5 + 16 * x**3 + 3 * x) / 96 / freedom**2
        + (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384 / freedom**3
    )


def half_width(values: list[float] | list[int]) -> float | None:
    """Half-width of the 95 % interval around a mean; None for fewer than two values.

    Args:
        values: independent values.

    Example:
        >>> half_width([1, 2, 3]), half_width([1])
        (2.484..., None)
    """
    if len(values) < 2:
        return None
    return standard_errors(len(values) - 1) * stdev(values) / sqrt(len(values))
