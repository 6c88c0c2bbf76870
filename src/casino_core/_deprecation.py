"""Old names that are still read, for one version, with a warning."""

import warnings

__all__ = ["warn_renamed"]


def warn_renamed(old: str, new: str, *, stacklevel: int = 1) -> None:
    """Warn that something has another name now.

    Args:
        old: the old name, with what it is, such as `Hint.search`.
        new: the new name.
        stacklevel: 1 if the caller of this function is what a user calls, else one more for each
            frame between.

    Example:
        >>> with warnings.catch_warnings(record=True) as seen:
        ...     warnings.simplefilter("always")
        ...     warn_renamed("Hint.search", "method")
        >>> print(seen[0].message)
        Hint.search is called method now; the old name goes with the next version
    """
    warnings.warn(
        f"{old} is called {new} now; the old name goes with the next version",
        DeprecationWarning,
        stacklevel=stacklevel + 2,
    )
