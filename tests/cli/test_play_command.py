"""`casino-core play` with its input from a pipe, and its options."""

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.cli.play.keyboard import Keyboard
from casino_core.play.agents import FunctionAgent
from casino_core.play.session import Player, Session

ROOT = Path(__file__).resolve().parents[2]
SEEDED = ("--seed", "17", "--against", "careful")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*arguments, lines=(), status=0):
    """What the command prints for lines of input."""
    text = "".join(f"{line}\n" for line in lines)
    answer = CliRunner().invoke(main, ["play", *map(str, arguments)], input=text)
    assert answer.exit_code == status, answer.output
    assert "Traceback" not in answer.output
    return answer


def refused(*arguments, lines=()):
    """The one line on standard error."""
    answer = play(*arguments, lines=lines, status=2)
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_a_script_plays_a_round(folder):
    lines = [line for _ in range(24) for line in ("m", "1")]
    answer = play(*SEEDED, "--one-round", "--save", "game.txt", lines=lines)
    assert len(re.findall("^You (play|trail) ", answer.stdout, re.M)) == 24
    assert len(re.findall("^careful (plays|trails) ", answer.stdout, re.M)) == 24
    assert "Score of round 1:" in answer.stdout
    game = cc.Game.parse((folder / "game.txt").read_text())
    assert game.target is None
    assert game.result is not None
    points = re.findall(r"(\w+): (\d+) points? in this round", answer.stdout)
    assert [int(number) for _, number in points] == list(game.result)


def test_a_game_goes_on_from_a_record(folder):
    (folder / "games.txt").write_text('[Seed 3] *\n\n[A "Anna"] [Seed 17] 7dx7c 9h 2s\n')
    options = ("--from", "games.txt", "--game", 2, "--against", "careful", "--save", "new.txt")
    answer = play(*options, "--at", 2, lines=["m", "1"])
    assert "careful against You" in answer.stdout
    session = Session.load("new.txt")
    assert session.names == ("careful", "You")
    assert str(session.round.plays[0]) == "7dx7c"
    assert len(session.round.plays) >= 2
    assert (folder / "games.txt").read_text().startswith("[Seed 3]")
    (folder / "seen.txt").write_text("table=2s5h8dKc hands=As7c9hTd/????")
    assert "does not hold every card" in refused("--from", "seen.txt")
    assert "--from has it in the record" in refused(*options, "--rules", "royal")
    assert "--from is for a new game" in refused("--resume", "new.txt", "--from", "games.txt")
    assert "another begins here" in refused("--from", "games.txt")


def test_the_notation_is_taken_literally_in_a_script(folder):
    play(*SEEDED, "--save", "game.txt", lines=["7d"])
    assert str(Session.load("game.txt").round.plays[0]) == "7d"


def test_the_same_seed_gives_the_same_output():
    lines = ["h", "7dx7c", "r", "s", "q"]
    one = play(*SEEDED, "--save", "x.txt", lines=lines).stdout
    os.remove("x.txt")
    assert play(*SEEDED, "--save", "x.txt", lines=lines).stdout == one


def test_a_game_in_parts_is_the_game_in_one(folder):
    lines = ["m", "1"] * 6
    play(*SEEDED, "--save", "whole.txt", lines=lines)
    play(*SEEDED, "--save", "parts.txt", lines=lines[:2])
    for at in range(2, 12, 2):
        play("--resume", "parts.txt", lines=lines[at : at + 2])
    assert (folder / "parts.txt").read_text() == (folder / "whole.txt").read_text()


def test_the_default_file_has_the_date_and_a_free_number(folder):
    first = play(lines=["m", "1"]).stdout
    name = re.search(r"casino-\d{4}-\d\d-\d\d-1\.txt", first)[0]
    assert os.listdir() == [name]
    assert "-2.txt" in play(lines=["m", "1"]).stdout
    assert len(os.listdir()) == 2
    assert Session.load(name).round.plays


def test_nothing_played_leaves_no_file(folder):
    assert "nothing is saved" in play(*SEEDED).stdout
    assert os.listdir() == []


def test_a_game_is_never_overwritten(folder):
    (folder / "game.txt").write_text("mine")
    assert "is there already" in refused("--save", "game.txt")
    assert (folder / "game.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--level", "11"], "--level"),
        (["--level", "1", "--against", "greedy"], "give one of them"),
        (["--against", "nobody"], "'nobody' is not an agent"),
        (["--against", "greedy", "--against", "greedy"], "2 players for 1 other seat"),
        (["--partner", "greedy"], "no partners"),
        (["--seat", "c"], "'c' is not a seat"),
        (["--name", "x", "--name", "y"], "2 names for 1 person"),
        (["--name", ""], "name of a player"),
        (["--name", "x" * 99], "at most 40"),
        (["--name", "A", "--name", "A", "--against", "person"], "same name"),
        (["--rules", "poker"], "poker"),
        (["--target", "x"], "--target is a number"),
        (["--target", "0"], "target"),
        (["--seed", "-1"], "seed"),
        (["--save", "."], "is a directory"),
        (["--save", "no/where/x"], "no directory"),
        (["--resume", "missing.txt"], "cannot read 'missing.txt'"),
        (["--resume", "x", "--seed", "1"], "--seed is for a new game"),
        (["--resume", "x", "--against", "greedy"], "cannot read 'x'"),
        (["--resume", "x", "--save", "y"], "--save is for a new game"),
        (["surplus"], "surplus"),
    ],
)
def test_bad_options(arguments, words, folder):
    assert words in refused(*arguments)
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("hello", "'game.txt'"),
        ('[AgentB "os:system"] [Seed 17] *', "name it again"),
        ('[AgentA "greedy"] [AgentB "greedy"] [Seed 17] *', "no person plays"),
        ("[Table 2s5h8dKc] [Hand a:As7c9hTd] *", "every card"),
        ("[Seed 17] 7dx7d", "line 1, column 11"),
    ],
)
def test_files_that_cannot_be_continued(text, words, folder):
    (folder / "game.txt").write_text(text)
    assert words in refused("--resume", "game.txt")
    assert (folder / "game.txt").read_text() == text


def test_a_match_that_is_over_shows_its_score(folder):
    session = Session.start(target=1, seed=1, players=[Player("Anna"), Player("Ben")])
    while not session.round.is_over:
        session = session.play(next(session.position.iter_legal_moves()))
    session.save("game.txt")
    answer = play("--resume", "game.txt", lines=["7c", "r", ""])
    assert "the match." in answer.stdout
    assert "there is nothing to play" in answer.stdout
    assert Session.load("game.txt") == session


def test_take_back_after_the_last_play_of_a_round(folder):
    lines = [line for _ in range(24) for line in ("m", "1")]
    answer = play(*SEEDED, "--one-round", "--save", "x.txt", lines=[*lines, "u", "m", "1", ""])
    assert answer.stdout.count("Score of round 1:") == 2
    assert len(Session.load("x.txt").round.plays) == 48


def test_people_at_a_pipe_are_not_asked_to_pass(folder):
    names = ("--name", "Anna", "--name", "Ben", "--against", "person")
    answer = play("--seed", "17", *names, "--save", "x.txt", lines=["7dx7c", "9h"])
    assert "pass the keyboard" not in answer.stdout
    assert len(Session.load("x.txt").round.plays) == 2


def test_an_agent_that_fails_ends_in_one_line(folder, monkeypatch):
    def fail(_turn):
        raise cc.CasinoError("the agent has lost its mind")

    agent = FunctionAgent(fail)
    monkeypatch.setattr("casino_core.cli.play.seats.agent_named", lambda _: agent)
    answer = play("--seed", "17", "--against", "x", "--save", "x.txt", lines=["7dx7c"], status=2)
    first, second = answer.stderr.splitlines()
    assert "--resume x.txt" in first
    assert second.startswith(f"casino-core: agent {__name__}:")
    assert second.endswith(", seat b: the agent has lost its mind")


def test_a_file_that_another_program_changes_is_not_overwritten(folder, monkeypatch):
    real = Session.choose

    def choose(session):
        (folder / "x.txt").write_text("another game")
        return real(session)

    monkeypatch.setattr(Session, "choose", choose)
    error = play(*SEEDED, "--save", "x.txt", lines=["7dx7c"], status=2).stderr
    assert "'x.txt' was changed by another program" in error
    assert (folder / "x.txt").read_text() == "another game"


def test_a_game_that_cannot_be_saved_ends_in_one_line(folder, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("casino_core.play.session.write_whole", fail)
    error = play(*SEEDED, "--save", "x.txt", lines=["7dx7c"], status=2).stderr
    assert error == ("casino-core: the game cannot be saved in 'x.txt': No space left on device\n")


@pytest.mark.parametrize(("line", "name"), [("h", "hint"), ("r", "review")])
def test_ctrl_c_during_advice_returns_to_the_question(line, name, folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"casino_core.cli.play.advice.Adviser.{name}", interrupted)
    answer = play(*SEEDED, "--save", "x.txt", lines=[line, "7dx7c"])
    assert f"The {name} was stopped." in answer.stdout
    assert "You play 7dx7c" in answer.stdout


def test_lines_that_are_no_text(folder):
    answer = CliRunner().invoke(main, ["play", *SEEDED], input=b"\xff\xfe\x00\n" + b"9" * 50_000)
    assert answer.exit_code == 0, answer.output


@pytest.mark.parametrize("rules", ["standard,players=3", "royal", "draw", "spade,players=4"])
def test_other_rules(rules, folder):
    answer = play("--rules", rules, "--seed", 5, "--against", "greedy", lines=["m", "1", "h", "s"])
    assert "Best:" in answer.stdout


def test_hints_and_reviews_see_what_the_player_sees(folder, monkeypatch):
    """Every position that reaches a hint has the other hand and the stock hidden."""
    from casino_core.cli.play import advice
    from casino_core.review import judgement

    asked = []
    for module in (advice, judgement):
        real = module.hint
        monkeypatch.setattr(
            module, "hint", lambda seen, real=real, **o: asked.append(seen) or real(seen, **o)
        )
    play(*SEEDED, "--save", "x.txt", lines=["h", "7dx7c", "h", "r"])
    assert len(asked) == 3
    for seen in asked:
        assert seen.position.hands["b"].hidden == seen.position.hands["b"].size
        assert seen.position.stock is None


def test_the_transcript_of_the_documents(monkeypatch):
    """docs/play.md shows what the command prints for examples/typed.txt."""
    monkeypatch.delenv("COLUMNS", raising=False)
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    command, shown = re.search(r"^```console\n\$ ([^\n]*)\n(.*?)^```", text, re.M | re.S).groups()
    arguments, _, name = command.removeprefix("casino-core play ").partition(" < ")
    lines = (ROOT / name).read_text().splitlines()
    assert play(*arguments.split(), lines=lines).stdout == shown


def test_the_table_of_the_documents_has_every_option():
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    command = main.commands["play"]
    options = {name for param in command.params for name in param.opts}
    assert not [name for name in options - {"--help"} if f"`{name}" not in text]


def test_a_game_that_is_only_looked_at_stays_as_it_is(folder):
    (folder / "game.txt").write_text("[Seed 17] 7dx7c 9h\n")
    answer = play("--resume", "game.txt", lines=["s", "q"])
    assert answer.exit_code == 0
    assert (folder / "game.txt").read_text() == "[Seed 17] 7dx7c 9h\n"
    play("--from", "game.txt", "--at", "2", "--save", "new.txt", lines=["q"])
    assert sorted(path.name for path in folder.iterdir()) == ["game.txt"]


def test_a_file_in_which_another_program_plays_on_is_not_removed(folder, monkeypatch):
    real = Keyboard.ask

    def ask(self, prompt):
        Session.load("game.txt").play("7dx7c").save("game.txt")  # meanwhile
        monkeypatch.setattr(Keyboard, "ask", real)
        return real(self, prompt)

    monkeypatch.setattr(Keyboard, "ask", ask)
    play(*SEEDED, "--save", "game.txt", lines=["q"])
    assert len(Session.load("game.txt").round.plays) == 1


@pytest.mark.parametrize("option", ["--against", "--seat", "--rules", "--target"])
def test_empty_words_are_refused(option):
    refused(option, "")
