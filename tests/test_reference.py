"""The reference against the given cases: what it says is what the other tests rely on."""

import json
from pathlib import Path
from random import Random

import pytest

from reference.matches import match_result
from reference.notation import legal_texts, parse_state, to_text
from reference.random_positions import (
    random_move,
    random_positions,
    random_round,
    random_rules,
    shuffle_hidden,
)
from reference.rules import PACK, ordered, play, score
from reference.search import divide, perft, solve

DATA = Path(__file__).parent / "data"


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def cases(name):
    """The lines of a case file as test parameters, named by their place in it."""
    lines = read_lines(DATA / "cases" / f"{name}.jsonl")
    return [pytest.param(case, id=f"{name}-{i}") for i, case in enumerate(lines, 1)]


def saved_games(key):
    """What is expected of the saved games, as far as it has `key`."""
    lines = read_lines(DATA / "saved_games" / "expected.jsonl")
    return [pytest.param(case, id=case["file"]) for case in lines if key in case]


@pytest.mark.parametrize("case", cases("moves"))
def test_moves(case):
    assert legal_texts(parse_state(case["position"])) == case["moves"]


@pytest.mark.parametrize("case", cases("worked"))
def test_worked_examples(case):
    legal = legal_texts(parse_state(case["position"]))
    assert set(case["legal"]) <= set(legal)
    assert not set(case["illegal"]) & set(legal)


@pytest.mark.parametrize("case", cases("perft"))
def test_perft(case):
    state = parse_state(case["position"])
    nodes = perft(state, case["depth"])
    assert nodes == case["nodes"], divide(state, case["depth"])


@pytest.mark.parametrize("case", cases("solved"))
def test_solved(case):
    value, moves = solve(parse_state(case["position"]))
    assert moves == case["moves"]
    assert value == case["value"]


@pytest.mark.parametrize("case", cases("scores"))
def test_scores(case):
    assert score(parse_state(case["position"])) == case["scores"]


@pytest.mark.parametrize("case", saved_games("moves"))
def test_moves_of_saved_games(case):
    assert legal_texts(parse_state(case["position"])) == case["moves"]


@pytest.mark.parametrize("case", saved_games("values"))
def test_values_of_saved_games(case):
    _, moves = solve(parse_state(case["position"]))
    assert moves == case["values"]


@pytest.mark.parametrize("case", cases("moves") + cases("perft") + cases("scores"))
def test_text_is_read_back(case):
    state = parse_state(case["position"])
    assert parse_state(to_text(state)) == state


@pytest.mark.parametrize("seed", range(25))
def test_random_rounds_hold_together(seed):
    """Nothing is lost or doubled in play, there is always a move, and the text says it all."""
    for state, move in random_round(random_rules(Random(seed)), Random(seed)):
        built = [card for build in state.builds for card in build.cards]
        held = [card for cards in (*state.hands, *state.piles) for card in cards]
        assert ordered([*state.table, *built, *held, *state.stock]) == PACK
        assert parse_state(to_text(state)) == state
        assert state.is_over == (move is None)
    points = score(state)
    assert len(points) == state.rules.sides
    assert match_result(state).totals == tuple(points)


@pytest.mark.parametrize("seed", range(10))
def test_positions_from_outside_have_moves(seed):
    """An owner without a card of the value has moves too, and the round ends."""
    rng = Random(seed)
    for state in random_positions(seed):
        strange = shuffle_hidden(state, rng)
        assert parse_state(to_text(strange)) == strange
        if not strange.is_over:
            after = play(strange, random_move(strange, rng))
            assert parse_state(to_text(after)) == after
