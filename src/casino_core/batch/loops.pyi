from typing import NoReturn, Self, final

import numpy as np
from numpy.typing import NDArray

from casino_core.rules.ruleset import CompiledRules

_Bytes = NDArray[np.uint8]

TASKS: dict[str, int]

@final
class StopSign:
    def __reduce__(self) -> NoReturn: ...
    def raise_it(self) -> None: ...
    @property
    def raised(self) -> bool: ...

@final
class BatchSearch:
    def __new__(cls, largest_mib: float, stop: StopSign) -> Self: ...
    def __reduce__(self) -> NoReturn: ...
    @property
    def table_mib(self) -> float: ...
    def answer(
        self,
        task: int,
        records: _Bytes,
        compiled: list[CompiledRules],
        answers: _Bytes,
        nodes: int = 0,
        seconds: float | None = None,
    ) -> tuple[bytes, bytes]: ...
