"""What was built, and how: the first thing to ask for in a bug report."""

import platform
import sysconfig

from casino_core._version import __version__

__all__ = ["build_info"]


def build_info() -> dict[str, str | bool]:
    """Return how the compiled core was built and what it runs on.

    The keys: ``version``, ``python``, ``platform``; then what the compiler saw: ``compiler``,
    ``cython``, ``flags``, ``sanitize``, ``machine``, ``debug`` (asserts are live) and ``popcount``
    (counting cards is one machine instruction).  Nothing is looked up outside the process.

    >>> info = build_info()
    >>> info["cython"][:2], "python" in info
    ('3.', True)
    """
    # Here, so that the package can say in words that its core is not built.
    from casino_core._build_facts import facts

    return {
        "version": __version__,
        "python": platform.python_version(),
        "platform": sysconfig.get_platform(),
        **facts(),
    }
