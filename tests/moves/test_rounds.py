"""Many thousand random rounds: there is always a legal play, and nothing has changed."""

import pytest

from casino_core import PRESETS, Position, Rules
from casino_core.moves.perft import random_rounds
from casino_core.rules.ruleset import CompiledRules
from helpers.side_by_side import DATA, SEATINGS


def golden():
    """The lines of the file: rule set, rounds, seed, and the plays, moves and checksum expected."""
    text = (DATA / "random_rounds.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [
        pytest.param(rules, int(rounds), int(seed), int(plays), int(moves), checksum, id=rules)
        for rules, rounds, seed, plays, moves, checksum in lines
    ]


def rounds_of(rules, rounds, seed):
    return random_rounds(CompiledRules(Rules.parse(rules)), rounds, seed)


@pytest.mark.parametrize(("rules", "rounds", "seed", "plays", "moves", "checksum"), golden())
def test_random_rounds(rules, rounds, seed, plays, moves, checksum):
    """48 plays a round at any table, never the last resort, and the recorded checksum."""
    result = rounds_of(rules, rounds, seed)
    assert result["plays"] == plays == 48 * rounds
    assert result["fallbacks"] == 0
    assert result["moves"] == moves
    assert f"{result['checksum']:016x}" == checksum


def test_every_preset_and_table_is_in_the_file():
    listed = {case.values[0]: case.values[1] for case in golden()}
    for preset in PRESETS:
        for seating in SEATINGS:
            assert listed[preset + seating] >= 1000
    assert sum(listed.values()) >= 200_000


def test_another_seed_gives_other_rounds():
    one, same, other = (rounds_of("royal", 50, seed) for seed in (1, 1, 2))
    assert one == same
    assert one["checksum"] != other["checksum"]
    assert one["moves"] != other["moves"]


@pytest.mark.parametrize(
    ("scoring", "most"), [("standard", 11), ("spade", 24), ("spade26", 26), ("spade27", 27)]
)
@pytest.mark.parametrize("seating", SEATINGS)
def test_points_of_a_round(scoring, most, seating):
    """All points are won except those of ties and of cards that nobody captured."""
    rounds = 2000
    result = rounds_of(f"standard,scoring={scoring}{seating}", rounds, 5)
    total = sum(result["points"])
    assert 0.9 * most * rounds < total <= most * rounds
    assert len(result["points"]) == Rules.parse(f"standard{seating}").sides
    assert min(result["points"]) > 0.5 * total / len(result["points"])


def test_a_sweep_counts_what_the_rules_say():
    """The same rounds with sweeps of 0, 1 and 5 points: the sums lie on one line."""
    points = [sum(rounds_of(f"hoyle,sweep={n}", 1000, 3)["points"]) for n in (0, 1, 5)]
    sweeps = points[1] - points[0]
    assert sweeps > 0
    assert points[2] - points[0] == 5 * sweeps


def test_scores_do_not_change_the_play():
    """Rule sets that differ only in scoring have the same random rounds."""
    plain = rounds_of("standard", 300, 9)
    for rules in ("standard,sweep=3", "standard,scoring=spade27", "standard,finish=count_out"):
        other = rounds_of(rules, 300, 9)
        assert (other["checksum"], other["moves"]) == (plain["checksum"], plain["moves"])


def test_the_number_of_moves_is_that_of_the_positions():
    """The counts of `random_rounds` begin as those of the position that it starts from."""
    for seed in range(20):
        start = Position.start("royal", seed=seed)
        first = rounds_of("royal", 1, seed)
        assert first["plays"] == 48
        assert first["most"] >= start.count_legal_moves()
        assert first["moves"] >= first["most"] + 47
