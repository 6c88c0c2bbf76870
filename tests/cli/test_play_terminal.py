"""`casino-core play` through a pseudo-terminal, as people play."""

import os
import re
import sys

import pytest

import casino_core as cc
from casino_core.play.agents import parse_agent
from casino_core.play.session import Player, Session

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
if os.name == "posix":
    from helpers.terminal import plain, terminal

CARD = re.compile("[A2-9TJQK][\u2660\u2665\u2666\u2663]")
SEEDED = ("--seed", "17", "--against", "careful", "--save", "game.txt")


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def play(*arguments, **options):
    return terminal("play", *arguments, **options)


def saved(folder, name="game.txt"):
    return cc.Game.parse((folder / name).read_text("utf-8"))


def moves_of(game):
    return [str(move) for move in game.rounds[-1].round.plays]


def test_a_whole_round_by_numbers(folder):
    """The screen shows no card of the other hand or the stock; the score ends the round."""
    with play(*SEEDED, "--one-round", cwd=folder) as term:
        shown = term.wait()
        for _ in range(24):
            assert "Your hand (seat a)" in shown
            game = Session.load(folder / "game.txt")
            position = game.position
            hidden = {*position.hands["b"].cards, *position.stock}
            screen = {text[0] + "shdc"["♠♥♦♣".index(text[1])] for text in CARD.findall(shown)}
            assert not screen & hidden
            term.type("m")
            shown = term.type("1")
        assert "The round is over." in shown
        assert "most cards" in shown
        assert "You lead" not in shown
        assert "careful leads the next round" in shown
        end = term.type("", pattern="Continue with")
    assert "casino-core play --resume game.txt" in end + term.shown
    game = saved(folder)
    assert game.rounds[0].round.is_over
    assert len(moves_of(game)) == 48


def test_refusals_hints_and_take_back(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        assert "Seat a does not hold 9♣." in term.type("9c")
        assert "5♥ is not loose on the table." in term.type("? 2s+5h=7")
        assert "does not begin with the card" in term.type("zz")
        assert "That is legal:" in term.type("? 7dx7c")
        assert "which move?" in term.type("?").lower()
        shown = term.type("h")
        assert "Best: 2♠+5♣7♣=7" in shown
        assert "7♦x7♣: captures" not in shown
        assert "7♦x7♣: captures" in term.type("h 7dx7c")
        assert "builds 7 with the two of spades" in shown
        assert "not played" in term.type("r")
        assert "captures 7♣ with 7♦" in term.type("7d x 7c")
        assert moves_of(saved(folder)) == ["7dx7c", "Kc"]
        assert "gave away" in term.type("r")
        assert "Taken back: 2 plays." in term.type("u")
        assert moves_of(saved(folder)) == []
        assert "no play of You" in term.type("u")
        assert "Captured by careful: none." in term.type("p")
        assert "sweeps" in term.type("s")
        assert "the legal moves" in term.type("help")
        assert "careful trails K♣" in term.type("7dx7c")
        term.send("q\n")
        assert "Saved. Continue with: casino-core play --resume game.txt" in term.end()
        assert term.process.returncode == 0


def test_a_card_alone_that_can_capture_is_asked_about(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        shown = term.type("7d")
        assert "That may mean:" in shown
        assert shown.index("trails 7♦") < shown.index("captures 7♣")
        assert "or help" in term.type("")
        assert moves_of(saved(folder)) == []
        term.type("7d")
        assert "captures 7♣ with 7♦" in term.type("2")
        term.type("u")
        assert "You trail 7♦." in term.type("trail 7d")


def test_several_moves_of_a_short_form_are_asked_about(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        assert "That may mean:" in term.type("7x7")
        assert "2♠+5♣=7" in term.type("m 2s")  # another line is no answer, but is obeyed
        assert moves_of(saved(folder)) == []


def test_a_number_means_a_move_on_the_screen(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        assert "Type 7 again" in term.type("7")
        assert moves_of(saved(folder)) == []
        assert "numbers from 1 to 10, not 11" in term.type("11")
        assert "You play 7♦x7♣" in term.type("7")


def test_ctrl_c_saves_and_resume_continues(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        term.type("7dx7c")
        term.send("\x03")
        end = term.end()
        assert term.process.returncode == 130
    assert "can be continued with casino-core play --resume game.txt" in end
    assert end.endswith("casino-core: interrupted\n")
    assert "Traceback" not in end
    with play("--resume", "game.txt", cwd=folder) as term:
        shown = term.wait()
        assert "careful trails K♣" in shown
        assert "2♠│ │6♥│ │7♠" in shown
        assert "You trail 6♥." in term.type("6h")
    expected = Session.load(folder / "game.txt").take_back().play("6h").play_agents()
    assert expected.game == saved(folder)


#: Plays with a signal that arrives after the question is written and before a key is waited for,
#: by C code, so that Python cannot handle it in between.
_SIGNAL = """
import ctypes, functools, readline, sys
from casino_core.__main__ import main
readline.set_pre_input_hook(functools.partial(ctypes.CDLL(None)["raise"], int(sys.argv.pop(1))))
main()
"""


@pytest.mark.parametrize("number", [2, 15])
def test_a_signal_at_the_moment_of_the_question_ends(folder, number):
    program = (sys.executable, "-c", _SIGNAL, str(number), "play", *SEEDED)
    with terminal(program=program, cwd=folder) as term:
        assert term.end().endswith("casino-core: interrupted\n")
        assert term.process.returncode == 128 + number
    assert not os.listdir(folder)  # nothing was played


def test_a_killed_game_continues(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        term.type("7dx7c")
        term.kill()
    assert moves_of(saved(folder)) == ["7dx7c", "Kc"]
    assert sorted(os.listdir(folder)) == ["game.txt"]
    with play("--resume", "game.txt", cwd=folder) as term:
        assert "K♣" in term.wait()


def test_the_end_of_the_input_saves(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        term.type("7dx7c")
        term.send("\x04")
        assert "Saved. Continue with" in term.end()
        assert term.process.returncode == 0


def test_two_people_do_not_see_each_others_hands(folder):
    names = ("--name", "Anna", "--name", "Ben", "--against", "person")
    with play("--seed", "17", *names, "--save", "game.txt", cwd=folder) as term:
        shown = term.wait()
        assert "Anna's hand (seat a)" in shown
        shown = term.type("7dx7c")
        assert "pass the keyboard" in shown
        assert "\x1b[3J" in term.shown  # what Anna saw is gone, also from above the screen
        assert "hand (seat" not in shown.partition("pass the keyboard")[2]
        shown = term.type("")
        assert "Ben's hand (seat b)" in shown
        assert "Anna plays 7♦x7♣" in shown
        assert "6♥" not in shown  # which Anna holds
        term.type("9h", r"pass the keyboard(.|\n)*last play: $")
        assert "Taken back: 1 play." in term.type("u", r"Ben, your move \(or help\): $")
        assert moves_of(saved(folder)) == ["7dx7c"]
        term.type("Kc")
    assert moves_of(saved(folder)) == ["7dx7c", "Kc"]


def test_partners(folder):
    rules = ("--rules", "standard,players=4,partners=yes")
    who = ("--partner", "greedy", "--against", "random")
    with play(*rules, *who, "--seed", "3", "--save", "game.txt", cwd=folder) as term:
        shown = term.wait()
        assert re.search(r"You \(a\) +4 +0.*\n *greedy \(c\) +4", shown)
        assert "You and greedy against random and random II" in shown
        assert "random II" in term.type("m") + term.type("1")


def test_a_narrow_terminal(folder):
    with play(*SEEDED, cwd=folder, width=40) as term:
        for line in ("m", "h", "7dx7c", "r", "s", "p", "help", "? 9c"):
            term.type(line)
        rows = plain(term.shown).splitlines()
    assert max(map(len, rows)) <= 40
    assert any("│2♠│ │6♥│ │7♠│ │7♦│" in row for row in rows)


def test_no_color(folder):
    with play(*SEEDED, cwd=folder, env={"NO_COLOR": "1"}) as term:
        term.wait()
        term.type("h")
        assert not re.search(r"\x1b\[[0-9;]*m", term.shown)
        assert "╭──╮" in term.shown


def test_colours_of_suits(folder):
    with play(*SEEDED, cwd=folder) as term:
        term.wait()
        assert "\x1b[31m7♦" in term.shown


def test_plain_sentences_for_screen_readers(folder):
    with play(*SEEDED, "--plain", cwd=folder) as term:
        term.wait()
        shown = term.type("7dx7c")
        assert "On the table: 5♣, J♦, J♣, K♣." in shown
        assert not set("╭╮╰╯│─") & set(term.shown)


def test_a_terminal_without_unicode(folder):
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    players = [Player("Zoë"), Player("", parse_agent("careful"))]
    Session.start(players=players, seed=17).save(folder / "game.txt")
    with play("--resume", "game.txt", cwd=folder, env=ascii_only) as term:
        term.wait()
        term.type("m")
        assert term.shown.isascii()
        assert "|2s| |6h| |7s| |7d|" in plain(term.shown)
        assert "7dx7c" in plain(term.shown)


def test_a_dumb_terminal_gets_sentences(folder):
    with play(*SEEDED, cwd=folder, env={"TERM": "dumb"}) as term:
        assert "On the table: " in term.wait()


def test_a_match_to_its_end(folder):
    with play(*SEEDED, "--target", "3", cwd=folder) as term:
        shown = term.wait()
        for _ in range(200):
            if "Enter ends" in shown:
                break
            shown = term.type("" if "Enter deals" in shown else "m")
            if "or help" in shown[-20:]:
                shown = term.type("1")
        assert re.search(r"(You win|careful wins) the match", term.shown)
        term.send("\n")
        assert "casino-core review game.txt" in term.end()
    assert saved(folder).winner in ("a", "b")
