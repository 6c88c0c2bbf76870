from collections.abc import Callable
from typing import NoReturn, Self, final

from casino_core.game.position import Move, Position

@final
class MaxnContext:
    def __new__(cls, table_mib: float) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def nodes(self) -> int: ...
    def clear(self) -> None: ...
    def values(
        self,
        position: Position,
        *,
        nodes: int = 0,
        seconds: float | None = None,
        report: Callable[[int, int, int, float, float], object] | None = None,
    ) -> list[tuple[Move, int, tuple[int, ...]]]: ...
