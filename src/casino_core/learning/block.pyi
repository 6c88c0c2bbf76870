from typing import NoReturn, Self, final

import numpy as np
from numpy.typing import NDArray

from casino_core.game.position import Position
from casino_core.rules.ruleset import CompiledRules

@final
class GameBlock:
    def __new__(cls, compiled: CompiledRules, count: int) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def count(self) -> int: ...
    def reset(self, seeds: NDArray[np.uint64]) -> None: ...
    def first_refused(self, steps: NDArray[np.int64]) -> int: ...
    def step(
        self,
        steps: NDArray[np.int64],
        rewards: NDArray[np.float32],
        points: NDArray[np.int32],
        done: NDArray[np.uint8],
    ) -> int: ...
    def sample(self, steps: NDArray[np.int64]) -> None: ...
    def observe(
        self,
        seats: NDArray[np.int8],
        mask: NDArray[np.uint8] | None,
        rows: NDArray[np.int16] | None,
    ) -> None: ...
    def position(self, index: int) -> Position: ...
