"""Tables, moves and positions on terminals and in pipes of every width."""

import json
import os
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

import casino_core as cc
from casino_core.cli import main
from casino_core.render.text import Column, Folded, move_text, print_table
from helpers.programs import PROGRAM, in_terminal, ran

GAMES = Path(__file__).parents[1] / "data" / "saved_games"
WIDTHS = [40, 60, 80, 120]
#: Long moves, builds to take, many of each.
CROWDED = (
    "rules=royal table=As2s2h3s5h8dKc builds=7b:3c4d,9a*:4h5c9s hands=7s7c9hTd/???? "
    "piles=3h3d?????/Qs turn=a last=b sweeps=1/0"
)
ENDING = str(GAMES / "game-040.txt")
RECORD = (
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTcQsQhQdQc/"
    "AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)
COMMANDS = {
    "moves": ["moves", CROWDED],
    "hint": ["hint", CROWDED, "--samples", "20", "--all"],
    "solve": ["solve", ENDING],
    "review": ["review", f"{RECORD}\nJh Kh KcxKh Jc"],
    "perft": ["perft", CROWDED, "--depth", "1", "--divide"],
    "arena": ["arena", "greedy", "random", "--rounds", "4"],
    "show": ["show", CROWDED],
}
COLOUR = re.compile(r"\x1b\[([\d;?]*)[A-Za-z]")  # or the cursor
LETTERS = str.maketrans("♠♥♦♣", "shdc")


def squeezed(text: str) -> str:
    """Without colours, signs, blanks and line ends."""
    return re.sub(r"\s+", "", COLOUR.sub("", text)).translate(LETTERS)


def words(text: str) -> set[str]:
    return set(re.findall(r"\b[a-z]{3,}\b", COLOUR.sub("", text)))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints into a pipe."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    out, _ = capsys.readouterr()
    assert not left.value.code
    return out


def wanted_moves(capsys: pytest.CaptureFixture[str], command: str) -> set[str]:
    if command in ("arena", "show"):
        return set()
    found = json.loads(printed(capsys, *COMMANDS[command], "--json"))
    items = found.get("moves", found.get("plays"))
    return {item if isinstance(item, str) else item["move"] for item in items}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_of_each_width(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    width: int,
) -> None:
    moves = wanted_moves(capsys, command)
    monkeypatch.setenv("COLUMNS", "500")
    wide = printed(capsys, *COMMANDS[command])
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(capsys, *COMMANDS[command])
    assert max(map(len, out.splitlines())) <= width
    assert "\x1b" not in out
    assert "…" not in out
    assert all(move in squeezed(out) for move in moves)
    assert words(out) <= words(wide)


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal(
    capsys: pytest.CaptureFixture[str], command: str, width: int, colour: bool
) -> None:
    moves = wanted_moves(capsys, command)
    environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environ |= {"TERM": "xterm-256color"} | ({} if colour else {"NO_COLOR": "1"})
    out = in_terminal(width, *PROGRAM, *COMMANDS[command], env=environ)
    lines = COLOUR.sub("", out).splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in out
    assert all(move in squeezed(out) for move in moves)
    reds = any("31" in codes.split(";") for codes in COLOUR.findall(out))
    assert reds == (colour and command != "arena")
    if command in ("hint", "solve"):
        assert sum(line.startswith(">") for line in lines) == 1


@pytest.mark.parametrize("width", [40, 60, 80])
def test_sentences_break_between_words(width: int) -> None:
    sentence = "leaves its own build of 9, which nobody else can take from the table " * 3
    lines = [line.plain for line in Folded(Text(sentence.strip())).lines(width)]
    assert " ".join(lines) == sentence.strip()
    assert all(len(line) <= width for line in lines)


def test_a_long_move_goes_on_between_two_cards() -> None:
    move = "9dxAs2s2h[9a:3c6c][9a:4d5h][12d]"
    for width in range(8, 40):
        lines = [line.plain for line in Folded(Text(move)).lines(width)]
        assert "".join(lines) == move
        assert all(len(line) <= width for line in lines)
        assert not any(re.match(r"[shdcx\]]", line) for line in lines[1:])


def test_a_build_of_seat_d_is_no_diamond() -> None:
    console = Console(force_terminal=True, no_color=False)
    spans = [shown.style for shown in move_text("7cx[9d]", console).spans]
    assert "red" not in spans
    assert move_text("9dx[9d]", console).plain == "9♦x[9d]"


def test_columns_are_dropped_by_importance(capsys: pytest.CaptureFixture[str]) -> None:
    columns = (Column("a" * 9), Column("b" * 9, drop=2), Column("c" * 9, drop=1), Column("move"))
    heads = []
    for width in (80, 55, 44, 32):
        print_table(Console(width=width), columns, [("1", "2", "3", "9dx" + "2s" * 12)])
        heads.append("".join(word[0] for word in capsys.readouterr().out.split()[:4]))
    assert [head.split("─")[0].rstrip("1") for head in heads] == ["abcm", "acm", "am", "am"]


def test_without_a_terminal_cards_are_letters(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "show", str(cc.Position.start(seed=1)))
    assert not set(out) & set("♠♥♦♣")


@pytest.mark.parametrize("width", [24, 30, 40, 80])
def test_a_tournament_keeps_names_whole_where_they_fit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(capsys, "tournament", "careful", "greedy", "random", "--rounds", "6")
    lines = out.splitlines()
    assert max(map(len, lines)) <= width
    head = lines[0].split()
    assert (head[0], head[-1]) == ("points", "agent")
    rows = [line.split() for line in lines[2:5]]
    assert sorted(row[-1] for row in rows) == ["careful", "greedy", "random"]
    assert ("95" in head, "won" in head) == (width >= 30, width >= 40)


@pytest.mark.parametrize("width", [40, 80])
def test_show_draws_every_hand_as_cards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """The hand of the seat to play is below the table, the others above it."""
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(capsys, "show", CROWDED)
    places = [out.index(text) for text in ("Seat b:", "Loose cards:", "Build of 7", "Seat a, to")]
    assert places == sorted(places)
    assert "│??│ │??│ │??│ │??│" in out
    assert "│7s│ │7c│ │9h│ │Td│" in out
    lines = out.splitlines()
    hand = lines[lines.index("Seat a, to play:") :]
    assert hand[1:4] == ["╭──╮ ╭──╮ ╭──╮ ╭──╮", "│7s│ │7c│ │9h│ │Td│", "╰──╯ ╰──╯ ╰──╯ ╰──╯"]


def test_show_in_plain_ascii() -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1", "COLUMNS": "40"}
    out = ran(*PROGRAM, "show", CROWDED, env=environ).stdout
    assert out.isascii()
    assert "|7s| |7c| |9h| |Td|" in out


@pytest.mark.parametrize(("columns", "width"), [("", 120), ("0", 120), ("wide", 120), ("7", 7)])
def test_odd_widths(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = printed(capsys, "moves", CROWDED)
    assert max(map(len, out.splitlines())) <= width
    assert all(move in squeezed(out) for move in wanted_moves(capsys, "moves"))


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
def test_a_terminal_that_does_not_know_its_width() -> None:
    out = in_terminal(0, *PROGRAM, "show", CROWDED)
    assert 40 < max(len(line) for line in COLOUR.sub("", out).splitlines()) <= 80
