from casino_core.rules.cards import CardSet
from casino_core.rules.ruleset import CompiledRules

def worth_of(compiled: CompiledRules, cards: CardSet, *, card: int, spade: int) -> float: ...
