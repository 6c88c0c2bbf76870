"""Packed files: gzip and zstd."""

from __future__ import annotations

import gzip
from io import BufferedReader
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Any

from casino_core._tables import need

__all__ = ["PACKINGS", "pack", "unpacked", "without_packing"]

#: The endings of packed files.
PACKINGS = (".gz", ".zst")

_COPIED = 1 << 20  # bytes at once


def without_packing(name: str) -> str:
    """The name of a file without the ending of its packing.

    Args:
        name: the name.

    Example:
        >>> without_packing("deals.csv.zst"), without_packing("deals.csv")
        ('deals.csv', 'deals.csv')
    """
    for ending in PACKINGS:
        name = name.removesuffix(ending)
    return name


def unpacked(file: IO[bytes], name: str) -> Any:
    """The content of a file, unpacked as its name says; the file itself if it is not packed.

    Args:
        file: the open file.
        name: its name.

    Raises:
        CasinoError: the library of the packing is not installed.
    """
    if name.endswith(".gz"):
        return gzip.GzipFile(fileobj=file)
    if name.endswith(".zst"):
        arrow = need("pyarrow", "parquet")
        packed = arrow.PythonFile(file, mode="r")
        return BufferedReader(arrow.CompressedInputStream(packed, "zstd"), _COPIED)
    return file


def pack(source: Path, target: Path, ending: str) -> None:
    """Pack a file, always to the same bytes.

    Args:
        source: the path of the file.
        target: the path of the packed one.
        ending: one of `PACKINGS`.
    """
    with source.open("rb") as file:
        if ending == ".zst":
            arrow = need("pyarrow", "parquet")
            with arrow.CompressedOutputStream(str(target), "zstd") as text:
                copyfileobj(file, text, _COPIED)
            return
        with target.open("wb") as packed, gzip.GzipFile("", "wb", 6, packed, mtime=0) as text:
            copyfileobj(file, text, _COPIED)
