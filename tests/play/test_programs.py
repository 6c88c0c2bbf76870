"""Agents that are programs, and agents that packages offer."""

import json
import os
import pickle
import shlex
import shutil
import sys
import time
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.play.agents import GreedyAgent, HintAgent, ProgramAgent, as_agent, parse_agent
from casino_core.play.arena import ArenaStopped, play_arena
from casino_core.play.session import Player, Session
from casino_core.play.table import play_round
from casino_core.rules.streams import Stream
from helpers.commands import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PYTHON = shlex.quote(sys.executable)
HEAD = "import json, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n"


@pytest.fixture
def bot(tmp_path):
    """Makes a bot of the lines that answer a request."""

    def make(*lines, head=HEAD, seconds=None):
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(head + "".join(f"    {line}\n" for line in lines))
        limit = "" if seconds is None else f"seconds={seconds},"
        return f"exec:{limit}{PYTHON} {shlex.quote(str(path))}"

    return make


FIRST = ('print(json.dumps({"id": request["id"], "move": request["moves"][0]}), flush=True)',)


def first(turn):
    return turn.position.legal_moves()[0]


@pytest.mark.parametrize("rules", ["standard", "draw", "royal,players=3"])
def test_a_program_plays_as_a_function_does(bot, rules):
    rounds = cc.Rules.parse(rules).sides * 2
    found = play_arena(bot(*FIRST), "greedy", rounds=rounds, rules=rules, seed=2)
    same = play_arena(first, "greedy", rounds=rounds, rules=rules, seed=2)
    assert [game.points for game in found.games] == [game.points for game in same.games]
    assert found.agents[0].startswith("exec:")


def test_workers_start_programs_of_their_own(bot):
    text = bot(*FIRST)
    one, two = (play_arena(text, "greedy", rounds=6, seed=2, workers=n) for n in (1, 2))
    assert [game.points for game in one.games] == [game.points for game in two.games]


def test_what_a_bot_is_asked(bot, tmp_path):
    """Its own view and the plays of the deal: nothing that another hand would change."""
    log = tmp_path / "log.jsonl"
    text = bot(f"open({str(log)!r}, 'a').write(line)", *FIRST)
    play_arena(text, "careful", rounds=2, seed=3)
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert [one["id"] for one in asked[:24]] == [*range(1, 25)]
    for one in asked:
        seen = cc.read(one["position"]).position
        assert one["turn"] == seen.turn
        assert [str(move) for move in seen.legal_moves()] == one["moves"]
        other = seen.hands["b" if seen.turn == "a" else "a"]
        assert not other.cards or seen.stock_count == 0
        assert seen.stock is None or not seen.stock
        assert 0 <= one["seed"] < 2**53
        assert one.keys() == {"id", "protocol", "command", "position", "seed", "turn", "moves"}


def test_an_engine_is_a_bot():
    text = f"exec:{PYTHON} -m casino_core engine"
    position = cc.Position.start(seed=4)
    assert as_agent(text).seconds == 10
    plays = play_round(position, [as_agent(text), GreedyAgent()], chance)
    moves = [played.round.plays[-1] for _, played in zip(range(3), plays, strict=False)]
    assert len(moves) == 3


def chance(number):
    return Stream(5, "agent", number)


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs", "bot.sh"])
def test_the_examples_play(name):
    program = {"py": sys.executable, "mjs": "node", "sh": "sh"}[name.rpartition(".")[2]]
    if shutil.which(program) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{program} is not installed")
        pytest.skip(f"{program} is not installed")
    text = f"exec:{shlex.quote(program)} {shlex.quote(str(EXAMPLES / name))}"
    assert play_arena(text, "random", rounds=2, seed=1).rounds == 2


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["sys.exit('the bot is\\n tired')"], "it ended with status 1: 'tired'"),
        (["raise SystemExit"], "it ended with status 0"),
        (["time.sleep(60)"], "it gave no answer in 0.5 s"),
        (["print('hello', flush=True)"], "its answer is no JSON object: 'hello'"),
        (["print([1], flush=True)"], "its answer is no JSON object: '[1]'"),
        (["print(chr(123) * 100000, flush=True)"], "its answer is no JSON object"),
        (['print(json.dumps({"id": 9, "move": "As"}), flush=True)'], "not of this request's id"),
        (['print(json.dumps({"id": 1}), flush=True)'], "its answer has no move"),
        (['print(json.dumps({"id": 1, "move": 7}), flush=True)'], "not int"),
        (['print(json.dumps({"id": 1, "move": "9z"}), flush=True)'], "'9z'"),
        (['print(json.dumps({"id": 1, "move": "Td"}), flush=True)'], "seat a does not hold Td"),
        (
            ['print(json.dumps({"id": 1, "error": "no\\nidea"}), flush=True)'],
            "it answers: 'no idea'",
        ),
    ],
)
def test_a_bot_that_fails_is_named_in_one_line(bot, lines, reason):
    text = bot(*lines, seconds=0.5 if "sleep" in lines[0] else 30)
    with pytest.raises(ArenaStopped) as stopped:
        play_arena(text, "greedy", rounds=2, seed=1)
    words = str(stopped.value)
    assert words.startswith(f"deck 0, play 1, agent {text}, seat a: ")
    assert reason in words
    assert "\n" not in words
    assert stopped.value.result is None


def test_what_was_played_before_a_failure_is_kept(bot, tmp_path):
    text = bot("if request['id'] > 60: sys.exit(3)", *FIRST)
    with pytest.raises(ArenaStopped) as stopped:
        play_arena(text, "greedy", rounds=20, seed=2)
    assert "deck 1, " in str(stopped.value)
    assert stopped.value.result.rounds == 2
    answer = run("arena", text, "greedy", "--rounds", 20, "--seed", 2, status=2)
    assert "decks 1, rounds 2" in answer.stdout
    assert "--first-deck 1" in answer.stderr
    assert "it ended with status 3" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_function_that_fails_is_named(capsys):
    def broken(turn):
        raise ZeroDivisionError("division by zero")

    with pytest.raises(ArenaStopped, match=r"seat a: ZeroDivisionError: division by zero") as found:
        play_arena(broken, "greedy", rounds=2)
    assert isinstance(found.value.__cause__.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exec:", "a command follows"),
        ("exec:  ", "a command follows"),
        ("exec:seconds=2,", "a command follows"),
        ("exec:seconds=soon,cat", "seconds is a number, not 'soon'"),
        ("exec:seconds=-1,cat", "seconds"),
        ("exec:'open", "No closing quotation"),
    ],
)
def test_a_text_without_a_command_is_refused(text, words):
    with pytest.raises(cc.CasinoError, match=words) as found:
        parse_agent(text)
    assert "\n" not in str(found.value)


def test_texts_and_copies():
    agent = parse_agent("exec:seconds=2, python3 'my bot.py' --fast")
    assert (agent.command, agent.seconds) == ("python3 'my bot.py' --fast", 2)
    assert parse_agent(str(agent)) == agent
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert parse_agent("exec:cat").seconds == 10
    start = cc.Position.start(seed=1)
    with pytest.raises(cc.AgentError, match="'no-such-program' cannot be started"):
        list(play_round(start, [ProgramAgent("no-such-program")] * 2, chance))


def test_a_program_ends_with_its_agent(bot, tmp_path):
    mark = tmp_path / "ended"
    head = f"import atexit, json, sys\natexit.register(open({str(mark)!r}, 'w').close)\n"
    text = bot(*FIRST, head=head + "for line in sys.stdin:\n    request = json.loads(line)\n")
    answer = run("arena", text, "greedy", "--rounds", 2)
    assert answer.stderr == ""
    end = 0
    while not mark.exists() and end < 500:
        end += 1
        time.sleep(0.02)
    assert mark.exists()


def test_a_game_against_a_bot_is_continued_by_naming_it_again(bot, tmp_path):
    text, path = bot(*FIRST), tmp_path / "game.txt"
    session = Session.start(players=[Player("Anna"), Player("", parse_agent(text))], seed=17)
    session = session.play("7dx7c").play_agents()
    session.save(path)
    with pytest.raises(cc.CasinoError, match="not one of the program's own"):
        Session.load(path)
    assert "(--against)" in run("play", "--resume", path, status=2, text="q\n").stderr
    answer = run("play", "--resume", path, "--against", text, text="m\n1\nq\n")
    assert "Saved." in answer.stdout
    wrong = run("play", "--resume", path, "--against", "greedy", status=2, text="q\n").stderr
    session = None  # and with it its program
    assert f"the agents of the saved game are {text}"[:60] in wrong


def test_a_bot_that_fails_in_a_game_leaves_it_saved(bot, tmp_path):
    text, path = bot("sys.exit('tired')"), tmp_path / "game.txt"
    options = ("--seed", 17, "--against", text, "--save", path)
    answer = run("play", *options, status=2, text="7dx7c\n")
    assert "tired" in answer.stderr
    assert "Traceback" not in answer.stderr
    (played,) = cc.Game.parse(path.read_text()).rounds
    assert [str(move) for move in played.round.plays] == ["7dx7c"]


def test_packages_offer_agents(monkeypatch):
    points = EntryPoints(
        EntryPoint(name, value, "casino_core.agents")
        for name, value in (
            ("my-bot", "casino_core.play.agents:HintAgent"),
            ("my-first", f"{__name__}:first"),
            ("my-gone", "no_such_module:Bot"),
        )
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **wanted: points.select(**wanted))
    assert parse_agent("my-bot:samples=7") == HintAgent(samples=7)
    assert str(parse_agent("my-first")).endswith(":first")
    for text, words in (
        ("my-bot:depth=7", "not one of the options of my-bot"),
        ("my-first:depth=7", "my-first has no options"),
        ("my-gone", "no_such_module:Bot fails"),
        ("my-other", "'my-other' is not an agent"),
    ):
        with pytest.raises(cc.CasinoError, match=words):
            parse_agent(text)
