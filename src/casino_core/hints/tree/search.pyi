from collections.abc import Callable, Sequence
from typing import NoReturn, Self, final

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Move, Position

@final
class TreeSearch:
    def __new__(cls, tree_mib: float = 16, goal: Goal | None = None) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def iterations(self) -> int: ...
    @property
    def model_iterations(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def capacity(self) -> int: ...
    def run(
        self,
        position: Position,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        hands: Sequence[tuple[Sequence[int], float]] | None = None,
        report: Callable[[int, Move, float], object] | None = None,
    ) -> list[tuple[Move, int, float, float]]: ...
    def _model_digest(self) -> int: ...
