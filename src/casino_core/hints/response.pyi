from typing import Literal, NoReturn, Self, final

from casino_core.game.position import Position

@final
class ResponseSearch:
    def __new__(cls, position: Position, *, unit: int) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    def halt(self) -> None: ...
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
