from casino_core.rules.cards import CardSet
from casino_core.rules.ruleset import CompiledRules

def last_deal_estimate(
    compiled: CompiledRules,
    *,
    unit: int,
    piles: tuple[CardSet, CardSet],
    table: CardSet,
    last: int = 2,
    side: int = 0,
    out: int = 0,
) -> int: ...
