"""What a review has found so far, so that it can be ended at any time and go on later."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from casino_core.errors import CasinoError, quoted
from casino_core.game.position import Position
from casino_core.review.analysis import Found

__all__ = ["ReviewState"]

_FORMAT = 1
_KEYS = {"format", "game", "settings", "judgements", "values"}


@dataclass
class ReviewState:
    """Results of a review, those of a play or position by `round:number`.

    Attributes:
        game: the text of the rounds; empty before the first review.
        settings: what the results depend on.
        judgements: of plays, as JSON has them; None where there can be none.
        values: of positions in hindsight: the text of a best move and the leads of the sides, or
            the reason why they are not known.

    Example:
        >>> state = ReviewState()
        >>> ReviewState.parse(state.text()) == state
        True
    """

    game: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    judgements: dict[str, dict[str, Any] | str] = field(default_factory=dict)
    values: dict[str, list[Any] | str] = field(default_factory=dict)

    def begin(self, game: list[str], settings: dict[str, Any]) -> None:
        """Take note of what is reviewed, or see that it is the same as before.

        Args:
            game: the text of each round.
            settings: what the results depend on.

        Raises:
            CasinoError: the state is of another game or has other settings.
        """
        if not self.game:
            self.game, self.settings = game, settings
        if self.game != game:
            raise CasinoError("the review to go on with is of another game")
        for name, value in settings.items():
            if self.settings.get(name) != value:
                was = self.settings.get(name)
                raise CasinoError(f"the review to go on with has {name} {was}, not {value}")

    def add_value(self, key: str, found: Found) -> None:
        """Keep what was found for a position.

        Args:
            key: the numbers of the round and of the position.
            found: a best move and the leads, or a reason.
        """
        if isinstance(found, str):
            self.values[key] = found
        else:
            best, leads = found
            self.values[key] = [None if best is None else str(best), list(leads)]

    def value(self, key: str, position: Position) -> Found:
        """What was found for a position.

        Args:
            key: the numbers of the round and of the position.
            position: the position.
        """
        found = self.values[key]
        if isinstance(found, str):
            return found
        best, leads = found
        return None if best is None else position.move(best), tuple(leads)

    def text(self) -> str:
        """The state as one line of JSON."""
        return json.dumps({"format": _FORMAT, **vars(self)}) + "\n"

    @classmethod
    def parse(cls, text: str | bytes) -> ReviewState:
        """Reads what `text` gave.

        Args:
            text: the whole of it.

        Raises:
            CasinoError: it is none, or one of another version.
        """
        try:
            fields = json.loads(text)
        except ValueError:
            fields = None
        if not isinstance(fields, dict) or set(fields) != _KEYS:
            raise CasinoError("the text is not a review to go on with")
        if fields.pop("format") != _FORMAT:
            raise CasinoError("the review to go on with is of another version of the program")
        kinds = {"game": list, "settings": dict, "judgements": dict, "values": dict}
        if any(not isinstance(fields[name], kind) for name, kind in kinds.items()):
            raise CasinoError("the text is not a review to go on with")
        return cls(**fields)

    def save(self, path: str) -> None:
        """Writes the state to a file, which is whole at any time.

        Args:
            path: of the file.

        Raises:
            OSError: it cannot be written.
        """
        folder, name = os.path.split(os.path.abspath(path))
        beside = os.path.join(folder, f".{name}.{os.getpid()}")
        try:
            with open(beside, "x", encoding="ascii", newline="") as file:
                file.write(self.text())
            os.replace(beside, path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(beside)
            raise

    @classmethod
    def load(cls, path: str) -> ReviewState:
        """Reads a file that `save` wrote; a new state where there is no such file.

        Args:
            path: of the file.

        Raises:
            CasinoError: the file holds something else.
            OSError: it cannot be read.
        """
        try:
            with open(path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            return cls()
        try:
            return cls.parse(text)
        except CasinoError as error:
            raise CasinoError(f"{quoted(path)}: {error}") from None
