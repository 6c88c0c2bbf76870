"""Who has won a match, against the reference."""

import random

import pytest

from casino_core import PRESETS, CasinoError, HiddenCardError, Position, Rules, match_result
from casino_core.game.scoring import score_steps, step_names
from reference.matches import match_result as slow_result
from reference.notation import parse_state

CHANGES = (
    "",
    ",finish=count_out",
    ",target=11,finish=count_out",
    ",finish=count_out,sweep=2",
    ",scoring=spade27,target=30,finish=count_out",
    ",scoring=spade26,target=20,finish=count_out",
    ",players=3,finish=count_out,target=8",
    ",players=4,partners=yes,target=12",
    ",tie=draw,target=9",
)


def finished_round(rules, seed):
    """The end of a round of random play, each side having some score before it."""
    rng = random.Random(seed)
    target = Rules.parse(rules).target
    score = [rng.randrange(target + 2) for _ in range(Rules.parse(rules).sides)]
    position = Position.start(rules, seed=seed, score=score)
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
    return position


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("preset", list(PRESETS))
def test_against_the_reference(preset, change):
    for seed in range(6):
        position = finished_round(preset + change, seed)
        found = match_result(position)
        slow = slow_result(parse_state(str(position)))
        assert (found.totals, found.over, found.winner) == (slow.totals, slow.over, slow.winner)


def test_a_round_that_goes_on_has_no_result():
    with pytest.raises(CasinoError):
        match_result(Position.start("standard", seed=1))


def test_forgotten_cards_cannot_be_counted():
    text = str(finished_round("standard", 2))
    pile = next(field for field in text.split() if field.startswith("piles="))
    one, other = pile.removeprefix("piles=").split("/")
    forgotten = Position.parse(text.replace(pile, f"piles={one[2:]}?/{other}"))
    with pytest.raises(HiddenCardError):
        match_result(forgotten)


@pytest.mark.parametrize("rules", [*PRESETS, "standard,players=4,partners=yes", "spade,players=3"])
def test_steps_of_a_score_add_up_to_it(rules):
    for seed in range(20):
        position = finished_round(rules, seed)
        steps = score_steps(position)
        totals = [0] * position.rules.sides
        for step in steps:
            assert step.side is not None or step.points == 0
            if step.side is not None:
                totals[step.side] += step.points
        assert tuple(totals) == position.score()
        names = [step.name for step in steps if step.name != "sweeps"]
        assert tuple(names) == step_names(position.rules)
