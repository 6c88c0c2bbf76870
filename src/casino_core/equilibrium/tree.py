"""The public tree of an ending: what both players see, and what each hand may do there.

Two players hold two cards each; the table and all captured cards are known to both, the other hand
and the stock of the last deal are not. Four plays follow, all seen by both. What comes after them
is worth the exact mean of the last deal over its splits, so the ending is a finite zero-sum game.
The first player acts at the root and after each pair of plays, the second after each first play; at
the last play no card is hidden any more, so it is simply the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from casino_core.errors import CasinoError
from casino_core.game.position import Move, Position
from casino_core.game.substitution import with_hidden_cards
from casino_core.rules.cards import CARD_NAMES, CardSet
from casino_core.search.root import SearchContext

__all__ = ["EndingTree", "Estimate", "Progress", "ending_tree", "with_hands"]

#: What the last deal is worth: its exact mean over the splits, or an estimate of it.
Estimate = Literal["exact", "learned", "fitted", "material"]

_HAND = 2  # cards
_STOCK = 8
_UNIT = 60  # parts of a point that estimates count in
_TABLE_MIB = 32.0
_DEALS_MIB = 64.0  # ways to play share most last deals

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class EndingTree:
    """An ending with the value of every way to play it.

    A node of the second play is numbered by the first move that leads to it, a node of the third
    play by the first two. `mover` and `other` are the two players of the ending.

    Attributes:
        position: the ending with both hands unknown.
        mover: number of the seat that plays first.
        cards: the names of the cards that are not seen, sorted by the pack.
        pairs: numbers of the two cards of each hand, shape (pairs, 2).
        first: the moves of the first play; `first_legal`, shape (pairs, moves), says which hand of
            the mover may make each.
        second: for each first move the moves of the second play; `second_legal` likewise, shape
            (first moves, pairs, most moves).
        third: for each node of the third play the moves with the one card that the mover has left.
        node_first: the first move of each node of the third play.
        node_second: the number of the second move of each node, in `second` of its first move.
        third_card: the card of each third move, shape (nodes, most moves); -1 where there is none.
        worth: value for the mover's side in final points after the third move, by the other's last
            card, with its best last play; shape (nodes, most moves, cards).
        last: for each node, third move and last card the last moves with their values for the
            mover's side.
    """

    position: Position
    mover: int
    cards: tuple[str, ...]
    pairs: NDArray[np.int64]
    first: tuple[Move, ...]
    first_legal: NDArray[np.bool_]
    second: tuple[tuple[Move, ...], ...]
    second_legal: NDArray[np.bool_]
    third: tuple[tuple[Move, ...], ...]
    node_first: NDArray[np.int64]
    node_second: NDArray[np.int64]
    third_card: NDArray[np.int64]
    worth: NDArray[np.float64]
    last: dict[tuple[int, int, int], tuple[tuple[Move, float], ...]]

    @property
    def pair_number(self) -> NDArray[np.int64]:
        """The number of the hand of two cards, shape (cards, cards); -1 on the diagonal."""
        found = np.full((len(self.cards),) * 2, -1)
        for number, (one, two) in enumerate(self.pairs):
            found[one, two] = found[two, one] = number
        return found

    def after(self, plays: Sequence[Move]) -> Position:
        """The position after some plays, with both hands unknown."""
        found = self.position
        for move in plays:
            found = found.play(move)
        return found

    def seen(self, plays: Sequence[Move], mine: str, other: str) -> Position:
        """The position after some plays as one player sees it.

        Args:
            plays: the plays of the ending so far.
            mine: the cards left to the mover of the ending, or a `?` for each that is hidden.
            other: the same of the other player.
        """
        return with_hands(self.after(plays), self.mover, (mine, other))


def with_hands(position: Position, mover: int, hands: tuple[str, str], stock: str = "") -> Position:
    """A position with other hands.

    Args:
        position: the position.
        mover: number of the seat whose hand comes first.
        hands: the cards of both, `?` for a hidden one.
        stock: the cards of the stock in some order; empty if they are not known.
    """
    fields = dict(part.split("=", 1) for part in str(position).split(" "))
    fields.pop("stock", None)
    ordered = hands if mover == 0 else hands[::-1]
    fields["hands"] = "/".join(hand or "-" for hand in ordered)
    if stock:
        fields["stock"] = stock
    return Position.parse(" ".join(f"{name}={value}" for name, value in fields.items()))


def ending_tree(
    position: Position, progress: Progress | None = None, estimate: Estimate = "exact"
) -> EndingTree:
    """Build the tree of an ending.

    Args:
        position: two players with two cards each before the last deal of eight cards; known hands
            and a known stock count as unknown.
        progress: called with the numbers of first moves done and of all.
        estimate: what the last deal is worth: see `Estimate`.

    Raises:
        CasinoError: another kind of position.
    """
    _check(position)
    return _Builder(position, estimate).built(progress)


def _check(position: Position) -> None:
    rules = position.rules
    if rules.players != 2 or rules.draw:
        raise CasinoError("an ending is solved for two players, without draws")
    if [hand.size for hand in position.hands] != [_HAND, _HAND]:
        sizes = "/".join(str(hand.size) for hand in position.hands)
        raise CasinoError(f"an ending is solved with two cards in each hand, not {sizes}")
    if position.stock_count != _STOCK:
        raise CasinoError(
            f"the last deal comes next in an ending: 8 cards, not {position.stock_count}"
        )
    if any(pile.hidden for pile in position.piles):
        raise CasinoError("the captured cards of an ending are known")
    if position.builds:
        raise CasinoError("an ending begins without builds")


_Values = tuple[tuple[Move, float], ...]
_Node = tuple[int, int, list[Move], list[dict[int, _Values]]]


class _Builder:
    """Makes the tree; equal positions are solved once."""

    def __init__(self, position: Position, estimate: Estimate) -> None:
        self.estimate = estimate
        self.context = SearchContext(_TABLE_MIB, deals_mib=_DEALS_MIB)
        self.mover = position.rules.seats.index(position.turn)
        self.start = with_hands(position, self.mover, ("??", "??"))
        self.cards = tuple(card for card in CARD_NAMES if card in self.start.unseen)
        self.number = {card: place for place, card in enumerate(self.cards)}
        self.solved: dict[Position, _Values] = {}

    def _moves(self, position: Position, hands: tuple[str, str]) -> list[Move]:
        return with_hands(position, self.mover, hands).legal_moves()

    def built(self, progress: Progress | None) -> EndingTree:
        pairs = [(one, two) for one, two in combinations(range(len(self.cards)), 2)]
        first, first_legal = self._listed(self.start, pairs, "", [])
        second: list[tuple[Move, ...]] = []
        second_legal: list[NDArray[np.bool_]] = []
        nodes: list[_Node] = []
        for done, move in enumerate(first):
            if progress is not None:
                progress(done, len(first))
            after = self.start.play(move)
            mine = self._partners(pairs, first_legal[:, done], move)
            moves, legal = self._listed(after, pairs, move.card, mine)
            second.append(tuple(moves))
            second_legal.append(legal)
            for place, reply in enumerate(moves):
                other = self._partners(pairs, legal[:, place], reply)
                left = [card for card in mine if card != reply.card]
                third = self._third(after.play(reply), left, other)
                nodes.append((done, place, *third))
        if progress is not None:
            progress(len(first), len(first))
        return self._joined(pairs, first, first_legal, second, second_legal, nodes)

    def _listed(
        self, position: Position, pairs: list[tuple[int, int]], gone: str, partners: list[str]
    ) -> tuple[list[Move], NDArray[np.bool_]]:
        """The moves of all hands of the seat to play, and which hand has which.

        Args:
            position: the position, with both hands unknown.
            pairs: the hands.
            gone: the card that the mover has played, empty if it is to play.
            partners: the cards of which it may hold one beside that.
        """
        moves: dict[Move, list[int]] = {}
        for number, pair in enumerate(pairs):
            cards = [self.cards[card] for card in pair]
            if gone in cards or (gone and not {*partners} - {*cards}):
                continue
            hand = "".join(cards)
            for move in self._moves(position, ("?", hand) if gone else (hand, "??")):
                moves.setdefault(move, []).append(number)
        legal = np.zeros((len(pairs), len(moves)), dtype=bool)
        for place, hands_of in enumerate(moves.values()):
            legal[hands_of, place] = True
        return list(moves), legal

    def _partners(
        self, pairs: list[tuple[int, int]], legal: NDArray[np.bool_], move: Move
    ) -> list[str]:
        """The cards that a player may hold beside the one of a move."""
        hands = [{self.cards[card] for card in pairs[number]} for number in np.flatnonzero(legal)]
        return sorted((hand - {move.card}).pop() for hand in hands)

    def _third(
        self, position: Position, mine: list[str], others: list[str]
    ) -> tuple[list[Move], list[dict[int, _Values]]]:
        """The third moves of a node, and for each the last moves by the card left to the other."""
        moves: list[Move] = []
        last: list[dict[int, _Values]] = []
        for card in mine:
            possible = [other for other in others if other != card]
            for move in self._moves(position, (card, "?")) if possible else ():
                after = position.play(move)
                moves.append(move)
                last.append({self.number[one]: self._solved(after, one) for one in possible})
        return moves, last

    def _solved(self, position: Position, card: str) -> _Values:
        """The last moves with a card, with their values for the side that moved first."""
        hands = [0, 0]
        hands[1 - self.mover] = CardSet(card).mask
        full = with_hidden_cards(
            position, hands, [pile.cards.mask for pile in position.piles], None
        )
        if full not in self.solved:
            if self.estimate == "exact":
                found = self.context.values(full, expect=True)
            else:
                found = self.context.values(full, unit=_UNIT, to_deal=True, estimate=self.estimate)
            unit = self.context.unit
            self.solved[full] = tuple((move, -low / unit) for move, low, _ in found)
        return self.solved[full]

    def _joined(
        self,
        pairs: list[tuple[int, int]],
        first: list[Move],
        first_legal: NDArray[np.bool_],
        second: list[tuple[Move, ...]],
        second_legal: list[NDArray[np.bool_]],
        nodes: list[_Node],
    ) -> EndingTree:
        """The tree with its arrays, which have the size of the largest node."""
        most = max(len(moves) for moves in second)
        legal = np.zeros((len(first), len(pairs), most), dtype=bool)
        for place, one in enumerate(second_legal):
            legal[place, :, : one.shape[1]] = one
        widest = max(len(node[2]) for node in nodes)
        card = np.full((len(nodes), widest), -1)
        worth = np.zeros((len(nodes), widest, len(self.cards)))
        last: dict[tuple[int, int, int], _Values] = {}
        for place, (_, _, moves, replies) in enumerate(nodes):
            card[place, : len(moves)] = [self.number[move.card] for move in moves]
            for third, by_card in enumerate(replies):
                for other, values in by_card.items():
                    worth[place, third, other] = min(value for _, value in values)
                    last[place, third, other] = values
        return EndingTree(
            self.start,
            self.mover,
            self.cards,
            np.array(pairs),
            tuple(first),
            first_legal,
            tuple(second),
            legal,
            tuple(tuple(node[2]) for node in nodes),
            np.array([node[0] for node in nodes]),
            np.array([node[1] for node in nodes]),
            card,
            worth,
            last,
        )
