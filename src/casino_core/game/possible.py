"""Whether a play from a partly hidden hand can be legal.

It can, if it is legal for some hand of the known cards and unseen ones. Of the unseen cards only
the rank matters, and only ranks that bear on the play are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from casino_core.game.counting import card_values
from casino_core.game.refusals import Reason, explain
from casino_core.game.whereabouts import whereabouts
from casino_core.rules.cards import CARD_NAMES, CardSet

if TYPE_CHECKING:
    from casino_core.game.position import Move, Position

__all__ = ["refusal"]

_RANKS = 13
_MOST_HANDS = 20_000  # tried until the play counts as possible; hands of four cards need fewer


def refusal(position: Position, move: Move) -> Reason | None:
    """Why no hand that fits makes a play legal; None if one does.

    Args:
        position: an unfinished position; the hand of the seat to play is partly hidden.
        move: a move of the position, legal or not.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5h8dKc hands=????/As7c9hTd")
        >>> refusal(position, position.move("7dx2s5h")) is None
        True
        >>> position.why_illegal("7cx2s5h")
        'seat a cannot hold 7c: 7c in the hand of b'
    """
    card = CardSet(move.card)
    held = position.hands[position.rules.seats.index(position.turn)].cards
    if not card <= held | position.unseen:
        why = f"seat {position.turn} cannot hold {card}: {whereabouts(position, card)}"
        return Reason("not_held", why)
    worlds = (position._with_hand(hand) for hand in _hands(position, move))
    first = next(worlds)
    if first.is_legal(move):
        return None
    tried = 1
    for world in islice(worlds, _MOST_HANDS):
        if world.is_legal(move):
            return None
        tried += 1
    if tried > _MOST_HANDS:
        return None
    if move.kind == "trail":  # a reason that names no card which the hand may lack
        alone = position._with_hand((held | card).mask)
        first = first if alone.is_legal(move) else alone
    return explain(first, move)


def _hands(position: Position, move: Move) -> Iterator[int]:
    """Masks of the hands that fit, one of those that are alike for the play; likely ones first."""
    hand = position.hands[position.rules.seats.index(position.turn)]
    known = hand.cards | CardSet(move.card)
    hidden = hand.size - len(known)
    left = (position.unseen - known).mask
    ranks = [left & 15 << 4 * rank for rank in range(_RANKS)]
    wanted = _bearing(position, move)
    groups = [cards for rank, cards in enumerate(ranks) if cards and rank in wanted]
    rest = sum(cards for rank, cards in enumerate(ranks) if rank not in wanted)
    for chosen in _choices(groups, rest, hidden):
        yield known.mask | chosen


def _choices(groups: list[int], rest: int, count: int) -> Iterator[int]:
    """Ways to take `count` cards: some of each group, the others from the rest."""
    if not groups:
        if rest.bit_count() >= count:
            yield _lowest(rest, count)
        return
    most = min(count, groups[0].bit_count())
    for number in (*range(1, most + 1), 0):
        taken = _lowest(groups[0], number)
        for others in _choices(groups[1:], rest, count - number):
            yield taken | others


def _lowest(cards: int, count: int) -> int:
    """The `count` lowest cards."""
    taken = 0
    for _ in range(count):
        taken |= cards & -cards & ~taken
        cards &= cards - 1
    return taken


def _bearing(position: Position, move: Move) -> set[int]:
    """The ranks of other cards in the hand that bear on whether a play is legal."""
    rules = position.rules
    owned = {build.value for build in position.builds if build.owner == position.turn}
    if move.kind == "trail":
        bound = owned and rules.owner_turn != "free"
        if bound or rules.trail in ("not_capturing", "last_resort"):
            return set(range(_RANKS))  # it depends on whether anything else can be played
    values = owned | {move.value}
    spades = enumerate(CARD_NAMES[::4])
    compiled = position._compiled
    return {0, *(rank for rank, card in spades if values & set(card_values(compiled, card)))}
