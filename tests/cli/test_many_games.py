"""Files of many games: `convert` game by game, both ways, and `batch` play by play."""

import csv
import json

import pytest

import casino_core as cc
from casino_core import Game
from helpers.commands import records, run
from helpers.rounds import last, play_out


@pytest.fixture(scope="module")
def match():
    match = cc.Match(target=11)
    while not match.is_over:
        match = match.play_round(play_out(match.next_start(seed=len(match.rounds)), last))
    return match


@pytest.fixture
def many(tmp_path, match):
    """A match, a game with an error, a round without plays."""
    path = tmp_path / "games.txt"
    path.write_text(
        f'# an evening\n[A "Anna"]\n{match}\n[Event "two"] [Seed 17] 7dx7c! 9d\n\n'
        '[Event "three"] [Seed 3] *\n'
    )
    return path


def test_records_to_json_and_back(many, tmp_path):
    games = list(cc.read_games(many))
    assert [game.error is None for game in games] == [True, False, True]
    answer = run("convert", many, "--to", "json", status=1)
    assert records(answer.stdout) == [game.to_json() for game in games]
    assert answer.stderr.startswith("casino-core: game 2: line ")
    assert answer.stderr.count("\n") == 1
    lines = tmp_path / "games.jsonl"
    lines.write_text(answer.stdout)
    assert list(cc.read_games(lines)) == games
    text = run("convert", lines, "--to", "record", status=1).stdout
    assert text == run("convert", many, "--to", "record", status=1).stdout
    assert text == "\n".join(map(str, games))
    assert text == run("convert", "-", "--to", "record", text=answer.stdout, status=1).stdout
    found = run("convert", many, status=1).stdout.splitlines()
    assert found == [str(game.round_at().position) for game in games]


def test_one_game_is_as_before(tmp_path, match):
    path = tmp_path / "one.txt"
    path.write_text(f"{match}\n")
    assert run("convert", path, "--to", "record").stdout == str(match)
    fields = run("convert", path, "--json").stdout
    assert json.loads(fields) == Game.of(match).to_json()
    path.write_text(json.dumps(json.loads(fields), indent=2))
    assert run("convert", path, "--to", "record").stdout == str(match)
    path.write_text("[Seed 17] 7dx7c 9d")
    assert "play 2: 9d is not legal" in run("convert", path, status=2).stderr
    path.write_text('{"rounds": 5}')
    assert "line 1: rounds is a list, not 5" in run("convert", path, status=2).stderr


def test_json_on_several_lines_and_broken_json(tmp_path):
    games = [Game.parse(f"[Seed {seed}] *") for seed in range(3)]
    whole = [json.dumps(game.to_json(), indent=1) for game in games]
    path = tmp_path / "games.json"
    path.write_text("\n".join([whole[0], "# a comment", json.dumps(games[1].to_json()), whole[2]]))
    assert list(cc.read_games(path)) == games
    path.write_text('{"rounds": [}\n' + json.dumps(games[1].to_json()) + '\n{"a": 1}\n')
    found = list(cc.read_games(path))
    assert [str(game.error)[:30] for game in found] == [
        "line 1: the text is not JSON: ",
        "None",
        "line 3: the JSON is not that o",
    ]
    assert found[1] == games[1]


def test_games_are_converted_as_they_are_read(many):
    """The first is printed before the second is looked at further than its first word."""

    class Slow:
        def __init__(self):
            self.lines = iter(['{"rounds": []}\n'] * 2)

        def readline(self, _=-1):
            return next(self.lines)

    games = cc.read_games(Slow())
    assert next(games) == next(games) == Game()


@pytest.mark.parametrize("form", ["txt", "jsonl"])
def test_batch_of_every_play(many, tmp_path, form):
    games = list(cc.read_games(many))
    source = many
    if form == "jsonl":
        source = tmp_path / "games.jsonl"
        source.write_text(run("convert", many, "--to", "json", status=1).stdout)
    answers = records(
        run("batch", source, "--task", "moves", "--every-play", "--out", "-", status=1).stdout
    )
    expected = [
        (place, one.number, play, str(move), str(position))
        for place, game in enumerate(games, start=1)
        for one in game.rounds
        for play, (move, position) in enumerate(
            zip(one.round.plays, one.round.positions, strict=False), start=1
        )
    ]
    names = ("game", "round", "play", "played", "position")
    assert [tuple(row[name] for name in names) for row in answers if "error" not in row] == expected
    assert all(row["played"] in row["moves"] for row in answers if "error" not in row)
    (wrong,) = (row for row in answers if "error" in row)
    assert wrong["game"] == 2
    assert "play 2: 9d is not legal" in wrong["error"]


def test_batch_of_every_play_as_csv(many, tmp_path):
    out = tmp_path / "out.csv"
    options = ("--task", "value", "--nodes", "5", "--every-play", "--out", out)
    run("batch", many, *options, status=1)
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert (rows[0]["game"], rows[0]["round"], rows[0]["play"]) == ("1", "1", "1")
    assert "is finished" in run("batch", many, *options, "--resume", status=1).stderr
    other = run("batch", many, *options[:4], "--out", out, "--resume", status=2)
    assert "casino-core: " in other.stderr


def test_batch_at_a_play(many):
    answers = records(
        run("batch", many, "--task", "moves", "--at", "1.3", "--out", "-", status=1).stdout
    )
    first = next(cc.read_games(many))
    assert answers[0]["position"] == str(first.round_at("1.3").position)
    assert ["error" in row for row in answers] == [False, True, True]
    assert "at: plays are 1 to 1 (the end), not 3" in answers[2]["error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--every-play", "--at", "3"), "--every-play does not go with --at"),
        (("--every-play",), "are for a file of games, records or JSON"),
        (("--at", "3"), "are for a file of games, records or JSON"),
    ],
)
def test_options_of_games_for_positions(tmp_path, options, message):
    path = tmp_path / "positions.txt"
    path.write_text("table=2s5h8dKc hands=????/????\n")
    answer = run("batch", path, "--task", "moves", *options, "--out", "-", status=2)
    assert message in answer.stderr
    path.with_suffix(".csv").write_text("position\nx\n")
    answer = run(
        "batch", path.with_suffix(".csv"), "--task", "moves", *options, "--out", "-", status=2
    )
    assert message in answer.stderr


def test_one_game_of_many(many, match):
    games = list(cc.read_games(many))
    assert run("convert", many, "--game", 1, "--to", "record").stdout == str(games[0])
    shown = run("show", many, "--game", 3, "--json").stdout
    assert json.loads(shown)["position"] == str(games[2].round_at().position)
    first = run("review", many, "--game", 1, "--samples", 2, "--json").stdout
    assert len(json.loads(first)["rounds"]) == len(match.rounds)
    for args, part in (
        (["--game", 2], "play 2: 9d is not legal"),
        (["--game", 4], "--game: there is no game 4, the last is 3"),
        (["--game", 0], "not a whole number from 1"),
        ([], "another begins here; --game N takes game N of a file"),
    ):
        assert part in run("show", many, *args, status=2).stderr
