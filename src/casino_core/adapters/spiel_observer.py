"""What players of OpenSpiel's game see, as tensors and as text.

OpenSpiel wants perfect recall of an information state: all plays of the round, also those of
earlier deals, which `casino_core.learning` leaves out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from casino_core.errors import CasinoError
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.game.substitution import with_hidden_again
from casino_core.learning.information import information_text, plays_text
from casino_core.learning.steps import Choice
from casino_core.learning.tensor import information_tensor, play_cells, tensor_fields, tensor_size
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.options import Rules

if TYPE_CHECKING:
    from casino_core.adapters.spiel_game import CasinoState

__all__ = ["CasinoObserver"]

_PLAYS = 48  # of a round: all cards but the first four on the table
#: The fields that only their player sees.
_PRIVATE = {"own", "hand", "played", "what", "taken"}


def earlier_plays(played: Round) -> list[tuple[Position, Move]]:
    """The plays of earlier deals, each with the position that it was made in.

    Args:
        played: the round so far.

    Example:
        >>> earlier_plays(Round(Position.start(seed=1)).play("3h"))
        []
    """
    plays = list(zip(played.positions, played.plays, strict=False))
    return plays[: len(plays) - len(played.plays_of_deal())]


class CasinoObserver:
    """What a player sees; with perfect recall the plays of the round too.

    Args:
        rules: the rules.
        kind: an `IIGObservationType`: what is public, the cards of one player, or both. What is
            public alone is seen from seat a.
        params: none.

    Attributes:
        tensor: the numbers of `casino_core.learning.tensor` as float32, followed by the plays of
            earlier deals if recall is perfect; zeros for what is not seen.
        dict: its fields by name; `earlier` are the plays of earlier deals.

    Raises:
        CasinoError: parameters, or an observer of all hands.
    """

    def __init__(self, rules: Rules, kind: Any, params: Mapping[str, Any] | None = None) -> None:
        if params:
            raise CasinoError(f"an observer of this game takes no parameters, not {dict(params)}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise CasinoError("an observer of this game sees the cards of one player, not of all")
        self._rules = rules
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._size, fields = tensor_size(rules), tensor_fields(rules)
        deal, cells = fields["plays"][1]
        if self._recalls and deal < _PLAYS:
            end = self._size + (_PLAYS - deal) * cells
            fields["earlier"] = slice(self._size, end), (_PLAYS - deal, cells)
        self.tensor = np.zeros(max(where.stop for where, _ in fields.values()), np.float32)
        self.dict = {
            name: self.tensor[where].reshape(shape) for name, (where, shape) in fields.items()
        }
        self._unseen = [
            field
            for name, field in self.dict.items()
            if not (self._private if name in _PRIVATE else self._public)
        ]

    def _seat(self, player: int) -> str:
        return self._rules.seats[player if self._private else 0]

    def set_from(self, state: CasinoState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        seat, dealt = self._seat(player), state.dealt
        if dealt.round is None:
            self.tensor[:] = 0
            self.dict["own"][self._rules.seats.index(seat)] = 1
            self.dict["table"][[CARD_NAMES.index(card) for card in dealt.table]] = 1
        else:
            seen = dealt.round if self._recalls else dealt.round.position
            self.tensor[: self._size] = information_tensor(seen, seat, dealt.choice)
            if "earlier" in self.dict:
                plays = play_cells(earlier_plays(dealt.round), seat, self._rules)
                self.dict["earlier"][: len(plays)] = plays
                self.dict["earlier"][len(plays) :] = 0
        for field in self._unseen:
            field[:] = 0

    def string_from(self, state: CasinoState, player: int) -> str:
        """What a player sees as text."""
        seat, dealt = self._seat(player), state.dealt
        if dealt.round is None:
            table = f"table={dealt.table or '-'}" if self._public else ""
            return f"seat={seat} {table}".strip() if self._private else table
        seen = dealt.round if self._recalls else dealt.round.position
        before = plays_text(earlier_plays(dealt.round)) if self._recalls else ""
        before = f" | before: {before}" if before else ""
        if self._private and self._public:
            return information_text(seen, seat, dealt.choice) + before
        if self._private:
            return self._own_text(state, seat, dealt.choice)
        if not self._public:
            return ""
        view = dealt.round.position.view(seat)
        nobody = with_hidden_again(view, seat, view.hands[seat].cards)
        _, bar, plays = information_text(seen, seat).partition(" | ")
        return f"{nobody}{bar}{plays}{before}"

    def _own_text(self, state: CasinoState, seat: str, choice: Choice | None) -> str:
        """The hand of a seat, and the steps of its unfinished turn."""
        assert state.dealt.round is not None
        position = state.dealt.round.position
        text = f"seat={seat} hand={position.hands[seat]}"
        steps = choice.steps if choice is not None and position.turn == seat else ()
        return " ".join([text, *map(str, steps)])
