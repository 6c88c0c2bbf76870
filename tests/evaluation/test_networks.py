"""The networks of the core against the same in NumPy, with the inputs that they were fitted to."""

import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import casino_core as cc
from casino_core.evaluation.last_deal import last_deal_estimate
from casino_core.evaluation.play_model import strong_scores
from casino_core.evaluation.players import greedy_move
from casino_core.game.counting import points_of_cards
from casino_core.rules.cards import ALL_CARDS
from casino_core.rules.ruleset import CompiledRules
from helpers.rounds import in_hands

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "casino_core" / "evaluation"
WHOLE = 32768

pytestmark = pytest.mark.skipif(
    not (ROOT / "tools").is_dir() or not SOURCES.is_dir(), reason="needs the tools and the sources"
)


@pytest.fixture(scope="module")
def tools():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import fit_last_deal
        import fit_play_model

        return fit_last_deal, fit_play_model
    finally:
        sys.path.pop(0)


def networks(name):
    """The integers of a header: for each network the arrays of its three layers."""
    text = (SOURCES / f"{name}_weights.h").read_text()
    first = [
        np.array(eval(rows.replace("{", "[").replace("}", "]")))
        for rows in re.findall(r"\]\[CC_FIRST\] = (.*?);", text, re.DOTALL)
    ]
    rest = re.search(r"cc_network \w+\[\d+\] = \{(.*)\};", text, re.DOTALL).group(1)
    parts = re.split(r"\{CC_\w+,", rest)[1:]
    found = []
    for rows, part in zip(first, parts, strict=True):
        fields = eval(
            "[" + part.strip().rstrip(",").rstrip("}").replace("{", "[").replace("}", "]") + "]"
        )
        found.append((rows, *map(np.array, fields)))
    return found


def value_of(network, states):
    first, first_bias, second, second_bias, last, last_bias = network
    one = np.maximum(states.astype(np.int64) @ first + first_bias, 0)
    two = np.maximum(one @ second.T + second_bias, 0) >> 8
    return two @ last + last_bias


def late(rules, seed, cards):
    """A position in the deal before the last."""
    rng = random.Random(seed)
    at = cc.Position.start(rules, seed=seed)
    while at.stock_count > 8 or in_hands(at) > cards:
        moves = at.some_legal_moves()
        by_chance = rng.random() < 0.4
        at = at.play(rng.choice(moves) if by_chance else greedy_move(at, careful=True))
    return at


@pytest.mark.parametrize(
    ("rules", "number"), [("standard", 0), ("hoyle", 1), ("royal", 2), ("spade", 3)]
)
def test_the_value_of_the_last_deal(tools, rules, number):
    network = networks("last_deal")[number]
    compiled = CompiledRules(cc.Rules.parse(rules))
    for seed in range(30):
        at = late(rules, seed, 1)
        after = at.play(random.Random(seed).choice(at.legal_moves()))
        a, b = (pile.cards for pile in after.piles)
        last = int(after.last != "a")
        row = np.array([[after.table.mask, a.mask, b.mask, last]], dtype=np.uint64)
        plain = value_of(network, tools[0].inputs(row, cc.Rules.parse(rules)))[0]
        found = last_deal_estimate(compiled, unit=1000, piles=(a, b), table=after.table, last=last)
        assert abs(plain) < 30 * WHOLE
        least, most = still_possible(compiled, a, b)
        assert found == min(max(int(plain * 1000 / WHOLE), 1000 * least), 1000 * most)


def still_possible(compiled, a, b):
    """The least and the most points that seat a can still gain, apart from sweeps."""
    left = cc.CardSet(ALL_CARDS & ~(a | b).mask)
    points = points_of_cards(compiled, left)
    spades = compiled.rules.scoring == "standard"
    low, high = -points, points
    for worth, suits in ((3, "shdc"), (int(spades), "s")):
        mine, other, free = (sum(card[1] in suits for card in cards) for cards in (a, b, left))
        low += worth * np.sign(mine - other - free)
        high += worth * np.sign(mine - other + free)
    return low, high


@pytest.mark.parametrize("cards", [1, 2, 3, 5, 8])
def test_the_scores_of_a_strong_player(tools, cards):
    (network,) = networks("play_model")
    for seed in range(12):
        seen = (at := late("standard", seed, cards)).view(at.turn)
        rows, ints, _ = zip(
            *(tools[1].described(seen, seen.play(move)) for move in seen.legal_moves()), strict=True
        )
        ints = np.array(ints)
        plain = value_of(network, tools[1].inputs(np.array(rows, dtype=np.uint64), ints)) / WHOLE
        assert strong_scores(seen) == pytest.approx(list(plain + ints[:, 4]))


def test_scores_do_not_depend_on_the_other_hand():
    at = late("standard", 3, 6)
    seen = at.view(at.turn)
    assert strong_scores(at) == strong_scores(seen)


@pytest.mark.parametrize("rules", ["royal", "draw", "standard,players=3", "spade"])
def test_other_rules_have_no_scores(rules):
    at = cc.Position.start(rules, seed=2)
    with pytest.raises(cc.CasinoError, match="plays are modelled"):
        strong_scores(at)


def test_a_hidden_hand_has_no_scores():
    at = late("standard", 3, 6)
    with pytest.raises(cc.HiddenCardError):
        strong_scores(at.view("b" if at.turn == "a" else "a"))
