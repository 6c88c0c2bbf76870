"""Position lines field by field: what is read, how it is written, what a view shows."""

import pickle
import re
from random import Random

import pytest

from casino_core import (
    Build,
    CardSet,
    CasinoError,
    Hand,
    HiddenCardError,
    NotationError,
    Position,
    Rules,
)
from casino_core.game.counting import most_spades_points
from casino_core.game.substitution import state_hash
from helpers.rounds import last, play_out
from helpers.side_by_side import assert_well_formed, last_deal

FOUR = "rules=standard,players=4,partners=yes"
ALL_FIELDS = (
    "rules=royal-1911,players=4,partners=yes table=2s5hTd builds=9a*:4h5c9s,12c:AhJh "
    "hands=9d?/??/QsKd/3c4c piles=7s7h7d7c??/JsJd turn=b last=d sweeps=1/0 "
    "out=As declared=7/-/9.4/- score=11/8"
)
IN_PLAY = "table=2s5hJdKc hands=7c8dAs9h/Ac3dQs4h"

# Reading


def test_what_is_left_out_has_its_default():
    position = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
    assert position.rules == Rules.parse("standard")
    assert position.builds == ()
    assert position.piles == (Hand(CardSet(), 0), Hand(CardSet(), 0))
    assert (position.turn, position.last) == ("a", None)
    assert position.sweeps == position.match_score == (0, 0)
    assert (position.stock, position.stock_count) == (None, 40)
    assert position.out == CardSet()
    assert position.declared == ((), ())
    assert position.warnings == ()
    assert not position.is_over
    assert Position.parse("table=2s5hJdKc hands=7c8dAs9h/???? builds=-").builds == ()


def test_all_fields_together():
    position = Position.parse(ALL_FIELDS)
    assert str(position.rules) == "royal-1911,players=4,partners=yes"
    assert position.table == CardSet("2s5hTd")
    assert position.builds == (
        Build(9, "a", True, CardSet("4h5c9s")),
        Build(12, "c", False, CardSet("AhJh")),
    )
    assert position.hands == (
        Hand(CardSet("9d"), 1),
        Hand(CardSet(), 2),
        Hand(CardSet("QsKd"), 0),
        Hand(CardSet("3c4c"), 0),
    )
    assert position.piles == (Hand(CardSet("7s7h7d7c"), 2), Hand(CardSet("JsJd"), 0))
    assert (position.turn, position.last, position.sweeps) == ("b", "d", (1, 0))
    assert position.out == CardSet("As")
    assert position.declared == ((7,), (), (9, 4), ())
    assert position.match_score == (11, 8)
    assert_well_formed(position)


def test_fields_come_in_any_order_with_any_blanks():
    fields = ALL_FIELDS.split(" ")
    position = Position.parse(ALL_FIELDS)
    assert Position.parse(" ".join(reversed(fields))) == position
    assert Position.parse("  " + "\t \r\n".join(fields[3:] + fields[:3]) + "\n") == position


def test_canonical_order_of_writing():
    assert str(Position.parse(ALL_FIELDS)) == ALL_FIELDS
    assert str(Position.parse("turn=a hands=-/- piles=-/" + "?" * 52)) == (
        f"rules=standard table=- hands=-/- piles=-/{'?' * 52} turn=a"
    )


@pytest.mark.parametrize("default", ["builds=-", "last=-", "sweeps=0/0", "score=0/0", "out=-"])
def test_defaults_are_not_written(default):
    field = default.partition("=")[0]
    line = f"{IN_PLAY} {default}"
    assert f"{field}=" not in str(Position.parse(line))
    assert Position.parse(line) == Position.parse(IN_PLAY)


def test_rules_are_written_by_what_differs():
    def written(rules):
        return str(Position.parse(last_deal(f"rules={rules} hands=2s/3s"))).split()[0]

    assert written("royal,sweep=1") == "rules=royal"
    assert written("royal,tie=draw,court=ten,sweep=0") == "rules=royal,court=ten,sweep=0,tie=draw"
    assert written("hoyle,multiple=no,raise_own_needs_both=no") == (
        "rules=hoyle,multiple=no,raise_own_needs_both=no"
    )


def test_builds_are_sorted_by_value_owner_cards():
    line = last_deal(
        "rules=pagat builds=10b:4s6s,9b:4d5c,9b:2h7h,9a*:3s6c9s,10a:As9h,7a:3c4c hands=9d7d/Th9c"
    )
    position = Position.parse(line)
    assert [str(build) for build in position.builds] == [
        "7a:3c4c",
        "9a*:3s6c9s",
        "9b:2h7h",
        "9b:4d5c",
        "10a:As9h",
        "10b:4s6s",
    ]


@pytest.mark.parametrize(
    "hand",
    [
        "AsTdKc2h",
        "2hAsKcTd",
        "as10dkc2H",
        "A♠10♦K♣2♥",
        "a♠t♦k♣2♥",
        "A\u2660\ufe0fTdKc2\u2665\ufe0e",
    ],
)
def test_forms_of_cards(hand):
    position = Position.parse(f"table=2s5hJd3c hands={hand}/????")
    assert str(position).split()[2] == "hands=As2hTdKc/????"


def test_a_known_card_and_hidden_ones_in_any_order():
    assert Position.parse(last_deal("hands=?9d?2s/??")).hands[0] == Hand(CardSet("2s9d"), 2)
    assert "hands=2s9d??/??" in str(Position.parse(last_deal("hands=?9d?2s/??")))


def test_declared_leaves_out_what_a_build_says():
    line = last_deal(f"{FOUR} builds=9a:4h5c hands=9s/2s/3s/4s turn=b declared=9.7/9/-/-")
    position = Position.parse(line)
    assert position.declared == ((7,), (9,), (), ())
    assert "declared=7/9/-/-" in str(position)
    doubled = line.replace("9.7/9", "7.9.7.9/9")
    assert Position.parse(doubled) == position


# Warnings


def test_an_owner_without_the_card_is_read_with_a_warning():
    position = Position.parse(last_deal("builds=9a:4h5c,7b:3d4d hands=8s/9h7c"))
    assert len(position.warnings) == 1
    warning = position.warnings[0]
    assert warning.startswith("builds: ")
    assert "seat a" in warning
    assert "9a:4h5c" in warning
    assert "\n" not in warning
    assert_well_formed(position)


@pytest.mark.parametrize("hands", ["9s/2s", "9s?/2s", "8s?/2s", "?/2s"])
def test_an_owner_who_may_have_the_card_is_in_order(hands):
    assert Position.parse(last_deal(f"builds=9a:4h5c hands={hands}")).warnings == ()


ROYAL = "rules=royal"


@pytest.mark.parametrize(
    ("owner", "hand", "words"),
    [
        ("a", "As2c", "1a:AhAd, 14a:5s9d but holds only As to take them"),
        ("a", "As", "1a:AhAd, 14a:5s9d but holds only As to take them"),
        ("a", "2c", "1a:AhAd but holds no card of value 1"),
        ("a", "?", "1a:AhAd, 14a:5s9d but has too few cards to take them all"),
        ("a", "AsAc", None),
        ("a", "As?", None),
        ("a", "??", None),
    ],
)
def test_one_ace_takes_one_build(owner, hand, words):
    """A build of 1 and one of 14 need an ace each."""
    builds = f"1{owner}*:AhAd,14{owner}:5s9d"
    warnings = Position.parse(last_deal(f"{ROYAL} builds={builds} hands={hand}/3s")).warnings
    if words is None:
        assert warnings == ()
    else:
        assert warnings[0] == f"builds: seat {owner} owns {words}"
        assert len(warnings) == (2 if "no card of value 1" in words else 1)


def test_owners_need_a_card_for_each_value():
    """Two builds of one value are taken together; three values need three cards, known or not."""
    line = last_deal("rules=pagat builds=9a:4h5h,9a:3d6d,8a:2d6c,7b:3c4c hands=9s8s/7s")
    assert Position.parse(line).warnings == ()
    (warning,) = Position.parse(line.replace("9s8s/7s", "?/7s") + " out=-").warnings
    assert "too few cards" in warning
    assert "9a:4h5h" in warning
    assert "8a:2d6c" in warning
    assert "7b" not in warning


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rules", ["royal", "pagat-royal", "spade-royal,players=3"])
def test_play_gives_no_reason_to_warn(rules, seed):
    """After any plays from a start each owner holds a card for each of its builds."""
    rng = Random(seed)

    def builds_if_it_can(position):
        moves = position.legal_moves()
        return rng.choice([move for move in moves if move.kind == "build"] or moves)

    for position in play_out(Position.start(rules, seed=seed), builds_if_it_can).positions[:-1]:
        for line in (str(position), *(str(position.view(seat)) for seat in position.rules.seats)):
            assert Position.parse(line).warnings == ()


@pytest.mark.parametrize(
    "line",
    [
        "table=2s hands=As/Ah",
        "table=2s5h8d hands=????/????",
        "table=2s5h8d hands=????/???? piles=??/-",
        "table=2s5h8d hands=????/???? piles=-/AhAs",
        "rules=standard,players=3 table=2s hands=As/Ah/???",
        "rules=standard,players=4 table=2s hands=As/Ah/???/-",
        f"{FOUR} table=2s hands=As/Ah/???/-",
    ],
)
def test_an_uneven_stock_says_what_to_write(line):
    """The position is read with the fix that the message names."""
    with pytest.raises(NotationError, match="cards are left, but a deal takes") as caught:
        Position.parse(line)
    said = str(caught.value)
    assert Position.parse(f"{line} out=-").warnings == ()
    piles = re.search(r"add (piles=[?/-]+);", said)
    if piles is not None:
        assert Position.parse(f"{line} {piles[1]}").warnings == ()
        return
    more = int(re.search(r"add (\d+) more \? to piles;", said)[1])
    assert Position.parse(line.replace("piles=", "piles=" + "?" * more).replace("?-", "?"))


def test_warnings_are_no_part_of_the_position():
    odd = Position.parse(last_deal("builds=9a:4h5c hands=8s2d/9h7c"))
    assert odd.play("8s").warnings == ()
    assert Position.parse(str(odd)) == odd
    assert Position.parse(str(odd)).warnings == odd.warnings


# What is seen


@pytest.mark.parametrize("seat", "abcd")
def test_view(seat):
    line = (
        f"{FOUR} table=2s5h builds=9a:4h5c hands=9sAs/2d3d/7c8c/JsJh piles=QsQh/KsKh turn=a "
        "last=b sweeps=1/0 stock=" + "6s6h6d6c7s7h7d8s8h8d9h9d9cTsThTd" + " declared=-/8/-/- "
        "score=4/5 out=AhAdAc2h2c3s3h3c4s4d4c5s5dTcJdJcQdQcKdKc"
    )
    position = Position.parse(line)
    seen = position.view(seat)
    for index, hand in enumerate(position.hands):
        shown = hand if "abcd"[index] == seat else Hand(CardSet(), hand.size)
        assert seen.hands[index] == shown
    assert (seen.stock, seen.stock_count) == (None, 16)
    for name in ("table", "builds", "piles", "turn", "last", "sweeps", "declared", "match_score"):
        assert getattr(seen, name) == getattr(position, name)
    assert seen.view(seat) == seen
    assert position.stock_count == len(position.stock) == 16
    assert_well_formed(seen)


@pytest.mark.parametrize("seat", ["c", "", "ab", "A", "é", "-"])
def test_view_of_no_seat(seat):
    with pytest.raises(NotationError):
        Position.parse(IN_PLAY).view(seat)


@pytest.mark.parametrize(
    "question",
    [
        Position.legal_moves,
        Position.count_legal_moves,
        lambda position: list(position.iter_legal_moves()),
    ],
)
def test_a_hidden_hand_lists_no_moves(question):
    position = Position.parse("table=2s5hJdKc hands=????/7c8dAs9h")
    with pytest.raises(HiddenCardError, match="seat a"):
        question(position)


def test_a_card_that_a_hidden_hand_may_hold_can_be_played():
    position = Position.parse("table=2s5hJdKc hands=????/7c8dAs9h")
    assert not position.is_legal("2s")
    assert position.why_illegal("2s") == "seat a cannot hold 2s: 2s on the table"
    assert position.is_legal("2h")
    assert str(position.move("KhxKc")) == "KhxKc"
    assert str(position.play("KhxKc").hands[0]) == "???"


# A value, like a number


def test_play_leaves_the_original_unchanged():
    position = Position.parse(IN_PLAY)
    before, moves = str(position), position.legal_moves()
    for move in moves:
        assert position.play(move) != position
        assert str(position) == before
    assert position.legal_moves() == moves


def test_a_position_cannot_be_changed():
    position = Position.parse(IN_PLAY)
    for name in ("table", "turn", "rules", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, "b")
    with pytest.raises(AttributeError):
        del position.table
    assert isinstance(position.builds, tuple)
    assert isinstance(position.hands, tuple)
    assert isinstance(position.warnings, tuple)


def test_equality_and_hash():
    one = Position.parse("rules=hoyle table=5h2s hands=7c8d/As9h piles=-/" + "?" * 46)
    same = Position.parse(
        "hands=8d7c/9hAs table=2s5h rules=standard,sweep=1,raise_own_needs_both=yes"
        " piles=-/" + "?" * 46
    )
    assert one == same
    assert hash(one) == hash(same)
    assert len({one, same}) == 1
    assert one != str(one)
    assert one is not None
    for changed in (
        str(one).replace("rules=hoyle", "rules=standard"),
        str(one).replace("turn=a", "turn=b"),
        str(one).replace("turn=a", "turn=a last=a"),
        str(one).replace("turn=a", "turn=a sweeps=0/1"),
        str(one).replace("turn=a", "turn=a score=0/1"),
        str(one).replace("7c8d", "7c8s"),
        str(one).replace("table=2s5h", "table=2s6h"),
    ):
        assert Position.parse(changed) != one


def test_two_ways_to_one_position():
    start = Position.parse(last_deal("table=2s5h hands=3c9c/4h8h"))
    one_way = start.play("3c").play("4h").play("9c").play("8h")
    other_way = start.play("9c").play("8h").play("3c").play("4h")
    assert one_way == other_way
    assert state_hash(one_way) == state_hash(other_way)


def test_repr_reads_back_and_pickles():
    position = Position.parse(ALL_FIELDS)
    assert eval(repr(position)) == position
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert hash(again) == hash(position)
    odd = Position.parse(last_deal("builds=9a:4h5c hands=8s2d/9h7c"))
    assert pickle.loads(pickle.dumps(odd)).warnings == odd.warnings


# What an app asks


def test_hands_and_piles_by_letter():
    position = Position.parse(
        "rules=standard,players=4,partners=yes hands=As/Ah/Ad?/Ac piles=2s/3s?? turn=c out=-"
    )
    assert str(position.hands["c"]) == "Ad?"
    assert position.hands["a"] == position.hands[0]
    assert str(position.piles["c"]) == str(position.piles[0]) == "2s"
    assert str(position.piles["d"]) == "3s??"
    assert position.hands == tuple(position.hands)
    assert position.hands[1:] == tuple(position.hands)[1:]
    assert pickle.loads(pickle.dumps(position.piles)) == position.piles
    with pytest.raises(NotationError, match="'e' is not a seat; the seats are abcd"):
        position.hands["e"]
    assert (str(position.hand), position.side) == ("Ad?", 0)


@pytest.mark.parametrize("rules", ["standard", "spade27,sweep=1", "hoyle,players=4,partners=yes"])
def test_points_so_far_are_those_of_the_score(rules):
    rules = rules.replace("spade27", "spade,scoring=spade27")
    position = play_out(Position.start(rules, seed=3), last).position
    for side, (points, score) in enumerate(zip(position.points, position.score(), strict=True)):
        others = [other for at, other in enumerate(position.points) if at != side]
        most = 3 * all(points.cards > other.cards for other in others)
        spades = most_spades_points(position._compiled) * all(
            points.spades > other.spades for other in others
        )
        assert points.total + most + spades == score
    assert sum(points.cards for points in position.points) == 52


def test_points_of_what_is_remembered():
    position = Position.parse("rules=hoyle hands=As/Ah piles=Td2s??/Ad? sweeps=0/2 out=-")
    assert [points.total for points in position.points] == [3, 3]
    assert [points.cards for points in position.points] == [4, 2]
    assert position.points[1].sweeps == 2


@pytest.mark.parametrize("rules", ["standard", "draw", "royal,players=3"])
def test_a_pack_is_dealt_in_its_order(rules):
    dealt = Position.start(rules, seed=9)
    deck = [card for hand in dealt.hands for card in hand.cards]
    deck += [*dealt.table, *dealt.stock]
    assert Position.start(rules, deck=deck) == dealt
    assert Position.start(rules, deck=" ".join(deck)) == dealt


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("As2s", "a whole pack is needed, and .* are missing"),
        (["As"] * 53, "deck: As is there twice"),
        (5, "deck is the text of 52 cards"),
        (["As", 5], "deck is the text of 52 cards"),
        ("As2x", "'2x' is not a card"),
    ],
)
def test_no_pack(deck, message):
    with pytest.raises(NotationError, match=message):
        Position.start(deck=deck)
    with pytest.raises(CasinoError, match="from a seed or from a deck"):
        Position.start(deck=deck, seed=0)


def test_what_is_unseen():
    position = Position.parse("table=2s builds=9a:4h5c hands=As9s/???? piles=Td?/- out=Kc")
    assert len(position.unseen) == 45
    assert position.unseen.isdisjoint(CardSet("2s4h5cAs9sTdKc"))
    assert not Position.start(seed=1).unseen


def test_a_position_made_by_no_text_says_how_it_is_made():
    for arguments in ((), ("table=2s",)):
        with pytest.raises(TypeError, match=r"made by Position.parse\(text\)"):
            Position(*arguments)
