"""Fuzzing of the readers: any text gives a position, a move, or a CasinoError of one line."""

import json
import re
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from casino_core import CasinoError, IllegalMoveError, Position, Rules
from helpers.side_by_side import DATA, assert_same, assert_well_formed, examples, last_deal
from reference.notation import parse_state

KEYS = (
    "rules table builds hands piles turn last sweeps stock out declared score".split()  # noqa: SIM905
)
#: What notation is made of, and what upsets readers.
PIECES = (
    *"=/-?,.:*[]+x ",
    *"AKQJT0123456789shdcabcd",
    *(f"{key}=" for key in KEYS),
    *("As", "2h", "10d", "Kc", "9a:4h5c", "9b*:4d5d9c", "7s/8s", "royal", "players=4", "yes"),
    *("♠", "♥", "♦", "♣", "\ufe0f", "\u2665\ufe0e", "é", "\u212a", "\uff11", "٣", "🂡"),
    *("\0", "\t", "\n", "\r", "\x0b", "\x85", "\u2028", "\x1b[2J", "\ud800", "\udfff", "\ufeff"),
)
ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("As2h=/ ?-\0\ud800♠"), max_size=80)
FROM_PIECES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@cache
def valid_lines():
    lines = []
    for name in ("moves", "perft", "scores", "worked", "solved"):
        text = (DATA / "cases" / f"{name}.jsonl").read_text(encoding="utf-8")
        lines += [json.loads(line)["position"] for line in text.splitlines()]
    return lines


@cache
def valid_moves(number):
    return [str(move) for move in Position.parse(valid_lines()[number]).legal_moves()]


@st.composite
def mutated(draw, text):
    """A text with some of it cut out, doubled, moved, or other pieces put in."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from(PIECES))
        change = draw(st.sampled_from(("cut", "put in", "replace", "double", "move")))
        if change == "cut":
            text = text[:start] + text[end:]
        elif change == "put in":
            text = text[:start] + piece + text[start:]
        elif change == "replace":
            text = text[:start] + piece + text[end:]
        elif change == "double":
            text = text[:end] + text[start:]
        else:
            place = draw(st.integers(0, len(text)))
            part = text[start:end]
            text = text[:start] + text[end:]
            text = text[:place] + part + text[place:]
    return text


@st.composite
def swapped_words(draw):
    """A line with fields of another line in place of its own, or left out."""
    one, other = (draw(st.sampled_from(valid_lines())).split() for _ in range(2))
    return " ".join(draw(st.sampled_from((a, b, ""))) for a, b in zip(one, other, strict=False))


@st.composite
def exchanged_cards(draw):
    """A line in which some cards have changed places, so that much else may be wrong."""
    line = draw(st.sampled_from(valid_lines()))
    cards = sorted(set(re.findall("[A2-9TJQK][shdc]", line.partition(" ")[2])))
    for _ in range(draw(st.integers(1, 3))):
        one, other = draw(st.sampled_from(cards)), draw(st.sampled_from(cards))
        line = line.replace(one, "\0").replace(other, one).replace("\0", other)
    return line


MUTATED_LINES = st.sampled_from(valid_lines()).flatmap(mutated)
LINES = st.one_of(ANY_TEXT, FROM_PIECES, MUTATED_LINES, swapped_words(), exchanged_cards())


def in_one_line(error):
    """Whether an error's text is one line that any terminal and any stream can take."""
    text = str(error)
    return (
        text.strip() != ""
        and len(text.splitlines()) == 1
        and len(text) < 2000
        and all(letter.isprintable() for letter in text)
        and text.encode("utf-8") is not None
    )


def read_or_refuse(line):
    """The position, or None if reading raises a CasinoError of one line."""
    try:
        return Position.parse(line)
    except CasinoError as error:
        refused = error
    assert in_one_line(refused), repr(str(refused))
    return None


@given(LINES)
@examples(14)
@example("")
@example("\0")
@example("hands=\ud800/\udfff")
@example("\ud800=As hands=As/Ah")
@example("hands=As/Ah rules=\n")
@example("rules=royal\0 hands=As/Ah")
@example("rules=\u2028 hands=As/Ah")
@example("builds=9é:4h5c hands=As/Ah")
@example("builds=9\ud800:4h5c hands=As/Ah")
@example("hands=A\xe2\x99/Ah")
@example("hands=A\u2660\ufe0f/A\u2665\ufe0e")
@example("turn=\u00e0 hands=As/Ah")
@example("sweeps=٣/0 hands=As/Ah")
@example("\x1b[31mhands=As/Ah")
def test_a_line_is_read_or_refused(line):
    """A position that was read is consistent, and its text gives an equal position."""
    position = read_or_refuse(line)
    if position is not None:
        assert_well_formed(position)
        assert in_one_line(position)
        for warning in position.warnings:
            assert in_one_line(warning)


@given(st.one_of(MUTATED_LINES, swapped_words(), exchanged_cards()))
@examples(12)
def test_what_is_read_is_what_the_reference_reads(line):
    """A changed line that is still a position: the reference finds the same moves in it."""
    position = read_or_refuse(line)
    if position is None or len(position.table) > 10 or len(position.builds) > 6:
        return
    assert_same(position, parse_state(str(position)))


@st.composite
def position_and_text(draw):
    number = draw(st.integers(0, 299))
    moves = valid_moves(number)
    texts = (ANY_TEXT, FROM_PIECES)
    if moves:
        texts = (*texts, st.sampled_from(moves).flatmap(mutated))
    return valid_lines()[number], draw(st.one_of(texts))


@given(position_and_text())
@examples(12)
@example((last_deal("hands=As/Ah"), ""))
@example((last_deal("hands=As/Ah"), "\0"))
@example((last_deal("hands=As/Ah"), "As\0"))
@example((last_deal("hands=As/Ah"), "\ud800"))
@example((last_deal("hands=As/Ah"), "Asx[\ud800]"))
@example((last_deal("hands=As/Ah"), "As\n2h"))
@example((last_deal("hands=As/Ah"), "A\u2660\ufe0f"))
def test_a_move_is_legal_or_refused(case):
    line, text = case
    position = Position.parse(line)
    listed = [str(move) for move in position.legal_moves()]
    try:
        move = position.move(text)
    except CasinoError as error:
        refused = error
        move = None
    reason = position.why_illegal(text)
    if move is not None:
        assert str(move) in listed
        assert reason is None
        assert position.is_legal(text)
        assert_well_formed(position.play(text))
        return
    assert in_one_line(refused), repr(str(refused))
    assert in_one_line(reason), repr(reason)
    with pytest.raises(CasinoError):
        position.play(text)
    try:
        assert position.is_legal(text) is False
    except CasinoError as error:
        refused = error
    assert in_one_line(refused)


CARD_TEXTS = st.tuples(st.sampled_from("A23456789TJQK"), st.sampled_from("shdc")).map("".join)


@st.composite
def readable_moves(draw, position):
    """A text of the form of a move, of cards and builds of the position or of any others."""
    cards = re.findall("[A2-9TJQK][shdc]", str(position)) or ["As"]
    names = st.one_of(st.sampled_from(cards), CARD_TEXTS)
    here = [f"[{b.value}{b.owner}:{b.cards}]" for b in position.builds] or ["[9a:4h5c]"]
    brackets = st.one_of(
        st.sampled_from(here),
        st.builds("[{}{}:{}{}]".format, st.integers(0, 20), st.sampled_from("abcd"), names, names),
    )
    card = draw(st.one_of(st.sampled_from([*position.hands[0].cards, *cards]), CARD_TEXTS))
    kind = draw(st.sampled_from(["", "x", "+"]))
    if not kind:
        return card
    loose = draw(st.lists(names, max_size=3))
    builds = draw(st.lists(brackets, min_size=not loose, max_size=2))
    if kind == "x":
        return card + kind + "".join(loose + builds)
    values = st.one_of(
        st.integers(0, 20), st.sampled_from([b.value for b in position.builds] or [9])
    )
    bases = ("+" * bool(loose)).join(["", "+".join(builds)]) if builds else ""
    return f"{card}+{''.join(loose)}{bases}={draw(values)}"


@given(st.data())
@examples(30)
def test_what_is_readable_is_legal_or_not_and_nothing_else(data):
    line = data.draw(st.sampled_from(valid_lines()))
    position = Position.parse(line)
    text = data.draw(readable_moves(position))
    legal = position.is_legal(text)
    assert legal is (position.why_illegal(text) is None)
    if legal:
        assert position.move(text) in position.legal_moves()
        return
    with pytest.raises(IllegalMoveError) as caught:
        position.move(text)
    assert in_one_line(caught.value)
    assert caught.value.reason == position.why_illegal(text)


@given(st.one_of(ANY_TEXT, FROM_PIECES))
@examples(6)
def test_any_rules_text_is_read_or_refused(text):
    try:
        rules = Rules.parse(text)
    except CasinoError as error:
        refused = error
    else:
        assert Rules.parse(str(rules)) == rules
        return
    assert in_one_line(refused), repr(str(refused))


@given(seat=ANY_TEXT)
@examples(2)
def test_any_seat_is_one_or_refused(seat):
    position = Position.parse(last_deal("hands=As2s/AhKd"))
    if seat in ("a", "b"):
        assert position.view(seat).hands["ab".index(seat) ^ 1].hidden == 2
        return
    with pytest.raises(CasinoError) as caught:
        position.view(seat)
    assert in_one_line(caught.value)


HUGE = 1_000_000


@pytest.mark.parametrize(
    "line",
    [
        " " * HUGE,
        "=" * HUGE,
        "x" * HUGE,
        "?" * HUGE,
        "hands=" + "As" * HUGE,
        "hands=" + "?" * HUGE + "/?",
        "hands=" + "/" * HUGE,
        "hands=As/Ah table=" + "9" * HUGE,
        "hands=As/Ah piles=" + "?" * 255 + "/" + "?" * 255,
        "hands=As/Ah piles=" + "?" * 304 + "/-",
        "hands=As/Ah builds=" + "9a:4h5c," * HUGE,
        "hands=As/Ah builds=" + "9" * HUGE + "a:4h5c",
        "hands=As/Ah builds=9a:" + "4h5c" * HUGE,
        "hands=As/Ah sweeps=" + "9" * HUGE + "/0",
        "hands=As/Ah sweeps=" + "0" * HUGE + "x/0",
        "hands=As/Ah score=" + "1/" * HUGE,
        "hands=As/Ah stock=" + "4h" * HUGE,
        "hands=As/Ah out=" + "♠" * HUGE,
        "hands=As/Ah declared=" + "7." * HUGE + "/-",
        "rules=" + "royal," * HUGE + " hands=As/Ah",
        "rules=royal," + "sweep=1" * HUGE + " hands=As/Ah",
        "k" * HUGE + "=1 hands=As/Ah",
        "hands=As/Ah " * 1000,
    ],
    ids=lambda line: f"{line[:24]!r}",
)
def test_huge_lines_are_refused(line):
    assert read_or_refuse(line) is None


@pytest.mark.parametrize(
    "text",
    [
        " " * HUGE,
        "As" * HUGE,
        "Asx" + "2s" * HUGE,
        "Asx" + "[9a]" * HUGE,
        "Asx[" + "9" * HUGE + "a]",
        "As+2s=" + "9" * HUGE,
        "As+2s=" + "0" * HUGE,
        "x" * HUGE,
        "Asx2s" + "\0" * HUGE,
    ],
    ids=lambda text: f"{text[:12]!r}",
)
def test_huge_moves_are_refused(text):
    position = Position.parse(last_deal("table=2s builds=9b:4h5c hands=As3s/9h"))
    with pytest.raises(CasinoError) as caught:
        position.play(text)
    assert in_one_line(caught.value)
    assert in_one_line(position.why_illegal(text))


def test_blanks_and_zeros_in_plenty_are_harmless():
    line = last_deal("table=2s hands=As3s/9h") + " " * HUGE
    assert Position.parse(line) == Position.parse(line.strip())
    position = Position.parse(line)
    assert str(position.move(" " * HUGE + "As" + " " * HUGE)) == "As"
