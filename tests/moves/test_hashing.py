"""The 64-bit hash of a position: the one kept up to date in a search, and the one made anew."""

from random import Random

import pytest

from casino_core import PRESETS, Position, Rules
from casino_core.game.substitution import state_hash
from casino_core.rules.ruleset import CompiledRules
from casino_core.search.alphabeta import check_hashes
from helpers.rounds import at_random, play_out
from helpers.side_by_side import SEATINGS, last_deal
from reference.random_positions import random_rules

PARTNERS = "rules=royal-1911,players=4,partners=yes"
FULL = (
    f"{PARTNERS} table=2s5hTd builds=9a*:4h5c9s,12c:AhJh hands=9d?/??/QsKd/3c4c "
    "piles=7s7h7d7c??/JsJd turn=b last=d sweeps=1/0 out=As declared=7/-/9.4/-"
)


def played_positions(rounds, rules="royal"):
    """Every position of some random rounds."""
    rng = Random(rounds)
    for seed in range(rounds):
        yield from play_out(Position.start(rules, seed=seed), at_random(rng)).positions


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_updated_hash_is_the_recomputed_one(preset, seating):
    compiled = CompiledRules(Rules.parse(preset + seating))
    assert check_hashes(compiled, 60, 17) == 0


@pytest.mark.parametrize("seed", range(60))
def test_the_updated_hash_under_random_rules(seed):
    compiled = CompiledRules(Rules.parse(random_rules(Random(seed), change=0.6)))
    assert check_hashes(compiled, 20, seed) == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_the_hash_after_a_play_is_that_of_the_text(preset):
    for position in played_positions(4, preset):
        assert state_hash(position) == state_hash(Position.parse(str(position)))


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("table=2s5hTd", "table=2s5hTh"),
        ("table=2s5hTd", "table=2s5h"),
        ("9a*:4h5c9s", "9b*:4h5c9s"),
        ("9a*:4h5c9s", "9a*:4h5d9s"),
        ("9a*:4h5c9s,12c:AhJh", "12c:AhJh"),
        ("12c:AhJh", "12a:AhJh"),
        ("12c:AhJh", "12c*:AhJhQd"),
        ("hands=9d?", "hands=9d??"),
        ("hands=9d?", "hands=9d9h"),
        ("hands=9d?/??/QsKd/3c4c", "hands=QsKd/??/9d?/3c4c"),
        ("/QsKd/3c4c", "/3c4c/QsKd"),
        ("7s7h7d7c??/JsJd", "7s7h7d7c?/JsJd"),
        ("7s7h7d7c??/JsJd", "7s7h7d7c?/JsJd?"),
        ("7s7h7d7c??/JsJd", "7s7h7d7cJs??/Jd"),
        ("7s7h7d7c??/JsJd", "JsJd/7s7h7d7c??"),
        ("turn=b", "turn=c"),
        ("last=d", "last=b"),
        ("last=d", "last=-"),
        ("sweeps=1/0", "sweeps=0/1"),
        ("sweeps=1/0", "sweeps=2/0"),
        ("sweeps=1/0", "sweeps=1/1"),
        ("declared=7/-/9.4/-", "declared=7/-/9/-"),
        ("declared=7/-/9.4/-", "declared=-/7/9.4/-"),
        ("declared=7/-/9.4/-", "declared=7/-/9.5/-"),
        ("out=As", "out=As3h"),
    ],
)
def test_every_part_counts(part, changed):
    assert FULL.count(part) == 1
    other = Position.parse(FULL.replace(part, changed))
    assert state_hash(other) != state_hash(Position.parse(FULL))
    assert other != Position.parse(FULL)


def test_the_order_of_the_builds_does_not_count():
    builds = ["9a:4d5c", "9a:2h7h", "7b:3c4h", "8a:2d6d"]
    line = last_deal(f"rules=pagat builds={','.join(builds)} hands=9h7c8c/Th9d")
    one = Position.parse(line)
    for seed in range(10):
        order = Random(seed).sample(builds, 4)
        other = Position.parse(line.replace(",".join(builds), ",".join(order)))
        assert (other, state_hash(other), str(other)) == (one, state_hash(one), str(one))


def test_different_positions_have_different_hashes():
    """Among 64-bit hashes of some ten thousand positions two alike are a fault, not bad luck."""
    by_hash = {}
    for position in played_positions(250):
        # rules, score, what is out and the order of the stock are no part of this hash
        text = str(position).partition(" stock=")[0]
        assert by_hash.setdefault(state_hash(position), text) == text
    assert len(by_hash) > 250 * 40


def test_every_bit_of_the_hash_is_used_evenly():
    """A table takes its index from some bits and its check from others."""
    hashes = [state_hash(position) for position in played_positions(100)]
    hashes = sorted(set(hashes))
    for bit in range(64):
        ones = sum(value >> bit & 1 for value in hashes)
        assert abs(ones / len(hashes) - 0.5) < 0.05, bit
    for shift in (0, 16, 32, 48):
        filled = len({value >> shift & 0xFFFF for value in hashes})
        # n balls in 65,536 boxes: as many boxes filled as chance has it, within two in a hundred
        expected = 65536 * (1 - (1 - 1 / 65536) ** len(hashes))
        assert abs(filled - expected) < 0.02 * expected


def test_python_hashes_follow_equality():
    for position in played_positions(5, "pagat-royal,players=4,partners=yes"):
        again = Position.parse(str(position))
        assert again == position
        assert hash(again) == hash(position)
