"""Endings as games of hidden information: recorded values, best responses, agents."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import casino_core as cc
from casino_core.equilibrium.cfr import Cfr
from casino_core.equilibrium.ending import exploitability, solve_ending
from casino_core.equilibrium.tree import ending_tree
from casino_core.play.agents import FunctionAgent
from helpers.commands import run

CASES = Path(__file__).resolve().parents[1] / "data" / "cases" / "endings.jsonl"
ENDINGS = [json.loads(line) for line in CASES.read_text().splitlines()]
QUICK = 1  # the ending with the fewest ways to play
GAP = 0.0004
ENDING_POSITION = cc.Position.parse(ENDINGS[QUICK]["position"])


@pytest.fixture(scope="module")
def solution():
    return solve_ending(cc.Position.parse(ENDINGS[QUICK]["position"]), gap=GAP)


def test_the_recorded_value_of_an_ending(solution):
    """Values are those of two other solvers, right to 0.0005."""
    assert solution.value == pytest.approx(ENDINGS[QUICK]["value"], abs=0.001)
    assert solution.lower - 1e-9 <= solution.value <= solution.upper + 1e-9
    assert solution.exploitability <= GAP
    assert solution.lower - 0.0005 <= ENDINGS[QUICK]["value"] <= solution.upper + 0.0005


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(ENDINGS), 3))  # all 18 take some minutes
def test_recorded_values(number):
    ending = ENDINGS[number]
    found = solve_ending(cc.Position.parse(ending["position"]), gap=GAP)
    assert found.exploitability <= GAP
    assert found.lower - 0.0005 <= ending["value"] <= found.upper + 0.0005


@pytest.mark.parametrize("estimate", ["learned", "fitted", "material"])
def test_an_ending_with_an_estimate_of_the_last_deal(solution, estimate):
    found = solve_ending(ENDING_POSITION, gap=GAP, estimate=estimate)
    assert found.exploitability <= GAP
    assert 0 < abs(found.value - solution.value) < 1.5
    assert [str(move) for move in found.tree.first] == [str(move) for move in solution.tree.first]
    exact = Cfr(solution.tree)  # what the other game's strategies lose in this one
    lost = exact.best_of_mover(found.strategy.second) - exact.best_of_other(found.strategy)
    assert lost / 2 > solution.exploitability


def test_an_estimate_that_there_is_not():
    with pytest.raises(cc.CasinoError, match="estimate"):
        solve_ending(ENDING_POSITION, estimate="nonsense")


def test_hands_and_stock_of_the_position_do_not_matter(solution):
    other = str(solution.tree.position)
    assert "hands=??/??" in other
    assert "stock=" not in other
    again = solve_ending(cc.Position.parse(other), gap=GAP)
    assert again.value == solution.value


def test_more_iterations_come_nearer():
    tree = ending_tree(cc.Position.parse(ENDINGS[QUICK]["position"]))
    cfr = Cfr(tree)
    gaps = []
    for _ in range(3):
        cfr.run(20)
        found = cfr.average()
        gaps.append(cfr.best_of_mover(found.second) - cfr.best_of_other(found))
    assert gaps[0] > gaps[1] > gaps[2] >= 0
    uniform = cfr.uniform()
    assert cfr.best_of_mover(uniform.second) > cfr.value(uniform) > cfr.best_of_other(uniform)


def test_strategies_are_probabilities_of_legal_moves(solution):
    tree = solution.tree
    for one, two in combinations(tree.cards, 2):
        chances = solution.first(one + two)
        assert sum(chances.values()) == pytest.approx(1, abs=0.01)
        legal = {str(move) for move in tree.seen([], one + two, "??").legal_moves()}
        assert chances.keys() <= legal
    first = next(iter(solution.first("6dKh")))
    left = [card for card in tree.cards if card != first[:2]]
    answers = solution.second(first, left[0] + left[1])
    assert sum(answers.values()) == pytest.approx(1, abs=0.01)
    for bad in ("6d", "6d6d", "6dAs", "zz", ""):
        with pytest.raises(cc.CasinoError, match="hand: two of"):
            solution.first(bad)
    with pytest.raises(cc.CasinoError, match="first: Zz is not one of"):
        solution.second("Zz", "6dKh")


def slow_best_of_mover(solution, second):
    """The mover's best response, hand by hand and world by world, in plain Python."""
    tree = solution.tree
    cards, total, worlds = tree.cards, 0.0, 0
    number = {card: place for place, card in enumerate(cards)}
    for hand in combinations(cards, 2):
        others = [pair for pair in combinations(cards, 2) if not {*pair} & {*hand}]
        worlds += len(others)
        total += max(
            value_of_first(tree, second, hand, others, place, number)
            for place, move in enumerate(tree.first)
            if tree.first_legal[tree.pair_number[number[hand[0]], number[hand[1]]], place]
        )
    return total / worlds


def value_of_first(tree, second, hand, others, place, number):
    """Of a first move: the sum over the other's hands and answers of the best third move."""
    played = tree.first[place].card
    (left,) = {*hand} - {played}
    found = 0.0
    for node in np.flatnonzero(tree.node_first == place):
        answer = tree.node_second[node]
        card = tree.second[place][answer].card
        if card == left:
            continue
        thirds = [j for j, one in enumerate(tree.third_card[node]) if one == number[left]]
        sums = dict.fromkeys(thirds, 0.0)
        for pair in others:
            if card not in pair:
                continue
            (rest,) = {*pair} - {card}
            chance = second[place, tree.pair_number[number[pair[0]], number[pair[1]]], answer]
            for j in thirds:
                if chance:  # else this hand cannot have answered so
                    sums[j] += chance * min(dict(tree.last[node, j, number[rest]]).values())
        found += max(sums.values(), default=0.0)
    return found


def test_the_best_response_is_that_of_plain_python(solution):
    fast = Cfr(solution.tree).best_of_mover(solution.strategy.second)
    assert slow_best_of_mover(solution, solution.strategy.second) == pytest.approx(fast, abs=1e-9)
    uniform = Cfr(solution.tree).uniform().second
    slow = slow_best_of_mover(solution, uniform)
    assert slow == pytest.approx(Cfr(solution.tree).best_of_mover(uniform), abs=1e-9)


def test_known_hands_by_weights(solution):
    """With one pair of hands the game has open cards, which the exact search solves too."""
    tree = solution.tree
    position = cc.Position.parse(ENDINGS[QUICK]["position"])
    weights = np.zeros((len(tree.pairs), len(tree.pairs)))
    mine, other = (
        tree.pair_number[tuple(tree.cards.index(card) for card in hand.cards)]
        for hand in position.hands
    )
    weights[mine, other] = 1
    found = solve_ending(position, weights=weights, gap=GAP)
    exact = cc.solve(position, stock="unknown").value
    assert found.value == pytest.approx(exact, abs=2 * GAP)


@pytest.mark.parametrize(
    "weights", [np.ones((3, 3)), np.zeros((66, 66)), -np.ones((66, 66)), np.full((66, 66), np.nan)]
)
def test_weights_that_are_none(weights):
    with pytest.raises(cc.CasinoError, match="weights"):
        solve_ending(cc.Position.parse(ENDINGS[QUICK]["position"]), weights=weights)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("table=2s5h8dKc hands=As7c9hTd/????", "two cards in each hand, not 4/4"),
        ("rules=draw table=2s hands=As7c/??", "without draws"),
        ("rules=standard,players=3 table=2s5h8dKc hands=As7c9hTd/????/????", "two players"),
    ],
)
def test_other_positions_are_refused(line, words):
    with pytest.raises(cc.CasinoError, match=words):
        solve_ending(cc.Position.parse(line))
    for options in ({"gap": -1}, {"iterations": 0}):
        with pytest.raises(cc.CasinoError):
            solve_ending(cc.Position.parse(ENDINGS[QUICK]["position"]), **options)


def test_better_agents_lose_less(solution):
    greedy = exploitability("greedy", solution)
    careful = exploitability("careful", solution)
    assert greedy.mean > careful.mean > 0
    assert min(greedy.as_mover, greedy.as_other, careful.as_mover, careful.as_other) >= -2 * GAP
    first = FunctionAgent(lambda turn: turn.position.legal_moves()[0])
    assert exploitability(first, solution).mean > careful.mean
    assert greedy == exploitability("greedy", ENDING_POSITION, seed=5)


def test_an_agent_is_asked_from_what_it_sees(solution):
    """Its own hand only, with the plays of the ending as it has seen them."""
    asked = []

    def watch(turn):
        asked.append(turn)
        return turn.position.legal_moves()[0]

    found = exploitability(FunctionAgent(watch), solution)
    assert found.asked == len(asked)
    for turn in asked[:: len(asked) // 500]:
        seen = turn.position
        other = seen.hands["b" if seen.turn == "a" else "a"]
        assert not other.cards
        assert seen.stock is None
        position = turn.plays[0][0] if turn.plays else seen
        for before, move in turn.plays:
            assert str(before) == str(position.view(seen.turn))
            position = position.play(move)
        assert str(position.view(seen.turn)) == str(seen)


def test_agents_that_do_not_fit(solution):
    with pytest.raises(cc.CasinoError, match="open sees every card"):
        exploitability("open", solution)
    with pytest.raises(cc.AgentError, match="seat a"):
        exploitability(FunctionAgent(lambda turn: "Zz"), solution)


def test_the_command(tmp_path):
    path = tmp_path / "endings.txt"
    line = ENDINGS[QUICK]["position"]
    path.write_text(f"# endings\n\n{line}\n{line}\n")
    shown = run("exploit", "greedy", "--endings", path).stdout
    assert "Exploitability of greedy: 0.059 points ± 0.000 (95 %), 2 endings" in shown
    answers = run("exploit", "greedy", "--endings", path, "--json").stdout.splitlines()
    assert [json.loads(one)["ending"] for one in answers] == [1, 2]
    path.write_text("# nothing\n")
    assert "no ending in" in run("exploit", "greedy", "--endings", path, status=2).stderr
    path.write_text(f"{line}\ntable=2s\n")
    broken = run("exploit", "greedy", "--endings", path, status=2)
    assert "line 2: hands" in broken.stderr
    assert "1 ending" in broken.stdout
    for args, words in (
        (("greedy", "--endings", tmp_path / "none"), "cannot read"),
        (("nobody", "--endings", path), "'nobody' is not an agent"),
        (("open", "--endings", path), "sees every card"),
        (("greedy",), "--endings"),
    ):
        answer = run("exploit", *args, status=2)
        assert words in answer.stderr
        assert "Traceback" not in answer.stderr
