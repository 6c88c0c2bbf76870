"""Pictures as SVG: they show every open card once, and no hidden card."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

import casino_core as cc
from casino_core.render.card_art import card_words
from casino_core.render.svg import position_svg
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.options import PRESETS
from helpers.rounds import random_round

SVG = "{http://www.w3.org/2000/svg}"


def titles(picture: str) -> Counter[str]:
    """How often each tooltip stands in a picture, which is read as XML."""
    return Counter(title.text or "" for title in ET.fromstring(picture).iter(f"{SVG}title"))


def positions_of_round(rules: str, seed: int) -> list[cc.Position]:
    """Every position of a round."""
    return list(random_round(rules, seed).positions)


@pytest.mark.parametrize("rules", [*PRESETS, "standard,players=4,partners=yes", "royal,players=3"])
def test_cards_that_lie_open_are_drawn_once(rules: str) -> None:
    for position in positions_of_round(rules, seed=3):
        seen = position.view("b")
        drawn = titles(position_svg(seen))
        open_cards = set(seen.table)
        for build in seen.builds:
            open_cards |= set(build.cards)
        for hand in seen.hands:
            open_cards |= set(hand.cards)
        for name in CARD_NAMES:
            assert drawn[card_words(name)] == (name in open_cards)
        assert drawn["a hidden card"] == sum(hand.hidden for hand in seen.hands)


CROWDED = (
    "table=JsJhJdJcQsQhQdQcKsKhKdKc builds=10a*:As9sAh9hAd9dAc9c2s8s2h8h2d8d2c8c3s7s3h7h "
    "hands=TsTh/TdTc piles=??/?? out=-"
)


def test_nothing_lies_outside_the_picture() -> None:
    for rules in ("royal", "draw", "standard,players=4", None):
        positions = [cc.Position.parse(CROWDED)] if rules is None else positions_of_round(rules, 5)
        for position in positions:
            root = ET.fromstring(position_svg(position))
            _, _, width, height = map(float, root.get("viewBox", "").split())
            for group in root.iter(f"{SVG}g"):
                place = group.get("transform")
                if place is None:
                    continue
                x, y = map(float, place.removeprefix("translate(").rstrip(")").split())
                assert 0 <= x <= width - 36, (str(position), x)
                assert 0 <= y <= height - 50


def test_last_play_is_named_and_framed() -> None:
    before = cc.Position.parse("table=2s5hJdKc hands=7c8dAs9h/????")
    after = before.play("8d")
    picture = position_svg(after, before=before, move=before.move("8d"))
    assert "a played 8d" in picture
    assert picture.count('class="cc-mark"') == 1
    assert "cc-mark" not in position_svg(after).split("</style>")[1]


def test_it_is_self_contained() -> None:
    picture = position_svg(cc.Position.start(seed=1))
    assert "href" not in picture
    assert "script" not in picture
    assert picture.count("http") == 1  # the name space
    assert 'role="img" aria-label="Casino. ' in picture


def test_finished_round_has_a_picture() -> None:
    over = positions_of_round("standard", seed=2)[-1]
    picture = position_svg(over)
    assert "The round is over" in picture
    assert "the table is empty" in picture or over.table


@pytest.mark.parametrize("bad", [None, "table=2s", 5])
def test_other_arguments_are_refused(bad: object) -> None:
    with pytest.raises(cc.CasinoError, match="position is a Position"):
        position_svg(bad)  # type: ignore[arg-type]


def test_half_of_a_play_is_refused() -> None:
    position = cc.Position.start(seed=1)
    with pytest.raises(cc.CasinoError, match="before and move"):
        position_svg(position, before=position)
