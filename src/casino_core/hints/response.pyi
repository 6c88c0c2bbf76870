from typing import Literal, NoReturn, Self, final

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Position
from casino_core.search.last_deals import LastDeals
from casino_core.search.limits import Watched

@final
class ResponseSearch(Watched):
    def __new__(
        cls,
        position: Position,
        *,
        unit: int,
        goal: Goal | None = None,
        last_deals: LastDeals | None = None,
        estimate: str = "fitted",
    ) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def visits(self) -> int: ...
    @property
    def classes(self) -> list[int]: ...
    def values(
        self,
        worlds: bytes,
        *,
        wanted: bytes | None = None,
        times: bytes | None = None,
        visits: int = 0,
        deadline: float = 0.0,
    ) -> tuple[bytes, Literal["done", "time", "visits"]]: ...
