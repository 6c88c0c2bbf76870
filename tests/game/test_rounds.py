"""Rounds: play, undo, reading and writing, and views of a seat."""

import pickle
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core.rules.cards import CARD_NAMES
from helpers.rounds import random_round
from helpers.side_by_side import PRESET_NAMES, SEATINGS, examples

RULES = [preset + seats for preset in PRESET_NAMES for seats in SEATINGS]


@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 60))
@examples(2)
def test_what_a_seat_sees_can_be_followed_from_its_seat(rules, seed, plays):
    whole = random_round(rules, seed, plays=plays)
    for seat in whole.start.rules.seats:
        seen = whole.seen_by(seat)
        assert seen.plays == whole.plays
        assert seen.positions == tuple(position.view(seat) for position in whole.positions)
        assert cc.Round.parse(str(seen)) == seen
        assert seen.seen_by(seat) == seen


@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 60))
@examples(2)
def test_every_legal_play_is_possible_from_a_hidden_hand(rules, seed, plays):
    position = random_round(rules, seed, plays=plays).position
    if position.is_over:
        return
    watchers = [seat for seat in position.rules.seats if seat != position.turn]
    seen = position.view(random.Random(seed).choice(watchers))
    moves = [move for move, _ in zip(position.iter_legal_moves(), range(12), strict=False)]
    assert [move for move in moves if not seen.is_legal(move)] == []


@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(1, 60))
@examples(1)
def test_taking_back_undoes_a_play(rules, seed, plays):
    whole = random_round(rules, seed, plays=plays)
    back = whole.undo()
    assert back.play(whole.plays[-1]) == whole
    assert back.plays == whole.plays[:-1]
    assert back.positions == whole.positions[:-1]


@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 60))
@examples(1)
def test_a_round_is_read_as_it_is_written(rules, seed, plays):
    whole = random_round(rules, seed, plays=plays)
    again = cc.Round.parse(str(whole))
    assert again == whole
    assert hash(again) == hash(whole)
    assert str(again) == str(whole)
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_plays_one_by_one_and_together():
    whole = random_round("standard", 1)
    assert cc.Round(whole.start, whole.plays) == whole
    assert cc.Round(whole.start, map(str, whole.plays)) == whole
    assert len(whole.plays) == 48
    assert len(whole.positions) == 49
    assert whole.deal == 6
    assert sum(whole.score()) in range(7, 12)


def test_plays_of_the_deal_are_those_since_it_was_dealt():
    whole = random_round("royal", 4, plays=19)
    assert whole.deal == 3
    assert [move for _, move in whole.plays_of_deal()] == list(whole.plays[16:])
    assert [seen for seen, _ in whole.plays_of_deal("b")] == [
        position.view("b") for position in whole.positions[16:19]
    ]
    assert random_round("royal", 4, plays=16).plays_of_deal() == ()
    # the last deal is followed by none
    assert random_round("royal", 4, plays=48).plays_of_deal() != ()


def test_a_game_followed_from_one_seat():
    start = "table=2s5h8dKc hands=As7c9hTd/????"
    seen = cc.Round.parse(f"{start}\n7cx2s5h KdxKc 9h 9sx9h\nAs 3h\nTd 4d a:2c3cQsQh\n")
    assert seen.deal == 2
    assert str(seen.position.hands[0]) == "2c3cQsQh"
    assert str(seen) == f"{start} turn=a\n7cx2s5h".replace("table", "rules=standard table") + (
        " KdxKc 9h 9sx9h As 3h Td 4d\na:2c3cQsQh"
    )


def test_cards_drawn_are_told():
    seen = cc.Round.parse("rules=draw table=2s5h8dKc hands=As7c9hTd/????")
    seen = seen.play("7cx2s5h").reveal("a", "4c").play("KdxKc")
    assert str(seen.position.hands[0]) == "As4c9hTd"
    assert str(seen.position.hands[1]) == "????"
    assert str(seen).endswith("\n7cx2s5h a:4c KdxKc")
    assert cc.Round.parse(str(seen)) == seen


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (
            "table=2s5h8dKc hands=As7c9hTd/???? turn=b",
            "9h",
            "seat b cannot hold 9h: 9h in the hand of a",
        ),
        (
            "table=2s5h8dKc hands=As7c9hTd/????  turn=b piles=6h???/????",
            "6hx5h",
            "seat b cannot hold 6h: 6h captured",
        ),
        (
            "table=2s5h8dKc hands=As7c9hTd/???? turn=b",
            "6hx5h",
            "5h cannot be captured with 6h: the cards do not split into groups that each sum to 6",
        ),
        (
            "table=2s5h8dKc hands=9s9c9h9d/???? turn=b",
            "4h+5h=9",
            "no card of value 9 left to capture it",
        ),
        (
            "table=2s5h hands=As7c9hTd/?Ac turn=b out=-",
            "Ac+8d=9",
            "8d is not loose on the table",
        ),
        (
            "table=2s4h hands=As7c9hTd/? turn=b out=-",
            "5c+4h=9",
            "no card of value 9 left to capture it",
        ),
    ],
)
def test_impossible_plays_of_hidden_cards_are_refused(position, move, why):
    assert cc.Position.parse(position).why_illegal(move) == why
    assert not cc.Position.parse(position).is_legal(move)
    with pytest.raises(cc.IllegalMoveError, match=r"is not legal"):
        cc.Position.parse(position).play(move)


def test_a_trail_is_possible_if_some_hand_can_do_nothing_else():
    position = cc.Position.parse(
        "rules=standard,trail=last_resort table=2s5h8dKc hands=As7c9hTd/???? turn=b"
    )
    assert position.is_legal("Qd")
    assert position.why_illegal("Kd") == (
        "no card may be trailed while a capture or build is possible (KdxKc)"
    )


def test_what_is_revealed_must_be_possible():
    position = cc.Position.parse("table=2s5h8dKc hands=????/As7c9hTd")
    with pytest.raises(cc.NotationError, match="seat a cannot be dealt As: As in the hand of b"):
        position.reveal("a", "As2c")
    with pytest.raises(cc.NotationError, match="seat a has 4 cards that are not known, not 5"):
        position.reveal("a", "Ac2c3c4c5c")
    with pytest.raises(cc.NotationError, match="'c' is not a seat"):
        position.reveal("c", "Ac")


def test_a_partner_who_builds_for_the_other():
    start = (
        "rules=royal-1911,players=4,partners=yes table=2c6h builds=9a:4c5c "
        "hands=9sAs/???/??/?? declared=-/-/-/- turn=c out=-"
    )
    seen = cc.Round.parse(start)
    assert seen.play("7d+2c+[9a]=9").position.builds[0].owner == "c"
    other = seen.play("7d+2c+[9a]=9", owner="a")
    assert other.position.builds[0].owner == "a"
    assert cc.Round.parse(str(other)) == other
    assert "owner:a" in str(other)
    with pytest.raises(cc.IllegalMoveError, match="the build does not belong to seat 'b'"):
        seen.play("7d+2c+[9a]=9", owner="b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty"),
        ("# nothing\n", "the text is empty"),
        ("hands=As/Ah out=-\nKs", "play 1: Ks is not legal: seat a does not hold Ks"),
        ("hands=As/Ah stock=- out=-\nAs Ah 2s", None),
        ("hands=As/Ah out=-\nhands=As/Ah", "one position expected"),
        ("table=2s5h8dKc hands=????/????\na:2s", "seat a cannot be dealt 2s: 2s on the table"),
        ("table=2s5h8dKc hands=????/????\nowner:a", "does not stand after a build"),
    ],
)
def test_records_that_are_none_are_refused_in_a_line(text, message):
    with pytest.raises(cc.CasinoError, match=message) as refused:
        cc.Round.parse(text)
    assert "\n" not in str(refused.value)


def test_rounds_cannot_be_changed():
    whole = cc.Round(cc.Position.start())
    with pytest.raises(AttributeError):
        whole.position = cc.Position.start(seed=1)
    with pytest.raises(cc.CasinoError, match="there is no play to take back"):
        whole.undo()
    with pytest.raises(cc.CasinoError, match="start is a Position, not 5"):
        cc.Round(5)
    with pytest.raises(cc.CasinoError, match="plays is a list of moves"):
        cc.Round(cc.Position.start(), "As")
    with pytest.raises(cc.NotationError, match="play 1: a move is a Move or its text"):
        whole.play(5)


def test_a_hint_takes_its_history_from_the_round():
    whole = random_round("standard", 7, plays=12)
    assert len(whole.plays_of_deal()) == 4
    seat = whole.position.turn
    by_hand = cc.hint(
        whole.position.view(seat), samples=4, history=whole.plays_of_deal(seat), seed=3
    )
    for asked in (whole, whole.seen_by(seat)):
        answer = cc.hint(asked, samples=4, seed=3)
        assert answer.moves == by_hand.moves
        assert answer.holds == by_hand.holds
    assert cc.hint(whole.position, samples=4, seed=3).holds != by_hand.holds
    with pytest.raises(cc.CasinoError, match="a Round has its own plays"):
        cc.hint(whole, history=[])


def forgetful(position, rng, least):
    """The position with captured cards forgotten until `least` cards are unseen."""
    text = str(position)
    pile = next(field for field in text.split() if field.startswith("piles="))
    known = [card for hand in position.piles for card in hand.cards]
    rng.shuffle(known)
    forgotten = known[: max(0, least - len(position.unseen))]
    sides = [
        "".join(card for card in hand.cards if card not in forgotten)
        + "?" * (hand.hidden + sum(card in hand.cards for card in forgotten))
        for hand in position.piles
    ]
    return cc.Position.parse(text.replace(pile, "piles=" + "/".join(side or "-" for side in sides)))


HARD = (
    "standard,trail=last_resort",
    "royal,trail=not_capturing",
    "britannica",
    "royal-1911",
    "royal-1911,players=4,partners=yes",
    "old-way,players=4,partners=yes,trail=last_resort",
    "hoyle,owner_turn=free",
    "pagat-royal,players=3",
    "ramapo,trail=last_resort",
)


@pytest.mark.parametrize("rules", HARD)
def test_a_play_is_possible_if_some_hand_allows_it(rules):
    """Legality from a hidden hand against all hands that fit, one by one."""
    rng = random.Random(rules)
    tried = 0
    for seed in range(20):
        whole = random_round(rules, seed)
        position = rng.choice([at for at in whole.positions[:-1] if not at.stock_count])
        watcher = rng.choice([seat for seat in position.rules.seats if seat != position.turn])
        if not any(hand.cards for hand in position.piles):
            continue
        seen = forgetful(position.view(watcher), rng, 7)
        if len(seen.unseen) > 12:
            continue
        hands = [
            position._with_hand(sum(1 << CARD_NAMES.index(card) for card in cards))
            for cards in combinations(seen.unseen, seen.hand.size)
        ]
        allowed = {move for hand in hands for move in hand.iter_legal_moves()}
        allowed = {str(move) for move in allowed}
        asked = allowed | {text for card in seen.unseen for text in odd_moves(seen, card)}
        for text in asked:
            assert seen.is_legal(text) == (text in allowed), (str(seen), text)
            tried += 1
    assert tried > 500


def odd_moves(seen, card):
    """The trail of a card, captures and builds with each loose card and build, legal or not."""
    found = [card]
    for loose in seen.table:
        found += [f"{card}x{loose}", *(f"{card}+{loose}={value}" for value in range(2, 15))]
    places = [f"[{build.value}{build.owner}]" for build in seen.builds]
    if len(set(places)) == len(places):
        found += [f"{card}x{place}" for place in places]
        for build, place in zip(seen.builds, places, strict=True):
            found += [f"{card}+{place}={value}" for value in range(build.value, 15)]
    return found
