"""Position lines field by field: what is read, how it is written, what is refused."""

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
    RulesError,
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


def refusal(line):
    """The text with which a line is refused; it is one line."""
    with pytest.raises(CasinoError) as caught:
        Position.parse(line)
    text = str(caught.value)
    assert text
    assert "\n" not in text
    return text


# Refusals: the line, the field that is named, and what else the message holds

CARDS_TWICE = [
    ("table=2s hands=2s3s/4s5s", "hands", "2s"),
    ("table=2s2S hands=3s/4s", "table", "2s"),
    ("hands=2s3s/4s3s", "hands", "3s"),
    ("hands=2s3s/4s piles=-/3s4s", "piles", "3s4s"),
    ("hands=2s/4s piles=5s/5s", "piles", "5s"),
    ("builds=9a:4h5c hands=2s4h/5s", "hands", "4h"),
    ("table=4h builds=9a:4h5c hands=2s/5s", "builds", "4h"),
    ("builds=9a:4h5c,10b:4h6c hands=2s/5s", "builds", "4h"),
    ("builds=9a:4h4h hands=2s/5s", "builds", "4h"),
    ("hands=2s/4s out=2s", "out", "2s"),
    ("hands=2s/4s out=6s6s", "out", "6s"),
    ("hands=2s/4s stock=4s", "stock", "4s"),
    ("hands=2s/4s stock=6s6s", "stock", "6s"),
    ("hands=2s/4s out=6s stock=6s", "stock", "6s"),
]
UNREADABLE = [
    ("", "hands", "required"),
    ("rules=standard table=2s", "hands", "required"),
    ("hands=2s/3s hands=2s/3s", "hands", "twice"),
    ("hands=2s/3s turn=a turn=a", "turn", "twice"),
    ("hands=2s/3s decks=1", "decks", "rules, table, builds, hands, piles, turn, last"),
    ("hands=2s/3s Turn=a", "Turn", "not a field"),
    ("hands=2s/3s tablet=4s", "tablet", "not a field"),
    ("hands=2s/3s tab=4s", "tab", "not a field"),
    ("hands=2s/3s =4s", "''", "not a field"),
    ("hands=2s/3s table", "table", "key=value"),
    ("hands=2s / 3s", "/", "key=value"),
    ("hands=2s/3s table=", "table", "-"),
    ("hands=2s/3s table=4x", "table", "4x"),
    ("hands=2s/3s table=1s", "table", "1s"),
    ("hands=2s/3s table=11s", "table", "11s"),
    ("hands=2s/3s table=4s,5s", "table", ",5s"),
    ("hands=2s/3s table=?", "table", "?"),
    ("hands=2s/3s table=4s-", "table", "-"),
    ("hands=2s/3s out=?", "out", "?"),
    ("hands=2s/3s stock=?", "stock", "?"),
    ("hands=2s/3s stock=", "stock", "-"),
    ("hands=2s/", "hands", "-"),
    ("hands=2/3s", "hands", "2"),
    ("hands=2s/3s turn=x", "turn", "x"),
    ("hands=2s/3s turn=c", "turn", "ab"),
    ("hands=2s/3s turn=-", "turn", "-"),
    ("hands=2s/3s turn=", "turn", "''"),
    ("hands=2s/3s last=d", "last", "d"),
    ("hands=2s/3s last=ab", "last", "ab"),
    ("hands=2s/3s sweeps=x/0", "sweeps", "x"),
    ("hands=2s/3s sweeps=-1/0", "sweeps", "-1"),
    ("hands=2s/3s sweeps=1.5/0", "sweeps", "1.5"),
    ("hands=2s/3s sweeps=53/0", "sweeps", "53"),
    ("hands=2s/3s score=/0", "score", "''"),
    ("hands=2s/3s score=9999999999999999999999/0", "score", "9999"),
]
WRONG_NUMBERS = [
    ("hands=2s", "hands", "not 1"),
    ("hands=2s/3s/4s", "hands", "2 hands"),
    ("rules=standard,players=3 hands=2s/3s", "hands", "3 hands"),
    ("hands=2s/3s piles=4s", "piles", "not 1"),
    ("hands=2s/3s piles=4s/5s/6s", "piles", "2 piles"),
    (f"{FOUR} hands=2s/3s/4s/5s piles=6s/7s/8s/9s", "piles", "2 piles"),
    ("rules=standard,players=4 hands=2s/3s/4s/5s piles=6s/7s", "piles", "4 piles"),
    ("hands=2s/3s sweeps=1", "sweeps", "not 1"),
    (f"{FOUR} hands=2s/3s/4s/5s sweeps=1/0/0/0", "sweeps", "not 4"),
    ("hands=2s/3s score=1/2/3", "score", "not 3"),
    (f"{FOUR} hands=2s/3s/4s/5s declared=7/-", "declared", "not 2"),
    (f"hands=2s/3s table={'-/' * 60}", "table", "-/"),
    (f"hands={'-/' * 60}", "hands", "too many"),
    ("hands=2s3s4s5s6s7s8s9sTsJsQsKsAs/2h", "hands", "13"),
    ("hands=2h/??2s??????????", "hands", "seat b"),
    (f"hands={'?' * 60}/2s", "hands", "more cards than the pack"),
    (f"hands=2s/3s piles={'?' * 51}/-", "hands", "51"),
    (f"hands=2s/3s piles={'?' * 300}/-", "piles", "more cards than the pack"),
]
WRONG_BUILDS = [
    ("builds=9a:9s hands=9h/2s", "9a:9s"),
    ("builds=9a:4h6c hands=9h/2s", "9a:4h6c"),
    ("builds=9a*:4h5c9s2d hands=9h/2s", "9a*:4h5c9s2d"),
    ("builds=9a*:4h5c hands=9h/2s", "9a*:4h5c"),
    ("builds=9a:4h5c9s hands=9h/2s", "9a:4h5c9s"),
    ("builds=9c:4h5c hands=9h/2s", "c"),
    ("builds=9-:4h5c hands=9h/2s", "-"),
    ("builds=a:4h5c hands=9h/2s", "a:4h5c"),
    ("builds=9a4h5c hands=9h/2s", "9a4h5c"),
    ("builds=9a**:4h5c hands=9h/2s", "9a**:4h5c"),
    ("builds=9a:4h5c, hands=9h/2s", "''"),
    ("builds=9a: hands=9h/2s", "-"),
    ("builds=9a:? hands=9h/2s", "?"),
    ("builds= hands=9h/2s", "''"),
    ("builds=0a:4h5c hands=9h/2s", "0"),
    ("builds=15a:7h8c hands=9h/2s", "15"),
    ("builds=99999999999a:7h8c hands=9h/2s", "seat"),
    ("builds=14a:6h8c hands=9h/2s", "14"),
    ("builds=11a:5h6c hands=9h/2s", "11"),
    ("builds=9a:4h5cJs hands=9h/2s", "Js"),
    ("rules=standard,court=ten builds=11a:5h6c hands=9h/2s", "11"),
    ("builds=9a:4h5c,9b:3h6c hands=9h/2s", "9"),
]
WRONG_STOCK = [
    ("hands=2s/3s", "stock", "50"),
    ("hands=2s/3s", "stock", "piles"),
    ("hands=2s/3s", "stock", "out"),
    ("table=4s hands=2s/3s piles=5s6s/-", "stock", "47 cards"),
    ("hands=2s/3s stock=-", "stock", "As"),
    ("hands=2s/3s stock=4s5s", "stock", "AsAhAdAc2h"),
    ("hands=2s/3s stock=4s5s", "stock", "piles"),
    ("hands=2s/3s stock=4s5s", "stock", "out"),
    (last_deal("hands=2s/-") + " turn=b", "turn", "b"),
    ("hands=-/- table=4s5s6s7s", "hands", "48"),
    (last_deal("hands=-/- stock=4s5s6s7s8s9sTsJs"), "hands", "empty"),
]


@pytest.mark.parametrize(("line", "field", "part"), CARDS_TWICE)
def test_a_card_twice(line, field, part):
    text = refusal(line)
    assert text.startswith(f"{field}: ")
    assert "twice" in text
    assert part in text


@pytest.mark.parametrize(("line", "field", "part"), UNREADABLE)
def test_what_cannot_be_read(line, field, part):
    text = refusal(line)
    assert field in text.split(":")[0] or field in text.split(" is not a field")[0]
    assert part in text


@pytest.mark.parametrize(("line", "field", "part"), WRONG_NUMBERS)
def test_a_wrong_number_of_things(line, field, part):
    text = refusal(line)
    assert text.startswith(f"{field}: ")
    assert part in text


@pytest.mark.parametrize(("line", "part"), WRONG_BUILDS)
def test_builds_that_are_none(line, part):
    text = refusal(line)
    assert text.startswith("builds: ")
    assert part in text


@pytest.mark.parametrize(("line", "field", "part"), WRONG_STOCK)
def test_a_stock_or_turn_that_cannot_be(line, field, part):
    text = refusal(line)
    assert text.startswith(f"{field}: ")
    assert part in text


def test_a_build_without_room():
    builds = ",".join(
        f"10a:{one}{suit}{other}{suit}"
        for one, other in ("A9", "28", "37", "46")
        for suit in "shdc"
    )
    more = ",".join(f"10a*:T{suit}J{suit}" for suit in "shdc")
    rules = "rules=standard,court=ten,same_value=separate"
    twenty = Position.parse(last_deal(f"{rules} builds={builds},{more} hands=Qs/5s"))
    assert len(twenty.builds) == 20
    assert_well_formed(twenty)
    line = last_deal(f"{rules} builds={builds},{more},10b:5h5d hands=Qs/5s")
    assert "20" in refusal(line)


@pytest.mark.parametrize(
    ("rules", "part"),
    [
        ("nothing", "nothing"),
        ("", "''"),
        ("standard,sweep", "sweep"),
        ("standard,sweeps=1", "sweeps"),
        ("standard,sweep=1,sweep=1", "twice"),
        ("standard,sweep=x", "x"),
        ("standard,players=3,partners=yes", "players=3"),
    ],
)
def test_wrong_rules(rules, part):
    text = refusal(f"rules={rules} hands=2s/3s")
    assert text.startswith("rules: ")
    assert part in text
    with pytest.raises(RulesError):
        Position.parse(f"rules={rules} hands=2s/3s")


def test_values_are_declared_in_partnership_only():
    assert refusal("hands=2s/3s declared=7/-").startswith("declared: ")
    assert refusal("rules=standard,players=4 hands=2s/3s/4s/5s declared=7/-/-/-").startswith(
        "declared: "
    )
    for value in ("11", "0", "14", "15", "x", "", "7.", "7,9"):
        text = refusal(f"{FOUR} hands=2s/3s/4s/5s declared={value}/-/-/-")
        assert text.startswith("declared: ")


@pytest.mark.parametrize("given", [None, 5, b"hands=2s/3s", ["hands=2s/3s"]])
def test_only_text_is_read(given):
    with pytest.raises(NotationError, match="a position is read from text, not from"):
        Position.parse(given)


def test_positions_are_not_made_by_their_class():
    with pytest.raises(TypeError, match="made by Position"):
        Position()


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
