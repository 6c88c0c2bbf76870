"""Folders and patterns of files of positions."""

from __future__ import annotations

from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from casino_core.batch.files.folders import value_of
from casino_core.batch.files.packing import without_packing
from casino_core.errors import NotationError, quoted

__all__ = ["FILE", "Member", "members"]

#: The column with the name of the file.
FILE: Final = "file"
_ENDINGS = (".txt", ".jsonl", ".ndjson", ".csv", ".parquet")

_OF_RUNS = (".made", ".lock", ".state", ".partial")  # files that runs keep beside their outputs


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a folder.

    Attributes:
        name: its path.
        beside: the columns that its place gives: its path within the folder, and a column for
            each folder whose name is `NAME=VALUE`.
    """

    name: str
    beside: dict[str, str | None]

    def columns(self, carried: dict[str, Any]) -> dict[str, Any]:
        """The columns of the place and of a row; a clash gives the row's the prefix `in_`.

        Args:
            carried: the columns of the row.
        """
        values = {f"in_{name}" if name in self.beside else name: carried[name] for name in carried}
        return {**self.beside, **values}

    def kinds(self, carried: dict[str, Any]) -> dict[str, Any]:
        """The types of `columns`; those of the place are text.

        Args:
            carried: the types of the columns of a row.
        """
        return {**self.columns(carried), **dict.fromkeys(self.beside)}


def members(name: str) -> list[Member] | None:
    """The files of a folder, or those that a pattern finds, in the order of their names.

    Args:
        name: the folder or pattern.

    Returns:
        The files; None if the name is that of one file.

    Raises:
        NotationError: there are none.

    Example:
        >>> members("deals.csv") is None
        True
    """
    path = Path(name)
    if path.is_dir():
        root, found = path, [one for one in path.rglob("*") if _is_input(one.relative_to(path))]
    elif has_magic(name) and not path.exists():
        root = Path(*_plain_parts(path))
        found = [Path(one) for one in glob(name, recursive=True) if not one.endswith(_OF_RUNS)]
    else:
        return None
    files = sorted(one for one in found if one.is_file())
    if not files:
        raise NotationError(f"{quoted(name)} has no files: a folder has {', '.join(_ENDINGS)}")
    if (array := next((one for one in files if one.suffix == ".npz"), None)) is not None:
        raise NotationError(f"{quoted(array.name)}: a .npz is read alone, not among other files")
    return [_member(one, root) for one in files]


def _is_input(path: Path) -> bool:
    """Whether a file of a folder is read: by its ending, and none that is hidden."""
    hidden = any(part.startswith((".", "_")) for part in path.parts)
    return without_packing(path.name).endswith(_ENDINGS) and not hidden


def _plain_parts(path: Path) -> list[str]:
    """The folders before the first one with a pattern."""
    parts = path.parts
    count = next(number for number, part in enumerate(parts) if has_magic(part))
    return list(parts[:count])


def _member(path: Path, root: Path) -> Member:
    within = path.relative_to(root)
    pairs = (part.partition("=") for part in within.parts[:-1])
    places = {unquote(name): value_of(value) for name, sign, value in pairs if sign and name}
    return Member(str(path), {FILE: within.as_posix(), **places})
