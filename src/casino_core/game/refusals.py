"""Why a move is not legal, in the words of a card player.

The move generator alone decides whether a move is legal. This module explains why it did not
generate a move: each check names one rule, in the order in which a player at the table would
object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from casino_core.game.counting import card_values, splits_into_groups, value_sum
from casino_core.rules.cards import CardSet, parse_card
from casino_core.rules.pieces import Build

if TYPE_CHECKING:
    from casino_core.game.position import Move, Position

__all__ = ["REASON_CODES", "Reason", "explain"]

#: The codes of reasons, which programs may rely on, and what each means.
REASON_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "round_over": "the round is finished",
        "not_held": "the hand does not hold the card, or cannot hold it",
        "not_on_table": "a card is not loose on the table, or a build is not there or named twice",
        "not_a_move": "the move contradicts itself, whatever lies on the table",
        "owner_may_not_trail": "the owner of a build may not trail",
        "owner_must_capture": "the owner of a build must capture",
        "rank_on_table": "a card of the same rank is loose, so the card may not be trailed",
        "can_capture": "the card can capture, so it may not be trailed",
        "last_resort": "something can be captured or built, so no card may be trailed",
        "no_value": "a court card without a value captures or builds only by its rank",
        "wrong_value": "the card has not the value of the build",
        "wrong_rank": "a court card without a value captures only its own rank",
        "different_values": "builds of different values are captured together",
        "no_groups": "the cards do not split into groups of the value",
        "must_take_rank": "every loose card of the rank must be captured too",
        "must_take_most": "the card can capture more, and must",
        "court_capture": "a court card may not capture this number of its rank",
        "no_such_value": "no card has the value of the build",
        "no_card_left": "no card is left in the hand that can capture the build",
        "too_many_builds": "the seat owns as many builds as it may",
        "same_value": "a build of this value is on the table already",
        "no_multiple": "builds have only one group under these rules",
        "not_own_build": "only own builds may be added to",
        "multiple_not_raised": "a build of several groups cannot be raised",
        "no_raising": "no build may be raised under these rules",
        "own_build": "a player may not raise their own build",
        "partner_build": "a player may not raise the build of their partner",
        "not_a_raise": "the cards do not raise the build to this value",
        "no_further_cards": "a raise takes in no further cards under these rules",
        "wrong_owner": "the build does not belong to the seat named",
        "keep_for_build": "a card must be kept for a build that the seat owns",
        "two_aces": "one ace cannot be kept for a build of 1 and a build of 14",
        "not_allowed": "the rules do not allow it; no other reason fits",
    }
)


class Reason(NamedTuple):
    """Why a move is not legal.

    Attributes:
        code: a word of `REASON_CODES`.
        text: the reason in the words of a card player.
    """

    code: str
    text: str


_RANK_NAMES = {
    "A": "aces",
    "2": "twos",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
}


def explain(position: Position, move: Move) -> Reason:
    """The reason why a move is not legal.

    Args:
        position: where it would be played; the hand of the seat to play is known.
        move: a move that is not legal there.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
        >>> position.why_illegal("9h+2s=9")
        'no card of value 9 left to capture it'
    """
    if position.is_over:
        return Reason("round_over", "the round is finished")
    hand = _own_hand(position)
    if move.card not in hand:
        return Reason("not_held", f"seat {position.turn} does not hold {move.card}")
    missing = move.loose - position.table
    if missing:
        return Reason("not_on_table", f"{missing} is not loose on the table")
    checks = {"trail": _trail, "capture": _capture, "build": _build}[move.kind]
    for reason in checks(position, move):
        return reason
    for reason in _keeping(position, move):
        return reason
    return Reason("not_allowed", "the rules do not allow it here")


def _own_hand(position: Position) -> CardSet:
    return position.hands["abcd".index(position.turn)].cards


def _owned(position: Position) -> list[Build]:
    return [build for build in position.builds if build.owner == position.turn]


def _named(position: Position, move: Move) -> list[Build]:
    """The builds that a move takes or builds on."""
    return [build for build in position.builds if build.cards <= move.built]


def _values_text(values: tuple[int, ...]) -> str:
    return " or ".join(str(value) for value in values)


def _trail(position: Position, move: Move) -> Iterator[Reason]:
    rules = position.rules
    owned = _owned(position)
    if owned and rules.owner_turn == "no_trail":
        yield Reason(
            "owner_may_not_trail",
            f"seat {position.turn} owns the build of {owned[0].value}, so it may not trail",
        )
    if owned and rules.owner_turn == "capture":
        yield Reason(
            "owner_must_capture",
            f"seat {position.turn} owns the build of {owned[0].value}, so it must capture",
        )
    matching = [card for card in position.table if card[0] == move.card[0]]
    if matching and rules.trail == "not_matching":
        yield Reason(
            "rank_on_table",
            f"{move.card} may not be trailed while {''.join(matching)} of the same rank is loose",
        )
    if rules.trail == "not_capturing":
        for other in position.iter_legal_moves():
            if other.kind == "capture" and other.card == move.card:
                yield Reason(
                    "can_capture", f"{move.card} may not be trailed, as it can capture ({other})"
                )
    if rules.trail == "last_resort":
        for other in position.iter_legal_moves():
            if other.kind != "trail":
                yield Reason(
                    "last_resort",
                    f"no card may be trailed while a capture or build is possible ({other})",
                )


def _capture(position: Position, move: Move) -> Iterator[Reason]:
    values = card_values(position._compiled, move.card)
    builds = _named(position, move)
    if not values:
        yield from _pair(position, move, builds)
        return
    for build in builds:
        if build.value not in values:
            yield Reason("wrong_value", f"{move.card} cannot capture a build of {build.value}")
    if len({build.value for build in builds}) > 1:
        yield Reason("different_values", "one card cannot capture builds of different values")
    if builds:
        values = (builds[0].value,)
    yield from _without_value(position, move, "is captured only by a card of its rank")
    if not any(splits_into_groups(position._compiled, move.loose, value) for value in values):
        yield Reason(
            "no_groups",
            f"{move.loose} cannot be captured with {move.card}: the cards do not split into "
            f"groups that each sum to {_values_text(values)}",
        )
    matching = CardSet([card for card in position.table if card[0] == move.card[0]]) - move.loose
    if position.rules.capture == "matching" and matching:
        yield Reason(
            "must_take_rank", f"every loose card of the same rank must be captured too: {matching}"
        )
    if position.rules.capture == "maximal" and not _keeping_fails(position, move):
        yield Reason(
            "must_take_most",
            "capture=maximal requires the largest capture, and this card can capture more",
        )


def _pair(position: Position, move: Move, builds: list[Build]) -> Iterator[Reason]:
    """Captures with a court card that has no value."""
    if builds:
        yield Reason("no_value", f"{move.card} has no value, so it cannot capture a build")
    others = [card for card in move.loose if card[0] != move.card[0]]
    ranks = _RANK_NAMES[move.card[0]]
    if others:
        yield Reason(
            "wrong_rank", f"{move.card} captures only other {ranks}, not {''.join(others)}"
        )
    allowed = {
        "one": "one of its rank",
        "one_or_three": "one or three of its rank",
        "all": "all loose cards of its rank together",
        "any": "any of its rank",
    }[position.rules.court_capture]
    if not _keeping_fails(position, move):
        yield Reason("court_capture", f"{move.card} captures {allowed}, not {move.loose}")


def _without_value(position: Position, move: Move, use: str) -> Iterator[Reason]:
    for card in move.loose:
        if not card_values(position._compiled, card):
            yield Reason("no_value", f"{card} has no value, so it {use}")


def _build(position: Position, move: Move) -> Iterator[Reason]:
    rules = position.rules
    value = move.value or 0
    owned = _owned(position)
    if not card_values(position._compiled, move.card):
        yield Reason("no_value", f"{move.card} has no value, so it cannot build")
    yield from _without_value(position, move, "cannot be part of a build")
    if owned and rules.owner_turn == "capture":
        yield Reason(
            "owner_must_capture",
            f"seat {position.turn} owns the build of {owned[0].value}, so it must capture",
        )
    yield from _holding(position, move)
    base = next(iter(_named(position, move)), None)
    full = bool(rules.max_builds) and len(owned) >= rules.max_builds
    if full and (base is None or base.owner != position.turn):
        yield Reason(
            "too_many_builds",
            f"seat {position.turn} owns {len(owned)} build{'s' * (len(owned) > 1)} already "
            f"(max_builds={rules.max_builds}) and may not touch or make another",
        )
    if base is None:
        yield from _new(position, move)
    elif base.value == value:
        yield from _addition(position, move, base)
    else:
        yield from _raise(position, move, base, full)


def _holding(position: Position, move: Move) -> Iterator[Reason]:
    """The duty to keep a card that can capture the build."""
    left = _own_hand(position) - CardSet(move.card)
    if any(move.value in card_values(position._compiled, card) for card in left):
        return
    if not any(move.value in card_values(position._compiled, card) for card in _deck(position)):
        yield Reason("no_such_value", f"no card has the value {move.value} under these rules")
    yield Reason("no_card_left", f"no card of value {move.value} left to capture it")


def _deck(position: Position) -> Iterator[str]:
    return (rank + "s" for rank in _RANK_NAMES)


def _groups(position: Position, move: Move) -> Reason:
    both = f"{move.card} and {move.loose}" if move.loose else move.card
    are = "are" if move.loose else "is"
    return Reason(
        "no_groups",
        f"{both} {are} not a build of {move.value}: the cards do not split into groups that each "
        f"sum to {move.value}",
    )


def _new(position: Position, move: Move) -> Iterator[Reason]:
    value = move.value or 0
    rules = position.rules
    cards = move.loose | CardSet(move.card)
    if not splits_into_groups(position._compiled, cards, value):
        yield _groups(position, move)
    for build in position.builds:
        if build.value == value and rules.same_value == "merge":
            yield Reason(
                "same_value", f"a build of {value} is on the table already; add to it instead"
            )
    if not rules.multiple and value_sum(position._compiled, cards) != value:
        yield Reason("no_multiple", "multiple=no allows no build of more than one group")


def _addition(position: Position, move: Move, base: Build) -> Iterator[Reason]:
    rules = position.rules
    if not rules.multiple:
        yield Reason("no_multiple", "multiple=no allows no build of more than one group")
    if rules.add_to == "own" and base.owner != position.turn:
        yield Reason(
            "not_own_build",
            f"a player may add only to their own builds, and this one is seat {base.owner}'s",
        )
    if not splits_into_groups(position._compiled, move.loose | CardSet(move.card), base.value):
        yield _groups(position, move)


def _raise(position: Position, move: Move, base: Build, full: bool) -> Iterator[Reason]:
    rules = position.rules
    own = base.owner == position.turn
    side, owner_side = (rules.side_of("abcd".index(seat)) for seat in (position.turn, base.owner))
    if base.multiple:
        yield Reason("multiple_not_raised", "a multiple build cannot be raised")
    if rules.raising == "none":
        yield Reason("no_raising", "raising=none allows no raise")
    if own and rules.raising in ("others", "opponents"):
        yield Reason("own_build", "a player may not raise their own build")
    if not own and rules.raising == "opponents" and side == owner_side:
        yield Reason("partner_build", "only an opponent's build may be raised, not the partner's")
    left = _own_hand(position) - CardSet(move.card)
    if own and rules.raise_own_needs_both:
        if not any(base.value in card_values(position._compiled, card) for card in left):
            yield Reason(
                "no_card_left",
                f"whoever raises their own build must still hold a card of value {base.value} too",
            )
    for other in position.builds:
        if rules.same_value == "merge" and other.value == move.value:
            if not rules.multiple:
                yield Reason(
                    "no_multiple",
                    f"a build of {move.value} is on the table already, and multiple=no allows "
                    "no other to join it",
                )
            if other.owner != position.turn and (full or rules.add_to == "own"):
                yield Reason(
                    "not_own_build",
                    f"it would join seat {other.owner}'s build of {move.value}, which it may not "
                    "add to",
                )
    step = (move.value or 0) - base.value
    alone = card_values(position._compiled, move.card)[:1] == (step,)
    if not alone and not rules.raise_table_cards:
        yield Reason("not_a_raise", f"{move.card} does not raise {base.value} to {move.value}")
    if alone and move.loose and not rules.raise_absorb:
        yield Reason("no_further_cards", "raise_absorb=no allows no further cards in a raise")
    yield from _keeping(position, move)
    with_loose = f" and {move.loose}" if move.loose else ""
    yield Reason(
        "not_a_raise",
        f"{move.card}{with_loose} do not raise {base.value} to {move.value} with whole groups of "
        f"{move.value} left over",
    )


def _keeping_fails(position: Position, move: Move) -> bool:
    return next(_keeping(position, move), None) is not None


def _keeping(position: Position, move: Move) -> Iterator[Reason]:
    """The duty to keep a card for each build owned after the play."""
    hand = _own_hand(position)
    left = hand - CardSet(move.card)
    held = {value for card in hand for value in card_values(position._compiled, card)}
    owned = {build.value for build in _owned(position) if not build.cards <= move.built}
    if move.kind == "build":
        owned.add(move.value or 0)
    for value in sorted(owned & held):
        if not any(value in card_values(position._compiled, card) for card in left):
            yield Reason(
                "keep_for_build",
                f"seat {position.turn} must keep a card to capture its build of {value}",
            )
    aces = [card for card in left if parse_card(card) < 4]
    if {1, 14} <= owned and len(aces) < 2:
        yield Reason("two_aces", "one ace cannot be kept for both a build of 1 and a build of 14")
