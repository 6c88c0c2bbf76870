"""Saved games of other programs, and `read`.

The files in `data/saved_games` are as people left them; `expected.jsonl` beside them says what
a reader makes of each.
"""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino_core import Position
from casino_core.errors import CasinoError, NotationError
from casino_core.formats.groups import split_into_groups, values_of_group
from casino_core.formats.reading import read, saved_game_to_line, to_saved_game
from casino_core.rules.cards import ALL_CARDS, card_name, parse_card

FOLDER = Path(__file__).parents[1] / "data" / "saved_games"
EXPECTED = [json.loads(line) for line in (FOLDER / "expected.jsonl").read_text().splitlines()]
FILES = {case["file"]: (FOLDER / case["file"]).read_bytes().decode() for case in EXPECTED}
READ = [case for case in EXPECTED if "position" in case]

DEFAULTS = {
    "table": "-",
    "builds": "-",
    "piles": "-/-",
    "last": "-",
    "sweeps": "0/0",
    "stock": "-",
    "out": "-",
}

PLAIN = """\
Round: 2
Computer:
   Score: 14
   Hand: HQ
   Pile: CK H4
Human:
   Score: 15
   Hand: D9
   Pile: DX
Table: HK [ [C6 C3] [H5 D4] ] [S7 D5]
Build Owner: [ [C6 C3] [H5 D4] ] Human [S7 D5] Computer
Last Capturer: Human
Deck:
Next Player: Human
"""


def fields(line: str) -> dict[str, str]:
    found = DEFAULTS | dict(part.split("=", 1) for part in line.split())
    found.pop("score", None)
    return found


def plain(old: str = "", new: str = "") -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new, 1) if old else PLAIN


def refusal(text: str) -> str:
    with pytest.raises(NotationError) as caught:
        saved_game_to_line(text)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


# ---------------------------------------------------------------- the collected files


def test_the_collection_is_whole() -> None:
    assert len(EXPECTED) == 40
    assert len(READ) == 38


@pytest.mark.parametrize("case", READ, ids=lambda case: case["file"])
def test_a_file_gives_the_expected_position(case: dict[str, str]) -> None:
    line, _ = saved_game_to_line(FILES[case["file"]])
    assert fields(line) == fields(case["position"])


@pytest.mark.parametrize("case", READ, ids=lambda case: case["file"])
def test_a_file_gives_the_expected_moves(case: dict[str, list[str]]) -> None:
    position = read(FILES[str(case["file"])]).position
    assert [str(move) for move in position.legal_moves()] == sorted(case["moves"])


@pytest.mark.parametrize("case", READ, ids=lambda case: case["file"])
def test_bytes_and_text_are_read_alike(case: dict[str, str]) -> None:
    text = FILES[case["file"]]
    assert read(text.encode()) == read(text)


def test_a_card_twice_is_refused_with_all_such_cards() -> None:
    assert refusal(FILES["game-002.txt"]).endswith("cards twice: 2d4h4d6h6d")


def test_clean_files_give_no_warnings() -> None:
    clean = ["005", "012", "013", "018", "023", "024", "025", "026", "030", "032", "033", "040"]
    for number in clean:
        assert saved_game_to_line(FILES[f"game-{number}.txt"])[1] == (), number


def test_cards_that_appear_nowhere_give_a_warning() -> None:
    assert saved_game_to_line(FILES["game-001.txt"])[1] == ("cards that appear nowhere: Th",)


def test_an_unclosed_bracket_is_read_where_the_owner_names_its_cards() -> None:
    line, warnings = saved_game_to_line(FILES["game-009.txt"])
    assert fields(line)["builds"] == "9a:4d5d"
    assert "bracket without its pair" in warnings[0]


def test_a_curly_bracket_is_read_with_a_warning() -> None:
    assert any("not square" in text for text in saved_game_to_line(FILES["game-022.txt"])[1])


def test_an_owner_without_the_card_gives_a_warning() -> None:
    assert any("7" in text for text in read(FILES["game-001.txt"]).warnings[1:])


# ---------------------------------------------------------------- the whole family


def test_the_plain_game() -> None:
    line, warnings = saved_game_to_line(PLAIN)
    found = fields(line)
    assert found["builds"] == "9a*:3c4d5h6c,12b:5d7s"
    assert found["table"] == "Kh"
    assert found["hands"] == "9d/Qh"
    assert found["piles"] == "Td/4hKc"
    assert (found["turn"], found["last"]) == ("a", "a")
    assert line.endswith("score=15/14")
    assert [text.split(":")[0] for text in warnings] == ["cards that appear nowhere"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("\n", "\n\n \n"),
        ("   ", "\t \t"),
        ("   ", ""),
        (" ", "  "),
        (": ", ":"),
        (": ", " :\t"),
        (" [", "["),
        ("] ", "]"),
        (" D", ", D"),
        ("DX", "D10"),
        ("DX", "dt"),
        ("HK", "hk"),
        ("C6 C3", "c6c3"),
        ("Human", "HUMAN"),
        ("Computer", "computer"),
        ("Build Owner", "BuildOwner"),
        ("Build Owner", "build  owner"),
        ("] Human ", "] Human\nBuild Owner: "),
        ("Build Owner: ", "Build Owner:\n\n"),
        ("] Human", "]\nHuman"),
        ("Last Capturer: ", "Last Capturer:\n"),
        ("CK H4", "\nCK\nH4"),
        ("Computer:\n   Score", "Computer: Score"),
        ("[ [C6 C3] [H5 D4] ]", "[ C6 C3 [H5 D4] ]"),
        ("[ [C6 C3] [H5 D4] ]", "[ [C6 C3] H5 D4 ]"),
        ("[ [C6 C3] [H5 D4] ]", "[ C6 [H5 D4] C3 ]"),
        ("[S7 D5]", "[[[S7 D5]]]"),
        ("HK [ [C6 C3] [H5 D4] ] [S7 D5]", "[S7 D5] [ [C6 C3] [H5 D4] ] HK"),
        ("HK [", "[ ] HK ["),
        ("Round: 2\n", "\ufeffRound: 2\n"),
        ("Round: 2\n", ""),
        ("Next Player: Human\n", "Next Player: Human"),
    ],
)
def test_it_may_be_typed_in_many_ways(old: str, new: str) -> None:
    assert old in PLAIN
    text = PLAIN.replace(old, new)
    wanted = Position.parse(saved_game_to_line(PLAIN)[0])
    result = read(text)
    assert result.position == wanted
    assert len(result.warnings) == len(read(PLAIN).warnings)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("   Score: 14", "   Scor: 14", "'Scor' read as Score"),
        ("   Score: 14", "   Socre: 14", "'Socre' read as Score"),
        ("   Pile: CK", "   Pil: CK", "'Pil' read as Pile"),
        ("Next Player:", "Next Plyer:", "'Next Plyer' read as Next Player"),
        ("Next Player: Human", "Next Player: Humn", "'Humn' read as Human"),
        ("] Computer", "] Computr", "'Computr' read as Computer"),
        ("Table: HK [ [", "Table: HK [", "without its pair"),
        ("Table: HK [ [C6 C3] [H5 D4] ]", "Table: HK [ [C6 C3] [H5 D4]", "without its pair"),
        ("Table: HK [ [C6 C3] [H5 D4] ]", "Table: HK [C6 C3] [H5 D4] ]", "without its pair"),
        ("D4] ] [S7 D5]\n", "D4] ] [S7 D5\n", "without its pair"),
        ("D4] ] [S7 D5]\n", "D4] ] S7 D5]\n", "without its pair"),
        ("[S7 D5]\nB", "(S7 D5)\nB", "not square"),
        ("[S7 D5]\nB", "{S7 D5]\nB", "not square"),
        (" [S7 D5] Computer", "", "has no owner; read as Computer's"),
        (" [S7 D5] Computer", " [S7 D5]", "has no owner; read as Computer's"),
        ("Owner: [ [C6 C3]", "Owner: [ [C6 C3]] Human [", "read as the build"),
        ("[ [C6 C3] [H5 D4] ] [", "[ C6 C3 H5 D4 ] [", "groups of the build"),
        ("[S7 D5] Computer", "[S7 D5] Computer [CK H4] Human", "is not a build on the table"),
    ],
)
def test_what_is_wrong_with_a_plain_meaning_is_read_with_a_warning(
    old: str, new: str, part: str
) -> None:
    line, warnings = saved_game_to_line(plain(old, new))
    assert fields(line) == fields(saved_game_to_line(PLAIN)[0])
    assert any(part in text for text in warnings), warnings


def test_score_may_be_empty_or_missing() -> None:
    line, warnings = saved_game_to_line(plain("Score: 14", "Score:"))
    assert line.endswith("score=15/0")
    assert "Computer Score is empty, read as 0" in warnings
    assert saved_game_to_line(plain("   Score: 14\n"))[0].endswith("score=15/0")


@pytest.mark.parametrize("word", ["", " None", " nobody", " -"])
def test_nobody_may_have_captured(word: str) -> None:
    text = plain("Last Capturer: Human", f"Last Capturer:{word}")
    assert fields(saved_game_to_line(text)[0])["last"] == "-"


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("DX", "XD", "'XD' in Human Pile is not a card"),
        ("DX", "D1", "'D1' in Human Pile is not a card"),
        ("DX", "D100", "'D100' in Human Pile is not a card"),
        ("DX", "ZX", "line 9: 'ZX' in Human Pile is not a card"),
        ("HK [", "H0 [", "line 10: 'H0' in Table is not a card"),
        ("DX", "[DX]", "is not a card"),
        ("DX", "DX ??", "'??' in Human Pile is not a card"),
        ("DX", "DX D9", "cards twice: 9d"),
        ("DX", "DX DX HK", "cards twice: TdKh"),
        ("Round: 2", "Round 2", "line 1: cannot read 'Round 2'"),
        ("Round: 2", "Round: two", "Round is a number, not 'two'"),
        ("Round: 2", "hello", "line 1: cannot read 'hello'"),
        ("Round: 2", "Colour: 2", "line 1: cannot read 'Colour: 2'"),
        ("Round: 2", "Score: 2", "Score belongs to neither Human nor Computer"),
        ("Round: 2", "Round: 2\nRound: 2", "Round is there twice"),
        ("Score: 14", "Score: -1", "is a number"),
        ("Score: 14", "Score: " + 30 * "9", "is a number"),
        ("Deck:\n", "", "there is no Deck line"),
        ("   Hand: HQ\n", "", "there is no Computer Hand line"),
        ("Table: HK", "Deck: HK", "Deck is there twice"),
        ("Next Player: Human", "Next Player:", "Next Player is empty"),
        ("Next Player: Human", "Next Player: Robot", "is Human or Computer, not 'Robot'"),
        ("Next Player: Human", "Next Player: Human Computer", "not 'Human Computer'"),
        ("] Computer", "] Robot", "'Robot' in Build Owner is neither card nor player"),
        ("] Computer", "] Computer [S7 D5] Human", "has two owners"),
        ("] Computer", "] Computer [HK S9] Human", "which is not a build on the table"),
        ("] Computer", "] Computer Human", "owns no build"),
        ("HK [", "[HK] [", "a build of one card, [Kh]"),
        ("HK [", "] HK [", "a bracket without its pair"),
    ],
)
def test_anything_else_is_refused_with_a_line_that_names_it(old: str, new: str, part: str) -> None:
    assert part in refusal(plain(old, new))


def test_a_build_without_one_value_is_refused() -> None:
    assert "the build [3d3c5h6c] has no value" in refusal(PLAIN.replace("D4", "D3"))


def test_a_build_whose_owner_cannot_be_told_is_refused() -> None:
    text = plain(" [S7 D5] Computer").replace("D9", "DQ")
    assert "the build [5d7s] has no owner" in refusal(text)


def test_aces_alone_are_read_as_fourteen_with_a_warning() -> None:
    text = plain("[S7 D5] C", "[ [SA] [DA] ] C").replace("[S7 D5]", "[ [SA] [DA] ]")
    line, warnings = saved_game_to_line(text)
    assert "14b*:AsAd" in line
    assert "the build [AsAd] is worth 1 or 14; read as 14" in warnings


def test_a_king_and_an_ace_beside_an_ace_are_fourteen() -> None:
    text = plain().replace("[S7 D5]", "[ [SA] [SK DA] ]")
    assert "14b*:AsAdKs" in saved_game_to_line(text)[0]


def test_the_deck_is_dealt_to_human_first() -> None:
    deck = "Deck: S2 S3 S4 S5 H6 H7 H8 H9 SX SJ"
    human = saved_game_to_line(plain("Deck:", deck))[0]
    assert fields(human)["stock"] == "2s3s4s5s6h7h8h9hTsJs"
    text = plain("Deck:", deck).replace("Player: Human", "Player: Computer")
    assert fields(saved_game_to_line(text)[0])["stock"] == "6h7h8h9h2s3s4s5sTsJs"


def test_who_has_fewer_cards_led() -> None:
    found = fields(saved_game_to_line(plain("Hand: D9", "Hand: D9 S2"))[0])
    assert (found["hands"], found["turn"]) == ("Qh/2s9d", "b")


# ---------------------------------------------------------------- read


def test_read_takes_a_position_line_with_comments_around() -> None:
    line = "rules=royal table=2s5h8dKc hands=AsTd7c9h/????"
    result = read(f"# a comment\r\n\n  {line}\n\n")
    assert result.position == Position.parse(line)
    assert result.warnings == tuple(result.position.warnings)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("\n# only a comment\n", "empty"),
        ("hands=As/2s\nhands=As/2s\n", "one position expected, the text has 2 lines"),
        ("hello", "neither a position line nor a saved game"),
        (b"\xff\x00", "not UTF-8"),
        (b"\xff\xfe\x00", "not UTF-16"),
        ("x" * 200_000, "too long"),
        ("\x00\x01", "neither"),
    ],
)
def test_read_refuses_what_is_neither(text: str | bytes, part: str) -> None:
    with pytest.raises(NotationError, match=part):
        read(text)


# ---------------------------------------------------------------- writing


def test_a_written_game_is_read_again() -> None:
    written = 0
    for case in READ:
        position = read(FILES[case["file"]]).position
        if len(position.hands[0].cards) > len(position.hands[1].cards):
            continue
        text = to_saved_game(position)
        assert read(text).position == position, case["file"]
        assert to_saved_game(str(position)) == text
        written += 1
    assert written >= 36


def known(line: str) -> str:
    """The line with the cards it does not place put out of the game."""
    text = "".join(part.split("=", 1)[1] for part in line.split() if part[:5] != "rules")
    placed = re.findall("[A2-9TJQK][shdc]", text)
    rest = sorted(set(range(52)) - set(map(parse_card, placed)))
    return f"{line} out={''.join(map(card_name, rest[text.count('?') :]))}"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("rules=royal hands=As/2s", "its rules are ramapo, not royal"),
        ("rules=ramapo hands=As/?", "not known"),
        ("rules=ramapo hands=As/2s piles=?/-", "not known"),
        ("rules=ramapo hands=As/2s turn=b", "the wrong player"),
        ("rules=ramapo hands=As3s/2s", "the wrong player"),
    ],
)
def test_what_the_format_cannot_say_is_not_written(line: str, part: str) -> None:
    with pytest.raises(NotationError, match=part):
        to_saved_game(known(line))


# ---------------------------------------------------------------- groups


@given(st.integers(0, ALL_CARDS), st.integers(1, 14))
def test_groups_are_a_partition_into_the_value(mask: int, value: int) -> None:
    cards = [card for card in range(52) if mask >> card & 1]
    groups = split_into_groups(cards, value)
    if groups is not None:
        assert sorted(card for group in groups for card in group) == cards
        assert all(value in values_of_group(group) for group in groups)


@given(st.randoms(use_true_random=False), st.integers(2, 14))
def test_groups_are_found_where_they_are(rng: random.Random, value: int) -> None:
    pack = list(range(52))
    rng.shuffle(pack)
    cards: list[int] = []
    while pack:
        group: list[int] = []
        while pack and sum(card // 4 + 1 for card in group) < value:
            group.append(pack.pop())
        if value in values_of_group(group):
            cards += group
    assert split_into_groups(cards, value) is not None


# ---------------------------------------------------------------- no traceback, ever


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A real file with lines and characters deleted, doubled, swapped or changed."""
    text = FILES[draw(st.sampled_from(sorted(FILES)))]
    for _ in range(draw(st.integers(1, 4))):
        by_line = draw(st.booleans())
        parts = re.split("(?<=\n)", text) if by_line else list(text)
        if not parts:
            break
        here = draw(st.integers(0, len(parts) - 1))
        there = draw(st.integers(0, len(parts) - 1))
        match draw(st.sampled_from(["delete", "double", "swap", "cut", "change"])):
            case "delete":
                del parts[here]
            case "double":
                parts.insert(there, parts[here])
            case "swap":
                parts[here], parts[there] = parts[there], parts[here]
            case "cut":
                del parts[here:]
            case "change":
                letters = st.sampled_from("[]{}():=?-/* \t\r\nSHDCAXKQJ10aé♠\x00")
                parts[here] = draw(st.text(letters, max_size=3) | st.text(max_size=3))
        text = "".join(parts)
    return text


def outcome(text: str | bytes) -> str:
    try:
        result = read(text)
    except CasinoError as error:
        return str(error)
    assert all(len(warning.splitlines()) == 1 for warning in result.warnings)
    assert Position.parse(str(result.position)) == result.position
    return "read"


@given(damaged())
def test_a_damaged_file_is_read_or_refused(text: str) -> None:
    assert len(outcome(text).splitlines()) == 1
    assert outcome(text.encode(errors="replace")) == outcome(text.encode(errors="replace").decode())


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    assert len(outcome(text).splitlines()) == 1


def test_a_file_of_one_endless_line_takes_no_time() -> None:
    for text in (
        "Table: " + "[" * 90_000,
        "Table:" + " " * 90_000,
        " " * 90_000 + ":",
        "Deck: " + "SA " * 30_000,
        "a " * 45_000 + ":\nTable:",
        PLAIN + "\n" * 80_000,
    ):
        outcome(text)


def test_a_build_of_the_whole_pack_takes_no_time() -> None:
    cards = [card_name(card)[::-1].upper().replace("T", "X") for card in range(52)]
    for size in (20, 32, 40, 52):
        rng = random.Random(size)
        table = " ".join(rng.sample(cards, size))
        text = plain("DX", "").replace("D9", "").replace("HQ", "").replace("CK H4", "")
        text = re.sub("Table:.*\n", f"Table: [ {table} ]\n", text)
        outcome(re.sub("Build Owner:.*\n", f"Build Owner: [ {table} ] Human\n", text))
