"""Requests of protocol 2 to an engine in this process."""

import json

from casino_core.engine.engine import Engine


def ask(*requests, threads=1):
    """The answers to requests of protocol 2, in the order in which they come."""
    got = []
    engine = Engine(got.append, threads=threads, protocol=2)
    for item in requests:
        engine.take(item if isinstance(item, bytes) else json.dumps(item).encode())
    engine.close()
    engine.work()
    return [json.loads(line) for line in got]


def one(command, **fields):
    """The answer to one request."""
    (answer,) = ask({"id": 1, "command": command, **fields})
    assert answer.pop("id") == 1
    return answer


def played_out(record, choose):
    """The answers to the plays of a round, to its end; `choose` names a move of a record."""
    answers = []
    while True:
        answers.append(one("play", position=record, move=choose(record)))
        record = answers[-1]["record"]
        if answers[-1]["over"]:
            return answers
