"""Rule sets: the presets, reading, writing and refusing."""

import pickle
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino_core.errors import CasinoError, RulesError
from casino_core.rules.options import OPTIONS, PRESETS, Rules

ROYAL = {"court": "numbered", "ace": "low_or_high"}
HOYLE = {"raise_own_needs_both": True, "sweep": 1}
BOOK_1911 = {
    "raising": "others",
    "max_builds": 1,
    "owner_turn": "capture",
    "partner_builds": "declared",
}
SPADES = {"scoring": "spade", "target": 61, "finish": "count_out"}
RAMAPO = {
    "capture": "matching",
    "trail": "not_matching",
    "raising": "opponents",
    "raise_absorb": False,
    "add_to": "own",
    "same_value": "separate",
    "tie": "draw",
}
BRITANNICA = {
    "court_capture": "all",
    "trail": "not_capturing",
    "raising": "others",
    "raise_absorb": False,
    "sweep": 1,
}
# Written out a second time from the page of rules, so that a slip in the table shows.
CHANGED = {
    "standard": {},
    "hoyle": HOYLE,
    "royal": ROYAL | HOYLE,
    "royal-1911": ROYAL | BOOK_1911,
    "old-way": {"court": "ten"} | BOOK_1911,
    "spade": HOYLE | SPADES,
    "spade-royal": ROYAL | HOYLE | SPADES,
    "draw": HOYLE | {"draw": True},
    "draw-royal": ROYAL | HOYLE | {"draw": True},
    "pagat": {"same_value": "separate"},
    "pagat-royal": ROYAL | {"same_value": "separate", "finish": "count_out"},
    "ramapo": ROYAL | RAMAPO,
    "britannica": BRITANNICA,
}


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    options: dict[str, object] = {}
    for name, option in OPTIONS.items():
        if option.kind == "switch":
            options[name] = draw(st.booleans())
        elif option.kind == "choice":
            options[name] = draw(st.sampled_from(option.values))
        else:
            options[name] = draw(st.integers(option.least, option.most))
    if options["partners"]:
        options["players"] = 4
    return PRESETS[draw(st.sampled_from(Rules.preset_names()))].replace(**options)


@pytest.mark.parametrize("name", CHANGED)
def test_presets_change_what_the_page_says(name: str) -> None:
    default = Rules()
    rules = Rules.parse(name)
    changed = {
        option: getattr(rules, option)
        for option in OPTIONS
        if getattr(rules, option) != getattr(default, option)
    }
    assert changed == CHANGED[name]
    assert str(rules) == name
    assert rules is PRESETS[name]


def test_all_presets_are_there() -> None:
    assert Rules.preset_names() == tuple(CHANGED)


def test_options_and_fields_are_the_same_in_the_same_order() -> None:
    assert [field.name for field in fields(Rules)] == [*OPTIONS, "preset"]


def test_the_first_value_of_a_choice_is_the_default() -> None:
    for name, option in OPTIONS.items():
        if option.kind == "choice":
            assert getattr(Rules(), name) == option.values[0], name


@given(rule_sets())
def test_text_gives_the_same_rules_back(rules: Rules) -> None:
    read = Rules.parse(str(rules))
    assert read == rules
    assert read.preset == rules.preset
    assert str(read) == str(rules)
    assert hash(read) == hash(rules)


@given(rule_sets())
def test_pickled_rules_are_equal(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_text_names_options_in_the_order_of_the_page() -> None:
    rules = Rules.parse("royal,sweep=0,partners=yes,players=4")
    assert str(rules) == "royal,players=4,partners=yes,sweep=0"
    assert repr(rules) == "Rules.parse('royal,players=4,partners=yes,sweep=0')"


def test_an_option_that_changes_nothing_is_not_written() -> None:
    assert str(Rules.parse("royal,sweep=1,court=numbered")) == "royal"


def test_equality_is_of_options_not_of_names() -> None:
    written_out = Rules.parse("standard,raise_own_needs_both=yes,sweep=1")
    assert written_out == Rules.parse("hoyle")
    assert hash(written_out) == hash(Rules.parse("hoyle"))
    assert str(written_out) != "hoyle"


@pytest.mark.parametrize(
    ("text", "sides", "seats", "sides_of_seats"),
    [
        ("standard", 2, "ab", [0, 1]),
        ("standard,players=3", 3, "abc", [0, 1, 2]),
        ("standard,players=4", 4, "abcd", [0, 1, 2, 3]),
        ("standard,players=4,partners=yes", 2, "abcd", [0, 1, 0, 1]),
    ],
)
def test_sides_and_seats(text: str, sides: int, seats: str, sides_of_seats: list[int]) -> None:
    rules = Rules.parse(text)
    assert rules.sides == sides
    assert rules.seats == seats
    assert [rules.side_of(seat) for seat in range(len(seats))] == sides_of_seats


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_has_no_side(seat: int) -> None:
    with pytest.raises(RulesError, match="no seat"):
        Rules().side_of(seat)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no preset ''"),
        ("bridge", "no preset 'bridge'"),
        ("Royal", "no preset 'Royal'"),
        ("players=4", "no preset"),
        ("royal,", "no option ''"),
        ("royal,sweeps=1", "no option 'sweeps'"),
        ("royal,preset=hoyle", "no option 'preset'"),
        ("royal,sweep", "sweep is a number"),
        ("royal,sweep=", "sweep is a number"),
        ("royal,sweep=-1", "sweep is a number"),
        ("royal,sweep=1.5", "sweep is a number"),
        ("royal,sweep=\u0661", "U+0661 ARABIC-INDIC DIGIT ONE, not the digit 1"),
        ("royal,sweep=" + "9" * 5000, "sweep is a number"),
        ("royal,sweep=1,sweep=1", "option sweep is there twice"),
        ("royal,players=5", "players is a number from 2 to 4"),
        ("royal,players=1", "players is a number from 2 to 4"),
        ("royal,target=0", "target is a number from 1"),
        ("royal,draw=true", "draw is yes or no"),
        ("royal,capture=all", "capture is one of any, matching, maximal"),
        ("royal,partners=yes", "partners=yes needs players=4"),
        ("royal,players=3,partners=yes", "partners=yes needs players=4"),
        ("royal,sweep=1\nhands", "sweep is a number"),
    ],
)
def test_refusals_are_one_line_that_names_the_option(text: str, part: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)
    message = str(caught.value)
    assert message.startswith("rules: ")
    assert part in message
    assert "\n" not in message


@given(st.text())
def test_no_text_gives_anything_but_rules_or_a_refusal(text: str) -> None:
    for tried in (text, "royal," + text):
        message = "read"
        try:
            Rules.parse(tried)
        except CasinoError as error:
            message = str(error)
        assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"sweep": True}, "sweep"),
        ({"sweep": -1}, "sweep"),
        ({"sweep": "1"}, "sweep"),
        ({"draw": 1}, "draw"),
        ({"court": "royal"}, "court"),
        ({"court": 1}, "court"),
        ({"partners": True}, "players=4"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"preset": "hoyle"}, "no option 'preset'"),
    ],
)
def test_python_values_are_checked_too(options: dict[str, object], part: str) -> None:
    with pytest.raises(RulesError, match=part):
        Rules().replace(**options)


def test_an_unknown_preset_is_refused_in_python() -> None:
    with pytest.raises(RulesError, match="no preset 'bridge'"):
        Rules(preset="bridge")


def test_declared_builds_without_partners_are_accepted() -> None:
    assert Rules.parse("royal-1911,players=3").partner_builds == "declared"


def test_rules_and_presets_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Rules().sweep = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        PRESETS["mine"] = Rules()  # type: ignore[index]
