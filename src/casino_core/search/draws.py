"""The exact expectation over the last draws of draw casino, with both hands known."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from time import perf_counter

from casino_core.errors import CasinoError, HiddenCardError, SearchLimitError
from casino_core.game.position import Move, Position
from casino_core.game.substitution import with_hidden_cards
from casino_core.rules.cards import CARD_NAMES, CardSet

__all__ = ["MOST_DRAWS", "expected_draws"]

#: The largest stock of which all orders are searched.
MOST_DRAWS = 4


def expected_draws(
    position: Position,
    value: Callable[[Position], tuple[int, int]],
    nodes: int,
    deadline: float | None,
) -> tuple[list[tuple[Move, float]], int]:
    """The expectation of each move, best first, and the number of positions searched.

    After each play every card that may be drawn is equally likely, both sides see it, and both play
    on perfectly. With one card left to draw there is no chance left.

    Args:
        position: draw casino of two sides with an unknown stock, every other card known.
        value: returns the value of a position with every card known, and the number of positions
            searched for it.
        nodes: the most positions to search, 0 for no limit.
        deadline: on the clock of `time.perf_counter`, None for none.

    Raises:
        HiddenCardError: a card outside the stock is not known.
        SearchLimitError: a limit was met.
        CasinoError: there are too many cards to draw.
    """
    left = position.stock_count
    if left > MOST_DRAWS:
        raise CasinoError(
            f"the expectation over draws is exact for up to {MOST_DRAWS} cards of the stock, and "
            f"here are {left}; hint works with what is seen"
        )
    if any(hand.hidden for hand in (*position.hands, *position.piles)):
        raise HiddenCardError("solve needs every card but the stock; hint works with what is seen")
    mask = (position.unseen | CardSet(position.stock or ())).mask
    unseen = [card for card in range(len(CARD_NAMES)) if mask >> card & 1]
    search = _Draws(value, nodes, deadline)
    moves = search.moves(position, unseen)
    unit = factorial(left)
    found = [(move, total / unit) for move, total in moves]
    found.sort(key=lambda item: (-item[1], str(item[0])))
    return found, search.nodes


class _Draws:
    """Values as integers: with n cards to draw they are in n!-ths of a point."""

    def __init__(
        self,
        value: Callable[[Position], tuple[int, int]],
        nodes: int,
        deadline: float | None,
    ) -> None:
        self._value = value
        self._limit = nodes
        self._deadline = deadline
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}
        self.nodes = 0

    def moves(self, position: Position, unseen: list[int]) -> list[tuple[Move, int]]:
        """Each legal move with the sum of its values over the draws, for the side to play."""
        found = []
        for move in position.legal_moves():
            total = 0
            for card in unseen:
                rest = [other for other in unseen if other != card]
                after = _with_stock(position, [card, *rest]).play(move)
                total += self._of(after, rest, _side(position))
            found.append((move, total))
        return found

    def _of(self, position: Position, unseen: list[int], side: int) -> int:
        """Value of a position for a side, with the order of the stock unknown."""
        key = (str(position), tuple(unseen))
        if key not in self._known:
            self._look()
            if len(unseen) < 2:
                self._known[key], nodes = self._value(position)
                self.nodes += nodes
            else:
                self._known[key] = max(total for _, total in self.moves(position, unseen))
        value = self._known[key]
        return value if _side(position) == side else -value

    def _look(self) -> None:
        late = self._deadline is not None and perf_counter() >= self._deadline
        if late or (self._limit and self.nodes >= self._limit):
            raise SearchLimitError(
                "the search ended at its limit: an expectation over draws has no bounds"
            )


def _with_stock(position: Position, order: list[int]) -> Position:
    hands = [hand.cards.mask for hand in position.hands]
    piles = [pile.cards.mask for pile in position.piles]
    return with_hidden_cards(position, hands, piles, order)


def _side(position: Position) -> int:
    return position.rules.side_of(position.rules.seats.index(position.turn))
