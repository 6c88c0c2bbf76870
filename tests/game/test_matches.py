"""Who has won a match, against the reference."""

import pickle
import random

import pytest

import casino_core as cc
from casino_core import PRESETS, CasinoError, HiddenCardError, Position, Rules, match_result
from casino_core.game.scoring import score_steps, step_names
from helpers.rounds import at_random, first, play_out
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
    """The end of a round of random play, with a match score before it."""
    rng = random.Random(seed)
    target = Rules.parse(rules).target
    score = [rng.randrange(target + 2) for _ in range(Rules.parse(rules).sides)]
    return play_out(Position.start(rules, seed=seed, score=score), at_random(rng)).position


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


def played_match(rules, seed, target=None):
    """A match of random play."""
    rng = random.Random(seed)
    match = cc.Match(rules, target=target)
    while not match.is_over and len(match.rounds) < 40:
        match = match.play_round(play_out(match.next_start(rng.getrandbits(64)), at_random(rng)))
    return match


@pytest.mark.parametrize(
    "rules",
    [
        "standard",
        "spade",
        "standard,players=3,target=12",
        "royal,players=4,finish=count_out",
        "hoyle,players=4,partners=yes",
        "ramapo,target=9",
    ],
)
def test_a_match_adds_up_what_each_player_scores(rules):
    match = played_match(rules, 5)
    players, sides = match.rules.seats, match.rules.sides
    totals = [0] * sides
    for number, played in enumerate(match.rounds):
        leader = number % len(players)
        assert played.start.match_score == tuple(
            totals[(leader + seat) % sides] for seat in range(sides)
        )
        for seat in range(sides):
            totals[(leader + seat) % sides] += played.score()[seat]
    assert match.score == tuple(totals)
    assert match.is_over
    assert max(totals) >= match.rules.target
    if match.rules.finish == "highest" and match.winner is not None:
        assert totals[match.winner] == max(totals)
        assert totals.count(max(totals)) == 1
    assert cc.Match(rules, rounds=match.rounds) == match
    assert pickle.loads(pickle.dumps(match)) == match
    assert hash(match) == hash(cc.Match(match.rules, rounds=match.rounds))


def test_the_lead_goes_round():
    match = cc.Match("standard,players=3", target=1000)
    assert (match.seating, match.leader, match.score) == ("abc", "a", (0, 0, 0))
    seatings = []
    for seed in range(3):
        match = match.play_round(play_out(match.next_start(seed), first))
        seatings.append(match.seating)
    assert seatings == ["bca", "cab", "abc"]
    assert match.winner is None


def test_a_match_from_a_score():
    match = cc.Match("royal", target=21, score=(12, 15))
    assert (match.score, match.first_score, match.leader) == ((12, 15), (12, 15), "a")
    while not match.is_over:
        start = match.next_start(seed=len(match.rounds))
        assert start.match_score == (match.score, match.score[::-1])[len(match.rounds) % 2]
        match = match.play_round(play_out(start, first))
    assert match.first_score == (12, 15)
    assert match.score[0] >= 12
    assert match.score[1] >= 15
    assert pickle.loads(pickle.dumps(match)) == match
    assert cc.Match.parse(str(match)) == match
    assert cc.Match("royal", target=21, rounds=match.rounds, score=[12, 15]) == match
    with pytest.raises(CasinoError, match="round 1 starts at a match score of 12/15, the match"):
        cc.Match("royal", target=21, rounds=match.rounds)
    for score, words in (
        ((21, 3), "score: the match is over at 21/3"),
        ((1, 2, 3), "score"),
        ((-1, 2), "score"),
        ("ab", "score"),
        (5, "score"),
    ):
        with pytest.raises(CasinoError, match=words):
            cc.Match("royal", target=21, score=score)
    assert cc.Match(target="none", score=(40, 2)).score == (40, 2)


def test_rounds_that_do_not_go_on_with_a_match():
    match = played_match("standard", 1, target=1000)
    last = match.rounds[-1]
    with pytest.raises(CasinoError, match="round 41 starts at a match score of"):
        match.play_round(last)
    with pytest.raises(CasinoError, match="round 41 is not finished"):
        match.play_round(last.undo())
    with pytest.raises(CasinoError, match=r"round 41 is of royal, the match of standard,target"):
        match.play_round(cc.Round(finished_round("royal", 1)))
    with pytest.raises(CasinoError, match="round 41 is a Round, not 5"):
        match.play_round(5)
    with pytest.raises(CasinoError, match="rules is a Rules or its text, not 5"):
        cc.Match(5)
    over = played_match("standard", 1)
    with pytest.raises(CasinoError, match="the match is over"):
        over.play_round(last)
    with pytest.raises(CasinoError, match="the match is over"):
        over.next_start(1)
    with pytest.raises(AttributeError):
        over.rules = Rules()
