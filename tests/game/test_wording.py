"""Plays in words, and the codes of reasons why a move is illegal."""

import ast
import pickle
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.game import refusals
from casino_core.game.refusals import REASON_CODES
from casino_core.game.wording import move_words
from helpers.rounds import last, play_out

RULES = [*cc.PRESETS, "royal,players=3", "pagat,players=4", "royal-1911,players=4,partners=yes"]


@pytest.mark.parametrize("rules", RULES)
def test_words_name_every_card_and_are_those_of_one_move(rules):
    for before in play_out(cc.Position.start(rules, seed=2), last).positions[:-1]:
        moves = before.legal_moves()
        words = [move_words(before, move) for move in moves]
        assert all(move_words(before, move).count(" of ") >= 1 for move in moves)
        assert len(set(words)) >= len(moves) - len(before.builds)


@pytest.mark.parametrize(
    ("line", "move", "words"),
    [
        ("table=2s5h8dKc hands=As7c9hTd/????", "9h", "trails the nine of hearts"),
        (
            "table=2s5h8dKc hands=As7c9hTd/????",
            "7c x 2s 5h",
            "captures the two of spades and the five of hearts with the seven of clubs",
        ),
        (
            "table=2s5h builds=7a:3c4d hands=As7c7h9h/???? out=-",
            "7c+2s5h+[7a]=7",
            "adds the seven of clubs, the two of spades and the five of hearts to its own build "
            "of 7",
        ),
    ],
)
def test_words(line, move, words):
    position = cc.Position.parse(line)
    assert move_words(position, position.move(move)) == words


def test_every_reason_has_a_code_of_the_table():
    tree = ast.parse(Path(refusals.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [node.args[0].value for node in calls if getattr(node.func, "id", "") == "Reason"]
    assert set(made) | {"not_a_move", "wrong_owner"} == set(REASON_CODES)


@pytest.mark.parametrize(
    ("line", "move", "code"),
    [
        ("table=2s5h8dKc hands=As7c9hTd/????", "8c", "not_held"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "9hx4c5h", "not_on_table"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "9hx[9b]", "not_on_table"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "9hx2s5h", "no_groups"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "9hxKc", "no_value"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "As+8d=9", None),
        ("table=2s5h8dKc hands=As7c9dTd/????", "As+5h=6", "no_card_left"),
        ("table=2s5h8dKc hands=As7c9hTd/????", "7c+2s5h=15", "not_a_move"),
        ("table=2s5h8dKc hands=????/As7c9hTd", "7c", "not_held"),
    ],
)
def test_an_illegal_move_has_a_code(line, move, code):
    position = cc.Position.parse(line)
    if code is None:
        assert position.is_legal(move)
        return
    with pytest.raises(cc.IllegalMoveError) as caught:
        position.move(move)
    assert caught.value.code == code
    assert pickle.loads(pickle.dumps(caught.value)).code == code
    with pytest.raises(cc.IllegalMoveError) as caught:
        cc.Round(position).play(move)
    assert caught.value.code == code
