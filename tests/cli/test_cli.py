"""The command line: its answers, and errors of one line."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.cli import main
from casino_core.rules.cards import ALL_CARDS, cards_text, parse_cards_mask
from helpers.programs import PROGRAM, ran
from helpers.rounds import last, play_out

GAMES = Path(__file__).parents[1] / "data" / "saved_games"
OF_POSITIONS = ["moves", "perft", "show", "solve", "hint", "convert"]
COMMANDS = [*OF_POSITIONS, "review", "arena", "tournament", "batch", "sample"]

LINE = (
    "rules=royal table=2s5h8dKc builds=7b:3c4d,9a*:4h5c9s hands=As7c9hTd/???? "
    "piles=3h3d/Qs turn=a last=b sweeps=1/0"
)
MOVES = [
    "7c+2s+[9a]=9",
    "7c+2s5h=14",
    "7c+[7b]=14",
    "7cx2s5h",
    "7cx2s5h[7b]",
    "7cx[7b]",
    "9hx[9a]",
    "As+8d+[9a]=9",
    "Tdx2s8d",
]
LAST_CARDS = str(GAMES / "game-040.txt")
LAST_MOVE = "9dx[9a:3c6c][9a:4d5h]"


class Run:
    """One run of the program inside this process: status, output and errors."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: str) -> None:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(args))
        self.status = left.value.code or 0
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> dict[str, object]:
        assert self.status == 0, self.err
        assert len(self.out.splitlines()) == 1
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


def program(*args: str, **options: object) -> "subprocess.CompletedProcess[str]":
    return ran(*PROGRAM, *args, **options)


# ---------------------------------------------------------------- answers


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "moves", LINE, "--json")
    assert run.json == {"position": LINE, "turn": "a", "count": 9, "moves": MOVES}
    assert list(run.json) == ["position", "turn", "count", "moves"]
    assert run.err == ""


@pytest.mark.parametrize("command", ["hint", "solve"])
def test_of_many_moves_the_best_are_shown(capsys: pytest.CaptureFixture[str], command: str) -> None:
    line = (
        "rules=pagat table=2s2h3d3c4s5h6d7c hands=8hTs/9s "
        f"out={cards_text(ALL_CARDS & ~parse_cards_mask('2s2h3d3c4s5h6d7c8hTs9s'))}"
    )
    count = len(cc.Position.parse(line).legal_moves())
    assert count > 50
    few = Run(capsys, command, line).out.splitlines()
    assert f"and {count - 30} more (--all shows them)" in few
    every = Run(capsys, command, line, "--all").out.splitlines()
    assert len(every) == len(few) + count - 30 - 1
    assert not any("--all" in text for text in every)
    assert every[2:32] == few[2:32]
    assert len(Run(capsys, command, line, "--json").json["moves"]) == count  # type: ignore[arg-type]


def test_moves_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Run(capsys, "moves", LINE).out.splitlines()
    assert lines[0] == "Seat a has 9 moves:"
    assert [line.strip() for line in lines[1:]] == MOVES


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "perft", LINE, "--depth", "1", "--json").json == {"depth": 1, "nodes": 9}
    assert Run(capsys, "perft", LINE, "-d", "0", "--json").json == {"depth": 0, "nodes": 1}


def test_perft_divided(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "perft", LINE, "-d", "1", "--divide", "--json")
    assert run.json == {"depth": 1, "nodes": 9, "moves": dict.fromkeys(MOVES, 1)}
    assert "7cx2s5h[7b]" in Run(capsys, "perft", LINE, "-d", "1", "--divide").out


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Run(capsys, "solve", LAST_CARDS, "--json").json
    assert list(answer) == ["value", "best", "moves", "pv", "nodes", "seconds"]
    assert answer["value"] == -7
    assert answer["best"] == LAST_MOVE
    assert answer["moves"] == [{"move": LAST_MOVE, "value": -7}]
    assert answer["pv"][0] == LAST_MOVE  # type: ignore[index]


def test_solve_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "solve", LAST_CARDS).out
    assert "Value for seat a: -7" in out
    assert f"Best: {LAST_MOVE}" in out


def test_hint(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Run(capsys, "hint", LINE, "--seconds", "0.05", "--seed", "1", "--json").json
    assert list(answer) == [
        "best",
        "moves",
        "method",
        "coverage",
        "exact",
        "samples",
        "seconds",
        "stopped",
        "holds",
        "search",
        "reasons",
        "objective",
        "unit",
    ]
    assert sorted(item["move"] for item in answer["moves"]) == MOVES  # type: ignore[attr-defined]
    assert all({"move", "value", "stderr"} <= item.keys() for item in answer["moves"])  # type: ignore[attr-defined]
    assert answer["best"] in MOVES
    assert list(answer["holds"]) == ["b"]  # type: ignore[call-overload]


def test_hint_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "hint", LINE, "--samples", "20", "--seed", "1").out
    assert "Best: " in out
    assert "Seat b may hold: " in out


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "show", LINE).out
    rows = [line.split() for line in out.splitlines()]
    assert "Turn: seat a to play; last capture: seat b; 32 cards in the stock, order not known" in (
        out
    )
    assert ["│2s│", "│5h│", "│8d│", "│Kc│"] in rows
    assert "Build of 7, owned by b; may be raised by a, b:" in out
    assert ["│3c│4d│"] in rows
    assert "Build of 9, multiple, owned by a; may be raised by nobody:" in out
    assert ["│4h│5c│9s│"] in rows
    assert ["│As│", "│7c│", "│9h│", "│Td│"] in rows[rows.index(["Seat", "a,", "to", "play:"]) :]
    assert ["│??│", "│??│", "│??│", "│??│"] in rows[rows.index(["Seat", "b:"]) :]
    # two cards against one: the three points for most cards; a sweep; most spades one
    assert ["a", "2", "0", "1", "4", "3h", "3d"] in rows
    assert ["b", "1", "1", "0", "1", "Qs"] in rows


@pytest.mark.parametrize(
    ("raising", "seats"),
    [("any", "a, b, c, d"), ("others", "a, c, d"), ("opponents", "a, c"), ("none", "nobody")],
)
def test_show_says_who_may_raise(
    capsys: pytest.CaptureFixture[str], raising: str, seats: str
) -> None:
    line = (
        f"rules=standard,players=4,partners=yes,raising={raising} table=AsAhAdAc "
        "builds=7b:3c4d hands=2s2h2d2c/????/????/???? piles=" + "?" * 14 + "/-"
    )
    assert f"owned by b; may be raised by {seats}:" in Run(capsys, "show", line).out


def test_show_counts_no_points_of_cards_not_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    line = LINE.replace("table=2s5h8dKc", "table=2s5h8d").replace("/Qs", "/Qs?")
    rows = [row.split() for row in Run(capsys, "show", line).out.splitlines()]
    assert ["b", "2", "1+", "0", "?", "Qs", "??"] in rows


def test_json_of_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    fields = {
        "position": LINE,
        "rules": "royal",
        "table": ["2s", "5h", "8d", "Kc"],
        "builds": [
            {"value": 7, "owner": "b", "multiple": False, "cards": ["3c", "4d"]},
            {"value": 9, "owner": "a", "multiple": True, "cards": ["4h", "5c", "9s"]},
        ],
        "hands": [["As", "7c", "9h", "Td"], ["?", "?", "?", "?"]],
        "piles": [["3h", "3d"], ["Qs"]],
        "turn": "a",
        "last": "b",
        "sweeps": [1, 0],
        "stock": None,
        "stock_count": 32,
        "out": [],
        "declared": [[], []],
        "score": [0, 0],
    }
    assert Run(capsys, "show", LINE, "--json").json == fields
    assert Run(capsys, "convert", LINE, "--to", "json").json == fields
    assert Run(capsys, "convert", LINE, "--json").json == fields


def test_convert_to_a_line_and_to_a_saved_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = Run(capsys, "convert", LAST_CARDS).out
    assert line.startswith("rules=ramapo table=Kh builds=9a:3c6c,9a:4d5h,12b:5d7s hands=9d/Qh ")
    saved = tmp_path / "game.txt"
    saved.write_text(Run(capsys, "convert", LAST_CARDS, "--to", "saved").out)
    assert "Build Owner: [ [D5 S7] ] Computer\n" in saved.read_text()
    assert Run(capsys, "convert", str(saved), "--to", "line").out == line


# ---------------------------------------------------------------- where a position comes from


def test_a_position_comes_from_text_file_or_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "position"
    file.write_text(f"# a comment\n\n{LINE}\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE.encode())))
    for source in (LINE, str(file), "-"):
        assert Run(capsys, "convert", source).out == LINE + "\n"


def test_warnings_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "moves", str(GAMES / "game-001.txt"), "--json")
    assert run.json["count"] == 29
    lines = run.err.splitlines()
    assert lines[0] == "warning: cards that appear nowhere: Th"
    assert len(lines) == 2
    assert all(line.startswith("warning: ") for line in lines)


@pytest.mark.parametrize("command", OF_POSITIONS)
@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "empty"),
        (b"\x00\x01\xff\xfe", "UTF-8"),
        (b"\x7fELF\x02\x01", "neither a position line nor a saved game"),
        (LINE.encode("utf-16") + b"\x00", "UTF-16"),
        (f"{LINE}\n{LINE}\n".encode(), "one position expected"),
        (b"hands=As/Ah hands=2s/2h", "hands"),
        (b"rules=bridge hands=As/Ah", "no preset 'bridge'"),
        (b"Round: 2\nwhat is this\n", "line 2: cannot read 'what is this'"),
        (b"x" * 2_000_000, "too long"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, content: bytes, part: str
) -> None:
    file = tmp_path / "bad"
    file.write_bytes(content)
    depth = ["--depth", "1"] if command == "perft" else []
    run = Run(capsys, command, str(file), *depth)
    assert run.status == 2
    assert run.out == ""
    assert len(run.err.splitlines()) == 1
    assert run.err.startswith("casino-core: ")
    assert part in run.err


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["moves"], "Missing argument 'POSITION'"),
        (["moves", "nosuchfile"], "'nosuchfile' is neither a file nor a position"),
        (["moves", "two\nlines"], "one position expected, the text has 2 lines"),
        (["moves", "."], "is a directory"),
        (["moves", "\x00"], "neither a file nor a position"),
        (["moves", "hands=" + "x" * 5000], "hands"),
        (["moves", LINE, "more"], "unexpected extra argument"),
        (["nosuchcommand"], "No such command"),
        (["--nosuchoption"], "No such option"),
        (["perft", LINE], "Missing option"),
        (["perft", LINE, "-d", "-1"], "Invalid value for '-d'"),
        (["perft", LINE, "-d", "x"], "Invalid value for '-d'"),
        (["perft", LINE, "-d", "9" * 400], "Invalid value for '-d'"),
        (["hint", LINE, "--seconds", "nan"], "'nan' is not a number of seconds"),
        (["hint", LINE, "--seconds", "inf"], "'inf' is not a number of seconds"),
        (["hint", LINE, "--seconds", "0"], "'0' is not a number of seconds"),
        (["hint", LINE, "--seed", "-1"], "Invalid value for '--seed'"),
        (["hint", LINE, "--samples", "0"], "Invalid value for '--samples'"),
        (["convert", LINE, "--to", "xml"], "Invalid value for '--to'"),
        (["convert", LINE, "--to", "line", "--json"], "--json does not go with --to line"),
        (["convert", LINE, "--to", "saved"], "its rules are ramapo, not royal"),
        (["solve", LINE], ""),
        (["moves", LINE.replace("turn=a", "turn=b")], "seat b"),
    ],
)
def test_a_bad_call_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], part: str
) -> None:
    run = Run(capsys, *args)
    assert run.status == 2
    assert run.out == ""
    assert len(run.err.splitlines()) == 1
    assert run.err.startswith("casino-core: ")
    assert part in run.err


# ---------------------------------------------------------------- the program as a whole


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for args in ([], ["--help"], ["-h"]):
        run = Run(capsys, *args)
        assert run.status == 0
        assert all(f"  {command} " in run.out for command in [*COMMANDS, "engine"])
    for command in [name for name in COMMANDS if name not in ("batch", "sample")]:
        assert "--json" in Run(capsys, command, "--help").out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "--version").out == f"casino-core, version {cc.__version__}\n"


def test_ctrl_c_ends_it_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> cc.Position:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["casino_core.cli.moves"], "load_position", interrupted)
    run = Run(capsys, "moves", LINE)
    assert (run.status, run.out, run.err) == (130, "", "casino-core: interrupted\n")


def test_it_runs_as_a_module() -> None:
    found = program("moves", LINE, "--json")
    assert found.returncode == 0
    assert json.loads(found.stdout)["moves"] == MOVES
    assert found.stderr == ""


def test_a_refusal_outside_this_process() -> None:
    found = program("show", "nosuchfile")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "casino-core: 'nosuchfile' is neither a file nor a position\n"


def test_a_position_that_is_piped_in() -> None:
    found = program("convert", "-", data=LINE)
    assert found.stdout == LINE + "\n"


def test_a_terminal_without_symbols_gets_letters_and_plain_lines() -> None:
    found = program("show", LINE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert found.returncode == 0
    assert found.stdout.isascii()
    assert "|" in found.stdout


@pytest.mark.skipif(os.name != "posix", reason="a pipe that is closed by its reader")
@pytest.mark.parametrize("args", [["moves", LINE, "--json"], ["show", LINE]])
def test_a_reader_that_has_enough_is_no_error(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        found = ran(*PROGRAM, *args, stdout=pipe)
    assert found.stderr == ""
    assert found.returncode == 1


def test_a_hint_reads_the_plays_that_led_to_the_position(capsys, tmp_path):
    followed = play_out(cc.Position.start("standard", seed=3), last, plays=12)
    game = tmp_path / "game.txt"
    expected = cc.hint(followed, samples=20)
    for record in (followed, followed.seen_by("a")):
        game.write_text(str(record), encoding="utf-8")
        arguments = ("--samples", "20", "--json", "--history", str(game))
        found = Run(capsys, "hint", str(followed.position.view("a")), *arguments).json
        assert found["best"] == str(expected.best)
        assert found["holds"]["b"] == pytest.approx(expected.holds["b"])
    game.write_text(str(followed.undo()), encoding="utf-8")
    run = Run(capsys, "hint", str(followed.position), *arguments)
    assert run.status == 2
    assert "history: the plays do not lead to the position" in run.err
