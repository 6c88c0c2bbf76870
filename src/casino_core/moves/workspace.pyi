from typing import Any

from casino_core.game.position import Position
from casino_core.rules.ruleset import CompiledRules

def random_rounds(compiled: CompiledRules, rounds: int, seed: int) -> dict[str, Any]: ...
def count_all(positions: list[Position], repeat: int) -> int: ...
