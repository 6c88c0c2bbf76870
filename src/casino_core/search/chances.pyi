from typing import NoReturn, Self, final

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Move, Position
from casino_core.search.limits import Watched

@final
class ChanceContext(Watched):
    def __new__(cls, goal: Goal, plays: int) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def nodes(self) -> int: ...
    def values(
        self, position: Position, *, nodes: int = 0, seconds: float | None = None
    ) -> list[tuple[Move, float, float]]: ...
