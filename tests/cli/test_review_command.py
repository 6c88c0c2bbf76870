"""`casino-core review`."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from helpers.programs import PROGRAM
from helpers.rounds import last, play_out

PLAYED = Path(__file__).resolve().parents[2] / "examples" / "played.txt"


def run(*args):
    return CliRunner().invoke(main, ["review", *map(str, args)])


@pytest.fixture
def record(tmp_path):
    """A whole round in a file."""
    played = play_out(cc.Position.start("standard", seed=1), last)
    path = tmp_path / "round.txt"
    path.write_text(str(played))
    return path


def test_tables(record):
    result = run(record, "--samples", 4)
    assert result.exit_code == 0, result.output
    for word in ("hindsight", "grade", "accuracy", "luck of a", "Result for side a: -7 ="):
        assert word in result.stdout
    assert "The costliest plays:" in result.stdout
    assert result.stdout.count("gave away") == 3


def test_json_has_what_the_review_has(record):
    result = run(record, "--samples", 4, "--seed", 3, "--json")
    fields = json.loads(result.stdout)
    review = cc.review_game(record.read_text(), samples=4, seed=3)
    assert fields["parts"] == review.rounds[0].parts._asdict()
    assert [play["grade"] for play in fields["plays"]] == [play.grade for play in review.plays]
    assert (
        run(record, "--samples", 4, "--seed", 3, "--threads", 2, "--json").stdout == result.stdout
    )


def test_hindsight_alone():
    result = run(PLAYED, "--hindsight", "--json")
    assert [play["cost"] for play in json.loads(result.stdout)["plays"]] == [10, 0, 0, 0]
    assert "before" in run(PLAYED, "--hindsight").stdout
    full = json.loads(run(PLAYED, "--json").stdout)["plays"]
    assert [play["cost"] for play in full] == [10, 0, 0, 0]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--hindsight", "--samples", 3), "not for --hindsight"),
        (("--hindsight", "--deep"), "not for --hindsight"),
        (("--plays", 3), "are for --hindsight"),
        (("--samples", 0), "not a whole number from 1"),
        (("--resume", "no/such/folder/x"), "there is no directory"),
    ],
)
def test_options_that_do_not_fit(args, message):
    result = run(PLAYED, *args)
    assert result.exit_code != 0
    assert message in (result.output or "") + str(result.exception)


def test_a_file_of_another_review_is_refused(record, tmp_path):
    kept = tmp_path / "kept.json"
    assert run(PLAYED, "--resume", kept).exit_code == 0
    result = run(record, "--resume", kept)
    assert "is of another game" in result.output
    kept.write_text("{}")
    assert "not a saved review" in run(PLAYED, "--resume", kept).output


def test_ctrl_c_keeps_what_is_done(record, tmp_path):
    """The review goes on with the file, and is the same as without."""
    kept = tmp_path / "kept.json"
    args = [*PROGRAM, "review", str(record), "--samples", "6000", "--resume", str(kept)]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and not kept.exists():  # it saves every two seconds
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    if child.returncode == 0:  # it was done before
        return
    assert child.returncode == 130
    assert "--resume" in errors
    assert "Traceback" not in errors
    done = len(cc.ReviewState.load(str(kept)).judgements)
    assert done <= 48
    again = run(record, "--samples", 6000, "--resume", kept, "--json")
    assert len(cc.ReviewState.load(str(kept)).judgements) == 48
    assert json.loads(again.stdout)["samples"] == 6000
