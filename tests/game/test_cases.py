"""The core against the given cases: inputs with their right answers."""

from contextlib import suppress

import pytest

from casino_core import CasinoError, NotationError, Position, perft, perft_divide
from helpers.side_by_side import assert_well_formed, cases, first_difference
from reference.notation import parse_state
from reference.search import divide


def divide_differences(case, found):
    """The root moves on which a perft went wrong, each with the count found and the right one."""
    expected = divide(parse_state(case["position"]), case["depth"])
    return {
        move: (found.get(move), expected.get(move))
        for move in sorted({*found, *expected})
        if found.get(move) != expected.get(move)
    }


@pytest.mark.parametrize("case", cases("moves"))
def test_the_list_of_moves_is_complete(case):
    position = Position.parse(case["position"])
    assert first_difference(position, case["moves"]) is None
    assert position.count_legal_moves() == len(case["moves"])
    assert sorted(map(str, position.iter_legal_moves())) == case["moves"]


@pytest.mark.parametrize("case", cases("moves"))
def test_each_listed_move_is_legal_and_playable(case):
    position = Position.parse(case["position"])
    for text in case["moves"]:
        assert position.is_legal(text), text
        assert position.why_illegal(text) is None
        assert_well_formed(position.play(text))


@pytest.mark.parametrize("case", cases("worked"))
def test_a_worked_example_allows_what_the_book_allows(case):
    position = Position.parse(case["position"])
    listed = set(map(str, position.legal_moves()))
    for text in case["legal"]:
        assert position.is_legal(text), f"{case['source']}: {text} in {position}"
        assert position.why_illegal(text) is None
        assert str(position.move(text)) in listed


@pytest.mark.parametrize("case", cases("worked"))
def test_a_worked_example_forbids_what_the_book_forbids(case):
    position = Position.parse(case["position"])
    listed = set(map(str, position.legal_moves()))
    for text in case["illegal"]:
        with suppress(NotationError):  # some cannot even be written down, such as a build of 16
            assert not position.is_legal(text), f"{case['source']}: {text} in {position}"
        assert text not in listed
        with pytest.raises(CasinoError):
            position.play(text)
        reason = position.why_illegal(text)
        assert reason
        assert "\n" not in reason
        assert reason != "the rules do not allow it here", text


@pytest.mark.parametrize("case", cases("perft"))
def test_perft(case):
    position = Position.parse(case["position"])
    nodes = perft(position, case["depth"])
    divided = perft_divide(position, case["depth"])
    assert list(divided) == sorted(divided)
    if nodes != case["nodes"] or sum(divided.values()) != case["nodes"]:
        pytest.fail(
            f"{case['position']} depth {case['depth']}: {nodes} nodes, {sum(divided.values())} "
            f"divided, {case['nodes']} expected; found and expected by move: "
            f"{divide_differences(case, divided)}"
        )


@pytest.mark.parametrize("case", cases("scores"))
def test_scores(case):
    position = Position.parse(case["position"])
    assert position.is_over
    assert position.legal_moves() == []
    assert list(position.score()) == case["scores"]


@pytest.mark.parametrize("case", cases("solved"))
def test_solved_values(case):
    from casino_core import solve

    position = Position.parse(case["position"])
    result = solve(position)
    values = {str(item.move): item.value for item in result.moves}
    assert values == case["moves"]
    assert result.value == case["value"] == max(values.values())
    best = [move for move, value in values.items() if value == case["value"]]
    assert str(result.best) in best
    assert str(result.best) == str(result.moves[0].move)
    order = [(-item.value, str(item.move)) for item in result.moves]
    assert order == sorted(order)
    assert result.nodes >= 0


@pytest.mark.parametrize("case", cases("solved"))
def test_the_line_of_best_play_leads_to_the_value(case):
    from casino_core import solve

    position = Position.parse(case["position"])
    side = position.rules.side_of("abcd".index(position.turn))
    result = solve(position)
    assert str(result.pv[0]) == str(result.best)
    for move in result.pv:
        position = position.play(move)
    assert position.is_over
    points = position.score()
    assert points[side] - points[1 - side] == case["value"]
