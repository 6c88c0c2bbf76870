from collections.abc import Iterable
from typing import Any

from casino_core.game.position import Move, Position
from casino_core.rules.ruleset import CompiledRules

def greedy_scores(
    position: Position, *, careful: bool = False, moves: Iterable[Move] | None = None
) -> list[float]: ...
def greedy_move(position: Position, *, careful: bool = False) -> Move: ...
def reply_scores(position: Position) -> list[float]: ...
def greedy_rounds(
    compiled: CompiledRules,
    rounds: int,
    seed: int,
    *,
    greedy_seats: str = "abcd",
    careful: bool = False,
) -> dict[str, Any]: ...
