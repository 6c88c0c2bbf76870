"""Positions set up or read on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino_core._arguments import Kind, instance_of, one_of, whole
from casino_core.errors import CasinoError
from casino_core.formats.reading import ReadGame
from casino_core.formats.record import RecordedRound
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.play.outcome import outcome_of
from casino_core.rules.cards import CardSet
from casino_core.rules.options import Rules
from casino_core.web.requests import fields_of
from casino_core.web.views import listed_moves, table_view
from casino_core.web.words import happened

__all__ = ["board_line", "game_lines", "position_view"]

_MOST_CARDS = 52
_LONGEST = 400


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST or set(value) & set(" \n\t="):
        raise ValueError
    return value


_CARDS = Kind("a text of cards", _text)
_LIST = instance_of(list)
_COUNT = whole(0, _MOST_CARDS)
_BUILD: Mapping[str, Kind[Any]] = {
    "value": whole(1, 14),
    "owner": one_of("abcd"),
    "multiple": Kind("true or false", instance_of(bool).read),
    "cards": _CARDS,
}
_BOARD: Mapping[str, Kind[Any]] = {
    "rules": Kind("a rule set", lambda value: str(Rules.parse(_text_of_rules(value)))),
    "table": _CARDS,
    "builds": _LIST,
    "hands": _LIST,
    "piles": _LIST,
    "turn": one_of("abcd"),
    "last": one_of("abcd"),
    "stock": _COUNT,
}


def _text_of_rules(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST or set(value) & set(" \n\t"):
        raise ValueError
    return value


def board_line(given: Mapping[str, Any]) -> str:
    """The position line of a board that was set up.

    Captured cards that nobody has named are put into the piles as unknown ones, as many as the
    cards left in the stock leave over.

    Args:
        given: `rules`, `table`, `builds` (each with `value`, `owner`, `cards`, `multiple`), `hands`
            and `piles` as texts of cards, `turn`, `last`, and `stock`, the number of its cards.

    Raises:
        CasinoError: a field that cannot be read, or more cards than the pack has.

    Example:
        >>> board_line({"table": "2s5h", "hands": ["As7c9hTd", "????"], "stock": 40})
        'rules=standard table=2s5h hands=As7c9hTd/???? piles=?/? turn=a'
    """
    fields = fields_of(given, _BOARD, ("hands",))
    rules = Rules.parse(fields.get("rules", "standard"))
    builds = [_build_of(one) for one in fields.get("builds", [])]
    hands = [_CARDS("a hand", one) for one in fields["hands"]]
    piles = [_CARDS("a pile", one) for one in fields.get("piles", [])]
    piles += [""] * (rules.sides - len(piles))
    if "stock" in fields:
        seen = [fields.get("table", ""), *hands, *piles, *(one["cards"] for one in builds)]
        piles = _filled(piles, sum(map(_size, seen)) + fields["stock"])
    words = [f"rules={rules}", f"table={fields.get('table') or '-'}"]
    words += [f"builds={','.join(map(_build_text, builds))}"] if builds else []
    words.append(f"hands={'/'.join(hand or '-' for hand in hands)}")
    words += [f"piles={'/'.join(pile or '-' for pile in piles)}"] if any(piles) else []
    words.append(f"turn={fields.get('turn', 'a')}")
    words += [f"last={fields['last']}"] if "last" in fields else []
    return " ".join(words)


def _size(cards: str) -> int:
    """How many cards a text names, `?` for an unknown one."""
    unknown = cards.count("?")
    return unknown + len(CardSet(cards.replace("?", "")))


def _filled(piles: list[str], known: int) -> list[str]:
    """The piles with unknown cards for all that lie nowhere else."""
    left = _MOST_CARDS - known
    if left < 0:
        raise CasinoError(f"there are {-left} cards too many for that stock: lower it")
    each, more = divmod(left, len(piles))
    return [pile + "?" * (each + (place < more)) for place, pile in enumerate(piles)]


def _build_of(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise CasinoError("a build has a value, an owner and cards")
    return fields_of(given, _BUILD, ("value", "owner", "cards"))


def _build_text(build: Mapping[str, Any]) -> str:
    star = "*" if build.get("multiple") else ""
    return f"{build['value']}{build['owner']}{star}:{build['cards']}"


def position_view(position: Position, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    """A position of the analysis board.

    Args:
        position: the position. There are no plays in it if the hand of the seat to play is not
            known.
        warnings: oddities, one line each.
    """
    is_known = not position.hand.hidden and not position.is_over
    return {
        "line": str(position),
        "rules": str(position.rules),
        "last": position.last,
        "piles": [str(pile) for pile in position.piles],
        **table_view(position),
        "known": is_known,
        "complete": _is_complete(position),
        "moves": listed_moves(position) if is_known else [],
        "warnings": list(warnings),
    }


def _is_complete(position: Position) -> bool:
    """Whether every card is known, so that the round can be played on."""
    hidden = any(one.hidden for one in (*position.hands, *position.piles))
    return not hidden and (position.stock is not None or not position.stock_count)


def game_lines(found: ReadGame) -> list[dict[str, Any]]:
    """The plays of a game that was read, each with the place that names it.

    Args:
        found: the game.
    """
    return [line for one in found.game.rounds for line in _round_lines(found, one)]


def _round_lines(found: ReadGame, one: RecordedRound) -> list[dict[str, Any]]:
    followed: Round = one.round
    positions = followed.positions
    seats, players = found.game.seating(one.number), found.game.players
    names = {
        seat: players.get(player, f"Seat {seat}")
        for seat, player in zip(found.game.rules.seats, seats, strict=True)
    }
    lines = []
    for number, (before, move, after) in enumerate(
        zip(positions[:-1], followed.plays, positions[1:], strict=True), start=1
    ):
        lines.append(
            {
                "at": f"{one.number}.{number}",
                "round": one.number,
                "text": str(move),
                "words": happened(before, move, after, names[before.turn]),
                "dealt": outcome_of(before, move, after).dealt,
            }
        )
    lines.append({"at": f"{one.number}.{len(lines) + 1}", "round": one.number, "end": True})
    return lines
