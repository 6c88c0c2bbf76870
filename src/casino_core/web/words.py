"""What was played and what could be, in the words of the table."""

from __future__ import annotations

from collections.abc import Iterable

from casino_core.game.position import Move, Position
from casino_core.play.outcome import outcome_of
from casino_core.rules.cards import SUITS
from casino_core.rules.pieces import Build

__all__ = ["agent_title", "card_sign", "cards_signs", "happened", "move_words"]

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


def _builds(position: Position, move: Move) -> list[Build]:
    return [build for build in position.builds if build.cards <= move.built]


def _objects(position: Position, move: Move) -> str:
    """The loose cards and builds that a move takes."""
    parts = [cards_signs(move.loose)] if move.loose else []
    builds = _builds(position, move)
    parts += [f"the build of {build.value} ({cards_signs(build.cards)})" for build in builds]
    return " and ".join(parts)


def _build_words(position: Position, move: Move) -> str:
    card, value = card_sign(move.card), move.value
    base = next(iter(_builds(position, move)), None)
    more = f" and {cards_signs(move.loose)}" if move.loose else ""
    if base is None:
        return f"build{{s}} {value} with {card}{more}"
    if base.value == value:
        return f"add{{s}} {card}{more} to the build of {value}"
    return f"raise{{s}} the build of {base.value} to {value} with {card}{more}"


def _words(position: Position, move: Move) -> str:
    """A move in words, with `{s}` where the verb of another player ends in s."""
    if move.kind == "trail":
        return f"lay{{s}} {card_sign(move.card)} on the table"
    if move.kind == "capture":
        return f"take{{s}} {_objects(position, move)} with {card_sign(move.card)}"
    return _build_words(position, move)


def move_words(position: Position, move: Move) -> str:
    """A move that could be played, as a request.

    Args:
        position: where it could be played.
        move: the move.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> [move_words(position, move) for move in position.legal_moves()][3:5]
        ['Lay 9♥ on the table', 'Lay A♠ on the table']
    """
    words = _words(position, move).format(s="")
    return words[0].upper() + words[1:]


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
        'You take 2♠ 5♥ with 7♣: a sweep.'
    """
    words = _words(before, move).format(s="" if name is None else "s")
    sweep = ": a sweep" if outcome_of(before, move, after).sweep else ""
    return f"{'You' if name is None else name} {words}{sweep}."
