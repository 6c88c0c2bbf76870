from typing import Any, Self, final

@final
class Goal:
    def __new__(
        cls,
        needs: tuple[int, int],
        counts_out: bool,
        steps: list[tuple[int, int]],
        size: int,
        ended: bytes,
        coming: bytes,
    ) -> Self: ...
    def __reduce__(self) -> tuple[type[Goal], tuple[Any, ...]]: ...
    @property
    def needs(self) -> tuple[int, int]: ...
