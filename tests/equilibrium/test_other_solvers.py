"""Values of games against solvers that share nothing with the package's."""

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

import casino_core as cc
from casino_core.equilibrium.tree import ending_tree
from helpers.plain_cfr import Deal, Solved

CASES = Path(__file__).resolve().parents[1] / "data" / "cases" / "endings.jsonl"
POSITION = cc.Position.parse(json.loads(CASES.read_text().splitlines()[1])["position"])
HANDS = 4  # of each player
GAP = 0.0005


def kuhn():
    """Kuhn poker (H. W. Kuhn 1950): cards 0 to 2, an ante of 1, a bet of 1."""

    def turn(deal, plays):
        if plays in ((), ("pass",), ("bet",), ("pass", "bet")):
            player = len(plays) % 2
            return player, (deal[player], plays), ("pass", "bet")
        return None

    def payoff(deal, plays):
        higher = 1 if deal[0] > deal[1] else -1
        if plays in (("bet", "bet"), ("pass", "bet", "bet")):
            return 2 * higher
        if plays == ("pass", "pass"):
            return higher
        return 1 if plays == ("bet", "pass") else -1

    return Deal([(deal, 1 / 6) for deal in permutations(range(3), 2)], turn, payoff)


def test_the_plain_solver_finds_the_known_equilibrium_of_kuhn_poker():
    found = Solved(kuhn(), 2000)
    assert found.value == pytest.approx(-1 / 18, abs=0.002)
    bet = found.chances((0, ()), ("pass", "bet"))[1]
    assert 0 <= bet <= 1 / 3 + 0.02
    assert found.chances((2, ()), ("pass", "bet"))[1] == pytest.approx(3 * bet, abs=0.05)
    assert found.chances((1, ("bet",)), ("pass", "bet"))[1] == pytest.approx(1 / 3, abs=0.03)
    assert found.chances((0, ("pass",)), ("pass", "bet"))[1] == pytest.approx(1 / 3, abs=0.03)


@pytest.fixture(scope="module")
def tree():
    return ending_tree(POSITION)


def few_hands(tree, seed):
    """Weights of four hands of each player, drawn at random."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((len(tree.pairs),) * 2)
    mine, theirs = (rng.choice(len(tree.pairs), HANDS, replace=False) for _ in range(2))
    for one, two in product(mine, theirs):
        if not set(tree.pairs[one]) & set(tree.pairs[two]):
            weights[one, two] = rng.integers(1, 4)
    return weights / weights.sum()


def as_deal(tree, weights):
    """The ending as a game of one history after the other."""
    node = {
        (int(one), int(two)): place
        for place, (one, two) in enumerate(zip(tree.node_first, tree.node_second, strict=True))
    }
    number = {card: place for place, card in enumerate(tree.cards)}

    def left(hand, move):
        (card,) = {tree.cards[card] for card in tree.pairs[hand]} - {move.card}
        return number[card]

    def turn(deal, plays):
        if not plays:
            return 0, deal[0], tuple(np.flatnonzero(tree.first_legal[deal[0]]))
        if len(plays) == 1:
            legal = tree.second_legal[plays[0], deal[1]]
            return 1, (deal[1], plays), tuple(np.flatnonzero(legal))
        if len(plays) == 2:
            card = left(deal[0], tree.first[plays[0]])
            moves = tuple(np.flatnonzero(tree.third_card[node[plays]] == card))
            return 0, (card, plays), moves
        return None

    def payoff(deal, plays):
        first, second, third = plays
        last = left(deal[1], tree.second[first][second])
        return float(tree.worth[node[first, second], third, last])

    deals = [((int(one), int(two)), float(weights[one, two])) for one, two in np.argwhere(weights)]
    return Deal(deals, turn, payoff)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_ending_with_few_hands_against_the_plain_solver(tree, seed):
    weights = few_hands(tree, seed)
    found = cc.solve_ending(POSITION, weights=weights, gap=GAP)
    plain = Solved(as_deal(tree, weights), 150)
    assert plain.value == pytest.approx(found.value, abs=0.01)


def written(game):
    """The game in the format of Gambit, which OpenSpiel reads."""
    lines = ['EFG 2 R "ending" { "a" "b" }']
    sets = ({}, {})

    def write(deal, plays):
        now = game.turn(deal, plays)
        if now is None:
            worth = game.payoff(deal, plays)
            lines.append(f't "" {len(lines)} "" {{ {worth:.9f} {-worth:.9f} }}')
            return
        player, seen, moves = now
        known = sets[player].setdefault(seen, len(sets[player]) + 1)
        names = " ".join(f'"{move}"' for move in moves)
        lines.append(f'p "" {player + 1} {known} "s{player}{known}" {{ {names} }} 0')
        for move in moves:
            write(deal, (*plays, move))

    chances = " ".join(f'"{place}" {chance:.12f}' for place, (_, chance) in enumerate(game.deals))
    lines.append(f'c "" 1 "" {{ {chances} }} 0')
    for deal, _ in game.deals:
        write(deal, ())
    return "\n".join(lines)


def openspiel_value(text, path, iterations):
    """The value of a game for the first player by OpenSpiel's CFR+."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr, expected_game_score

    path.write_text(text)
    game = pyspiel.load_game("efg_game", {"filename": str(path)})
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    return expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]


def test_kuhn_poker_against_openspiel(tmp_path):
    value = openspiel_value(written(kuhn()), tmp_path / "kuhn.efg", 200)
    assert value == pytest.approx(-1 / 18, abs=0.003)


def test_an_ending_with_few_hands_against_openspiel(tree, tmp_path):
    weights = few_hands(tree, 1)
    found = cc.solve_ending(POSITION, weights=weights, gap=GAP)
    value = openspiel_value(written(as_deal(tree, weights)), tmp_path / "ending.efg", 100)
    assert value == pytest.approx(found.value, abs=0.01)
