from collections.abc import Iterable, Sequence

from casino_core.game.position import Position
from casino_core.rules.cards import CardSet
from casino_core.rules.ruleset import CompiledRules

def with_hidden_cards(
    position: Position,
    hands: Sequence[int],
    piles: Sequence[int],
    stock: Iterable[int] | None,
    compiled: CompiledRules | None = None,
) -> Position: ...
def with_hidden_again(position: Position, seat: str, cards: CardSet) -> Position: ...
def with_forgotten_cards(position: Position, cards: CardSet) -> Position: ...
def broken_invariant(position: Position) -> str | None: ...
def state_hash(position: Position) -> int: ...
