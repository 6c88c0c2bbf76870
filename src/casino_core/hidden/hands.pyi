from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from casino_core.rules.ruleset import CompiledRules

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
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def count(self) -> int: ...
    @property
    def total(self) -> float: ...
    def listed(self) -> tuple[bytes, bytes]: ...
    def marginals(self) -> list[float]: ...
    def weight(self, hidden: int) -> float: ...

def all_deals(seats: list[Hands], places: bytes) -> tuple[bytes, bytes] | None: ...
def draw_hands(
    seats: list[Hands], places: bytes, number: int, seed: int, *, deadline: float = 0.0
) -> bytes | None: ...
def card_shares(masks: NDArray[np.uint64], weights: NDArray[np.float64]) -> list[float]: ...
