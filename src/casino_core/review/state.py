"""Results of a review so far, so that it can be stopped at any time and continued later."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from casino_core._files import write_whole
from casino_core.errors import CasinoError, quoted
from casino_core.game.position import Position
from casino_core.review.analysis import Found

__all__ = ["ReviewState"]

_FORMAT = 1
_KEYS = {"format", "game", "settings", "judgements", "values"}


@dataclass
class ReviewState:
    """Results of a review; those of plays and positions have keys `round:number`.

    Attributes:
        game: the text of the rounds; empty before the first review.
        settings: the settings on which the results depend.
        judgements: judgements of plays as fields of JSON; None for plays that cannot be judged.
        values: results of positions in hindsight: the text of a best move and the leads of the
            sides, or the reason why they are not known.

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
        """Set the game and settings of a new state, or compare them with those of an old one.

        Args:
            game: the text of each round.
            settings: the settings on which the results depend.

        Raises:
            CasinoError: the state is of another game or has other settings.
        """
        if not self.game:
            self.game, self.settings = game, settings
        if self.game != game:
            raise CasinoError("the review to continue is of another game")
        for name, value in settings.items():
            if self.settings.get(name) != value:
                was = self.settings.get(name)
                raise CasinoError(f"the review to continue has {name} {was}, not {value}")

    def add_value(self, key: str, found: Found) -> None:
        """Store the result of a position.

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
        """The result of a position.

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
        """Reads a state from its text.

        Args:
            text: the text, as `text` returns it.

        Raises:
            CasinoError: the text is not a state, or one of another version.
        """
        try:
            fields = json.loads(text)
        except ValueError:
            fields = None
        if not isinstance(fields, dict) or set(fields) != _KEYS:
            raise CasinoError("the text is not a saved review")
        if fields.pop("format") != _FORMAT:
            raise CasinoError("the review to continue is of another version of the program")
        kinds = {"game": list, "settings": dict, "judgements": dict, "values": dict}
        if any(not isinstance(fields[name], kind) for name, kind in kinds.items()):
            raise CasinoError("the text is not a saved review")
        return cls(**fields)

    def save(self, path: str) -> None:
        """Writes the state to a file, which is complete at any time.

        Args:
            path: the path of the file.

        Raises:
            OSError: the file cannot be written.
        """
        write_whole(path, self.text())

    @classmethod
    def load(cls, path: str) -> ReviewState:
        """Reads a file that `save` wrote; without such a file, returns a new state.

        Args:
            path: the path of the file.

        Raises:
            CasinoError: the file does not hold a state.
            OSError: the file cannot be read.
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
