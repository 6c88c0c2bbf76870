"""Reasons for a play in words: facts of the position, and chances of hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from casino_core.game.counting import card_values, most_spades_points, points_of_cards
from casino_core.game.position import Move, Position
from casino_core.game.wording import RANK_WORDS, card_words
from casino_core.rules.cards import CardSet
from casino_core.rules.pieces import Build

__all__ = ["reasons_for"]

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_MANY_CARDS = 4  # that are worth a word
_MANY_DEAR = 3  # more than are named one by one

Holds = Mapping[str, Mapping[str, float]]


def reasons_for(position: Position, move: Move, holds: Holds) -> tuple[str, ...]:
    """What a play does, and how likely another seat is to use what it leaves.

    Args:
        position: the position as the seat to play sees it.
        move: a legal move.
        holds: for each seat with hidden cards the probability of each card in its hand.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> reasons_for(position, position.move("TsxTd"), {})
        ('takes the ten of diamonds', 'takes one spade')
    """
    after = position.play(move)
    side = position.rules.side_of(position.rules.seats.index(position.turn))
    found: list[str] = []
    if move.kind == "capture":
        before = position.piles[side].cards
        found += _taken(position, after.piles[side].cards - before)
        found += _builds_taken(position, after)
        if after.sweeps[side] > position.sweeps[side] and position.rules.sweep:
            found.append("sweeps the table")
    elif move.kind == "build":
        found += _built(position, after, move, holds)
    else:
        found += _trailed(position, after, move, holds)
    found += _left_at_risk(position, after, holds)
    return tuple(found)


def _with_article(rank: str) -> str:
    name = RANK_WORDS[rank]
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def _count(number: int, what: str) -> str:
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {what}" if number == 1 else f"{word} {what}s"


def _points(position: Position, card: str) -> int:
    """Points of a captured card by itself."""
    return points_of_cards(position._compiled, CardSet(card))


def _taken(position: Position, cards: CardSet) -> Iterator[str]:
    dear = [card for card in cards if _points(position, card)]
    if len(dear) > _MANY_DEAR:
        yield f"takes {_count(sum(_points(position, card) for card in dear), 'point')}"
    elif dear:
        yield "takes " + " and ".join(card_words(card) for card in dear)
    spades = [card for card in cards if card[1] == "s"]
    if spades and most_spades_points(position._compiled):
        yield f"takes {_count(len(spades), 'spade')}"
    if len(cards) >= _MANY_CARDS:
        yield f"takes {_count(len(cards), 'card')}"


def _builds_taken(position: Position, after: Position) -> Iterator[str]:
    left = {build.cards for build in after.builds}
    for build in position.builds:
        if build.cards not in left:
            whose = "its own" if build.owner == position.turn else f"{build.owner}'s"
            yield f"captures {whose} build of {build.value}"


def _opponents(position: Position) -> list[str]:
    rules = position.rules
    own = rules.side_of(rules.seats.index(position.turn))
    return [seat for index, seat in enumerate(rules.seats) if rules.side_of(index) != own]


def _chance_held(position: Position, holds: Holds, value: int) -> tuple[str, float] | None:
    """The opponent most likely to hold a card of a value, and the probability, with cards taken as
    independent."""
    likely: list[tuple[float, str]] = []
    for seat in _opponents(position):
        hand = position.hands[position.rules.seats.index(seat)]
        if any(value in card_values(position._compiled, card) for card in hand.cards):
            likely.append((1.0, seat))
        elif hand.hidden:
            none = prod(
                1 - chance
                for card, chance in holds.get(seat, {}).items()
                if value in card_values(position._compiled, card)
            )
            likely.append((1 - none, seat))
    if not likely:
        return None
    chance, seat = max(likely, key=lambda item: item[0])
    return seat, chance


def _risk(position: Position, holds: Holds, value: int) -> str:
    found = _chance_held(position, holds, value)
    if found is None:
        return "nobody can take it"
    seat, chance = found
    if chance >= 0.995:
        return f"{seat} can take it"
    if chance < 0.005:
        return "nobody else can take it at once"
    return f"{seat} may hold a card for it: {chance:.0%}"


def _built(position: Position, after: Position, move: Move, holds: Holds) -> Iterator[str]:
    before = {build.cards for build in position.builds}
    for build in after.builds:
        if build.cards not in before:
            dear = [card for card in build.cards if _points(position, card)]
            what = " with " + " and ".join(card_words(card) for card in dear) if dear else ""
            yield f"builds {build.value}{what}"
            yield _risk(position, holds, build.value)


def _trailed(position: Position, after: Position, move: Move, holds: Holds) -> Iterator[str]:
    rank = move.card[0]
    yield f"leaves {_with_article(rank)}"
    if _points(position, move.card):
        yield f"which is {card_words(move.card)}"
    chances = []
    for seat in _opponents(position):
        hand = position.hands[position.rules.seats.index(seat)]
        if any(card[0] == rank for card in hand.cards):
            chances.append((1.0, seat))
        elif hand.hidden:
            none = prod(
                1 - chance for card, chance in holds.get(seat, {}).items() if card[0] == rank
            )
            chances.append((1 - none, seat))
    if chances:
        chance, seat = max(chances, key=lambda item: item[0])
        if chance < 0.005:
            yield f"{seat} lacks another {RANK_WORDS[rank]}"
        elif chance < 0.5:
            yield f"{seat} probably lacks another {RANK_WORDS[rank]}: {1 - chance:.0%}"
        elif chance < 0.995:
            yield f"{seat} may hold another {RANK_WORDS[rank]}: {chance:.0%}"
        else:
            yield f"{seat} holds another {RANK_WORDS[rank]}"


def _left_at_risk(position: Position, after: Position, holds: Holds) -> Iterator[str]:
    """Own builds that were on the table before the play and still are."""
    before: dict[CardSet, Build] = {build.cards: build for build in position.builds}
    for build in after.builds:
        if build.owner == position.turn and build.cards in before:
            yield f"leaves its own build of {build.value}: {_risk(position, holds, build.value)}"
