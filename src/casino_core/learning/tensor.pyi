from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.learning.steps import Choice
from casino_core.rules.options import Rules

FIELDS: tuple[tuple[str, str, str], ...]

def tensor_size(rules: str | Rules = "standard") -> int: ...
def tensor_fields(
    rules: str | Rules = "standard",
) -> dict[str, tuple[slice, tuple[int, ...]]]: ...
def play_cells(
    plays: Iterable[tuple[Position, Move]], seat: str, rules: str | Rules = "standard"
) -> NDArray[np.int16]: ...
def information_tensor(
    seen: Position | Round, seat: str | None = None, choice: Choice | None = None
) -> NDArray[np.int16]: ...
