"""The one table of the commands of protocol 2: fields, types, defaults, meanings, answers.

The checks of requests, the JSON Schema and the tables of `docs/engine.md` are made from
`PROTOCOL_2`; `casino_core.engine.answering` has a function for each command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from casino_core._arguments import MIB, NODE_LIMIT, SAMPLES, SECONDS, SEED, SWITCH, Kind, one_of
from casino_core._arguments import whole as whole_number
from casino_core.engine.fields import (
    ANY_ID,
    GAME,
    HINT_OPTIONS,
    NAMES,
    NUMBERS,
    PLACE,
    TEXT,
    Field,
    option_kind,
)
from casino_core.engine.shapes import (
    BOOL,
    BUILD,
    BUILDS,
    CARDS,
    COUNTED,
    INT,
    LEGAL_MOVES,
    NUMBER,
    NUMBERS_BY_SIDE,
    OBJECT,
    OBJECTS,
    POINTS_SO_FAR,
    REASON,
    STRING,
    STRINGS,
    VALUED_MOVES,
    VALUES,
    Shape,
    by_name,
    or_null,
)
from casino_core.play.luck import DEFAULT_DEALS
from casino_core.review.review import DEFAULT_SAMPLES as REVIEW_SAMPLES
from casino_core.rules.options import PRESETS
from casino_core.search.solver import STOCKS

__all__ = ["COMMON", "PROTOCOL_2", "Answer", "Command", "Lane"]

#: When a request is answered: at once; in turn with other quick ones; in turn with other searches.
Lane: TypeAlias = Literal["now", "quick", "search"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One field of an answer.

    Attributes:
        shape: its values, as JSON Schema has them.
        doc: what it means, a phrase.
    """

    shape: Shape
    doc: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        doc: what it does, a sentence.
        fields: the fields of a request, by name.
        answer: the fields of the answer, by name.
        lane: when it is answered.
    """

    doc: str
    fields: Mapping[str, Field]
    answer: Mapping[str, Answer]
    lane: Lane = "quick"


_LEVEL: Final = whole_number(1, 10)
_BOOLEAN: Final = Kind("true or false", SWITCH.read, SWITCH.schema)
_POSITION: Final = Field(GAME, needed=True, doc="a position, a record or a saved game")
_RECORD: Final = Field(GAME, needed=True, doc="a record")
_AT: Final = Field(PLACE, doc="the play of the record to stop before", default_words="its end")
_FIELDS: Final = Field(
    NAMES, doc="names of fields of the answer to give, instead of all", default_words="all"
)
_SECONDS: Final = Field(SECONDS, doc="longest time to think", default_words="no limit")
_INTERIM: Final = Field(SECONDS, doc="seconds between interim answers", default_words="none")
_SEED: Final = Field(SEED, doc="seed of all chance in the answer", default=0)
_REQUEST: Final = Field(ANY_ID, doc="the id of the requests", default_words="all in progress")

#: Fields that every request may have, beside `command`.
COMMON: Final[Mapping[str, Field]] = MappingProxyType(
    {
        "protocol": Field(
            whole_number(2, 2), doc="2", default_words="that of `casino-core engine --protocol`"
        ),
        "id": Field(ANY_ID, doc="any JSON value; the answers repeat it"),
        "client": Field(TEXT, doc="who asks: clients take turns", default=""),
    }
)

_STANDS: Final = {
    "turn": Answer(STRING, "the seat to play"),
    "over": Answer(BOOL, "whether the round is finished"),
    "points": Answer(POINTS_SO_FAR, "cards and points captured so far, by side and category"),
    "counted": Answer(or_null(COUNTED), "the score of a finished round, else null"),
}
_TEXTS: Final = {
    "position": Answer(STRING, "the position line"),
    "record": Answer(STRING, "the record of the game, to send as the next `position`"),
}

_HINT_FIELDS: Final = {
    option.field: Field(
        option_kind(option.name),
        doc=f"{option.help[0].lower()}{option.help[1:].rstrip('.')}",
        default=option.default,
        default_words={
            "seconds": "no limit",
            "samples": "100, with mcts 20000, unless `seconds` is given",
            "history": "the plays of the record",
        }.get(option.name, option.default_help or ""),
    )
    for option in HINT_OPTIONS.values()
}


def _table() -> dict[str, Command]:
    return {**_GAME, **_ADVICE, **_MATCHES, **_CONTROL}


_GAME: Final = {
    "deal": Command(
        "Deals a round: the first of a match, or the next one of a record.",
        {
            "rules": Field(TEXT, doc="preset and options", default="standard"),
            "seed": Field(SEED, doc="seed of the shuffle; this or `deck` is required"),
            "deck": Field(TEXT, doc="52 cards in the order of dealing"),
            "score": Field(NUMBERS, doc="match score before the round", default_words="zeros"),
            "position": Field(
                GAME, doc="the record of a match, to deal its next round; it has rules and score"
            ),
            "players": Field(NAMES, doc="names of the players by their seats in the first round"),
        },
        {
            **_TEXTS,
            "rules": Answer(STRING, "preset and options"),
            "number": Answer(INT, "number of the round in the match"),
            "seating": Answer(STRING, "the players in the order of the seats, as `ba` in round 2"),
            "seats": Answer(STRING, "the letters of the seats"),
            "sides": Answer(STRINGS, "the sides, each by the letters of its seats"),
            "turn": _STANDS["turn"],
        },
    ),
    "view": Command(
        "Shows what a seat sees: its own hand, the table, the captured cards, the plays.",
        {
            "position": _POSITION,
            "at": _AT,
            "seat": Field(one_of("abcd"), doc="the seat", default_words="the seat to play"),
            "fields": _FIELDS,
        },
        {
            "seat": Answer(STRING, "the seat"),
            "position": Answer(STRING, "the position line as the seat sees it"),
            "record": Answer(STRING, "the record of the round as the seat has seen it"),
            "rules": Answer(STRING, "preset and options"),
            "hand": Answer(CARDS, "the hand of the seat"),
            "hands": Answer(by_name(CARDS), "every hand by its seat, `?` for a hidden card"),
            "table": Answer(CARDS, "the loose cards"),
            "builds": Answer(BUILDS, "the builds"),
            "piles": Answer(by_name(CARDS), "the captured cards of each side"),
            "sweeps": Answer(NUMBERS_BY_SIDE, "sweeps of each side"),
            "stock_count": Answer(INT, "number of cards to come"),
            "last": Answer(or_null(STRING), "the seat that captured last"),
            "deal": Answer(INT, "number of the deal"),
            "plays": Answer(STRINGS, "the plays of the round"),
            "score": Answer(NUMBERS_BY_SIDE, "match score before the round"),
            **_STANDS,
        },
    ),
    "moves": Command(
        "Lists the legal moves with their parts and words.",
        {"position": _POSITION, "at": _AT, "fields": _FIELDS},
        {
            "position": Answer(STRING, "the position line"),
            "turn": _STANDS["turn"],
            "count": Answer(INT, "number of moves"),
            "moves": Answer(LEGAL_MOVES, "the moves, by text"),
        },
    ),
    "why": Command(
        "Says why a move is not legal.",
        {
            "position": _POSITION,
            "at": _AT,
            "move": Field(TEXT, needed=True, doc="the text of a move"),
        },
        {
            "move": Answer(STRING, "the move in its one form, as given if it cannot be read"),
            "legal": Answer(BOOL, "whether it is legal"),
            "reason": Answer(or_null(REASON), "the reason with its code; null for a legal move"),
        },
    ),
    "play": Command(
        "Plays a move and says what happened.",
        {
            "position": _POSITION,
            "at": _AT,
            "move": Field(TEXT, needed=True, doc="the text of a move"),
            "fields": _FIELDS,
        },
        {
            "move": Answer(STRING, "the move in its one form"),
            "seat": Answer(STRING, "the seat that played"),
            "kind": Answer({"enum": ["trail", "capture", "build"]}, "the kind of the play"),
            "words": Answer(STRING, "the play in words"),
            "taken": Answer(CARDS, "cards captured, the card played included"),
            "builds_taken": Answer(BUILDS, "builds captured"),
            "build": Answer(or_null(BUILD), "the build made, added to or raised"),
            "sweep": Answer(BOOL, "whether the play swept the table"),
            "dealt": Answer(by_name(INT), "number of cards that each seat got after the play"),
            "last_deal": Answer(BOOL, "whether the stock ran out with it"),
            "last_cards": Answer(CARDS, "cards left on the table at the end of the round"),
            "last_to": Answer(or_null(STRING), "the seat that takes them"),
            **_TEXTS,
            **_STANDS,
        },
    ),
    "show": Command(
        "Shows the parts of a position, as `casino-core show --json`.",
        {"position": _POSITION, "at": _AT, "fields": _FIELDS},
        {
            "position": Answer(STRING, "the position line"),
            "rules": Answer(STRING, "preset and options"),
            "table": Answer(CARDS, "the loose cards"),
            "builds": Answer(BUILDS, "the builds"),
            "hands": Answer({"type": "array", "items": CARDS}, "every hand, by seats"),
            "piles": Answer({"type": "array", "items": CARDS}, "captured cards, by sides"),
            "turn": _STANDS["turn"],
            "last": Answer(or_null(STRING), "the seat that captured last"),
            "sweeps": Answer({"type": "array", "items": INT}, "sweeps, by sides"),
            "stock": Answer(or_null(CARDS), "the stock in order; null if it is not known"),
            "stock_count": Answer(INT, "number of cards to come"),
            "out": Answer(CARDS, "cards missing from the pack"),
            "declared": Answer({"type": "array"}, "declared values, by seats"),
            "score": Answer({"type": "array", "items": INT}, "match score, by sides"),
            "counted": Answer(COUNTED, "the score of a finished round; missing before its end"),
        },
    ),
}

_ADVICE: Final = {
    "hint": Command(
        "Finds the best play from what the seat to play can see.",
        {
            "position": _POSITION,
            "at": _AT,
            **_HINT_FIELDS,
            "reasons": Field(
                one_of(("best", "all", "none")), doc="moves to give reasons for", default="best"
            ),
            "fields": _FIELDS,
            "interim": _INTERIM,
        },
        {
            "best": Answer(STRING, "the best move"),
            "moves": Answer(VALUED_MOVES, "every legal move with its value, best first"),
            "method": Answer(STRING, "how the best move was found"),
            "coverage": Answer(STRING, "the worlds searched: deal, worlds, samples, tree"),
            "exact": Answer(BOOL, "whether nothing was sampled or estimated"),
            "samples": Answer(INT, "number of worlds"),
            "seconds": Answer(NUMBER, "time of the hint"),
            "stopped": Answer(or_null(STRING), "why it ended; null in interim answers"),
            "holds": Answer(
                by_name(by_name(NUMBER)), "probability of each card in each hidden hand"
            ),
            "reasons": Answer(STRINGS, "what the best move does and risks, in words"),
            "objective": Answer(STRING, "what the values are for: points, or the match"),
            "unit": Answer(STRING, "the unit of the values"),
        },
        "search",
    ),
    "agent": Command(
        "Asks an agent or a level for its play, from what the seat to play can see.",
        {
            "position": _POSITION,
            "at": _AT,
            "agent": Field(
                TEXT, doc="the agent, such as `careful` or `hint:samples=50`", default="hint"
            ),
            "level": Field(_LEVEL, doc="the level, in place of an agent"),
            "seed": Field(
                SEED, doc="seed; each play of a round draws from a stream of its own", default=0
            ),
            "turn": Field(TEXT, doc="the seat to play, as bots are given it; not needed here"),
            "moves": Field(NAMES, doc="its legal moves, as bots are given them; not needed here"),
        },
        {
            "move": Answer(STRING, "the move"),
            "seat": Answer(STRING, "the seat to play"),
            "words": Answer(STRING, "the play in words"),
            "agent": Answer(STRING, "the agent, with the options that differ from its defaults"),
        },
        "search",
    ),
    "solve": Command(
        "Computes exact values if every card is known, as `casino-core solve --json`.",
        {
            "position": _POSITION,
            "at": _AT,
            "stock": Field(one_of(STOCKS), doc="whether players know the stock", default="known"),
            "seconds": _SECONDS,
            "nodes": Field(NODE_LIMIT, doc="most positions to search", default_words="no limit"),
            "table": Field(
                MIB, doc="size of the transposition table in MiB", default_words="to fit"
            ),
            "fields": _FIELDS,
            "interim": _INTERIM,
        },
        {
            "value": Answer(or_null(NUMBER), "the value; null if a limit was met"),
            "best": Answer(or_null(STRING), "a best move"),
            "moves": Answer(VALUES, "every move with its value"),
            "pv": Answer(STRINGS, "the line of best play"),
            "nodes": Answer(INT, "positions searched"),
            "seconds": Answer(NUMBER, "time of the search"),
            "exact": Answer(BOOL, "false, with bounds, if a limit was met; else missing"),
            "lower": Answer(NUMBER, "lower bound"),
            "upper": Answer(NUMBER, "upper bound"),
        },
        "search",
    ),
    "review": Command(
        "Reviews a round or match: what each play cost, and the luck of the deals.",
        {
            "position": _RECORD,
            "samples": Field(
                SAMPLES,
                doc="worlds for each play",
                default_words=f"{REVIEW_SAMPLES} unless `seconds` is given",
            ),
            "seconds": Field(SECONDS, doc="longest time for each play", default_words="no limit"),
            "seed": _SEED,
            "deals": Field(
                SAMPLES, doc="other deals to sample for the luck of each", default=DEFAULT_DEALS
            ),
            "deep": Field(_BOOLEAN, doc="solve the whole round in hindsight", default=False),
            "fields": _FIELDS,
            "interim": _INTERIM,
        },
        {
            "plays": Answer(OBJECTS, "every play; as `casino-core review --json`"),
            "seats": Answer(OBJECTS, "totals of each seat"),
            "deals": Answer(OBJECTS, "totals of each seat in each deal"),
            "luck": Answer(OBJECTS, "the luck of each deal"),
            "luck_reason": Answer(or_null(STRING), "why the luck is not known"),
            "parts": Answer(or_null(OBJECT), "the result in parts: luck, mistakes, the rest"),
            "position": Answer(STRING, "the first position"),
            "rounds": Answer(OBJECTS, "of a match: the same fields for each round"),
            "samples": Answer(or_null(INT), "worlds for each play"),
            "seconds": Answer(or_null(NUMBER), "longest time for each play"),
            "seed": Answer(INT, "the seed"),
        },
        "search",
    ),
}

_MATCHES: Final = {
    "score": Command(
        "Counts a position: points so far, and the score of a finished round.",
        {"position": _POSITION, "at": _AT},
        {
            "over": _STANDS["over"],
            "points": _STANDS["points"],
            "counted": _STANDS["counted"],
        },
    ),
    "match": Command(
        "Says how the match of a record stands; players and sides as in its first round.",
        {"position": _RECORD},
        {
            "rules": Answer(STRING, "preset and options"),
            "target": Answer(or_null(INT), "points that win; null for none"),
            "players": Answer(by_name(STRING), "names of the players"),
            "rounds": Answer(OBJECTS, "each round: number, seating, score before, points, steps"),
            "score": Answer(or_null(NUMBERS_BY_SIDE), "after the last round; null during one"),
            "over": Answer(BOOL, "whether the match has ended"),
            "winner": Answer(or_null(STRING), "the winning side, or `draw`"),
            "leader": Answer(or_null(STRING), "the player who leads the next round"),
            "seating": Answer(or_null(STRING), "the seating of the next round"),
        },
    ),
    "equity": Command(
        "Computes the chances of a match of equal players from its score.",
        {
            "score": Field(TEXT, needed=True, doc="points of both sides, such as `18/20`"),
            "rules": Field(TEXT, doc="a preset for two players", default="standard"),
            "target": Field(
                whole_number(1, 1000),
                doc="points that win the match",
                default_words="that of the rules",
            ),
            "leader": Field(one_of("ab"), doc="the side that leads next", default="a"),
        },
        {
            "score": Answer(STRING, "the score"),
            "leader": Answer(STRING, "the side that leads next"),
            "win": Answer(by_name(NUMBER), "probability of each side to win"),
            "draw": Answer(NUMBER, "probability of a drawn match"),
            "stderr": Answer(NUMBER, "standard error"),
        },
        "search",  # the first one of a score takes a while
    ),
}

_CONTROL: Final = {
    "about": Command(
        "Describes the engine.",
        {},
        {
            "name": Answer(STRING, "casino-core"),
            "version": Answer(STRING, "version of the program"),
            "protocol": Answer(INT, "2"),
            "protocols": Answer({"type": "array", "items": INT}, "the protocols that it speaks"),
            "commands": Answer(by_name(STRINGS), "the commands with their fields"),
            "presets": Answer({"type": "array", "items": {"enum": list(PRESETS)}}, "rule sets"),
            "agents": Answer(STRINGS, "agents, levels included"),
            "codes": Answer(STRINGS, "codes of errors"),
            "threads": Answer(INT, "searches at once"),
        },
        "now",
    ),
    "ping": Command(
        "Answers at once.",
        {},
        {
            "ping": Answer(BOOL, "true"),
            "waiting": Answer(INT, "number of requests in progress or waiting"),
        },
        "now",
    ),
    "stop": Command(
        "Ends searches with their results so far; requests that wait are cancelled.",
        {"request": _REQUEST},
        {"stopped": Answer(INT, "number of requests ended")},
        "now",
    ),
    "cancel": Command(
        "Cancels requests: each has an error with the code `cancelled`.",
        {"request": Field(ANY_ID, needed=True, doc="the id of the requests")},
        {"cancelled": Answer(INT, "number of requests cancelled")},
        "now",
    ),
    "quit": Command(
        "Stops everything and ends the engine; its answer is the last line.",
        {},
        {"quit": Answer(BOOL, "true")},
        "now",
    ),
}

#: The commands of protocol 2.
PROTOCOL_2: Final[Mapping[str, Command]] = MappingProxyType(_table())
