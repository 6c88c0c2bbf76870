"""Records of games: read leniently, written in one form, faults with their place."""

import copy
import json
import pickle
import random
import re
import time
from contextlib import suppress
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core import CasinoError, Game, Note, Position, RecordedRound, Round
from casino_core.cli import main
from casino_core.formats.reading import read_game, to_saved_game
from casino_core.formats.record_parts import GAME_TAGS, ROUND_TAGS
from casino_core.formats.saved_games import PLAYERS
from helpers.records import games, random_plays, whole_round
from helpers.side_by_side import examples


@given(games())
@examples(2)
def test_a_game_is_read_as_it_is_written(game):
    text = str(game)
    again = Game.parse(text)
    assert again == game
    assert str(again) == text
    assert pickle.loads(pickle.dumps(game)) == copy.deepcopy(game) == game
    assert hash(again) == hash(game)


def loosely(text, rng):
    """A canonical record as a careless person may type it."""
    lines = []
    for line in text.splitlines():
        if line.startswith("["):
            name, value = line[1:].split(" ", 1)
            name = name.lower() if name in (*GAME_TAGS, *ROUND_TAGS) else name
            lines.append(f" [ {name}   {value}")
        elif "{" in line or ";" in line:
            lines.append(line)
        else:
            words = line.split()
            if rng.random() < 0.5:
                words = [word for word in words if not word.endswith(".")]
            words = [word.upper() if ":" not in word else word for word in words]
            joined = (rng.choice(("  ", "\n", " \t")).join(words)).replace("X", " x ")
            lines.append(joined.replace("T", "10"))
    return "\n".join(lines)


@given(games(), st.integers(0, 10**6))
@examples(1)
def test_what_is_typed_carelessly_means_the_same(game, seed):
    typed = loosely(str(game), random.Random(seed))
    assert Game.parse(typed) == game


@given(st.lists(games(), min_size=1, max_size=3))
@examples(0.5)
def test_games_of_a_file_one_after_the_other(given_games):
    text = "\n".join(map(str, given_games))
    assert list(cc.read_games(StringIO(text))) == given_games
    data = text.encode("utf-8", "surrogatepass")
    if data.decode("utf-8", "replace") == text:
        assert list(cc.read_games(BytesIO(data))) == given_games


TYPED = """
# an evening at home
[Event "Friday"] [a "Anna"] [b "Ben"]   ; and [Seed]
[SEED 17]
{ We begin
  late. }
7d x 7c ! {+1.25} { takes a seven } 9H
3. 6h ?? ; too early
"""


def test_a_record_of_an_onlooker():
    game = Game.parse("[Table 2s5h8dKc] 7cx2s5h KdxKc")
    assert '[Table "2s5h8dKc"]\n\n1. 7cx2s5h 2. KdxKc\n' in str(game)
    assert Game.parse(str(game)) == game
    assert [str(hand) for hand in game.round_at().position.hands] == ["???", "???"]


def test_a_typed_record():
    game = Game.parse(TYPED)
    assert game.players == {"a": "Anna", "b": "Ben"}
    (one,) = game.rounds
    assert one.seed == 17
    assert one.note(0).comments == ("an evening at home", "and [Seed]", "We begin late.")
    assert one.note(1) == Note("!", 1.25, ("takes a seven",))
    assert one.note(2) == Note()
    assert one.note(3) == Note("??", None, ("too early",))
    assert [str(move) for move in one.round.plays] == ["7dx7c", "9h", "6h"]


START = '[Seed "17"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty: the record of a game expected"),
        ("# nothing", "the text is empty: the record of a game expected"),
        (
            "7dx7c",
            "line 1, column 1: a tag Seed, Deck, Position or Table expected before",
        ),
        ('[Event "x"] *', "column 13: a tag Seed, Deck, Position or Table expected"),
        ('[Round "1"]', "line 1, column 1: a tag Seed, Deck, Position or Table expected"),
        ('[Seed "1"] 3h [Site "1"]', "column 15: a tag Seed, Deck, Position or Table"),
        ("[Seed x]", "line 1, column 1: Seed is a whole number, not 'x'"),
        ("[Seed 99999999999999999999]", "line 1, column 1: seed is a whole number from 0 to 2**64"),
        ("[Seed 17] [Deck 2s]", "column 11: a round starts from Seed or Deck, not from both"),
        ("[Deck 2s]", "line 1, column 1: deck"),
        ("[Seed 1] [seed 2]", "line 1, column 10: the tag Seed is there twice"),
        ("[Site a] [SITE b] [Seed 2]", "line 1, column 10: the tag SITE is there twice"),
        ("[Table 2s5h]", "line 1, column 1: stock: 42 cards are left"),
        ("[Table 2s5h8dKc] [Hand 3s]", "column 18: Hand is a seat of ab, a colon and cards"),
        ("[Hand a:3s] [Seed 1]", "line 1, column 1: a Hand goes with a Table"),
        ("[Rules x] [Seed 1]", "line 1, column 1: rules: there is no preset 'x'"),
        ("[Target x] [Seed 1]", "line 1, column 1: Target is a number of points or none, not 'x'"),
        ("[Rules hoyle,target=11] [Target 21] [Seed 1]", "Target is 11 by the rules, not 21"),
        ("[Target 0] [Seed 1]", "line 1, column 1: rules: target is a number from 1 to 1000000"),
        ("[Score 3] [Seed 1]", "line 1, column 1: Score is points/points, side by side, not '3'"),
        ("[Round 0] [Seed 1]", "line 1, column 1: Round is a number from 1 on, not '0'"),
        ('[Position "hands=x"]', "line 1, column 1: hands"),
        ("hands=x", "line 1, column 1: hands"),
        (
            "[Rules royal]\nhands=As/Ah out=- rules=draw",
            "column 1: the position is of draw",
        ),
        (f"{START}1. 7dx7c 3. 9h", "line 2, column 10: play 2 expected, found number 3"),
        (f"{START}1. 7dx8c", "line 2, column 4: play 1: 7dx8c is not legal"),
        (f"{START}7dx7c\n  nonsense", "line 3, column 3: play 2: move 'nonsense'"),
        (f"{START}7dx7c ] 9h", "column 7: a tag, a play or a comment expected, found ']'"),
        (f"{START}7dx7c!!! 9h", "column 6: a tag, a play or a comment expected, found '!!!'"),
        (f"{START}7dx7c {{open", "line 2, column 7: the comment is not closed by }"),
        (f"{START}7dx7c {{+1}} {{-1}}", "line 2, column 12: a value stands once after a play"),
        (f"{START}{{+1}} 7dx7c", "line 2, column 1: a value stands once after a play"),
        (f"{START}7dx7c owner:a", "line 2, column 7: 'owner:a' does not stand after a build"),
        (f"{START}7dx7c b:2c", "line 2, column 7: seat b"),
        (f"{START}7dx7c [Rules royal] [Seed 1]", "column 7: one game expected, another begins"),
        (f"{START}7dx7c [Seed 1] 3h [Winner a] [Winner b]", "column 30: the tag Winner"),
        ("x" * 200_000, "line 1, column 1: the line is too long"),
        (5, "a record is read from text, not from int"),
        (b"\xff\x00", "the text is not UTF-8"),
    ],
)
def test_faults_are_told_with_their_place(text, message):
    with pytest.raises(CasinoError) as caught:
        Game.parse(text)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_the_game_up_to_a_fault_is_kept_and_the_next_is_read():
    text = (
        '[Event "one"] [Seed 17] 1. 7dx7c! 2. 9h 3. 9h {never read\n'
        '[Event "two"] [Seed 17] 1. 7s ] 2. Kc\n'
        '[Event "three"] [Seed 17] 1. 7s 2. Kc\n'
        '[Event "four"] [Seed nothing]\n'
        '[Event "five"] *\n'
        "hands=As/Ah out=- As Ah\n"
        "hands=As/Ah out=-\nAs Ah\n"
    )
    found = list(cc.read_games(StringIO(text)))
    plays = [len(one.round.plays) for game in found for one in game.rounds]
    assert plays == [2, 1, 2, 2]
    assert [str(game.error).partition(":")[0] for game in found] == [
        "line 1, column 44",
        "line 2, column 31",
        "None",
        "line 4, column 16",
        "line 5, column 16",
        "line 6, column 1",
        "None",
    ]
    assert found[0].rounds[0].note(1).mark == "!"
    assert [game.tags.get("Event") for game in found[:5]] == [
        "one",
        "two",
        "three",
        "four",
        "five",
    ]


def test_a_file_is_read_as_it_is_needed(tmp_path):
    def lines():
        for number in range(3):
            yield f'[Event "{number}"] [Seed 17] 7s\n'
        raise AssertionError("read too far")

    class Slow(StringIO):
        def __init__(self):
            super().__init__()
            self.lines = lines()

        def readline(self, _=-1):
            return next(self.lines)

    games = cc.read_games(Slow())
    assert [next(games).tags["Event"] for _ in range(2)] == ["0", "1"]
    path = tmp_path / "games.txt"
    path.write_text('[Event "é"] [Seed 1] *', encoding="utf-16")
    assert [game.tags["Event"] for game in cc.read_games(path)] == ["é"]
    text = "".join(f'[Event "é{number}"]\r\n[Seed 1]\r\n3h' + "\r\n" for number in range(3))
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
        data = mark + text.replace("3h\r\n", "3h 3h\r\n", 1).encode(encoding)
        found = list(cc.read_games(BytesIO(data)))
        assert [game.tags["Event"] for game in found] == ["é0", "é1", "é2"]
        assert str(found[0].error).startswith("line 3, column 4: play 2: 3h is not legal")
        assert [len(game.rounds[0].round.plays) for game in found] == [1, 1, 1]
    wrong = b'[Event "one"] [Seed 1] 3h {\xff}\n[Event "two"] [Seed 1] 3h {\xc3\xa9}\n'
    first, second = cc.read_games(BytesIO(wrong))
    assert str(first.error) == "line 1, column 28: the line is not UTF-8"
    assert second.rounds[0].note(1).comments == ("é",)
    with pytest.raises(CasinoError, match=r"cannot read .*: No such file"):
        next(cc.read_games(tmp_path / "none"))


def test_results_are_made_from_the_plays():
    played = random_plays(Position.start(seed=4), random.Random(1))
    game = Game([played])
    result = "/".join(map(str, played.score()))
    assert f'[Result "{result}"]' in str(game)
    assert Game([played], tags={"Result": result}) == game
    with pytest.raises(CasinoError, match=f"Result is {result} by the plays, not 99/0"):
        Game([played], tags={"Result": "99/0"})
    text = str(game).replace(f'[Result "{result}"]', '[Result "99/0"]')
    with pytest.raises(CasinoError, match=r"line 3, column 1: Result is .* by the plays"):
        Game.parse(text)
    at_the_end = str(game).replace(f'[Result "{result}"]\n', "") + f'[Result "{result}"]'
    assert Game.parse(at_the_end) == game
    open_end = Game([played.undo()], tags={"Result": "3/1"})
    assert Game.parse(str(open_end)) == open_end
    assert open_end.tags == {"Result": "3/1"}


def test_a_position_line_and_plays_are_a_record_too():
    played = random_plays(Position.start("royal", seed=4), random.Random(1), 20)
    for one in (played, played.seen_by("b")):
        game = Game.parse(str(one))
        assert game.rounds[0].round == one
        assert game.rules == one.start.rules


def test_the_round_at_a_play():
    first = random_plays(Position.start(seed=4), random.Random(1))
    match = cc.Match().play_round(first)
    second = random_plays(match.next_start(seed=5), random.Random(2), 7)
    game = Game([first, second])
    assert game.round_at() == second
    assert game.round_at("2.8") == second
    assert game.round_at("2.1").plays == ()
    assert game.round_at(" 1.49") == first
    assert game.round_at("1.3").plays == first.plays[:2]
    assert Game([first]).round_at(3) == game.round_at("1.3")
    for at, why in [
        ("2.9", "at: plays are 1 to 8 (the end), not 9"),
        ("2.0", "not 0"),
        ("3.1", "at: the record has no round 3"),
        (4, "at: the record has 2 rounds, so a round, a dot and a play are needed, as in 2.4"),
        ("x", "at is the number of a play, as 12, or 2.12 in round 2, not 'x'"),
        (True, "at is the number"),
        ("1.2.3", "at is the number"),
    ]:
        with pytest.raises(CasinoError) as caught:
            game.round_at(at)
        assert why in str(caught.value)


def test_rounds_that_do_not_go_on():
    first = random_plays(Position.start(seed=4), random.Random(1))
    for second, why in [
        (Round(Position.start(seed=1)), "round 2 starts at a score of 0/0, not of"),
        (Round(Position.start("royal", seed=1)), "round 2 is of royal, the game of standard"),
        (RecordedRound(first), "round 1 comes after round 1"),
        (5, "a round is a Round, not 5"),
    ]:
        with pytest.raises(CasinoError, match=why):
            Game([first, second])
    with pytest.raises(CasinoError, match="rounds is a list of rounds, not 5"):
        Game(5)
    late = Game([RecordedRound(Round(Position.start(seed=1, score=(3, 8))), number=2)])
    assert '[Score "8/3"]' in str(late)
    assert Game.parse(str(late)) == late
    with pytest.raises(CasinoError, match="round 1 is not finished"):
        late.match  # noqa: B018


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Note("x"), "a mark is one of ! "),
        (lambda: Note(value=float("nan")), "value is a number from"),
        (lambda: Note(value="1"), "value is a number, not '1'"),
        (lambda: Note(comments="x"), "comments are a list of texts, not 'x'"),
        (lambda: Note(comments=["+1.5"]), "the comment '\\+1.5' is a value"),
        (lambda: Note(comments=[" "]), "a comment is empty"),
        (lambda: Note(comments=["\ud800"]), "has half a character"),
        (lambda: Note(comments=[1]), "a comment is a text, not 1"),
        (lambda: RecordedRound(Round(Position.start(seed=1)), seed=2), "seed 2 does not deal"),
        (lambda: RecordedRound(5), "round is a Round, not 5"),
        (
            lambda: RecordedRound(Round(Position.start(seed=1)), notes={1: Note("!")}),
            "the number of a play with a note is a whole number from 0 to 0, not 1",
        ),
        (
            lambda: RecordedRound(Round(Position.start(seed=1)), notes={0: Note("!")}),
            "before the first play there are comments only",
        ),
        (
            lambda: RecordedRound(Round(Position.start(seed=1)), tags={"rules": "x"}),
            "the tag Rules is not one of those that a round keeps",
        ),
        (lambda: Game(tags={"Seed": "x"}), "the tag Seed is made from the rounds and the rules"),
        (lambda: Game(tags={"Seed!": "x"}), "the name of a tag is letters and digits, not 'Seed!'"),
        (lambda: Game(tags={"Site": 5}), "a tag is a name and a text, not 'Site' and 5"),
        (lambda: Game(tags={"Site": "a", "site": "b"}), "a tag is there twice"),
        (lambda: Game(tags=5), "tags are a dictionary of texts, not 5"),
    ],
)
def test_notes_and_games_that_cannot_be(make, why):
    with pytest.raises(CasinoError, match=why):
        make()


def test_matches_as_text():
    rng = random.Random(5)
    for rules in ("standard", "spade", "royal,players=3", "hoyle,players=4,partners=yes"):
        for target in (11, "none", None):
            match = cc.Match(rules, target=target)
            assert cc.Match.parse(str(match)) == match
            for seed in range(2):
                if not match.is_over:
                    match = match.play_round(random_plays(match.next_start(seed), rng))
            assert cc.Match.parse(str(match)) == match
            assert Game.parse(str(match)).match == match
            assert f'[Result "{"/".join(map(str, match.score))}"]' in str(match)
            totals = [0] * match.rules.sides
            for steps in match.steps:
                for step in steps:
                    if step.side is not None:
                        totals[step.side] += step.points
            assert tuple(totals) == match.score
    with pytest.raises(CasinoError, match="round 1 is not finished"):
        cc.Match.parse('[Seed "1"] 3h')


@given(games())
@examples(1)
def test_a_game_as_json(game):
    fields = json.loads(json.dumps(game.to_json()))
    assert Game.from_json(fields) == game
    assert [len(one["plays"]) for one in fields["rounds"]] == [
        len(one.round.plays) for one in game.rounds
    ]


def test_what_json_holds():
    rng = random.Random(3)
    match = cc.Match(target=11)
    while not match.is_over:
        match = match.play_round(random_plays(match.next_start(len(match.rounds)), rng))
    first, *_, last = match.rounds
    notes = {2: Note("?!", -0.5, ("hm",))}
    rounds = [RecordedRound(first, notes=notes), *match.rounds[1:]]
    fields = Game(rounds, tags={"A": "Anna", "Event": "x"}).to_json()
    assert fields["players"] == {"a": "Anna"}
    assert fields["tags"] == {"Event": "x"}
    assert (fields["rules"], fields["target"]) == ("standard", 11)
    assert fields["result"] == dict(zip("ab", match.score, strict=True))
    assert fields["winner"] == "ab"[match.winner]
    assert fields["leader"] is None
    assert Game([first]).to_json()["leader"] == "b"
    assert Game([first.undo()]).to_json()["leader"] is None
    one, *_, two = fields["rounds"]
    assert one["plays"][1] == {
        "play": 2,
        "seat": "b",
        "move": str(first.plays[1]),
        "mark": "?!",
        "value": -0.5,
        "comments": ["hm"],
    }
    assert one["points"] == dict(zip("ab", first.score(), strict=True))
    assert sum(step["points"] for step in one["steps"]) == sum(first.score())
    assert two["seating"] == "ba" if len(match.rounds) % 2 == 0 else "ab"
    assert two["position"] == str(last.position)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (5, "a game is a JSON object, not 5"),
        ({}, "the game has no field 'rounds'"),
        ({"rounds": 5}, "rounds is a list, not 5"),
        ({"rounds": [], "players": []}, "players is a JSON object, not"),
        ({"rounds": [5]}, "round 1: a round is a JSON object, not 5"),
        ({"rounds": [{"start": "x", "plays": []}]}, "round 1: "),
        ({"rounds": [{"start": START, "plays": [{"move": "x"}]}]}, "round 1: "),
        ({"rounds": [{"start": "hands=As/Ah out=-", "plays": [{"move": "9h"}]}]}, "play 1: 9h is"),
        ({"rounds": [{"start": "hands=As/Ah out=-", "plays": [{}]}]}, "play 1 has no move"),
        ({"rounds": [], "target": "x"}, "target"),
        ({"rounds": [], "tags": {"a": 5}}, "a tag is a name and a text, not 'a' and 5"),
    ],
)
def test_json_that_is_no_game(fields, why):
    with pytest.raises(CasinoError) as caught:
        Game.from_json(fields)
    assert why in str(caught.value)


PIECES = st.sampled_from(
    [
        *'[]{}!?;#*x+=.: \n"\\',
        *("[Seed 17]", "[Seed ", "[Round", "[Score", '[A "', "7dx7c", "9h", "1.", "a:", "owner:"),
        *("hands=", "[7a]", "{+1}", "Table", "[Position", "9999999999.", "\u0661."),
    ]
)


@given(st.lists(PIECES | st.characters(), max_size=30).map("".join))
@examples(4)
def test_any_text_is_read_or_refused_in_one_line(text):
    with suppress(CasinoError):
        Game.parse(text)
    for game in cc.read_games(StringIO(text)):
        assert Game.parse(str(game)) == game
        assert len(str(game.error).splitlines()) == 1


@given(games(), st.data())
@examples(1)
def test_damaged_records_are_read_or_refused_in_one_line(game, data):
    text = str(game)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        text = text[:place] + data.draw(PIECES) + text[place + cut :]
    for one in cc.read_games(StringIO(text)):
        assert Game.parse(str(one)) == one


@pytest.mark.parametrize("piece", ["[a ", "[a\\", "a[1", "a = ", "x ", "{", '[a "', "1 ", "a!?"])
def test_long_lines_take_no_time(piece):
    text = piece * (90_000 // len(piece))
    begun = time.perf_counter()
    with pytest.raises(CasinoError):
        Game.parse("[Seed 17] " + text)
    assert time.perf_counter() - begun < 30


# ---------------------------------------------------------------- saved games of other programs

SAVED = Path(__file__).parents[1] / "data" / "saved_games"
READABLE = [
    path for path in sorted(SAVED.glob("game-*.txt")) if path.stem not in ("game-002", "game-039")
]


def saved_names(text):
    """The number of the round and the players, that in seat a first."""
    game = read_game(text).game
    (one,) = game.rounds
    seating = game.seating(one.number)
    return one.number, [game.players[player] for player in seating], one.round.start


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.stem)
def test_a_saved_game_through_a_record_and_back(path):
    text = path.read_bytes()
    try:
        cc.read(text)
    except CasinoError:
        pytest.fail("the list of those that can be read is wrong")
    record = str(read_game(text).game)
    assert saved_names(record) == saved_names(text)
    number, players, start = saved_names(text)
    if start.out or start.sweeps != (0, 0):
        return
    answer = CliRunner().invoke(main, ["convert", record, "--to", "saved"])
    if answer.exit_code:
        assert "a saved game cannot hold this position" in answer.stderr
        return
    assert saved_names(answer.stdout) == (number, players, start)
    assert f"Round: {number}" in answer.stdout


@given(st.integers(0, 10**6), st.integers(0, 48), st.sampled_from((PLAYERS, PLAYERS[::-1])))
@examples(2)
def test_either_player_may_lead_a_saved_game(seed, plays, players):
    played = random_plays(Position.start("ramapo", seed=seed), random.Random(seed), plays)
    try:
        text = to_saved_game(played.position, players=players, number=3)
    except CasinoError:
        return
    if not played.is_over:
        found = saved_names(text)
        assert found[:2] == (3, list(players))
        text = re.sub(" sweeps=[0-9/]+", "", str(played.position))
        assert found[2] == Position.parse(text)
    with pytest.raises(CasinoError, match="players are Human and Computer"):
        to_saved_game(played.position, players=("Anna", "Ben"))


def test_convert_a_record(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(TYPED)
    game = Game.parse(TYPED)

    def converted(*arguments):
        answer = CliRunner().invoke(main, ["convert", str(path), *arguments])
        assert answer.exit_code == 0, answer.output
        return answer.stdout

    assert converted("--to", "record") == str(game)
    assert Game.parse(converted("--to", "record", "--at", "2")) == game.up_to(2)
    assert converted("--to", "position") == converted() == f"{game.round_at().position}\n"
    assert json.loads(converted("--json")) == game.to_json()
    at_two = json.loads(converted("--json", "--at", "2"))
    assert at_two["position"] == str(game.round_at(2).position)
    path.write_text(json.dumps(game.to_json()))
    assert converted("--to", "record") == str(game)


def test_show_prints_the_score_of_a_finished_round():
    played = random_plays(Position.start("hoyle", seed=4, score=(20, 19)), random.Random(1))
    game = Game([played], tags={"A": "Anna", "B": "Ben"})
    answer = CliRunner().invoke(main, ["show", str(game)])
    assert answer.exit_code == 0, answer.output
    lines = answer.stdout.splitlines()
    assert lines[0] == "seat a Anna, seat b Ben, round 1, after 48 plays"
    answer = CliRunner().invoke(main, ["show", str(Game([whole_round(4)]))])
    assert answer.stdout.startswith("round 1, after 48 plays, player b leads the next round\n")
    rows = [line.rstrip().rsplit(maxsplit=2) for line in lines]
    rows = {
        row[0].strip(): tuple(map(int, row[1:]))
        for row in rows
        if row[-1:] != [""] and len(row) == 3 and row[1].isdigit() and row[2].isdigit()
    }
    assert rows["this round"] == played.score()
    assert rows["match"] == tuple(map(sum, zip((20, 19), played.score(), strict=True)))
    assert {"most cards", "most spades", "Td", "2s", "As", "Ac", "Ah", "Ad", "sweeps"} <= set(rows)
    assert "wins: the target is 21" in lines[-1]
