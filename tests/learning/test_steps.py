"""Turns as steps over small numbers: every legal move has one sequence, and nothing else has."""

import json
import pickle
from itertools import pairwise

import pytest

import casino_core as cc
from casino_core.learning.information import index_of, move_at
from casino_core.learning.steps import STEP_COUNT, Choice, describe, move_of_steps, steps_of
from helpers.rounds import random_round
from helpers.side_by_side import DATA, PRESET_NAMES, SEATINGS

SEEN = cc.Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
#: Rounds of random plays for each preset at each table: with the recorded cases, 10,000 positions.
ROUNDS = 4


def complete(choice):
    """All choices with which a turn can end, however it goes on."""
    if choice.complete:
        assert choice.legal == ()
        return [choice]
    assert choice.move is None
    assert choice.legal
    assert all(one < other for one, other in pairwise(choice.legal))
    return [end for step in choice.legal for end in complete(choice.step(step))]


def both_ways(position):
    """Every sequence of steps makes a legal move and every legal move has its sequence."""
    ends = complete(Choice(position))
    moves = position.legal_moves()
    assert len(ends) == len(moves)
    assert {end.move for end in ends} == set(moves)
    for end in ends:
        assert steps_of(position, end.move) == end.steps
        assert str(end.move) == str(position.move(end.move))
    for place, move in enumerate(moves):
        if place in (0, len(moves) // 2, len(moves) - 1):
            assert move_of_steps(position, steps_of(position, str(move))) == move
            assert index_of(position, move) == place
            assert move_at(position, place) == move


def recorded(name):
    """The positions of a file of cases."""
    lines = (DATA / "cases" / name).read_text(encoding="utf-8").splitlines()
    return [cc.Position.parse(json.loads(line)["position"]) for line in lines]


def test_every_move_of_the_recorded_positions_converts_both_ways():
    found = [one for one in recorded("moves.jsonl") if not one.is_over]
    assert len(found) > 250
    for position in found:
        both_ways(position)


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_every_move_of_whole_rounds_converts_both_ways(preset, seating):
    for seed in range(ROUNDS):
        *turns, end = random_round(preset + seating, seed).positions
        assert end.is_over
        for position in turns:
            both_ways(position)


def test_a_trail_has_two_steps_and_other_moves_end_with_done():
    for move in SEEN.legal_moves():
        steps = steps_of(SEEN, move)
        assert (len(steps) == 2) == (move.kind == "trail")
        assert (steps[-1] == STEP_COUNT - 1) == (move.kind != "trail")


def test_cards_are_taken_in_the_order_of_their_numbers_and_builds_by_their_lowest_card():
    position = cc.Position.parse("table=2s5h builds=7b:3c4d hands=7c8dAs9h/7d???")
    steps = steps_of(position, "7cx2s5h[7b]")
    words = [describe(step) for step in steps]
    assert words == ["play 7c", "capture", "take 2s", "take 3c", "take 5h", "done"]
    assert [step for step in range(STEP_COUNT) if describe(step) in words] == sorted(steps)


def test_every_step_has_words_of_its_own():
    assert len({describe(step) for step in range(STEP_COUNT)}) == STEP_COUNT


@pytest.mark.parametrize("steps", [[105], [27, 104, 120], [27, 105, 120], [27, 105, 69, 56], [51]])
def test_a_step_that_leads_to_no_legal_move_is_refused(steps):
    with pytest.raises(cc.IllegalMoveError, match="does not lead to a legal move after"):
        Choice(SEEN).follow(steps)


@pytest.mark.parametrize("step", [-1, 121, True, 1.0, "7c", None])
def test_what_is_no_step_is_refused(step):
    with pytest.raises((cc.CasinoError, TypeError)):
        Choice(SEEN).step(step)


def test_steps_that_end_early_are_refused():
    with pytest.raises(cc.IllegalMoveError, match="end before the turn is complete"):
        move_of_steps(SEEN, [27, 105, 56])


def test_positions_without_a_turn_are_refused():
    over = random_round("standard", 1).position
    with pytest.raises(cc.CasinoError, match="the round is over"):
        Choice(over)
    with pytest.raises(cc.CasinoError, match="the round is over"):
        move_at(over, 0)
    with pytest.raises(cc.HiddenCardError):
        Choice(SEEN.view("b"))
    with pytest.raises(cc.CasinoError, match="index is a whole number from 0 to"):
        move_at(SEEN, 100)
    with pytest.raises(cc.IllegalMoveError):
        steps_of(SEEN, "8dx2s5h")


def test_crowded_tables_are_refused_in_words():
    cards = "".join(f"{rank}{suit}" for rank in "A2345678" for suit in "shdc")
    position = cc.Position.parse(f"table={cards} hands=TsThTdTc/9s9h9d9c piles={'?' * 12}/-")
    with pytest.raises(cc.TooManyMovesError, match="a million"):
        Choice(position)
    choice = Choice(position, some=True)
    assert choice != Choice(SEEN)
    assert pickle.loads(pickle.dumps(choice)) == choice
    for last in (0, -1):
        turn = choice
        while not turn.complete:
            turn = turn.step(turn.legal[last])
        assert position.is_legal(turn.move)


def test_a_choice_does_not_change():
    start = Choice(SEEN)
    before = start.legal
    for step in before:
        start.step(step)
    assert start.legal == before
    assert start == Choice(SEEN)
    assert hash(start.step(27)) == hash(Choice(SEEN).step(27))
    assert start.step(27) != start
