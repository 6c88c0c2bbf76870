from collections.abc import Callable
from typing import Literal, NoReturn, Self, final

from casino_core.game.position import Move, Position

@final
class SearchContext:
    def __new__(cls, table_mib: float, *, deals_mib: float = 4.0) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def nodes(self) -> int: ...
    @property
    def unit(self) -> int: ...
    def clear(self) -> None: ...
    def values(
        self,
        position: Position,
        *,
        unit: int = 1,
        to_deal: bool = False,
        horizon: int = 0,
        nodes: int = 0,
        seconds: float | None = None,
        expect: bool = False,
        narrow: bool = False,
        estimate: Literal["fitted", "learned", "material"] = "fitted",
        report: Callable[[int, int, int, float, float], object] | None = None,
    ) -> list[tuple[Move, int, int]]: ...
    def best(
        self,
        position: Position,
        *,
        unit: int = 1,
        to_deal: bool = False,
        horizon: int = 0,
        nodes: int = 0,
        seconds: float | None = None,
    ) -> tuple[int, int, Move]: ...

def need_every_card(position: Position, to_deal: bool = False) -> int: ...
def table_size(plays: int) -> float: ...
