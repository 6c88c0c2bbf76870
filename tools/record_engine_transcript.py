"""Record the transcript of protocol 2 that clients can replay.

    python tools/record_engine_transcript.py

It writes `docs/engine_transcript.jsonl`. Each line has a `request`, or the text of a `line` that is
no request, its `answer`, and `varies`: the fields that differ from run to run or between versions.
"""

import json
from collections.abc import Iterator
from typing import Any

from folders import ROOT

from casino_core.engine.engine import Engine

TRANSCRIPT = ROOT / "docs" / "engine_transcript.jsonl"
VARIES = {"about": ["version", "agents", "threads"], "hint": ["seconds"], "solve": ["seconds"]}
LAST_DEAL = (
    "rules=pagat-royal table=3h8sKc hands=2sKs/3d8h piles=AsAd2d2c3s4h5c6s6h6c7s7h7d8d9h9dTdJhJdJc"
    "QcKd/AhAc2h3c4s4d4c5s5h5d6d7c8c9s9cTsThTcJsQsQhQdKh last=a"
)
OPEN = "table=2s5h8d builds=7b:3c4d hands=As7c8cTd/???? out=-"
LINES = ("hello", "[1]", '{"id": 1, "id": 2}', '{"id": 3}')

Fields = dict[str, Any]


def answer(line: str) -> Fields:
    """The answer to one line."""
    got: list[str] = []
    engine = Engine(got.append, protocol=2)
    engine.take(line.encode())
    engine.close()
    engine.work()
    (found,) = got
    fields: Fields = json.loads(found)
    return fields


class Recording:
    """A transcript being recorded."""

    def __init__(self) -> None:
        self.rows: list[Fields] = []

    def ask(self, command: str, **fields: Any) -> Fields:
        """The answer to a request, which is recorded."""
        request = {"protocol": 2, "id": len(self.rows) + 1, "command": command, **fields}
        found = answer(json.dumps(request))
        varies = VARIES.get(command, []) if "error" not in found else []
        self.rows.append({"request": request, "answer": found, "varies": varies})
        return found

    def say(self, line: str) -> None:
        """Record the answer to a line that is no request."""
        self.rows.append({"line": line, "answer": answer(line), "varies": ["error"]})


def a_round(record: Recording) -> str:
    """A whole round between two agents; returns its record."""
    game = record.ask("deal", seed=17, players=["Anna", "Ben"])["record"]
    over = False
    while not over:
        move = record.ask("agent", position=game, agent="careful", seed=1)["move"]
        played = record.ask("play", position=game, move=move)
        game, over = str(played["record"]), played["over"]
    return game


def recorded() -> Iterator[Fields]:
    """The lines of the transcript."""
    record = Recording()
    record.ask("about")
    record.ask("ping")
    game = a_round(record)
    record.ask("match", position=game)
    record.ask("score", position=game)
    record.ask("deal", position=game, seed=18)
    for seat in "ab":
        record.ask("view", position=game, at=12, seat=seat)
    record.ask("moves", position=OPEN)
    record.ask("show", position=OPEN)
    for move in ("7c x 2s5h [7b]", "Tdx2s8d", "8cx2s", "Ks", "7cx9h", "nonsense"):
        record.ask("why", position=OPEN, move=move)
    record.ask("hint", position=LAST_DEAL, reasons="all")
    record.ask("hint", position=LAST_DEAL, reasons="none", fields=["best", "exact"])
    record.ask("solve", position=LAST_DEAL)
    record.ask("equity", score="18/15", leader="b")
    refused(record)
    record.ask("stop")
    record.ask("cancel", request=1)
    record.ask("quit")
    yield from record.rows


def refused(record: Recording) -> None:
    """Requests that are refused."""
    record.ask("play", position=OPEN, move="8cx2s")
    record.ask("play", position=OPEN, move="nonsense")
    record.ask("hint", position="nonsense")
    record.ask("hint", position="rules=bridge hands=As/Ah")
    record.ask("hint", position=OPEN, samples=0)
    record.ask("hint", position=OPEN, colour="red")
    record.ask("hint")
    record.ask("dance")
    record.ask("solve", position=OPEN)
    record.ask("agent", position=OPEN, agent="open")
    for line in LINES:
        record.say(line)


def main() -> None:
    lines = [json.dumps(row) + "\n" for row in recorded()]
    TRANSCRIPT.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
