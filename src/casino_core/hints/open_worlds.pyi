from typing import NoReturn, Self, final

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Position
from casino_core.search.last_deals import LastDeals
from casino_core.search.limits import Watched

@final
class WorldSearch(Watched):
    def __new__(
        cls,
        position: Position,
        *,
        table_mib: float,
        unit: int,
        depths: bytes,
        goal: Goal | None = None,
        last_deals: LastDeals | None = None,
        estimate: str = "fitted",
    ) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def nodes(self) -> int: ...
    @property
    def classes(self) -> list[int]: ...
    def values(
        self,
        worlds: bytes,
        *,
        orders: bytes | None = None,
        wanted: bytes | None = None,
        level: int = 0,
        nodes: int = 0,
        deadline: float = 0.0,
    ) -> tuple[bytes, int, int]: ...
