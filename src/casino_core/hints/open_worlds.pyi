from typing import NoReturn, Self, final

from casino_core.game.position import Position

@final
class WorldSearch:
    def __new__(cls, position: Position, *, table_mib: float, unit: int, depths: bytes) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    def halt(self) -> None: ...
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
