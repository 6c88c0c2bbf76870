"""Deals, turns and scores: what follows a play, from the start of a round to its end."""

import pytest

from casino_core import CardSet, CasinoError, Hand, HiddenCardError, Position, Rules, RulesError
from helpers.side_by_side import assert_well_formed, last_deal
from reference.notation import parse_state
from reference.rules import score

PARTNERS = "standard,players=4,partners=yes"
IN_PLAY = "table=2s5hJdKc hands=7c8dAs9h/Ac3dQs4h"


# The stock


def test_the_stock_in_order():
    position = Position.parse(last_deal("hands=2s/3s stock=Kc9h4sAdTh2cQd7s"))
    assert position.stock == ("Kc", "9h", "4s", "Ad", "Th", "2c", "Qd", "7s")
    assert position.stock_count == 8
    assert str(position).endswith("turn=a stock=Kc9h4sAdTh2cQd7s")
    other = Position.parse(last_deal("hands=2s/3s stock=9hKc4sAdTh2cQd7s"))
    assert other != position


def test_an_empty_stock():
    position = Position.parse(last_deal("hands=2s/3s stock=-"))
    assert (position.stock, position.stock_count) == ((), 0)
    assert position == Position.parse(last_deal("hands=2s/3s"))
    assert "stock" not in str(position)


def test_a_deal_from_a_known_stock_gives_seat_a_four_then_seat_b():
    position = Position.parse(last_deal("hands=2s/3s stock=Kc9h4sAdTh2cQd7s"))
    after = position.play("2s").play("3s")
    assert after.hands == (Hand(CardSet("Ad4s9hKc"), 0), Hand(CardSet("2c7sThQd"), 0))
    assert (after.turn, after.stock) == ("a", ())
    assert after.table == CardSet("2s3s")


def test_a_deal_from_an_unknown_stock_is_hidden():
    position = Position.parse("table=2s3s4s5s hands=6s/7s piles=" + "?" * 6 + "/-")
    assert (position.stock, position.stock_count) == (None, 40)
    after = position.play("6s").play("7s")
    assert after.hands == (Hand(CardSet(), 4), Hand(CardSet(), 4))
    assert (after.stock, after.stock_count) == (None, 32)


def test_a_third_deal_comes_after_the_second():
    stock = "Kc9h4sAdTh2cQd7s" + "8c8d8h8sJcJdJhJs"
    position = Position.parse(last_deal(f"hands=2s/3s stock={stock}"))
    for text in ("2s", "3s", "Kc", "Qd", "9h", "Th", "4s", "7s", "Ad", "2c"):
        position = position.play(text)
    assert position.hands == (Hand(CardSet("8s8h8d8c"), 0), Hand(CardSet("JsJhJdJc"), 0))
    assert position.stock == ()


def test_an_incomplete_pack_is_dealt_as_far_as_it_goes():
    rest = "".join(rank + suit for rank in "56789TJQK" for suit in "shdc")
    line = f"hands=2s/3s table=4s4h4d stock=AsAhAdAc2h2d out=2c3h3d3c4c{rest}"
    position = Position.parse(line)
    assert_well_formed(position)
    after = position.play("2s").play("3s")
    assert after.hands == (Hand(CardSet("AsAhAdAc"), 0), Hand(CardSet("2h2d"), 0))
    for text in ("As", "2h", "Ah", "2d", "Ad"):
        after = after.play(text)
    assert after.turn == "a"
    assert after.play("Ac").is_over
    unknown = Position.parse(line.replace("stock=AsAhAdAc2h2d ", "")).play("2s").play("3s")
    assert unknown.hands == (Hand(CardSet(), 4), Hand(CardSet(), 2))


def test_a_given_stock_that_does_not_go_round_is_read_with_a_warning():
    """A stock in known order may have any size; one without order must go round."""
    position = Position.parse(last_deal("hands=2s/3s stock=4s5s6s7s8s"))
    assert len(position.warnings) == 1
    assert position.warnings[0].startswith("stock: 5 cards")
    assert_well_formed(position)
    after = position.play("2s").play("3s")
    assert after.hands == (Hand(CardSet("4s5s6s7s"), 0), Hand(CardSet("8s"), 0))
    longer = Position.parse(last_deal("hands=2s/3s stock=4s5s6s7s8s9sTsJsQs"))
    assert longer.warnings[0].startswith("stock: 9 cards")
    assert_well_formed(longer)
    assert longer.play("2s").play("3s").stock == ("Qs",)


def test_saying_that_no_card_is_out_lets_the_stock_be_uneven():
    """`out=-` confirms the number of cards; it is written only if needed."""
    position = Position.parse("hands=2s/3s out=-")
    assert (position.stock_count, position.out) == (50, CardSet())
    assert_well_formed(position)
    assert_well_formed(position.play("2s").play("3s"))
    assert "out" not in str(Position.parse(f"{IN_PLAY} out=-"))


def test_draw_casino_takes_the_top_card_after_each_play():
    position = Position.parse(last_deal("rules=draw hands=2s9s/3sTs stock=Kc9h4s"))
    after = position.play("2s")
    assert after.hands == (Hand(CardSet("9sKc"), 0), Hand(CardSet("3sTs"), 0))
    after = after.play("3s").play("9s")
    assert after.hands == (Hand(CardSet("4sKc"), 0), Hand(CardSet("9hTs"), 0))
    assert after.stock == ()
    after = after.play("Ts")
    assert after.hands[1] == Hand(CardSet("9h"), 0)
    after = after.play("Kc").play("9h").play("4s")
    assert after.is_over


def test_draw_casino_with_an_unknown_stock():
    position = Position.parse("rules=draw table=2s3s4s5s hands=6s7s8s9s/???? piles=-/?")
    assert position.stock_count == 39
    after = position.play("6s")
    assert after.hands[0] == Hand(CardSet("7s8s9s"), 1)
    assert after.stock_count == 38


# Seats and turns


def test_a_seat_without_cards_is_passed_over():
    position = Position.parse(last_deal("rules=standard,players=3 hands=2s3s/4s/5s6s", 3))
    turns = []
    for text in ("2s", "4s", "5s", "3s", "6s"):
        turns.append(position.turn)
        position = position.play(text)
    assert turns == ["a", "b", "c", "a", "c"]
    assert position.is_over


def test_one_seat_may_play_on_alone():
    position = Position.parse(last_deal("hands=2s4s6s/3s"))
    position = position.play("2s").play("3s").play("4s")
    assert position.turn == "a"
    assert position.play("6s").is_over


def test_the_turn_goes_round_four_seats():
    position = Position.parse(
        "table=2s3s4s5s hands=6s7s8s9s/????/TsJsQsKs/???? rules=royal,players=4"
    )
    assert position.play("6s").turn == "b"
    with pytest.raises(HiddenCardError, match="seat b"):
        position.play("6s").legal_moves()


def test_a_finished_round():
    position = Position.parse(
        "table=2s5h hands=-/- piles="
        + "".join(rank + suit for rank in "A346789TJQK" for suit in "shdc")
        + "/2h2d2c5s5d5c last=b sweeps=2/1 rules=hoyle"
    )
    assert position.is_over
    assert position.turn == "a"
    assert position.legal_moves() == list(position.iter_legal_moves()) == []
    assert position.count_legal_moves() == 0
    assert not position.is_legal("2s")
    assert position.why_illegal("2s") == "the round is finished"
    # aces 4, Td 2, most cards 3, most spades 1, two sweeps; 2s from the table, one sweep
    assert position.score() == (12, 2)


# Scores


def test_there_is_no_score_before_the_end():
    with pytest.raises(CasinoError, match="not finished"):
        Position.parse(IN_PLAY).score()


def test_forgotten_cards_leave_no_score():
    with pytest.raises(HiddenCardError, match="piles"):
        Position.parse(last_deal("hands=-/- table=2s")).score()


def test_nobody_has_what_lies_there_when_nobody_captured():
    pack = "".join(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
    assert Position.parse(f"table={pack} hands=-/-").score() == (0, 0)
    assert Position.parse(f"table={pack} hands=-/- last=b").score() == (0, 11)


@pytest.mark.parametrize(("last", "points"), [("a", (9, 2)), ("b", (1, 10)), ("-", (2, 2))])
def test_builds_that_are_left_go_to_the_last_capturer(last, points):
    """Ah, Ad and Td, most cards and most spades lie in builds and loose on the table."""
    rest = "".join(rank + suit for rank in "3456789JQK" for suit in "shdc")
    table = rest.replace("3s", "").replace("9d", "")
    line = (
        f"rules=pagat table={table} builds=10a:Ah9d,10b*:TsThTdTc,3a:Ad2d hands=-/- "
        f"piles=As3s2h/Ac2s2c last={last}"
    )
    position = Position.parse(line)
    assert position.score() == points
    assert position.score() == tuple(score(parse_state(line)))


def test_match_score_is_kept():
    position = Position.parse(f"{IN_PLAY} score=12/7")
    assert position.match_score == position.play("9h").match_score == (12, 7)
    assert position != Position.parse(IN_PLAY)


# A round from the start


@pytest.mark.parametrize("rules", ["standard", "royal,players=3", PARTNERS])
def test_the_start_of_a_round(rules):
    position = Position.start(rules, seed=5)
    players = position.rules.players
    assert [hand.size for hand in position.hands] == [4] * players
    assert len(position.table) == 4
    assert len(position.stock) == position.stock_count == 48 - 4 * players
    assert position.turn == "a"
    assert_well_formed(position)
    assert Position.start(Rules.parse(rules), seed=5) == position
    assert Position.start(rules, seed=6) != position


def test_the_start_with_a_match_score():
    sides = Position.start("standard", score=(3, 20)).match_score
    assert sides == (3, 20)
    with pytest.raises(CasinoError, match="score"):
        Position.start("standard", score=(3,))
    with pytest.raises(RulesError):
        Position.start("nothing")


@pytest.mark.parametrize("score", [(-1, 0), (0, 10**10), (0.5, 0), ("1", 0)])
def test_the_start_refuses_what_is_no_score(score):
    with pytest.raises((CasinoError, TypeError)):
        Position.start("standard", score=score)
