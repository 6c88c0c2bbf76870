"""Moves: how they are read and written, what they are, and whether they are legal."""

import pickle
import threading
from functools import cache
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino_core import CardSet, CasinoError, IllegalMoveError, Move, NotationError, Position
from helpers.side_by_side import examples, last_deal, texts
from reference.notation import legal_texts, to_text
from reference.random_positions import random_positions, random_rules, shuffle_hidden
from reference.rules import PACK

LOOSE = last_deal("table=2s5hTdJdKc hands=7cTsAs9h/8s")
BUILDS = last_deal("table=2s5h builds=9a:4d5c,7b:3c4h hands=9h7cAs2d/7h8s")
TWINS = last_deal(
    "rules=pagat table=2s builds=9b:4d5c,9b:3d6c,9a:2h7h hands=9h9cAs/Th9d turn=a last=b"
)

# Reading and writing


@pytest.mark.parametrize(
    ("line", "text", "written"),
    [
        (LOOSE, "7c", "7c"),
        (LOOSE, " 7c ", "7c"),
        (LOOSE, "7C", "7c"),
        (LOOSE, "7♣", "7c"),
        (LOOSE, "10s", "Ts"),
        (LOOSE, "ts", "Ts"),
        (LOOSE, "7cx5h2s", "7cx2s5h"),
        (LOOSE, "7c x 2s 5h", "7cx2s5h"),
        (LOOSE, "7CX2S5H", "7cx2s5h"),
        (LOOSE, "7♣x2♠5♥", "7cx2s5h"),
        (LOOSE, "7♣\ufe0ex2♠\ufe0f5♥", "7cx2s5h"),
        (LOOSE, "10Sx10D", "TsxTd"),
        (LOOSE, "\t7c\tx\t2s5h\t", "7cx2s5h"),
        (LOOSE, "7c + 2s = 9", "7c+2s=9"),
        (LOOSE, "7c+2s=09", "7c+2s=9"),
        (LOOSE, "7c+2s=9\n", "7c+2s=9"),
        (BUILDS, "9hx[9a]", "9hx[9a]"),
        (BUILDS, "9hx[ 9 A ]", "9hx[9a]"),
        (BUILDS, "9hx[9a:5c4d]", "9hx[9a]"),
        (BUILDS, "9H X [9a : 5♣ 4♦]", "9hx[9a]"),
        (BUILDS, "2d+[7b]=9", "2d+[7b]=9"),
        (BUILDS, "2d + [7b:3c4h] = 9", "2d+[7b]=9"),
        (BUILDS, "2d+[ 7B ]=9", "2d+[7b]=9"),
        (BUILDS, "2d+[7b]=09", "2d+[7b]=9"),
        (TWINS, "9hx[9b:4d5c][9a]", "9hx[9a][9b:4d5c]"),
        (TWINS, "9hx[9b:5c4d][9b:6c3d]", "9hx[9b:3d6c][9b:4d5c]"),
        (TWINS, "9cx[9a:2h7h][9b:3d6c]", "9cx[9a][9b:3d6c]"),
    ],
)
def test_forms_of_a_move(line, text, written):
    position = Position.parse(line)
    move = position.move(text)
    assert str(move) == written
    assert move in position.legal_moves()
    assert position.is_legal(text)
    assert position.play(text) == position.play(move)
    assert position.move(written) == position.move(move) == move


def is_legal_text(position, text):
    """As `is_legal`, but False also for text that cannot be read."""
    try:
        return position.is_legal(text)
    except NotationError:
        return False


def test_a_base_build_may_follow_without_its_plus():
    """`2d+5h[7b]=7` and `2d+5h+[7b]=7` are one move; the second is what is written."""
    position = Position.parse(BUILDS)
    assert str(position.move("2d+5h+[7b]=7")) == "2d+5h+[7b]=7"
    assert position.move("2d+5h[7b]=7") == position.move("2d+5h+[7b]=7")


UNREADABLE = [
    ("", "does not begin with the card"),
    ("x2s5h", "does not begin with the card"),
    ("Zs", "does not begin with the card"),
    ("11s", "does not begin with the card"),
    ("7", "does not begin with the card"),
    ("?", "does not begin with the card"),
    ("7c-2s", "after the card stands x"),
    ("7c2s", "after the card stands x"),
    ("7c=9", "after the card stands x"),
    ("7cx", "no card and no build"),
    ("7c+=9", "no card and no build"),
    ("7c+2s", "ends with ="),
    ("7c+2s9", "ends with ="),
    ("7c+2s=", "1 to 14"),
    ("7c+2s=-9", "1 to 14"),
    ("7c+2s=9!", "'!' cannot be read"),
    ("7c+2s=9=9", "cannot be read"),
    ("7cx2s5h=7", "cannot be read"),
    ("7cx2s,5h", "cannot be read"),
    ("7cx2s 5h 8z", "cannot be read"),
    ("7cx[9a", "not closed"),
    ("7cx[9a:4d5c", "not closed"),
    ("7cx[9a4d5c]", "not closed"),
    ("7cx[a]", "written as [value owner]"),
    ("7cx[9]", "written as [value owner]"),
    ("7cx[9e]", "written as [value owner]"),
    ("7cx[]", "written as [value owner]"),
    ("7cx[", "written as [value owner]"),
    ("9hx2s+[9a]", "a second +"),
    ("2d+5h+2s=7", "a second +"),
    ("2d+5h+", "a second +"),
]


@pytest.mark.parametrize(("text", "part"), UNREADABLE)
def test_what_cannot_be_read(text, part):
    position = Position.parse(BUILDS)
    with pytest.raises(NotationError) as caught:
        position.move(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert position.why_illegal(text) == str(caught.value)
    with pytest.raises(NotationError):
        position.is_legal(text)
    with pytest.raises(NotationError):
        position.play(text)


CROWNED = (
    "rules=royal table=2s5h8d builds=7b:3c4d,10a*:4h6cTc hands=As7c9hTd/???? piles=3h3d/QsQd last=b"
)

#: Of the form of a move, but there can be no such move in the position.
IMPOSSIBLE = [
    (BUILDS, "7cx2s2s", "2s is named twice"),
    (BUILDS, "7c+2s2s=9", "2s is named twice"),
    (BUILDS, "7c+2s=0", "1 to 14"),
    (BUILDS, "7c+2s=15", "1 to 14"),
    (BUILDS, "7c+2s=99999999999999999999", "1 to 14"),
    (BUILDS, "7cx[8a]", "no build 8a"),
    (BUILDS, "7cx[0a]", "no build 0a"),
    (BUILDS, "7cx[9b]", "no build 9b"),
    (BUILDS, "9hx[9a:4d6c]", "no build 9a:4d6c"),
    (BUILDS, "9hx[9a][9a]", "named twice"),
    (BUILDS, "2d+[7b][9a]=9", "only one build"),
    (BUILDS, "2d+[9a]=7", "9 cannot become one of 7"),
    (CROWNED, "9h+[10a]=9", "10 cannot become one of 9"),
    (CROWNED, "7cx[9a]", "no build 9a"),
]


@pytest.mark.parametrize(("line", "text", "part"), IMPOSSIBLE)
def test_what_can_be_read_is_illegal_and_no_error_of_notation(line, text, part):
    position = Position.parse(line)
    assert position.is_legal(text) is False
    assert part in position.why_illegal(text)
    for ask in (position.move, position.play):
        with pytest.raises(IllegalMoveError) as caught:
            ask(text)
        assert caught.value.reason == position.why_illegal(text)
        assert str(caught.value) == f"{text!r} is not legal: {caught.value.reason}"


def test_what_cannot_be_read_goes_before_what_cannot_be():
    with pytest.raises(NotationError, match="cannot be read"):
        Position.parse(CROWNED).is_legal("7cx[9a] or not")


def test_twin_builds_need_their_cards():
    position = Position.parse(TWINS)
    with pytest.raises(NotationError, match=r"two builds 9b.*\[9b:"):
        position.move("9hx[9b]")
    assert str(position.move("9hx[9b:3d6c]")) == "9hx[9b:3d6c]"
    assert str(position.move("9hx[9a]")) == "9hx[9a]"


def test_brackets_stand_in_the_order_of_value_owner_cards():
    written = texts(Position.parse(TWINS).legal_moves())
    assert "9hx[9a][9b:3d6c][9b:4d5c]" in written
    assert "9cx[9b:3d6c][9b:4d5c]" in written
    assert len([text for text in written if text.startswith("9hx")]) == 7


@pytest.mark.parametrize("given_move", [None, 7, b"7c", ["7c"], CardSet("7c")])
def test_a_move_is_a_move_or_its_text(given_move):
    position = Position.parse(LOOSE)
    with pytest.raises(NotationError, match="Move or its text"):
        position.play(given_move)


def test_moves_are_not_made_by_their_class():
    with pytest.raises(TypeError, match="made by Position"):
        Move()


# What a move is


@pytest.mark.parametrize(
    ("text", "kind", "card", "loose", "built", "value"),
    [
        ("As", "trail", "As", "", "", None),
        ("9hx[9a]", "capture", "9h", "", "4d5c", None),
        ("7cx2s5h[7b]", "capture", "7c", "2s5h", "3c4h", None),
        ("7cx2s5h", "capture", "7c", "2s5h", "", None),
        ("7c+2s5h+[7b]=7", "build", "7c", "2s5h", "3c4h", 7),
        ("2d+[7b]=9", "build", "2d", "", "3c4h", 9),
        ("As+2s=3", "build", "As", "2s", "", 3),
    ],
)
def test_attributes(text, kind, card, loose, built, value):
    line = (
        BUILDS
        if text not in ("As", "As+2s=3", "7c+2s5h+[7b]=7")
        else last_deal("table=2s5h builds=7b:3c4h hands=As3d7c7d/7h8s")
    )
    move = Position.parse(line).move(text)
    assert (move.kind, move.card, move.value) == (kind, card, value)
    assert (move.loose, move.built) == (CardSet(loose), CardSet(built))
    assert str(move) == text
    assert repr(move) == f"Move({text!r})"


def test_a_move_cannot_be_changed():
    move = Position.parse(LOOSE).move("7c")
    for name in ("card", "kind", "loose", "text", "anything"):
        with pytest.raises(AttributeError):
            setattr(move, name, "8c")


def test_equality_hash_and_pickle():
    position = Position.parse(BUILDS)
    moves = position.legal_moves()
    assert len(set(moves)) == len(moves)
    again = Position.parse(BUILDS).legal_moves()
    assert again == moves
    assert [hash(move) for move in again] == [hash(move) for move in moves]
    for move in moves:
        copy = pickle.loads(pickle.dumps(move))
        assert copy == move
        assert hash(copy) == hash(move)
        assert str(copy) == str(move)
        assert position.play(copy) == position.play(move)
        assert move != str(move)
    trails = Position.parse(LOOSE)
    assert trails.move("7cx2s5h") != trails.move("7c+2s=9")
    assert trails.move("7c") != trails.move("7cx2s5h")


# A move made in one position, played in another


def test_a_move_of_a_view_is_one_of_the_position():
    position = Position.start("royal", seed=11)
    seen = position.view("a")
    assert seen.legal_moves() == position.legal_moves()
    for move in seen.legal_moves():
        assert str(position.play(move)) == str(position.play(str(move)))


def test_a_build_is_known_by_its_cards_not_its_place():
    line = "rules=pagat table=2s builds={} hands=9h9cAs/Th9d"
    one = Position.parse(last_deal(line.format("9b:4d5c,9a:2h7h")))
    other = Position.parse(last_deal(line.format("8b:3d5d,9b:4d5c,9a:2h7h,9b:3h6h")))
    move = one.move("9hx[9b]")
    assert str(other.move(move)) == "9hx[9b:4d5c]"
    assert other.move(move) == move
    assert other.play(move) == other.play("9hx[9b:4d5c]")
    taken_over = Position.parse(last_deal(line.format("9a:4d5c,9a:2h7h")))
    assert str(taken_over.move(move)) == "9hx[9a:4d5c]"


def test_a_move_whose_build_is_gone_is_illegal():
    position = Position.parse(BUILDS)
    move = position.move("9hx[9a]")
    other = Position.parse(last_deal("table=2s5h4d5c hands=9h7cAs2d/7h8s"))
    assert not other.is_legal(move)
    assert "its build is not on the table" in other.why_illegal(move)
    with pytest.raises(IllegalMoveError, match="not on the table"):
        other.play(move)


def test_a_raise_is_no_addition_elsewhere():
    move = Position.parse(last_deal("builds=7b:3c4h hands=2d9c/7h")).move("2d+[7b]=9")
    other = Position.parse(last_deal("builds=9b*:3c4h2c9s hands=2d9c/9h"))
    assert not other.is_legal(move)
    with pytest.raises(IllegalMoveError):
        other.play(move)


def test_a_move_of_other_cards_is_illegal():
    move = Position.parse(LOOSE).move("7cx2s5h")
    other = Position.parse(last_deal("table=2s5h hands=7d/8c"))
    assert not other.is_legal(move)
    assert other.why_illegal(move) == "seat a does not hold 7c"


# Legal is what is in the list: any candidate at all


def capture_text(card, loose, brackets):
    return f"{card}x{''.join(loose)}{''.join(brackets)}"


def build_text(card, loose, bracket, value):
    parts = [card, *(["".join(loose)] if loose else []), *([bracket] if bracket else [])]
    return f"{'+'.join(parts)}={value}"


def brackets_of(position):
    """Every build of the position as a bracket with its cards."""
    return [f"[{build.value}{build.owner}:{build.cards}]" for build in position.builds]


def subsets(things):
    return [some for size in range(len(things) + 1) for some in combinations(things, size)]


def candidates(position):
    """Every move that could be written down with the hand and the table."""
    hand = position.hands["abcd".index(position.turn)].cards
    brackets = brackets_of(position)
    for card, loose in product(hand, subsets(tuple(position.table))):
        for some in subsets(brackets):
            if loose or some:
                yield capture_text(card, loose, some)
        for bracket, value in product([None, *brackets], range(1, 15)):
            if loose or bracket:
                yield build_text(card, loose, bracket, value)
    yield from hand


def known_positions(seed, most_loose, most_builds):
    """Positions of a random round with few enough cards on the table to try everything."""
    rng = Random(seed)
    for state in random_positions(seed, 1, random_rules(rng)):
        if len(state.table) <= most_loose and len(state.builds) <= most_builds:
            if not state.is_over:
                yield state if rng.random() < 0.7 else shuffle_hidden(state, rng)


@pytest.mark.parametrize("seed", range(24))
def test_all_that_can_be_written_is_legal_or_not_listed(seed):
    """The list of moves against every candidate: it is correct and complete."""
    states = sorted(known_positions(seed, 6, 2), key=lambda state: -len(state.builds))[:3]
    assert states
    for state in states:
        position = Position.parse(to_text(state))
        legal = set()
        for text in candidates(position):
            if is_legal_text(position, text):
                legal.add(str(position.move(text)))
        assert sorted(legal) == legal_texts(state)


@cache
def round_positions(seed):
    """The positions of a random round, each also with its hands reshuffled."""
    rng = Random(seed)
    states = [state for state in random_positions(seed, 1, random_rules(rng)) if not state.is_over]
    states += [shuffle_hidden(state, rng) for state in states]
    return [Position.parse(to_text(state)) for state in states]


@st.composite
def position_and_candidate(draw):
    """A position of a random round, and a move that is legal or nearly so."""
    position = draw(st.sampled_from(round_positions(draw(st.integers(0, 60)))))
    cards = st.sampled_from(PACK)
    hand = tuple(position.hands["abcd".index(position.turn)].cards)
    table = tuple(position.table)
    card = draw(st.one_of(st.sampled_from(hand), cards))
    loose = draw(st.lists(st.sampled_from(table), unique=True, max_size=5)) if table else []
    if draw(st.integers(0, 9)) == 0:
        loose = list({*loose, draw(cards)})
    brackets = brackets_of(position)
    some = draw(st.lists(st.sampled_from(brackets), unique=True, max_size=3)) if brackets else []
    if draw(st.booleans()):
        return position, capture_text(card, loose, some)
    value = draw(st.integers(1, 14))
    return position, build_text(card, loose, some[0] if some else None, value)


@given(position_and_candidate())
@examples(6)
def test_a_candidate_is_legal_exactly_when_listed(case):
    position, text = case
    listed = position.legal_moves()
    assert len(set(listed)) == len(listed)
    reason = position.why_illegal(text)
    legal = is_legal_text(position, text)
    assert legal == (reason is None)
    if legal:
        assert position.move(text) in listed
        return
    assert "\n" not in reason
    assert reason != "the rules do not allow it here"
    with pytest.raises(CasinoError) as caught:
        position.move(text)
    assert not isinstance(caught.value, IllegalMoveError) or caught.value.reason == reason


@pytest.mark.parametrize("seed", range(12))
def test_moves_of_another_position(seed):
    """A move of another position is legal here exactly if it is in the list here."""
    rng = Random(seed)
    rules = random_rules(rng)
    there, here = (
        [state for state in random_positions(rng.randrange(2**32), 1, rules) if not state.is_over]
        for _ in range(2)
    )
    for from_state, to_state in zip(there, here, strict=True):
        position = Position.parse(to_text(to_state))
        listed = position.legal_moves()
        for move in Position.parse(to_text(from_state)).legal_moves():
            assert position.is_legal(move) == (move in listed)
            if move in listed:
                assert str(position.move(move)) == str(listed[listed.index(move)])
            else:
                with pytest.raises(CasinoError):
                    position.play(move)


def test_an_iterator_that_threads_share_gives_each_move_once():
    position = Position.parse(
        "table=As2s3s4s5s6s7s8s9sTsAh2h3h4h5h6h7h hands=TdTcKh/???? piles=??/??"
    )
    moves, found = position.iter_legal_moves(), []

    def work():
        while True:
            try:
                found.append(str(next(moves)))
            except CasinoError:  # another thread is about to make the next ones
                continue
            except StopIteration:
                return

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(map(str, position.iter_legal_moves()))
