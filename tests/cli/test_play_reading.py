"""What a player may type in `casino-core play`."""

from contextlib import suppress

import pytest

import casino_core as cc
from casino_core.cli.play.reading import command_of, fitting_moves

POSITION = cc.Position.parse(
    "rules=royal table=2s2h5hTc builds=9b:4c5d,7a:3c4d hands=7c7hAsTd/???? out=-"
)


def meant(text):
    return [str(move) for move in fitting_moves(POSITION, text)]


@pytest.mark.parametrize("move", POSITION.legal_moves(), ids=str)
def test_the_notation_means_one_move(move):
    text = str(move)
    assert meant(text) == [text]
    spread = text.replace("x", " x ").replace("+", " + ").replace("=", " = ").lower()
    assert meant(spread) == [text]
    signs = text.translate(str.maketrans("shdc", "♠♥♦♣"))
    if "[" not in text:  # where letters are seats
        assert meant(signs) == [text]


@pytest.mark.parametrize("move", POSITION.legal_moves(), ids=str)
def test_ranks_alone_mean_every_move_that_fits(move):
    if move.kind == "trail":
        return
    cards = (move.card, *move.loose)
    text = str(move)
    for card in cards:
        text = text.replace(card, card[0])
    found = fitting_moves(POSITION, text)
    assert move in found
    for other in found:
        assert other.kind == move.kind
        assert other.value == move.value
        ranks = [sorted(card[0] for card in one.loose) for one in (move, other)]
        assert ranks[0] == ranks[1]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("10d x 10c", ["TdxTc"]),
        ("Tx", ["TdxTc"]),
        ("7cx", ["7cx2h5h", "7cx2h5h[7a]", "7cx2s5h", "7cx2s5h[7a]", "7cx[7a]"]),
        ("7x[7]", ["7cx[7a]", "7hx[7a]"]),
        ("7c x 2, 5 [7]", ["7cx2h5h[7a]", "7cx2s5h[7a]"]),
        ("7c+2=9", []),
        ("leave 7h", []),
    ],
)
def test_short_forms(text, moves):
    legal = {str(move) for move in POSITION.legal_moves()}
    assert set(moves) <= legal
    if moves:
        assert meant(text) == moves
    else:
        with pytest.raises(cc.IllegalMoveError):
            fitting_moves(POSITION, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9c", "seat a does not hold 9c"),
        ("K", "no legal move of K"),
        ("7cx8d", "8d is not loose on the table"),
        ("7x8", "no legal move fits '7x8'"),
        ("7cx[9b]", "cannot capture a build of 9"),
        ("take everything", "does not begin with the card"),
        ("7c?", "stands x for a capture"),
        ("x" * 500, "too long"),
        ("7c" + "\x00", "stands x"),
        ("\u0422d", "U\\+0422"),
    ],
)
def test_what_is_refused(text, words):
    with pytest.raises(cc.CasinoError, match=words) as caught:
        fitting_moves(POSITION, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "command", "rest"),
    [
        ("m", "moves", ""),
        ("M 7c", "moves", "7c"),
        ("moves all", "moves", "all"),
        ("?7cx2s", "why", "7cx2s"),
        ("? 7c x 2s", "why", "7c x 2s"),
        ("why 9h", "why", "9h"),
        (" h ", "hint", ""),
        ("q", "quit", ""),
        ("quit", "quit", ""),
        ("undo", "back", ""),
        ("", "show", ""),
        ("  ", "show", ""),
        ("7c x 2s", None, "7c x 2s"),
        ("q d", None, "q d"),  # the queen of diamonds, typed with a blank
        ("Qd", None, "Qd"),
        ("s\u00a0", "score", ""),
    ],
)
def test_commands(line, command, rest):
    found = command_of(line)
    assert (found.command, found.rest) == (command, rest)


def test_no_line_raises_anything_else():
    """Short texts of the letters of moves: moves, or an error of the package."""
    letters = "7cx+=[]a2s?1T "
    for first in letters:
        for second in letters:
            for third in letters:
                for text in (first + second + third, f"7c{first}{second}{third}"):
                    with suppress(cc.CasinoError):
                        assert fitting_moves(POSITION, text)
