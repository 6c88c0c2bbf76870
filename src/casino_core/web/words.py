"""What was played and what could be, in the words of the table."""

from __future__ import annotations

from collections.abc import Iterable

from casino_core.game.position import Move, Position
from casino_core.game.wording import move_words
from casino_core.play.outcome import outcome_of
from casino_core.rules.cards import SUITS

__all__ = ["agent_title", "card_sign", "cards_signs", "happened", "request_words"]

_SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))


def agent_title(agent: str) -> str:
    """The name of an agent for people.

    Args:
        agent: the text that names the agent.

    Example:
        >>> agent_title("level-3"), agent_title("greedy")
        ('Level 3', 'Greedy')
    """
    words = agent.replace("level-", "level ")
    return words[:1].upper() + words[1:]


def card_sign(name: str) -> str:
    """A card with the sign of its suit.

    Args:
        name: the name of the card.

    Example:
        >>> card_sign("Td")
        '10♦'
    """
    return name[0].replace("T", "10") + _SIGNS[name[1]]


def cards_signs(names: Iterable[str]) -> str:
    """Cards with the signs of their suits.

    Args:
        names: the names of the cards.

    Example:
        >>> cards_signs(["2s", "5h"])
        '2♠ 5♥'
    """
    return " ".join(map(card_sign, names))


def request_words(position: Position, move: Move) -> str:
    """A move that could be played, as a request.

    Args:
        position: where it could be played.
        move: the move.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> request_words(position, position.move("7cx2s5h"))
        'Capture 2♠ and 5♥ with 7♣'
    """
    words = _words(position, move, is_person=True)
    return words[0].upper() + words[1:]


def _words(position: Position, move: Move, *, is_person: bool) -> str:
    """A move without its player; builds of the person at the page are yours."""
    if is_person:
        owners = {position.turn: "your"}
        return move_words(position, move, owners=owners, named=card_sign, verb_end="")
    return move_words(position, move, named=card_sign)


def happened(before: Position, move: Move, after: Position, name: str | None) -> str:
    """A play in words.

    Args:
        before: the position in which it was made.
        move: the play.
        after: the position after it.
        name: of the player; None for the person at the page.

    Example:
        >>> before = Position.parse("table=2s5h hands=7c9hAsTd/???? piles=??/-")
        >>> move = before.move("7cx2s5h")
        >>> happened(before, move, before.play(move), None)
        'You capture 2♠ and 5♥ with 7♣: a sweep.'
    """
    words = _words(before, move, is_person=name is None)
    sweep = ": a sweep" if outcome_of(before, move, after).sweep else ""
    return f"{'You' if name is None else name} {words}{sweep}."
