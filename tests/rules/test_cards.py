"""Cards and sets of cards."""

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino_core.errors import CasinoError, NotationError
from casino_core.rules.cards import (
    ALL_CARDS,
    CARD_NAMES,
    RANKS,
    SUITS,
    CardSet,
    card_name,
    cards_text,
    parse_card,
    parse_cards_mask,
)

MASKS = st.integers(0, ALL_CARDS)
SIGNS = dict(zip(SUITS, "\u2660\u2665\u2666\u2663", strict=True))


def test_numbers_are_rank_times_four_and_suit() -> None:
    assert [parse_card(name) for name in CARD_NAMES] == list(range(52))
    assert (parse_card("As"), parse_card("Td"), parse_card("Kc")) == (0, 38, 51)
    assert list(CARD_NAMES) == [r + s for r in RANKS for s in SUITS]


@pytest.mark.parametrize("name", CARD_NAMES)
def test_every_form_of_a_card_is_read(name: str) -> None:
    ranks = {name[0], name[0].lower()} | ({"10"} if name[0] == "T" else set())
    sign = SIGNS[name[1]]
    suits = {name[1], name[1].upper(), sign, sign + "\ufe0f"}
    for rank in ranks:
        for suit in suits:
            assert card_name(parse_card(rank + suit)) == name
            assert parse_cards_mask(rank + suit) == 1 << parse_card(name)


@pytest.mark.parametrize(
    "text",
    ["", " ", "A", "s", "1s", "11s", "Xs", "sA", "As2s", "A s", "As,", "-", "\u2660s", "A\u00e9"],
)
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\u212as", "is U+212A KELVIN SIGN, not the letter K"),
        ("A\u017f", "is U+017F LATIN SMALL LETTER LONG S, not the letter s"),
        ("A\u0441", "is U+0441 CYRILLIC SMALL LETTER ES, not the letter c"),
        ("\u0391s", "is U+0391 GREEK CAPITAL LETTER ALPHA, not the letter A"),
        ("\uff19s", "is U+FF19 FULLWIDTH DIGIT NINE, not the digit 9"),
        ("\u0669s", "is U+0669 ARABIC-INDIC DIGIT NINE, not the digit 9"),
    ],
)
def test_what_only_looks_like_a_card_is_named(text: str, why: str) -> None:
    for read in (parse_card, parse_cards_mask, CardSet):
        with pytest.raises(NotationError, match=re.escape(why)):
            read(text)


@pytest.mark.parametrize("text", ["", "-", " ", " - "])
def test_no_cards(text: str) -> None:
    assert parse_cards_mask(text) == 0


@pytest.mark.parametrize(
    "text", ["As2sTd", "TdAs2s", "as2S10D", " As 2s\t10\u2666\ufe0f ", "AsTd 2s"]
)
def test_sets_are_read_in_any_order_and_form(text: str) -> None:
    assert cards_text(parse_cards_mask(text)) == "As2sTd"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("As2", "'2' is not a card in 'As2'"),
        ("Zz", "'Zz' is not a card"),
        ("As-", "'-' is not a card in 'As-'"),
        ("As,2s", "',2' is not a card in 'As,2s'"),
        ("AsA\nAs", "'A' is not a card in 'AsA\\nAs'"),
        ("As2sAs", "card As is there twice in 'As2sAs'"),
        ("10s Ts", "card Ts is there twice in '10s Ts'"),
    ],
)
def test_refusals_of_sets_are_one_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards_mask(text)
    assert str(caught.value) == message


@given(st.text())
def test_no_text_gives_anything_but_cards_or_a_refusal(text: str) -> None:
    mask, message = 0, "read"
    try:
        mask = parse_cards_mask(text)
    except CasinoError as error:
        message = str(error)
    assert 0 <= mask <= ALL_CARDS
    assert len(message.splitlines()) == 1


@given(MASKS)
def test_text_gives_the_same_set_back(mask: int) -> None:
    assert parse_cards_mask(cards_text(mask)) == mask
    cards = CardSet(mask)
    assert CardSet(str(cards)) == CardSet(list(cards)) == CardSet(cards) == cards
    assert pickle.loads(pickle.dumps(cards)) == cards
    assert len(cards) == len(list(cards)) == mask.bit_count()
    assert bool(cards) == (mask != 0)


@given(MASKS, MASKS)
def test_the_algebra_is_that_of_sets(one: int, other: int) -> None:
    a, b = CardSet(one), CardSet(other)
    x, y = set(a), set(b)
    assert set(a | b) == x | y
    assert set(a & b) == x & y
    assert set(a - b) == x - y
    assert set(a ^ b) == x ^ y
    for left, right, first, second in ((a, b, x, y), (a & b, a, x & y, x), (a, a, x, x)):
        assert (left <= right) == (first <= second)
        assert (left < right) == (first < second)
        assert (left >= right) == (first >= second)
        assert (left > right) == (first > second)
        assert (left == right) == (first == second)
    assert a.isdisjoint(b) == x.isdisjoint(y)
    assert (hash(a) == hash(b)) >= (a == b)


def test_cards_go_by_rank_then_suit() -> None:
    assert list(CardSet("Kc Ad As 10h 2s")) == ["As", "Ad", "2s", "Th", "Kc"]
    assert str(CardSet()) == ""
    assert repr(CardSet("Kc As")) == "CardSet('AsKc')"


def test_membership_is_by_name_in_any_form() -> None:
    cards = CardSet("AsTd")
    assert "10\u2666" in cards
    assert "Ah" not in cards
    with pytest.raises(NotationError):
        _ = "Zz" in cards
    with pytest.raises(NotationError):
        _ = 0 in cards


@pytest.mark.parametrize("cards", [-1, ALL_CARDS + 1, "Zz", ["As", "As"], ["AsTd"], [0]])
def test_what_is_no_set_of_cards_is_refused(cards: object) -> None:
    with pytest.raises(NotationError):
        CardSet(cards)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 52])
def test_numbers_out_of_the_pack_are_refused(number: int) -> None:
    with pytest.raises(NotationError):
        card_name(number)


def test_a_set_cannot_be_changed() -> None:
    cards = CardSet("As")
    with pytest.raises(AttributeError):
        cards.mask = 3
    with pytest.raises(AttributeError):
        del cards.mask
    with pytest.raises(AttributeError):
        cards.other = 1  # type: ignore[attr-defined]


def test_other_kinds_of_sets_do_not_mix_in_unseen() -> None:
    cards = CardSet("As")
    assert cards != {"As"}
    for wrong in ({"As"}, "As", 1, None):
        with pytest.raises(TypeError):
            _ = cards | wrong  # type: ignore[operator]
        with pytest.raises(TypeError):
            _ = cards <= wrong  # type: ignore[operator]
