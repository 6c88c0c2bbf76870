"""Win chances in a review: those of `match_equity` at the score around each round."""

import pytest

import casino_core as cc
from casino_core.review.chances import WinChance
from casino_core.review.fields import review_fields
from helpers.rounds import at_random, last, play_out, random_round

FEW = {"samples": 2, "deals": 1}


def match_to(target, seed):
    """A match of random plays."""
    match = cc.Match("standard", target=target)
    while not match.is_over:
        match = match.play_round(play_out(match.next_start(seed=seed), at_random(seed)))
        seed += 1
    return match


def equity(score, **options):
    found = cc.match_equity(score, **options)
    return WinChance(found.win, found.draw, found.loss, found.stderr)


@pytest.mark.parametrize("seed", range(3))
def test_chances_around_each_round_are_those_of_the_score(seed):
    match = match_to(30, seed)
    found = [one.chances for one in cc.review_game(match, **FEW).rounds]
    assert len(found) > 1
    score = (0, 0)
    for number, chances in enumerate(found, 1):
        assert chances.before == equity(score, target=30, leader="ab"[(number - 1) % 2])
        part = cc.Match("standard", target=30, rounds=match.rounds[:number])
        score = part.score
        if number < len(found):
            assert chances.after == equity(score, target=30, leader=part.leader)
    won = match.winner == 0
    assert found[-1].after == WinChance(float(won), 0.0, float(not won), 0.0)


def test_a_part_of_a_round_has_chances_at_its_end_only():
    whole = random_round("standard", 5)
    part = cc.Round(whole.positions[40], whole.plays[40:])
    (one,) = cc.review_game(part, **FEW).rounds
    assert one.chances.before is None
    assert one.chances.after == equity(whole.score(), leader="b")
    (begun,) = cc.review_game(whole.first(3), **FEW).rounds
    assert begun.chances.after is None
    assert begun.chances.before == equity("0/0")


@pytest.mark.parametrize("rules", ["standard,players=4,partners=yes", "standard,players=3"])
def test_rules_that_were_not_measured_have_no_chances(rules):
    (one,) = cc.review_game(play_out(cc.Position.start(rules, seed=1), last), **FEW).rounds
    assert one.chances is None


def test_without_a_target_there_is_nothing_to_win():
    played = random_round("standard", 1)
    game = cc.Game([played], target="none")
    (one,) = cc.review_game(game, **FEW).rounds
    assert one.chances is None


def test_a_match_in_the_middle_knows_who_led():
    """A record that begins with its third round."""
    start = cc.Position.start("standard", seed=3, score=(9, 14))
    game = cc.Game([cc.RecordedRound(play_out(start, last), number=3)])
    (one,) = cc.review_game(game, **FEW).rounds
    assert one.number == 3
    assert one.chances.before == equity("9/14", leader="a")
    second = cc.Game([cc.RecordedRound(play_out(start, last), number=2)])
    (one,) = cc.review_game(second, **FEW).rounds
    assert one.chances.before == equity("14/9", leader="b")


def test_json_has_the_chances():
    review = cc.review_game(match_to(15, 4), **FEW)
    fields = review_fields(review)
    rounds = fields.get("rounds", [fields])
    for one, found in zip(review.rounds, rounds, strict=True):
        assert found["number"] == one.number
        assert found["chances"]["before"] == one.chances.before._asdict()
        assert found["chances"]["after"] == one.chances.after._asdict()
