"""The file of a game: where it is saved, and what to say about it."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from datetime import date
from itertools import count

from casino_core.cli.common import check_place
from casino_core.errors import CasinoError, quoted
from casino_core.play.session import Session

__all__ = ["SavePlace"]


class SavePlace:
    """The file that a game is saved in after every play.

    Args:
        path: the path of the file.
        is_new: whether the file was made for this game, so that it goes if nothing is played.

    Attributes:
        path: the path of the file.
    """

    def __init__(self, path: str, *, is_new: bool) -> None:
        self.path = path
        self._is_new = is_new
        self._begun = False
        self._last = _text_of(path)  # to notice another program that writes to the file

    @staticmethod
    def chosen(path: str | None) -> SavePlace:
        """The file for a new game.

        Args:
            path: the path that the player gave; None for `casino-DATE-N.txt` in the working
                directory, with the first number N that is free.

        Raises:
            CasinoError: the file exists, or cannot be made.
        """
        if path is not None:
            check_place("--save", path)
            if not _reserved(path):
                raise CasinoError(
                    f"--save: {quoted(path)} is there already; --resume {shlex.quote(path)} "
                    "continues a game"
                )
            return SavePlace(path, is_new=True)
        day = date.today().isoformat()
        check_place("--save", f"casino-{day}-1.txt")
        names = (f"casino-{day}-{number}.txt" for number in count(1))
        return SavePlace(next(name for name in names if _reserved(name)), is_new=True)

    def begin(self, session: Session) -> None:
        """Save a new game before its first play; the file of another stays as it is.

        Args:
            session: the game.

        Raises:
            CasinoError: the file cannot be written, or was changed meanwhile.
        """
        if self._is_new:
            self._write(session)

    def save(self, session: Session) -> None:
        """Save the game after a play.

        Args:
            session: the game.

        Raises:
            CasinoError: the file cannot be written, or was changed meanwhile.
        """
        self._begun = True
        self._write(session)

    def _write(self, session: Session) -> None:
        if _text_of(self.path) not in (self._last, None):
            raise CasinoError(f"{quoted(self.path)} was changed by another program: not saved")
        try:
            session.save(self.path)
            self._last = _text_of(self.path)
        except OSError as error:
            raise CasinoError(
                f"the game cannot be saved in {quoted(self.path)}: {error.strerror or error}"
            ) from None

    def close(self) -> bool:
        """Remove the file if it was made for a game in which nothing was played.

        Returns:
            Whether the game is saved.
        """
        if self._is_new and not self._begun:
            if _text_of(self.path) == self._last:  # else another program plays on in it
                with suppress(OSError):
                    os.unlink(self.path)
            return False
        return True

    @property
    def way_on(self) -> str:
        """The command that continues the game."""
        return f"casino-core play --resume {shlex.quote(self.path)}"


def _text_of(path: str) -> bytes | None:
    """The content of a file; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _reserved(path: str) -> bool:
    """Make an empty file; False if there is one already."""
    try:
        with open(path, "x", encoding="utf-8"):
            return True
    except FileExistsError:
        return False
    except OSError as error:
        raise CasinoError(
            f"--save: {quoted(path)} cannot be made: {error.strerror or error}"
        ) from None
