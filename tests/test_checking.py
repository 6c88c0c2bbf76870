"""Arguments of a wrong kind are refused in one line that names them, by every public function."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.engine.requests import read_request
from casino_core.hidden.posterior import Beliefs
from casino_core.hints.tree.hint import tree_hint

MIDDLE = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
LAST = cc.Position.parse(
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTcQsQhQdQc"
    "/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)
INFINITE, NO_NUMBER = float("inf"), float("nan")
TIME = "seconds is a number of seconds more than 0 and at most 86400, not "
SEEDS = "seed is a whole number from 0 to 2**64 - 1, not "
PLAY = "history: play 1 is a Position and the move made in it, not "


def middle(**given):
    return cc.hint(MIDDLE, **{"samples": 2, **given})


def last(**given):
    return cc.solve(LAST, **given)


def review(**given):
    return cc.analyse_play(cc.PlayRecord(LAST, (LAST.legal_moves()[0],)), **given)


def tree(**given):
    return tree_hint(MIDDLE, **{"iterations": 5, **given})


def beliefs(**given):
    return Beliefs(MIDDLE.view(MIDDLE.turn), **given)


def draws(**given):
    return beliefs().sample(**{"number": 2, **given})


@pytest.mark.parametrize(
    ("call", "given", "message"),
    [
        (beliefs, {"facts": 5}, "belief is a Belief or its text, not 5"),
        (beliefs, {"history": [5]}, PLAY + "5"),
        (beliefs, {"temperature": NO_NUMBER}, "temperature is a number of points from 0.05 to"),
        (beliefs, {"chance": 0}, "chance is a share more than 0 and at most 1, not 0"),
        (draws, {"seed": 2**70}, SEEDS + "1180591620717411303424"),
        (draws, {"number": -1}, "number is a whole number from 1 to 2**31 - 1, not -1"),
        (middle, {"seconds": "1"}, TIME + "'1'"),
        (middle, {"seconds": INFINITE}, TIME + "inf"),
        (middle, {"seconds": NO_NUMBER}, TIME + "nan"),
        (middle, {"seconds": True}, TIME + "True"),
        (middle, {"seconds": 10**400}, TIME + "a number of 1329 bits"),
        (last, {"seconds": INFINITE}, TIME + "inf"),
        (last, {"seconds": 0}, TIME + "0"),
        (review, {"seconds": INFINITE}, TIME + "inf"),
        (tree, {"seconds": 86401}, TIME + "86401"),
        (middle, {"seed": -1}, SEEDS + "-1"),
        (middle, {"seed": 1.5}, SEEDS + "1.5"),
        (tree, {"seed": 2**70}, SEEDS + "1180591620717411303424"),
        (middle, {"samples": 2.5}, "samples is a whole number from 1 to 2**31 - 1, not 2.5"),
        (middle, {"threads": 1.5}, "threads is a whole number from 1 to 1024, not 1.5"),
        (middle, {"threads": 2**70}, "threads is a whole number from 1 to 1024, not 1180591620717"),
        (middle, {"table_mib": NO_NUMBER}, "table_mib is a size in MiB more than 0 and at most"),
        (middle, {"belief": 5}, "belief is a Belief or its text, not 5"),
        (middle, {"history": 5}, "history is a list of plays, not 5"),
        (middle, {"history": [5]}, PLAY + "5"),
        (middle, {"history": [(MIDDLE, 5)]}, PLAY + "a value of type tuple"),
        (middle, {"open": "no"}, "open is True or False, not 'no'"),
        (
            middle,
            {"method": ["mcts"]},
            "method is one of auto, blend, response, playouts, pimc, mcts, not",
        ),
        (middle, {"progress": 5}, "progress is a function, not 5"),
        (tree, {"iterations": 0}, "iterations is a whole number from 1 to 1099511627776, not 0"),
        (tree, {"hands": 5}, "hands is a list of masks and weights, one at least, not 5"),
        (tree, {"hands": [5]}, "hands: entry 0 is not the masks of all seats and a weight"),
        (last, {"nodes": 1.5}, "nodes is a whole number from 0 to 2**63 - 1, not 1.5"),
        (last, {"stock": "open"}, "stock is one of known, unknown, not 'open'"),
        (last, {"table_mib": 0}, "table_mib is a size in MiB more than 0 and at most 65536, not 0"),
        (review, {"plays": 1.5}, "plays is a whole number from 0 to 2**63 - 1, not 1.5"),
        (cc.hint, {"position": "hands=As/Ah"}, "position is a Position, not 'hands=As/Ah'"),
        (cc.solve, {"position": None}, "position is a Position, not None"),
        (
            cc.analyse_play,
            {"record": LAST},
            "record is a Round, a PlayRecord or its text, not a value",
        ),
        (cc.read_play, {"text": 5}, "a record is read from text, not from int"),
        (cc.perft, {"position": 5, "depth": 1}, "position is a Position, not 5"),
        (cc.perft, {"position": LAST, "depth": 1.5}, "depth is a whole number from 0 to 1000"),
        (cc.match_result, {"position": 5}, "position is a Position, not 5"),
        (cc.to_saved_game, {"position": 5}, "position is a Position, not 5"),
        (cc.Position.parse, {"text": 5}, "a position is read from text, not from int"),
        (cc.Position.start, {"seed": "1"}, SEEDS + "'1'"),
        (cc.Position.start, {"score": 5}, "score is a list of 2 whole numbers under these rules"),
        (
            cc.Position.start,
            {"score": (1, -1)},
            "score of side 1 is a whole number from 0 to 10000",
        ),
        (cc.Position.start, {"rules": 5}, "rules are read from text, not from int"),
        (MIDDLE.view, {"seat": 5}, "5 is not a seat; the seats are ab"),
        (MIDDLE.move, {"text": 5}, "a move is a Move or its text, not int"),
    ],
)
def test_what_is_refused_and_how(call, given, message):
    with pytest.raises(cc.CasinoError) as refused:
        call(**given)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


JUNK = [
    *(None, True, 1.5, NO_NUMBER, INFINITE, -INFINITE, -1, 2**70, 10**5000, -(10**400), 3 + 2j),
    *("1", "", "\ud800", b"x", [], [5], (1, 2), {}, object(), np.int64(-3), np.float32("nan")),
]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (middle, "seconds samples seed method belief history open table_mib threads progress"),
        (tree, "seconds iterations seed open tree_mib hands report"),
        (last, "stock table_mib nodes seconds progress"),
        (cc.Solver, "table_mib"),
        (lambda **given: cc.Solver(1).value(LAST, **given), "nodes seconds"),
        (lambda **given: cc.Solver(1).solve(LAST, **given), "stock nodes seconds progress"),
        (lambda **given: cc.Solver(1).line(LAST, **given), "first"),
        (review, "plays nodes seconds table_mib on_progress"),
        (lambda **given: cc.perft(LAST, **given), "depth"),
        (lambda **given: cc.perft_divide(LAST, **given), "depth"),
        (cc.Position.start, "rules seed score"),
    ],
)
def test_whatever_is_given_is_taken_or_refused(call, names):
    for name in names.split():
        for value in JUNK:
            message = ""
            try:
                call(**{name: value})
            except cc.CasinoError as error:
                message = str(error)
            assert "\n" not in message
            assert len(message) < 200


def test_whole_numbers_of_numpy_are_whole_numbers():
    one = np.int64(1)
    assert middle(seed=one, samples=np.uint8(2), threads=one).moves == middle(seed=1).moves
    assert tree(seed=one, iterations=np.int16(5)) == tree(seed=1)
    assert cc.perft(LAST, np.int32(2)) == cc.perft(LAST, 2)
    assert cc.Position.start(seed=np.uint64(2**63)) == cc.Position.start(seed=2**63)
    assert last(nodes=np.int64(10**6), seconds=np.float32(60)).exact


@pytest.mark.parametrize("value", ["inf", "nan", "0", "-1", "86401", "soon"])
@pytest.mark.parametrize("command", ["hint", "solve", "review"])
def test_a_time_is_one_thing_on_the_command_line(command, value):
    answer = CliRunner().invoke(main, [command, str(LAST), f"--seconds={value}"])
    assert answer.exit_code == 2
    assert answer.stderr == (
        f"casino-core: Invalid value for '--seconds': '{value}' is not a number of seconds more "
        "than 0 and at most 86400\n"
    )


@pytest.mark.parametrize("value", [0, -1, 86401, True, "1", None, [1], 1e300])
@pytest.mark.parametrize("command", ["hint", "solve"])
def test_a_time_is_the_same_thing_to_the_engine(command, value):
    request = {"command": command, "position": str(LAST), "seconds": value}
    assert read_request(json.dumps(request).encode()).error.startswith(TIME)
