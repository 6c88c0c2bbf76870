"""The arena: duplicate decks, the interval, any number of workers, the file, the command."""

import csv
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.cli import main
from casino_core.play.agents import AGENTS, parse_agent
from casino_core.play.arena import (
    ArenaResult,
    ArenaStopped,
    Game,
    play_arena,
    play_game,
)
from casino_core.play.arena_files import CSV_COLUMNS, write_csv, write_records
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from helpers.programs import PROGRAM, ran, started
from helpers.side_by_side import SEATINGS


def kept(result):
    """A result without its times."""
    return [(g.deck, g.rotation, g.points, g.plays) for g in result.games]


def result_of(points, rules="standard"):
    """A result with these points of each side, a tuple a game."""
    rules = cc.Rules.parse(rules)
    games = tuple(
        Game(number // rules.sides, number % rules.sides, scored, (24, 24), (0.48, 0.24))
        for number, scored in enumerate(points)
    )
    return ArenaResult(("greedy", "random"), rules, 0, games)


def run(capsys, *args):
    """Status, output and errors of one call of the command."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main(["arena", *args])
    return (left.value.code or 0, *capsys.readouterr())


# ---------------------------------------------------------------- what is counted


def test_points_and_interval_by_hand():
    """Decks of +5 and -3, +1 and +1, +7 and -3 for the first agent: 1, 1 and 2 points a round."""
    result = result_of([(8, 3), (7, 4), (6, 5), (5, 6), (9, 2), (7, 4)])
    assert [game.difference for game in result.games] == [5, -3, 1, 1, 7, -3]
    assert result.points == pytest.approx(4 / 3)
    # the variance of 1, 1, 2 is 1/3, of their mean 1/9
    assert result.stderr == pytest.approx(1 / 3)
    # Student's distribution with two degrees of freedom: 4.302653 standard errors
    assert result.interval == pytest.approx((4 / 3 - 1.434218, 4 / 3 + 1.434218), abs=1e-6)
    assert (result.decks, result.rounds) == (3, 6)
    assert result.won == pytest.approx(4 / 6)
    assert result.tied == 0
    assert (result.decks_won, result.decks_tied) == (1, 0)
    assert result.seconds == pytest.approx((0.02, 0.01))


def test_points_with_three_sides_by_hand():
    """Against the average of the two others: 6 - 2, 3 - 3, 1 - 4."""
    result = result_of([(6, 3, 1), (4, 3, 2), (6, 2, 1)], "standard,players=3")
    assert [game.difference for game in result.games] == [4, 0, -3]
    assert result.points == pytest.approx(1 / 3)
    assert [game.result for game in result.games] == [1, -1, -1]
    assert result.stderr is None
    assert result.interval is None


def test_shared_wins_are_ties():
    result = result_of([(5, 5), (3, 4), (4, 4, 1)[:2], (5, 4)])
    assert [game.result for game in result.games] == [0, 1, 0, -1]
    assert (result.tied, result.won) == (0.5, 0.25)


# ---------------------------------------------------------------- duplicate decks


@pytest.mark.parametrize("text", ["greedy", "careful", "random", "lookahead:samples=2"])
@pytest.mark.parametrize("seating", SEATINGS)
def test_an_agent_has_no_lead_on_itself(text, seating):
    """Each seat plays the same in every rotation, chance included, so that a deck cancels out."""
    result = play_arena(text, text, rounds=12, rules="hoyle" + seating, seed=4)
    assert result.points == 0
    assert result.stderr == 0
    sides = result.rules.sides
    for start in range(0, result.rounds, sides):
        assert len({game.points for game in result.games[start : start + sides]}) == 1


def test_exchanged_agents_have_the_opposite_lead():
    for rules in ("standard", "royal,players=4,partners=yes"):
        one = play_arena("greedy", "careful", rounds=20, rules=rules, seed=2)
        other = play_arena("careful", "greedy", rounds=20, rules=rules, seed=2)
        assert one.points == -other.points
        assert one.stderr == other.stderr


@pytest.mark.parametrize("seating", SEATINGS)
def test_every_deck_is_played_on_every_side(seating):
    rules = cc.Rules.parse("standard" + seating)
    result = play_arena("greedy", "random", rounds=2 * rules.sides + 1, rules=rules)
    assert result.decks == 3  # made up to whole decks
    assert [(g.deck, g.rotation) for g in result.games] == [
        (deck, side) for deck in range(3) for side in range(rules.sides)
    ]
    first = 48 * len(rules.seats) // rules.sides // len(rules.seats)
    assert all(game.plays == (first, 48 - first) for game in result.games)


def test_a_game_is_that_of_its_series():
    result = play_arena("random", "greedy", rounds=6, rules="royal", seed=9)
    game = result.games[3]
    agents = (parse_agent("random"), parse_agent("greedy"))
    again = play_game(agents, cc.Rules.parse("royal"), 9, game.deck, game.rotation)
    assert (again.points, again.plays) == (game.points, game.plays)


def test_greedy_beats_random_and_careful_beats_greedy():
    for better, worse in (("greedy", "random"), ("careful", "greedy")):
        result = play_arena(better, worse, rounds=200, seed=1)
        assert result.interval is not None
        assert result.interval[0] > 0


def test_seeds_give_other_games():
    one, other = (play_arena("random", "greedy", rounds=8, seed=seed) for seed in (1, 2))
    assert kept(one) != kept(other)
    assert kept(play_arena("random", "greedy", rounds=8, seed=1)) == kept(one)
    longer = play_arena("random", "greedy", rounds=12, seed=1)
    assert kept(longer)[:8] == kept(one)


# ---------------------------------------------------------------- workers


def test_workers_change_nothing():
    done = []
    agents = ("lookahead:samples=2", "random")
    one = play_arena(*agents, rounds=41, rules="royal", seed=3, workers=1)
    two = play_arena(
        *agents, rounds=41, rules="royal", seed=3, workers=2, progress=lambda *now: done.append(now)
    )
    assert kept(one) == kept(two)
    assert (one.points, one.interval) == (two.points, two.interval)
    assert done == sorted(done)
    assert (done[0], done[-1]) == ((0, 21), (21, 21))


class Broken(AGENTS["greedy"]):
    """An agent that plays illegal moves."""

    def choose(self, turn):
        return turn.position.move("nothing")


def test_what_goes_wrong_in_a_worker_is_told():
    with pytest.raises(cc.CasinoError):
        play_arena(Broken(), "greedy", rounds=40)


@pytest.mark.parametrize(
    "bad", [{"rounds": 0}, {"seed": -1}, {"workers": 0}, {"workers": 1000}, {"rules": "bridge"}]
)
def test_numbers_that_are_none(bad):
    with pytest.raises(cc.CasinoError):
        play_arena("greedy", "random", **bad)


# ---------------------------------------------------------------- the file


def test_the_file_has_a_line_for_each_game(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("old")
    result = play_arena("greedy", "random", rounds=6, rules="spade,players=3", seed=3)
    write_csv(result, path)
    assert [place.name for place in tmp_path.iterdir()] == ["games.csv"]
    with path.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert len(rows) == 6
    for row, game in zip(rows, result.games, strict=True):
        assert (int(row["deck"]), int(row["rotation"])) == (game.deck, game.rotation)
        assert row["first_seats"] == "abc"[game.rotation]
        assert row["points"] == "/".join(map(str, game.points))
        assert int(row["first_points"]) == game.points[game.rotation]
        assert float(row["difference"]) == pytest.approx(game.difference, abs=1e-3)
        second = float(row["first_points"]) - float(row["difference"])
        assert float(row["second_points"]) == pytest.approx(second, abs=1e-3)
        assert (int(row["first_plays"]), int(row["second_plays"])) == (16, 32)
        assert float(row["first_seconds"]) >= 0


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    result = result_of([(5, 6), (6, 5)])
    with pytest.raises(OSError, match="nowhere"):
        write_csv(result, tmp_path / "nowhere" / "games.csv")

    def fail(*_):
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no room"):
        write_csv(result, tmp_path / "games.csv")
    assert list(tmp_path.iterdir()) == []


def test_records_have_every_round(capsys, tmp_path):
    path = tmp_path / "games.txt"
    options = ("--rounds", "6", "--rules", "spade,players=3", "--seed", "3")
    status, _, err = run(capsys, "greedy", "random", *options, "--records", str(path))
    assert (status, err) == (0, "")
    result = play_arena("greedy", "random", rounds=6, rules="spade,players=3", seed=3)
    records = list(cc.read_games(path))
    assert len(records) == 6
    for record, game in zip(records, result.games, strict=True):
        assert record.rounds[0].round.score() == game.points
        assert [seat for seat, name in record.players.items() if name == "greedy"] == [
            "abc"[game.rotation]
        ]
    assert all(game.round is None for game in result.games)
    with pytest.raises(cc.CasinoError, match="keep_rounds=True"):
        write_records(result, tmp_path / "none.txt")
    assert [place.name for place in tmp_path.iterdir()] == ["games.txt"]


# ---------------------------------------------------------------- the command


def test_the_command_tells_what_the_library_does(capsys, tmp_path):
    path = tmp_path / "games.csv"
    options = ("--rounds", "6", "--rules", "royal", "--seed", "5", "--csv", str(path), "--json")
    status, out, err = run(capsys, "careful", "random", *options)
    assert (status, err) == (0, "")
    found = json.loads(out)
    result = play_arena("careful", "random", rounds=6, rules="royal", seed=5)
    assert found["points"] == result.points
    assert tuple(found["interval"]) == result.interval
    assert (found["first"], found["second"], found["rules"]) == ("careful", "random", "royal")
    assert (found["decks"], found["rounds"], found["won"]) == (3, 6, result.won)
    assert len(path.read_text().splitlines()) == 7


def test_the_command_for_people(capsys):
    status, out, err = run(capsys, "greedy", "random", "--rounds", "4")
    assert (status, err) == (0, "")
    assert out.startswith("greedy against random\nRules standard, seed 0, decks 2, rounds 4\n")
    assert "Points a round: " in out
    assert "95 % between" in out
    status, out, _ = run(capsys, "greedy", "greedy", "--rounds", "1")
    assert status == 0
    assert "Points a round: +0.000, no interval from one deck" in out


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["greedy"], "Missing argument 'B'"),
        (["greedy", "chess"], "'chess' is not an agent"),
        (["pimc:samples=x", "greedy"], "samples is a whole number"),
        (["greedy", "greedy", "--rounds", "0"], "--rounds"),
        (["greedy", "greedy", "--rules", "bridge"], "no preset 'bridge'"),
        (["greedy", "greedy", "--seed", "-1"], "--seed"),
        (["greedy", "greedy", "--workers", "0"], "--workers"),
        (["greedy", "greedy", "--csv", "."], "'.' is a directory"),
        (["greedy", "greedy", "--csv", os.devnull], "is not a file but a device"),
        (["greedy", "greedy", "--csv", "no/such/file"], "there is no directory"),
    ],
)
def test_a_bad_call_is_refused_in_one_line(capsys, args, part):
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert part in err


def test_every_agent_is_in_the_help(capsys):
    _, out, _ = run(capsys, "--help")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for name in AGENTS:
        assert name in out
        assert f"| `{name}" in readme


@pytest.mark.skipif(os.name != "posix", reason="signals and terminals of POSIX")
def test_ctrl_c_ends_it_in_one_line_with_all_its_processes(tmp_path):
    """On a terminal, in the middle of play on two processes; the bar shows that it is under way."""
    path = tmp_path / "games.csv"
    ours, theirs = os.openpty()
    arguments = ("arena", "pimc:samples=9", "greedy", "--rounds", "100000", "--workers", "2")
    command = (*PROGRAM, *arguments, "--csv", path)
    with started(*command, stdout=subprocess.PIPE, stderr=theirs) as program:
        os.close(theirs)
        shown = b""
        while not re.search(rb"[1-9]\d*/50000", shown):
            shown += os.read(ours, 4096)
        os.killpg(program.pid, signal.SIGINT)
        out, _ = program.communicate()  # the pipe ends when no process holds it any more
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how a terminal says that nobody writes to it any more
            pass
        os.close(ours)
    assert program.returncode == 130
    assert b"pimc:samples=9 against greedy" in out
    assert b"casino-core: interrupted" in shown
    assert b"Traceback" not in shown
    done = int(re.search(rb"can be continued with --first-deck (\d+)", shown)[1])
    assert list(tmp_path.iterdir()) == [path]
    assert len(path.read_text(encoding="ascii").splitlines()) == 1 + 2 * done


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("end", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_workers_end_with_a_caller_that_is_killed(end):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with started(sys.executable, "-c", LONG_ARENA, **pipes) as program:
        assert program.stdout.readline() == b"under way\n"
        program.send_signal(signal.Signals[end])
        # The pipe ends when no process holds it any more.
        assert program.communicate(timeout=30)[0] == b""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("command", ["arena", "batch"])
def test_in_the_background_it_ends_as_in_front(tmp_path, command):
    """A job of a script starts with Ctrl-C ignored, and keeps it so."""
    (tmp_path / "lines.txt").write_text(f"{cc.Position.start(seed=1)}\n")
    arguments = {
        "arena": ("greedy", "random", "--rounds", "4", "--workers", "2"),
        "batch": (tmp_path / "lines.txt", "--task", "moves", "--out", "-"),
    }
    job = ("bash", "-c", '"$@" & wait $!', "-", *PROGRAM, command)
    found = ran(*job, *arguments[command])
    assert (found.returncode, "Traceback" in found.stderr) == (0, False), found.stderr
    assert found.stdout


LONG_ARENA = """
from casino_core.play.arena import play_arena

if __name__ == "__main__":
    play_arena(
        "pimc:samples=9", "greedy", rounds=100_000, workers=2,
        progress=lambda done, decks: done == 1 and print("under way", flush=True),
    )
"""


class Mortal(AGENTS["greedy"]):
    """Kills the process in which it plays deck 99 of seed 3."""

    def choose(self, turn):
        draw = turn.rng.random()
        if draw in {Stream(3, Purpose.AGENT, 99, ply).random() for ply in (20, 21)}:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(turn)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_killed_worker_leaves_the_rounds_played_before():
    with pytest.raises(ArenaStopped, match="a worker process ended before") as stopped:
        play_arena(Mortal(), "greedy", rounds=400, seed=3, workers=2)
    found = stopped.value.result
    assert 0 < found.decks <= 99
    whole = play_arena("greedy", "greedy", rounds=2 * found.decks, seed=3)
    assert kept(found) == kept(whole)
    again = pickle.loads(pickle.dumps(stopped.value))
    assert (str(again), again.result) == (str(stopped.value), found)


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes as Linux shows them")
def test_the_command_keeps_what_was_played_when_a_worker_is_killed(tmp_path):
    path = tmp_path / "games.csv"
    ours, theirs = os.openpty()
    arguments = ("arena", "pimc:samples=9", "greedy", "--rounds", "100000", "--workers", "2")
    program = subprocess.Popen(
        [sys.executable, "-m", "casino_core", *arguments, "--csv", str(path)],
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while not re.search(rb"[1-9]\d*/50000", shown):
        shown += os.read(ours, 4096)
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    (worker, *_) = (
        child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    )
    os.kill(int(worker), signal.SIGKILL)
    out, _ = program.communicate(timeout=30)
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    os.close(ours)
    assert program.returncode == 2
    assert b"pimc:samples=9 against greedy" in out
    assert b"casino-core: a worker process ended before its work was done" in shown
    assert b"Traceback" not in shown
    done = int(re.search(rb"can be continued with --first-deck (\d+)", shown)[1])
    assert len(path.read_text(encoding="ascii").splitlines()) == 1 + 2 * done


def test_a_script_without_a_main_guard_is_told_what_to_do(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import casino_core as cc\n"
        "from casino_core.play.arena import play_arena\n"
        "try:\n"
        "    play_arena('greedy', 'random', rounds=9, workers=2)\n"
        "except cc.CasinoError as error:\n"
        "    print(error)\n"
    )
    found = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout == (
        "worker processes import the script that starts them: put its calls under "
        "if __name__ == '__main__':\n"
    )
    assert found.stderr == ""


def test_an_agent_that_cannot_be_sent_is_refused_in_words():
    class Inner(AGENTS["greedy"]):
        """Not at the top of its module."""

    with pytest.raises(cc.CasinoError, match="cannot be sent to worker processes"):
        play_arena(Inner(), "greedy", rounds=4, workers=2)
    assert play_arena(Inner(), "greedy", rounds=4).rounds == 4


def test_rounds_go_on_where_others_ended():
    whole = play_arena("careful", "random", rounds=12, seed=3)
    parts = [
        play_arena("careful", "random", rounds=6, seed=3, first_deck=first, workers=workers)
        for first, workers in ((0, 1), (3, 2))
    ]
    games = [replace(game, seconds=(0, 0)) for part in parts for game in part.games]
    assert games == [replace(game, seconds=(0, 0)) for game in whole.games]


def test_files_that_exist_are_refused(capsys, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("a game of mine")
    for option in ("--csv", "--records"):
        status, _, err = run(capsys, "greedy", "random", "--rounds", "2", option, str(path))
        assert status == 2
        assert f"{option}: " in err
        assert "exists already" in err
    new = str(tmp_path / "new")
    status, _, err = run(
        capsys, "greedy", "random", "--rounds", "2", "--csv", new, "--records", new
    )
    assert status == 2
    assert "are the same file" in err
    (tmp_path / "other").symlink_to(tmp_path, target_is_directory=True)
    pair = ("--csv", new, "--records", str(tmp_path / "other" / "new"))
    status, _, err = run(capsys, "greedy", "random", "--rounds", "2", *pair)
    assert status == 2
    assert "are the same file" in err
    (tmp_path / "other").unlink()
    assert path.read_text() == "a game of mine"
    assert [place.name for place in tmp_path.iterdir()] == ["game.txt"]
    result = play_arena("greedy", "random", rounds=2)
    with pytest.raises(FileExistsError):
        write_csv(result, path, replace=False)
    assert path.read_text() == "a game of mine"
