"""Files that are complete at any time."""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step: the file has the old text or the new one, never a part.

    Args:
        path: the path of the file.
        text: the whole text; it is written as UTF-8, its line ends as they are.

    Raises:
        OSError: the file cannot be written.
    """
    folder, name = os.path.split(os.path.abspath(path))
    beside = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        with open(beside, "x", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside)
        raise
