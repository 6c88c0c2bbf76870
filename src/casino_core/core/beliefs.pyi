from collections.abc import Sequence
from typing import final

from casino_core.core.rulesets import CompiledRules

@final
class Hands:
    def __init__(
        self,
        compiled: CompiledRules,
        known: int,
        unseen: int,
        size: int,
        needs: Sequence[tuple[int, int]],
        odds: Sequence[float],
        plays: Sequence[tuple[bytes, int, str, int]],
        temperature: float,
        chance: float,
        *,
        by_card: bool = True,
        most: int = 262144,
    ) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def total(self) -> float: ...
    def weighted(self) -> list[tuple[int, float]]: ...
    def marginals(self) -> list[float]: ...
    def weight(self, hidden: int) -> float: ...

def all_deals(seats: list[Hands]) -> list[tuple[tuple[int, ...], float]] | None: ...
def draw_hands(seats: list[Hands], number: int, seed: int) -> list[tuple[int, ...]] | None: ...
