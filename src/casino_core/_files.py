"""Files that are complete at any time."""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], text: str, *, replace: bool = True) -> None:
    """Write a text file in one step: the file has the old text or the new one, never a part.

    Args:
        path: the path of the file.
        text: the whole text; it is written as UTF-8, its line ends as they are.
        replace: whether a file that exists is replaced.

    Raises:
        FileExistsError: there is such a file, which is not to be replaced.
        OSError: the file cannot be written; the error names it.
    """
    folder, base = os.path.split(os.path.abspath(path))
    beside = os.path.join(folder, f".{base}.{os.getpid()}")
    made = [beside]
    try:
        with open(beside, "x", encoding="utf-8", newline="") as file:
            file.write(text)
        if not replace:
            open(path, "x").close()  # only one of several programs makes it
            made.append(os.fspath(path))
        os.replace(beside, path)
    except BaseException as error:
        for name in made:
            with suppress(OSError):
                os.unlink(name)
        if isinstance(error, OSError) and error.errno is not None:
            error.filename, error.filename2 = os.fspath(path), None
        raise
