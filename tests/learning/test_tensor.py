"""Information states: equal exactly where a seat cannot tell positions apart."""

from random import Random

import numpy as np
import pytest

import casino_core as cc
from casino_core.hidden.information import key
from casino_core.learning.information import information_text
from casino_core.learning.steps import Choice
from casino_core.learning.tensor import FIELDS, information_tensor, tensor_fields, tensor_size
from casino_core.rules.cards import CARD_NAMES
from helpers.rounds import random_round
from helpers.side_by_side import PRESET_NAMES, SEATINGS, TABLES, shuffle_unseen
from reference.random_positions import random_rules


def row(seen, seat, choice=None):
    return information_tensor(seen, seat, choice).tobytes()


def one_to_one(pairs):
    """Whether two forms of a thing belong to each other, one to one; how many there are."""
    pairs = set(pairs)
    assert len({one for one, _ in pairs}) == len(pairs) == len({other for _, other in pairs})
    return len(pairs)


def every_sight(played):
    """What each seat knows at each point of a round: its key, its text and its row."""
    while True:
        position = played.position
        for seat in position.rules.seats:
            for seen in (played, position):
                with_plays = isinstance(seen, cc.Round)
                yield (
                    (with_plays, seat, key(seen, seat)),
                    (with_plays, information_text(seen, seat)),
                    (seat, with_plays, row(seen, seat)),
                )
        if not played.plays:
            return
        played = played.undo()


@pytest.mark.parametrize("rules", TABLES)
def test_rows_and_texts_are_equal_exactly_where_the_keys_are(rules):
    """The keys are those of the information sets of `hidden`."""
    sights = [sight for seed in range(4) for sight in every_sight(random_round(rules, seed))]
    keys, texts, rows = zip(*sights, strict=True)
    assert one_to_one(zip(keys, texts, strict=True)) > 100
    # Before the first play of a deal a round has the row of its position.
    with_plays = [sight for sight in sights if sight[0][0]]
    assert one_to_one((one, row) for one, _, row in with_plays) > 100
    without = [sight for sight in sights if not sight[0][0]]
    assert one_to_one((one, row) for one, _, row in without) > 100
    assert len(rows) == len(keys)


@pytest.mark.parametrize("number", range(12))
def test_rows_under_random_rules(number):
    rules = random_rules(Random(number), change=0.6)
    sights = [sight for sight in every_sight(random_round(rules, number)) if sight[0][0]]
    one_to_one((one, row) for one, _, row in sights)
    one_to_one((one, text) for one, text, _ in sights)


@pytest.mark.parametrize("preset", PRESET_NAMES)
@pytest.mark.parametrize("seating", SEATINGS)
def test_hidden_cards_never_leak(preset, seating):
    """Other hands and the stock do not count, whichever they are, nor whether they are known."""
    played = random_round(preset + seating, 3)
    for position in played.positions[3:-1:7]:
        seat = position.turn
        wanted, text = row(position, seat), information_text(position, seat)
        for seed in range(3):
            other = shuffle_unseen(position, seed)
            assert row(other, seat) == wanted
            assert information_text(other, seat) == text
        assert row(position.view(seat), seat) == wanted
        assert information_text(position.view(seat), seat) == text
    seen = played.first(9)
    for seat in seen.position.rules.seats:
        assert row(seen.seen_by(seat), seat) == row(seen, seat)
        assert information_text(seen.seen_by(seat), seat) == information_text(seen, seat)


def test_an_unfinished_turn_is_known_to_its_seat_only():
    position = random_round("royal", 5).positions[6]
    choice = Choice(position)
    own, other = position.turn, "ab"[position.turn == "a"]
    seen = [row(position, own, choice)]
    while not choice.complete:
        choice = choice.step(choice.legal[-1])
        seen.append(row(position, own, choice))
        assert row(position, other, choice) == row(position, other)
        assert information_text(position, other, choice) == information_text(position, other)
        assert information_text(position, own, choice) != information_text(position, own)
    assert seen[0] == row(position, own)
    assert len(set(seen[:-1])) == len(seen) - 1


def test_the_order_of_plays_counts_in_a_round_and_not_in_a_position():
    start = cc.Round(cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/3sAh9cQd"))
    one, other = (start.follow([line]) for line in ("As 3s 7c Qd", "7c 3s As Qd"))
    for seat in "ab":
        assert row(one.position, seat) == row(other.position, seat)
        assert row(one, seat) != row(other, seat)
        assert information_text(one, seat) != information_text(other, seat)


def test_every_field_holds_what_it_says():
    position = cc.Position.parse(
        "rules=royal table=2s5h builds=7b:3c4d,9a*:4h5c9s hands=AsTd7c9h/9d7d?? "
        "piles=3h3dKc/QsQd turn=b last=a sweeps=1/0 score=5/40000"
    )
    fields = tensor_fields("royal")
    cells = information_tensor(position, "b")

    def field(name):
        where, shape = fields[name]
        return cells[where].reshape(shape)

    def cards(name, number=1, part=...):
        return cc.CardSet(
            [CARD_NAMES[card] for card in np.flatnonzero(field(name)[part] == number)]
        )

    assert field("own").tolist() == [0, 1]
    assert field("turn").tolist() == [1, 0]
    assert cards("hand") == cc.CardSet("7d9d")
    assert cards("table") == cc.CardSet("2s5h")
    assert cards("owners", part=0) == cc.CardSet("3c4d")
    assert cards("owners", part=1) == cc.CardSet("4h5c9s")
    assert cards("values", 7) == cc.CardSet("3c4d")
    assert cards("values", 9) == cards("multiple") == cards("numbers", 2)
    assert cards("piles", part=0) == cc.CardSet("QsQd")
    assert cards("piles", part=1) == cc.CardSet("3h3dKc")
    assert field("last").tolist() == [0, 1]
    assert field("cards").tolist() == [4, 4]
    assert field("stock").tolist() == [position.stock_count]
    assert field("captured").tolist() == [2, 3]
    assert field("sweeps").tolist() == [0, 1]
    assert field("score").tolist() == [[40000 - 32768, 1], [5, 0]]
    assert not field("plays").any()


def test_plays_are_written_in_their_order():
    played = cc.Round(cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/KdQd3s3h"))
    played = played.play("7cx2s5h").play("KdxKc")
    where, shape = tensor_fields("standard")["plays"]
    first, second, *rest = information_tensor(played, "a")[where].reshape(shape)
    assert (first[0], first[1], second[0], second[1]) == (1, 2, 2, 2)
    assert first[2 + 27] == 1
    assert [int(card) for card in np.flatnonzero(first[2:] == 2)] == [4, 17]
    assert not np.any(rest)


@pytest.mark.parametrize("rules", [one + two for one in ("royal", "draw") for two in SEATINGS])
def test_fields_cover_a_row(rules):
    fields = tensor_fields(rules)
    ends = [0]
    for where, shape in fields.values():
        assert where.start == ends[-1]
        assert where.stop - where.start == np.prod(shape)
        ends.append(where.stop)
    assert ends[-1] == tensor_size(rules)
    names = [name for name, _, _ in FIELDS]
    assert [name for name in names if name in fields] == list(fields)
    assert set(names) - set(fields) <= {"declared"}


def test_what_cannot_be_written_is_refused():
    with pytest.raises(cc.CasinoError, match="a Position or a Round, not"):
        information_tensor("table=2s", "a")
    with pytest.raises(cc.CasinoError, match="a Position or a Round, not"):
        information_text("table=2s", "a")
    start = cc.Position.start(seed=1)
    with pytest.raises(cc.NotationError, match="not a seat"):
        information_tensor(start, "c")
    with pytest.raises(cc.CasinoError, match="another position"):
        information_tensor(start, "a", Choice(cc.Position.start(seed=2)))
    table = "2s5h8dKc"
    hands = "As7c9hTd2h2d/KdQd3s3h4s4h"
    long = cc.Position.parse(f"table={table} hands={hands} piles={'?' * 18}/{'?' * 18}")
    played = random_play_out(long)
    with pytest.raises(cc.CasinoError, match="room for 8 plays"):
        information_tensor(played, "a")


def random_play_out(start):
    played = cc.Round(start)
    while not played.is_over:
        played = played.play(played.position.legal_moves()[0])
    return played
