"""Records of games as JSON: plain values out, games in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from casino_core._arguments import shown
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.formats.answers import can_be_counted, counted_fields
from casino_core.formats.record_parts import Note, RecordedRound
from casino_core.game.match import by_players, by_seats
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.game.scoring import side_names
from casino_core.rules.options import Rules

__all__ = [
    "check_made",
    "field_of",
    "is_json",
    "json_object",
    "list_of",
    "object_of",
    "round_fields",
    "round_of",
    "text_of",
]

#: Fields of a round and of a play that follow from the others.
_OF_ROUND: Final = ("seating", "score", "position", "points", "steps")
_JSON: Final = re.compile(r'\s*\{\s*(?:\}\s*\Z|"[^"\n]*"\s*:)')
_LONGEST_TEXT: Final = 1_000_000  # characters
_LONGEST: Final = 80  # characters of a value in a message
_OF_PLAY: Final = ("play", "seat")
_PLAY_FIELDS: Final = ("play", "seat", "move", "owner", "cards", "mark", "value", "comments")


def is_json(text: str) -> bool:
    """Whether a text is meant as a JSON object, and not as a record that begins with a comment.

    Args:
        text: any text, or its first line.

    Example:
        >>> is_json('{"rounds": []}'), is_json("{We begin late.} [Seed 17]")
        (True, False)
    """
    return _JSON.match(text) is not None


def json_object(text: str) -> dict[str, Any]:
    """The fields of a game as JSON.

    Args:
        text: the JSON.

    Raises:
        NotationError: the text is not JSON, or not that of a game.
    """
    if len(text) > _LONGEST_TEXT:
        raise NotationError(f"the text is too long for one game: {len(text)} characters")
    try:
        found = json.loads(text)
    except RecursionError:
        raise NotationError("the JSON is nested too deeply for a game") from None
    except ValueError as error:
        raise NotationError(f"the text is not JSON: {error}") from None
    if isinstance(found, dict) and "rounds" in found:
        return found
    own = found.get("position") if isinstance(found, dict) else None
    if isinstance(own, str):
        raise NotationError(f"JSON with a position is for batch; here write {quoted(own)}")
    raise NotationError("the JSON is not that of a game, which has rounds")


def round_fields(one: RecordedRound) -> dict[str, Any]:
    """The fields of a round in JSON.

    Args:
        one: the round.

    Example:
        >>> one = RecordedRound(Round(Position.start(seed=17), ["7dx7c"]), notes={1: Note("!")})
        >>> round_fields(one)["plays"]
        [{'play': 1, 'seat': 'a', 'move': '7dx7c', 'mark': '!'}]
    """
    played, rules = one.round, one.round.start.rules
    score = by_players(played.start.match_score, one.number - 1)
    position = played.position
    counted = counted_fields(position) if can_be_counted(position) else {}
    return {
        "number": one.number,
        "seating": "".join(by_seats(tuple(rules.seats), one.number - 1)),
        "score": dict(zip(side_names(rules), score, strict=True)),
        "seed": one.seed,
        "start": str(played.start),
        "comments": list(one.note(0).comments),
        "plays": list(_plays(one)),
        "position": str(position),
        "points": counted.get("points"),
        "steps": counted.get("steps"),
        "tags": one.tags,
    }


def _plays(one: RecordedRound) -> list[dict[str, Any]]:
    found = []
    for number, (words, before) in enumerate(
        zip(one.round.words, one.round.positions, strict=False), start=1
    ):
        fields: dict[str, Any] = {"play": number, "seat": before.turn, "move": words[0]}
        for word in words[1:]:
            key, _, value = word.partition(":")
            if key == "owner":
                fields["owner"] = value
            else:
                fields.setdefault("cards", {})[key] = value
        note = one.note(number)
        if note.mark:
            fields["mark"] = note.mark
        if note.value is not None:
            fields["value"] = note.value
        if note.comments:
            fields["comments"] = list(note.comments)
        found.append(fields)
    return found


def check_made(
    owner: str, given: Mapping[str, Any], made: Mapping[str, Any], names: Iterable[str]
) -> None:
    """Check fields against the same fields as they follow from the plays.

    Args:
        owner: the object of the fields, for the message; empty for the game.
        given: the fields that were read; those that are missing are not checked.
        made: the fields as they are made from what was read.
        names: the names of the fields to check; all others must be those of `made`, or absent.

    Raises:
        CasinoError: a field that the plays contradict, or one that does not exist.

    Example:
        >>> check_made("round 1", {"seating": "ba"}, {"seating": "ab"}, ["seating"])
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: round 1: seating is "ab" by the plays, not "ba"
    """
    where = f"{owner}: " if owner else ""
    for name, value in given.items():
        if name not in made:
            raise CasinoError(f"{where}there is no field {shown(name)}")
        if name in names and value != made[name]:
            right, wrong = _short(made[name]), _short(value)
            raise CasinoError(f"{where}{name} is {right} by the plays, not {wrong}")


def _short(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def round_of(fields: object, rules: Rules | None, number: int = 1) -> RecordedRound:
    """The round of fields in JSON.

    Args:
        fields: as `round_fields` makes them; `start` and `plays` are required, and for each play
            its `move`.
        rules: the rules of the game, for a start without rules; None if they are not known.
        number: the number of the round if the fields do not have it.

    Raises:
        CasinoError: a missing or invalid field, or one that the plays contradict.

    Example:
        >>> start = str(Position.start(seed=17))
        >>> round_of({"start": start, "plays": [{"move": "7dx7c"}]}, None).round.position.turn
        'b'
    """
    given = object_of("a round", fields)
    start = field_of("the round", given, "start", str)
    if rules is not None and "rules=" not in start:
        start += f" rules={rules}"
    played = Round(Position.parse(start))
    notes: dict[int, Note] = {0: Note(comments=tuple(list_of("comments", given)))}
    for number, one in enumerate(list_of("plays", given, needed=True), start=1):
        play = object_of(f"play {number}", one)
        if not isinstance(play.get("move"), str):
            raise CasinoError(f"play {number} has no move")
        played = played.play(play["move"], owner=play.get("owner"))
        for seat, cards in object_of("cards", play.get("cards", {})).items():
            played = played.reveal(seat, text_of(f"cards of {seat}", cards))
        comments = tuple(list_of("comments", play))
        notes[number] = Note(play.get("mark", ""), play.get("value"), comments)
    found = RecordedRound(
        played,
        number=given.get("number", number),
        seed=given.get("seed"),
        notes=notes,
        tags=given.get("tags", {}),
    )
    made = round_fields(found)
    check_made("", given, made, _OF_ROUND)
    for number, (one, own) in enumerate(zip(given["plays"], made["plays"], strict=True), start=1):
        check_made(f"play {number}", one, dict.fromkeys(_PLAY_FIELDS) | own, _OF_PLAY)
    return found


def text_of(name: str, value: object) -> str:
    """A value that must be a text.

    Args:
        name: the name of the value, for the message.
        value: the value.

    Raises:
        CasinoError: the value is not a text.
    """
    if not isinstance(value, str):
        raise CasinoError(f"{name} is a text, not {shown(value)}")
    return value


def object_of(name: str, value: object) -> Mapping[str, Any]:
    """A value that must be a JSON object.

    Args:
        name: the name of the value, for the message.
        value: the value.

    Raises:
        CasinoError: the value is not an object.
    """
    if not isinstance(value, Mapping):
        raise CasinoError(f"{name} is a JSON object, not {shown(value)}")
    return value


def field_of(owner: str, given: Mapping[str, Any], name: str, kind: type) -> Any:
    """A field that must be there.

    Args:
        owner: the object of the field, for the message.
        given: the fields.
        name: the name of the field.
        kind: its type.

    Raises:
        CasinoError: the field is missing or has another type.
    """
    if name not in given:
        raise CasinoError(f"{owner} has no field {name!r}")
    if not isinstance(given[name], kind):
        raise CasinoError(f"{name} is a {kind.__name__}, not {shown(given[name])}")
    return given[name]


def list_of(name: str, given: Mapping[str, Any], *, needed: bool = False) -> list[Any]:
    """A field that is a list; an empty list if it is missing.

    Args:
        name: the name of the field.
        given: the fields.
        needed: whether the field is required.

    Raises:
        CasinoError: the field is not a list, or is missing and required.
    """
    if name not in given and not needed:
        return []
    found = given.get(name)
    if not isinstance(found, list):
        raise CasinoError(f"{name} is a list, not {shown(found)}")
    return found
