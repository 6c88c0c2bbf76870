from typing import Literal

from casino_core.rules.cards import CardSet
from casino_core.rules.ruleset import CompiledRules

def estimate_number(name: str) -> int: ...
def estimated_value(
    compiled: CompiledRules,
    name: str,
    *,
    unit: int,
    cards: tuple[int, int, int],
    spades: tuple[int, int, int],
    table: CardSet,
    stop: Literal["midway", "deal", "last deal"] = "deal",
    side: int = 0,
) -> int: ...
def value_bounds(
    compiled: CompiledRules,
    name: str,
    *,
    unit: int,
    cards: tuple[int, int, int],
    spades: tuple[int, int, int],
    stake: tuple[int, int, int, int, int],
    stop: Literal["midway", "deal", "last deal"] = "deal",
    side: int = 0,
) -> tuple[int, int]: ...
