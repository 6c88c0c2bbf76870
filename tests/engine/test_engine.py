"""The engine: its answers, errors, and stops."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.engine import engine as engine_module
from casino_core.engine.engine import Engine, serve
from casino_core.engine.requests import COMMANDS, LONGEST_LINE
from helpers.programs import PATIENCE, PROGRAM, ran, started
from helpers.rounds import last, play_out

ROOT = Path(__file__).resolve().parents[2]
LINE = "table=2s5h8dKc hands=As7c9hTd/????"
LAST = (ROOT / "examples" / "last_deal.txt").read_text(encoding="utf-8")
ROUND = str(cc.Position.start("royal", seed=1))
CLOSE = str(cc.Position.start("royal", seed=8))  # two plays are hardly to be told apart


def ask(*requests):
    """The answers to requests (bytes, or objects to be written as JSON) in this process."""
    lines = [item if isinstance(item, bytes) else json.dumps(item).encode() for item in requests]
    got = []
    engine = Engine(got.append)
    for line in lines:
        engine.take(line)
    engine.close()
    engine.work()
    return [json.loads(line, parse_constant=pytest.fail) for line in got]


class Process:
    """The real program."""

    def __init__(self):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.child = started(*PROGRAM, "engine", **pipes)

    def __enter__(self):
        self.process = self.child.__enter__()
        return self

    def __exit__(self, *error):
        return self.child.__exit__(*error)

    def send(self, request):
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def next(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the engine has ended"
        return json.loads(line)

    def end(self):
        """Ends the input; the answers left, and the status."""
        rest, errors = self.process.communicate(timeout=PATIENCE)
        assert errors == b""
        return [json.loads(line) for line in rest.splitlines()], self.process.returncode


@pytest.mark.parametrize(
    ("request_", "arguments"),
    [
        ({"command": "moves", "position": LINE}, ["moves", LINE]),
        ({"command": "show", "position": LINE}, ["show", LINE]),
        ({"command": "solve", "position": LAST}, ["solve", LAST]),
        ({"command": "solve", "position": LAST, "nodes": 1}, ["solve", LAST, "--nodes", "1"]),
        (
            {"command": "hint", "position": LINE, "samples": 9, "seed": 4},
            ["hint", LINE, "--samples", "9", "--seed", "4"],
        ),
        ({"command": "hint", "position": LAST, "open": True}, ["hint", LAST, "--open"]),
    ],
)
def test_answers_are_those_of_the_command_line(request_, arguments):
    (answer,) = ask({"id": 1, **request_})
    printed = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert list(answer) == ["id", *printed]
    for varying in ("seconds", "id"):
        answer.pop(varying, None)
        printed.pop(varying, None)
    assert answer == printed


def test_about_names_every_command():
    (answer,) = ask({"command": "about"})
    assert answer["name"] == "casino-core"
    assert answer["version"] == cc.__version__
    assert answer["protocol"] == 2
    assert answer["commands"] == {name: list(fields) for name, fields in COMMANDS.items()}
    assert answer["presets"] == list(cc.PRESETS)


def test_a_round_is_played_to_its_end():
    position, plays = cc.Position.start("standard", seed=3), 0
    line, over = str(position), False
    while not over:
        move = str(cc.Position.parse(line).legal_moves()[-1])  # takes rather than trails
        (answer,) = ask({"command": "play", "position": line, "move": move})
        position, plays = position.play(move), plays + 1
        line, over = answer["position"], answer["over"]
        assert line == str(position)
        assert (answer["points"] is None) == (not over)
    assert plays == 48
    assert answer["points"] == list(position.score())
    (hint,) = ask({"command": "hint", "position": line})
    assert "the round is finished" in hint["error"]


@pytest.mark.parametrize(
    "id_", [None, True, 0, 1.5, -(10**30), "x", "ü\n\ud800", [], {}, [{"a": [None]}], {"b": 1}]
)
def test_an_id_of_any_kind_comes_back(id_):
    for answer in ask({"id": id_, "command": "about"}, {"id": id_, "command": "no"}):
        assert answer["id"] == id_
        assert type(answer["id"]) is type(id_)


def about(**fields):
    return {"id": 1, "command": "about"} | fields


def solve(**fields):
    return {"id": 1, "command": "solve", "position": LAST} | fields


def hint(**fields):
    return {"id": 1, "command": "hint", "position": LINE} | fields


@pytest.mark.parametrize(
    ("request_", "part"),
    [
        (b"hello", "not JSON"),
        (b'{"id": 1', "not JSON"),
        (b"[1]", "a request is a JSON object, not a list"),
        (b"null", "a request is a JSON object, not null"),
        (b"\xff\xfe", "not UTF-8 at byte 1"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"id": ' + b"[" * 30 + b"]" * 30 + b', "command": "about"}', "id is nested"),
        (b'{"id": 1, "id": 2, "command": "about"}', "the field 'id' is there twice"),
        (
            b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b',"89999":1}',
            "the field '89999' is there twice",
        ),
        (b'{"id": 1e999, "command": "about"}', "too large"),
        (b'{"id": NaN, "command": "about"}', "NaN"),
        (b'{"id": ' + b"9" * 9999 + b"}", "digits"),
        (b'{"x": "' + b"x" * LONGEST_LINE + b'"}', "longer than 1000000 bytes"),
        ({"id": 1}, "a request needs a command"),
        (about(command="dance"), "no command 'dance'"),
        (about(command=["about"]), "no command a list"),
        (about(more=1), "about has no field 'more'"),
        ({"id": 1, "command": "hint"}, "hint needs the field position"),
        ({"id": 1, "command": "play", "position": LINE}, "play needs the field move"),
        ({"id": 1, "command": "play", "position": LINE, "move": "2s"}, "2s"),
        ({"id": 1, "command": "play", "position": LINE, "move": "\n"}, ""),
        (hint(position=3), "position is the text of a position, not 3"),
        (hint(position="x"), "neither a position line nor a saved game"),
        (hint(position="README.md"), "neither a position line nor a saved game"),
        (hint(position="rules=bridge hands=As/Ah"), "bridge"),
        (hint(history=5), "history is a list of plays, each a list of a position and a move, or"),
        (hint(history=f"{LINE}\nAs 2s"), "play 2: 2s is not legal"),
        (hint(history="table=2s hands=As/? out=-"), "history: the plays do not lead to the"),
        (hint(history=[[LINE]]), "history is a list of plays"),
        (hint(history=[[LINE, 5]]), "history is a list of plays"),
        (hint(history=[["nonsense", "2s"]]), "nonsense"),
        (hint(history=[[LINE, "As"]]), "history: play 1, As of a"),
        (hint(threads=0), "threads is a whole number from 1 to 1024, not 0"),
        (hint(seconds=0), "seconds is a number of seconds more than 0 and at most 86400, not 0"),
        (hint(seconds="1"), "seconds"),
        (
            hint(seconds=True),
            "seconds is a number of seconds more than 0 and at most 86400, not true",
        ),
        (hint(samples=0), "samples is a whole number"),
        (hint(samples=1.5), "samples is a whole number"),
        (hint(seed=-1), "seed"),
        (hint(seed=2**64), "seed"),
        (hint(open=1), "open is true or false, not 1"),
        (hint(interim=0), "interim"),
        (hint(nodes=1), "hint has no field 'nodes'"),
        (solve(stock="some"), "stock is"),
        (solve(stock=[]), "stock is"),
        (solve(nodes=0), "nodes"),
        (solve(table=0), "table"),
        (solve(seconds=-1), "seconds"),
        (solve(position=LINE), "solve needs every card"),
        ({"id": 1, "command": "stop", "what": 1}, "stop has no field 'what'"),
    ],
)
def test_a_bad_request_is_answered_and_the_engine_lives_on(request_, part):
    bad, good = ask(request_, {"id": 2, "command": "moves", "position": LINE})
    assert list(bad) == ["id", "error"]
    assert part in bad["error"]
    assert "\n" not in bad["error"]
    assert bad["id"] == (1 if isinstance(request_, dict) else None)
    assert good["id"] == 2
    assert good["count"]


def test_warnings_are_told():
    game = (ROOT / "tests" / "data" / "saved_games" / "game-001.txt").read_text(encoding="utf-8")
    (answer,) = ask({"command": "moves", "position": game})
    assert answer["count"] == 29
    assert answer["warnings"][0] == "cards that appear nowhere: Th"


def test_a_fault_inside_ends_one_request_only(monkeypatch):
    def broken(*position, **options):
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(engine_module, "hint", broken)
    first, second = ask(hint(), {"command": "moves", "position": LINE})
    assert first["error"] == "internal error: ZeroDivisionError: two lines"
    assert second["count"]


def test_a_fault_in_reading_ends_one_request_only(monkeypatch):
    def broken(*line):
        raise ZeroDivisionError("two\nlines")

    with monkeypatch.context() as patched:
        patched.setattr(engine_module, "read_request", broken)
        got = []
        engine = Engine(lambda line: got.append(json.loads(line)))
        assert engine.take(json.dumps(about()).encode())
    engine.take(json.dumps(about()).encode())
    assert got[0] == {"id": None, "error": "internal error: ZeroDivisionError: two lines"}
    assert got[1]["name"]


def test_input_in_pieces_of_any_size():
    lines = [b"", b"  ", b'{"id":1,"command":"about"}\r', b"\xef\xbb\xbf" + b'{"id":2}', b"x"]
    for size in (1, 7, 1000):
        data = bytearray(b"\n".join(lines))
        got = []

        def receive(most, data=data, size=size):
            piece = bytes(data[: min(size, most)])
            del data[: len(piece)]
            return piece

        serve(receive, got.append)
        assert [json.loads(line)["id"] for line in got] == [1, 2, None]


def test_input_that_fails_is_told():
    def receive(most):
        raise OSError("no input")

    with pytest.raises(OSError, match="no input"):
        serve(receive, print)


def test_many_requests_wait_for_room(monkeypatch):
    monkeypatch.setattr(engine_module, "_MOST_WAITING", 3)
    line = b'{"id":%d,"command":"moves","position":"hands=As/Ah out=-"}\n'
    data = [b"".join(line % i for i in range(50)), b""]
    got = []
    serve(lambda most: data.pop(0), got.append)
    assert [json.loads(line)["id"] for line in got] == list(range(50))


def test_stop_and_quit_before_the_work_begins():
    got = []
    engine = Engine(lambda line: got.append(json.loads(line)))
    for request in (
        {"id": "a", "command": "solve", "position": ROUND},
        {"id": 1, "command": "hint", "position": ROUND},
        {"id": True, "command": "moves", "position": LINE},
        {"id": "s", "command": "stop", "request": 1},
        {"id": "q", "command": "quit"},
    ):
        more = engine.take(json.dumps(request).encode())
    assert not more
    engine.work()
    assert [answer["id"] for answer in got] == ["s", "a", 1, True, "q"]
    assert got[0]["stopped"] == 1
    assert got[1]["exact"] is False
    assert [answer["error"] for answer in got[2:4]] == ["stopped before it began"] * 2
    assert got[4] == {"id": "q", "quit": True}


def test_a_long_search_tells_how_it_stands_and_is_stopped():
    with Process() as engine:
        engine.send({"id": 1, "command": "solve", "position": ROUND, "interim": 0.02})
        news = engine.next()
        assert news["interim"] is True
        assert list(news)[2:] == ["lower", "upper", "settled", "count", "nodes", "seconds"]
        engine.send({"id": 2, "command": "stop", "request": 1})
        while (answer := engine.next()).get("interim"):
            assert answer["id"] == 1
        assert answer == {"id": 2, "stopped": 1}
        answer = engine.next()
        assert answer["id"] == 1
        assert answer["exact"] is False
        assert answer["value"] is None
        assert len(answer["moves"]) == len(cc.Position.parse(ROUND).legal_moves())
        assert engine.end() == ([], 0)


def test_a_long_hint_tells_how_it_stands_and_is_stopped():
    with Process() as engine:
        request = {"id": 1, "command": "hint", "position": CLOSE, "seconds": 9999}
        engine.send(request | {"interim": 0.02})
        engine.send({"id": 2, "command": "moves", "position": LINE})
        news = engine.next()
        assert news["interim"] is True
        engine.send({"id": 3, "command": "stop"})
        while (answer := engine.next()).get("interim"):
            assert answer["id"] == 1
        assert answer == {"id": 3, "stopped": 1}
        answer = engine.next()
        assert answer["samples"] >= news["samples"] >= 0
        assert (answer["stopped"], news["stopped"]) == ("stop", None)
        assert list(answer) == [name for name in news if name != "interim"]
        assert engine.next()["id"] == 2
        engine.send({"id": 4, "command": "quit"})
        assert engine.next() == {"id": 4, "quit": True}
        assert engine.process.wait(PATIENCE) == 0  # with its input still open


def test_what_waits_at_the_end_of_input_is_finished():
    with Process() as engine:
        for number in range(20):
            engine.send(hint(id=number, samples=5))
        answers, status = engine.end()
        assert [answer["id"] for answer in answers] == list(range(20))
        assert all(answer["best"] for answer in answers)
        assert status == 0


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
@pytest.mark.parametrize("busy", [False, True])
def test_ctrl_c_ends_it_without_a_traceback(busy):
    with Process() as engine:
        if busy:
            engine.send({"id": 1, "command": "solve", "position": ROUND, "interim": 0.01})
        else:
            engine.send(about())
        engine.next()
        engine.process.send_signal(signal.SIGINT)
        errors = engine.process.stderr.read()
        assert engine.process.wait(PATIENCE) == 130
        assert errors == b"casino-core: interrupted\n"


def test_a_busy_engine_answers_at_once_what_it_can():
    with Process() as engine:
        engine.send({"id": 1, "command": "solve", "position": ROUND})
        engine.send({"id": 2, "command": "moves", "position": LINE})
        for request in (
            {"id": 3, "command": "ping"},
            {"id": 4, "command": "about"},
            {"id": 5, "command": "hint", "position": "nonsense"},
            {"id": 6, "command": "hint", "position": LINE, "belief": "nonsense"},
            b"nonsense",
        ):
            engine.send(request)
        assert engine.next() == {"id": 3, "ping": True, "waiting": 2}
        assert engine.next()["name"] == "casino-core"
        assert "neither a position line" in engine.next()["error"]
        assert "does not begin with a seat" in engine.next()["error"]
        assert engine.next()["id"] is None
        engine.send({"id": 7, "command": "stop"})
        assert [engine.next()["id"] for _ in range(3)] == [7, 1, 2]
        engine.send({"id": 8, "command": "ping"})
        assert engine.next() == {"id": 8, "ping": True, "waiting": 0}


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
@pytest.mark.parametrize("ends", [["stdin", "stdout"], ["stdout"]])
@pytest.mark.parametrize(
    "request_",
    [
        {"command": "solve", "position": ROUND},
        {"command": "hint", "position": CLOSE, "seconds": 9999},
        {"command": "hint", "position": CLOSE, "samples": 2**31 - 1, "method": "mcts"},
    ],
)
def test_a_client_that_is_gone_ends_a_search(request_, ends):
    with Process() as engine:
        engine.send({"id": 1, **request_})
        engine.send({"id": 2, "command": "ping"})
        assert engine.next()["waiting"] == 1
        for end in ends:
            getattr(engine.process, end).close()
        assert engine.process.wait(PATIENCE / 4) == 1
        assert engine.process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_a_client_that_is_gone_ends_an_idle_engine():
    with Process() as engine:
        engine.send({"id": 2, "command": "ping"})
        assert engine.next()["waiting"] == 0
        engine.process.stdout.close()
        assert engine.process.wait(PATIENCE / 4) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_output_to_a_file_is_finished_after_the_end_of_input(tmp_path):
    requests = "".join(json.dumps(hint(id=i, samples=2)) + "\n" for i in range(3))
    with (tmp_path / "out").open("wb") as file:
        assert ran(*PROGRAM, "engine", data=requests, stdout=file).returncode == 0
    lines = (tmp_path / "out").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [0, 1, 2]


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_a_reader_that_is_gone_ends_it_quietly():
    with Process() as engine:
        engine.process.stdout.close()
        engine.send(about())
        assert engine.process.stderr.read() == b""
        assert engine.process.wait(PATIENCE) == 1


def test_true_from_progress_ends_a_hint_and_a_search():
    position = cc.Position.parse(ROUND)
    seen = []

    def enough(news):
        seen.append(news)
        return True

    found = cc.hint(position, seconds=PATIENCE, progress=enough)
    assert len(seen) == 1
    assert (found.samples, found.moves) == (seen[0].samples, seen[0].moves)
    solution = cc.solve(position, progress=enough)
    assert len(seen) == 2
    assert not solution.exact
    assert (solution.lower, solution.upper) == (seen[1].lower, seen[1].upper)


def test_the_session_in_the_documents():
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"^```engine\n(.*?)^```", text, re.M | re.S)
    with Process() as engine:
        for line in session.splitlines():
            if line.startswith("> "):
                engine.send(line[2:].encode())
                continue
            shown, answer = json.loads(line), engine.next()
            assert list(answer) == list(shown)
            for varying in ("seconds", "nodes"):
                answer.pop(varying, None)
                shown.pop(varying, None)
            assert answer == shown
        assert engine.process.wait(PATIENCE) == 0


def test_the_documents_name_every_command_and_field():
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    for name, fields in COMMANDS.items():
        (row,) = re.findall(rf"^\| `{name}` \| (.*?) ?\|", text, re.M)
        assert re.findall("`([a-z_]+)`", row) == list(fields)


def test_a_hint_takes_the_plays_of_the_deal():
    followed = play_out(cc.Position.start("standard", seed=3), last, plays=4)
    plays = zip(followed.positions[:-1], followed.plays, strict=True)
    history = [[str(before.view("a")), str(move)] for before, move in plays]
    position = followed.position
    asked = {"id": 1, "command": "hint", "position": str(position.view("a")), "samples": 50}
    told, plain = ask(asked | {"history": history, "threads": 2}, asked)
    plays = [(cc.Position.parse(before), move) for before, move in history]
    expected = cc.hint(position, samples=50, history=plays)
    assert told["best"] == str(expected.best)
    assert told["holds"]["b"] == pytest.approx(expected.holds["b"])
    assert told["holds"] != plain["holds"]
    played = cc.Round(cc.Position.start("standard", seed=3), [move for _, move in history])
    (of_round,) = ask(asked | {"history": str(played.seen_by("a"))})
    assert of_round["holds"] == told["holds"]
