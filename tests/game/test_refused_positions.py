"""Position lines that are refused: the field that is named, in one line."""

import pytest

from casino_core import (
    CasinoError,
    NotationError,
    Position,
    RulesError,
)
from helpers.side_by_side import assert_well_formed, last_deal

FOUR = "rules=standard,players=4,partners=yes"


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
