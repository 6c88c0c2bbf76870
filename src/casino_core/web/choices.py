"""Why the cards that a player has chosen are not a play."""

from __future__ import annotations

import re
from collections.abc import Sequence

from casino_core.errors import CasinoError
from casino_core.game.counting import card_values
from casino_core.game.position import Position
from casino_core.rules.cards import CARD_NAMES, CardSet
from casino_core.rules.pieces import Build
from casino_core.web.words import card_sign

__all__ = ["why_not"]

_HIGHEST = 14  # value of a build
_CARD = re.compile(r"(?<![\w])((?:[A2-9TJQK][shdc])+)(?![\w])")


def why_not(
    position: Position, card: str, loose: Sequence[str], builds: Sequence[int]
) -> str | None:
    """The reason why a card of the hand and chosen cards of the table are not a play together.

    Args:
        position: as the seat to play sees it.
        card: the card of the hand.
        loose: the loose cards chosen.
        builds: the numbers of the builds chosen.

    Returns:
        Sentences; None if the cards are a play.

    Raises:
        CasinoError: something else than cards and builds of the position.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> why_not(position, "9h", ["8d"], [])
        'To take: 8♦ cannot be captured with 9♥: the cards do not split into groups that each sum \
to 9.'
    """
    if card not in CARD_NAMES:
        raise CasinoError("card is the name of a card")
    chosen = [_build_of(position, number) for number in builds]
    taken = str(CardSet(loose)) if loose else ""
    named = "".join(f"[{one.value}{one.owner}:{one.cards}]" for one in chosen)
    if not loose and not builds:
        reason = _reason(position, card)
        return None if reason is None else f"{_signs(reason)}."
    found = [("take", _reason(position, f"{card}x{taken}{named}"))]
    for value in _sums(position, card, CardSet(loose), chosen):
        plus = "+" if taken and named else ""
        text = f"{card}+{taken}{plus}{named}={value}"
        found.append((f"build {value}", _reason(position, text)))
    if any(reason is None for _, reason in found):
        return None
    return " ".join(f"To {what}: {_signs(reason or '')}." for what, reason in found)


def _build_of(position: Position, number: object) -> Build:
    if type(number) is not int or not 0 <= number < len(position.builds):
        raise CasinoError("builds are the numbers of builds on the table")
    return position.builds[number]


def _sums(position: Position, card: str, loose: CardSet, builds: Sequence[Build]) -> list[int]:
    """The value of a build that the cards may be meant for, if there is one."""
    total = sum(build.value for build in builds)
    for one in (card, *loose):
        worth = card_values(position._compiled, one)
        if not worth:
            return []
        total += worth[0]
    return [total] if total <= _HIGHEST and len(builds) < 2 else []


def _reason(position: Position, text: str) -> str | None:
    try:
        return position.why_illegal(text)
    except CasinoError as error:
        return str(error)


def _signs(text: str) -> str:
    """A text with signs of suits in the place of letters."""

    def drawn(found: re.Match[str]) -> str:
        names = found[1]
        return " ".join(card_sign(names[i : i + 2]) for i in range(0, len(names), 2))

    return _CARD.sub(drawn, text)
