"""What captured cards are taken to be worth, against the reference's points of cards."""

import random
from math import exp

import pytest

import casino_core as cc
from casino_core.evaluation.material import worth_of
from casino_core.hidden.hands import Hands
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.ruleset import CompiledRules
from casino_core.search.coalition import coalition_values
from helpers.rounds import random_round
from reference.notation import parse_state
from reference.rules import card_points, legal_moves, play, score

SCORINGS = {"standard": 1, "spade": 0, "spade26": 1, "spade27": 1}  # points for most spades


def model_score(position, move, most_spades):
    """The greedy score of a move, computed independently."""
    scoring = position.rules.scoring
    cards = [move.card, *move.loose]
    score = sum(card_points(scoring, str(card)) + 0.3 for card in cards)
    score += 0.3 * most_spades * sum(str(card)[1] == "s" for card in cards)
    if move.kind == "trail":
        return -score - 0.02 * (CARD_NAMES.index(str(move.card)) // 4)
    if move.kind != "capture":
        return score / 2
    return score + (position.rules.sweep if len(move.loose) == len(position.table) else 0)


@pytest.mark.parametrize(("scoring", "most_spades"), SCORINGS.items())
@pytest.mark.parametrize("played", ["9s", "9sx9h", "9sx2d7s", "9sx2d7s9h"])
def test_the_model_of_plays_pays_for_spades_only_where_most_spades_scores(
    scoring, most_spades, played
):
    rules = f"standard,scoring={scoring},sweep=1"
    position = cc.Position.parse(f"rules={rules} table=9h7s2d hands=9s2s3c4d/???? piles=Ah/-")
    moves = position.legal_moves()
    liking = [exp(model_score(position, move, most_spades) / 0.5) for move in moves]
    chosen = liking[[str(move) for move in moves].index(played)]
    state, compiled = position._state()
    later = 1 << CARD_NAMES.index("9s")
    held = sum(1 << CARD_NAMES.index(card) for card in ("2s", "3c", "4d"))
    for by_card in (False, True):
        hands = Hands(
            compiled,
            0,
            held,
            3,
            [],
            [1.0] * 52,
            [(state, 0, played, later)],
            0.5,
            0.3,
            by_card=by_card,
        )
        assert hands.weight(held) == pytest.approx(0.7 * chosen / sum(liking) + 0.3 / len(moves))


@pytest.mark.parametrize(("scoring", "most_spades"), SCORINGS.items())
def test_worth_is_points_and_a_part_of_the_majorities(scoring, most_spades):
    rng = random.Random(2)
    compiled = CompiledRules(cc.Rules(scoring=scoring))
    for _ in range(50):
        cards = rng.sample(CARD_NAMES, rng.randint(0, 30))
        spades = sum(card[1] == "s" for card in cards)
        expected = sum(card_points(scoring, card) for card in cards)
        expected += 0.2 * len(cards) + 0.1 * most_spades * spades
        found = worth_of(compiled, cc.CardSet("".join(cards)), card=640, spade=320)
        assert found == pytest.approx(expected)


def side_worth(state, side, most_spades):
    """Worth of captured cards with more than two sides, in points / 100, computed independently."""
    if state.is_over:
        return 100 * score(state)[side]
    pile = state.piles[side]
    points = sum(card_points(state.rules.scoring, card) for card in pile)
    spades = sum(card[1] == "s" for card in pile)
    return (
        100 * (points + state.rules.sweep * state.sweeps[side])
        + 9 * len(pile)
        + 6 * most_spades * spades
    )


@pytest.mark.parametrize(("scoring", "most_spades"), SCORINGS.items())
@pytest.mark.parametrize("seed", range(3))
def test_with_more_sides_a_play_is_worth_what_it_captures(scoring, most_spades, seed):
    rules = f"standard,players=3,scoring={scoring},sweep=1"
    for position in random_round(rules, seed).positions[:-1]:
        state = parse_state(str(position))
        expected = []
        for move in legal_moves(state):
            after = play(state, move)
            worth = [side_worth(after, side, most_spades) for side in range(3)]
            own = worth.pop(state.turn)
            expected.append(own - max(worth))
        assert sorted(coalition_values(position, 1)) == sorted(expected)
