from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from casino_core.game.position import Move, Position
from casino_core.rules.ruleset import CompiledRules

_Bytes = NDArray[np.uint8]

def fill_records(
    items: Iterable[Any], records: _Bytes, compiled: list[CompiledRules]
) -> dict[int, str]: ...
@overload
def positions_of(
    records: _Bytes, compiled: list[CompiledRules], as_text: Literal[True]
) -> list[str]: ...
@overload
def positions_of(
    records: _Bytes, compiled: list[CompiledRules], as_text: Literal[False]
) -> list[Position]: ...
@overload
def moves_of(
    records: _Bytes,
    compiled: list[CompiledRules],
    moves: _Bytes,
    counts: NDArray[np.int32],
    in_line: bool,
    as_text: Literal[True],
) -> list[list[str | None]]: ...
@overload
def moves_of(
    records: _Bytes,
    compiled: list[CompiledRules],
    moves: _Bytes,
    counts: NDArray[np.int32],
    in_line: bool,
    as_text: Literal[False],
) -> list[list[Move | None]]: ...
def random_records(
    compiled: CompiledRules,
    records: _Bytes,
    first: int,
    rounds: int,
    seed: int,
    keep: int,
    deal: int,
) -> int: ...
def round_seed(seed: int, number: int) -> int: ...
