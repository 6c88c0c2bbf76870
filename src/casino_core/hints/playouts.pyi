from typing import NoReturn, Self, final

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Position
from casino_core.search.limits import Watched

@final
class PlayoutSearch(Watched):
    def __new__(
        cls, position: Position, *, unit: int, plays: int = 0, goal: Goal | None = None
    ) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def classes(self) -> list[int]: ...
    def values(
        self,
        worlds: bytes,
        *,
        orders: bytes,
        wanted: bytes | None = None,
        stocks: int = 1,
        deadline: float = 0.0,
    ) -> tuple[bytes, int]: ...
