"""A lock on an output against a second run; it is freed when its process ends."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from casino_core.errors import CasinoError, quoted

__all__ = ["locked"]

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


#: Error numbers of the system if another process, or another open file, has the lock.
_HELD = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold the lock of an output: an open file `OUT.lock` beside it, removed at the end.

    The operating system frees the lock when the process ends, however it ends.

    Args:
        path: the path of the output.

    Yields:
        Whether the lock is held: some network file systems have no locks.

    Raises:
        CasinoError: another run holds the lock, or its file cannot be created.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, locked(Path(folder, "o.csv")) as held:
        ...     print(held, sorted(os.listdir(folder)))
        True ['o.csv.lock']
    """
    place = path.with_name(path.name + ".lock")
    file, is_held = _opened(place, path.name)
    try:
        yield is_held
    finally:
        if sys.platform == "win32":  # an open file cannot be removed there
            os.close(file)
        with suppress(OSError):
            place.unlink()
        if sys.platform != "win32":
            os.close(file)


def _opened(place: Path, name: str) -> tuple[int, bool]:
    """The open lock file, and whether it is locked."""
    while True:
        try:
            file = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise CasinoError(f"cannot write {quoted(place.name)}: {error.strerror}") from None
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in _HELD:
                return file, False
            os.close(file)
            raise CasinoError(
                f"another run is writing {quoted(name)}: wait for it, or choose another output"
            ) from None
        if _is_at(file, place):
            return file, True
        os.close(file)  # the run that held it has just ended and removed it


def _is_at(file: int, place: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), os.stat(place))
    return False
