"""Odd requests of protocol 2: each has one answer, of the shape of the schema, and no fault."""

from pathlib import Path
from random import Random

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core.engine.codes import ERROR_CODES
from casino_core.engine.commands import PROTOCOL_2
from casino_core.engine.schema import schema
from helpers.engine import ask
from helpers.rounds import at_random, play_out, random_round

ROOT = Path(__file__).resolve().parents[2]
PLAY = {"move": "As"}
GAMES = [
    "",
    "x",
    "\n",
    "\ud800",
    "table=2s5h8dKc hands=As7c9hTd/????",
    "hands=As/Ah out=-",
    f"hands=-/- piles={'?' * 52}/-",
    '[Rules "royal"]\n*',
    "[Seed 1]\n3h ;a comment\n",
    "{}",
    {},
    {"rounds": []},
    {"rounds": [{"start": 5}]},
    {"rounds": [{"start": "hands=As/Ah out=-", "plays": [PLAY, {"move": "Ah"}]}], "target": None},
    str(random_round("standard", 1)),
    str(cc.Game([random_round("royal,players=3", 1)])),
    str(cc.Game([play_out(cc.Position.start("draw", seed=1), at_random(1), plays=20)])),
    str(random_round("royal-1911,players=4,partners=yes", 1, plays=20).seen_by("b")),
    (ROOT / "examples" / "saved_game.txt").read_text(encoding="utf-8"),
]
WORDS = ["a", "b", "As", "7cx2s", "best", "all", "none", "18/20", "21/20", "royal", "level-1"]
WORDS += ["greedy", "hint:samples=1", "os:system", "1.2", "2.1", "b:holds=9", "3h", "standard,x=1"]
VALUES = [None, True, 0, 1, -1, 3, 12, 100, 2**64, 1.5, [], ["best"], [1, 2], [1, 2, 3], {}, *WORDS]
SMALL = {
    "hint": {"samples": 2, "seconds": None, "threads": None, "method": None},
    "review": {"samples": 1, "deals": 1, "deep": None, "seconds": None},
    "solve": {"nodes": 50, "table": 1},
}
SHAPES = schema()["$defs"]
COMMANDS = [name for name in PROTOCOL_2 if name != "quit"]


def odd_request(rng: Random) -> dict:
    """A request with fields that are good or bad."""
    command = rng.choice(COMMANDS)
    request = {"id": 1, "command": command}
    for name, rule in PROTOCOL_2[command].fields.items():
        if rule.needed or rng.random() < 0.3:
            request[name] = rng.choice(GAMES if name == "position" else VALUES)
    request |= SMALL.get(command, {})
    return {name: value for name, value in request.items() if value is not None}


@given(st.integers(0, 2**32))
def test_odd_requests(seed: int) -> None:
    request = odd_request(Random(seed))
    (answer,) = ask(request)
    name = "error" if "error" in answer else f"answer_{request['command']}"
    part = {"$ref": f"#/$defs/{name}", "$defs": SHAPES}
    jsonschema.Draft202012Validator(part).validate(answer)
    if "error" in answer:
        assert answer["code"] in ERROR_CODES
        assert answer["code"] != "internal", answer["error"]
        assert "\n" not in answer["error"]
