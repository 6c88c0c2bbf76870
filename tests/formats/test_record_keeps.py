"""Records lose nothing silently: tags of the end, JSON and back, what stands after the end."""

import json
from io import BytesIO, StringIO

import pytest
from click.testing import CliRunner
from hypothesis import given

import casino_core as cc
from casino_core import CasinoError, Game, Position
from casino_core.cli import main
from casino_core.formats.reading import read_game
from helpers.records import games
from helpers.rounds import last, play_out
from helpers.side_by_side import examples

OPEN = '[A "Anna"] [Seed 17] 7dx7c! {+1.25} {takes} 9h [Result 3/4] [Winner a]'


def finished_match():
    """A match to 11 in two rounds."""
    match = cc.Match(target=11)
    while not match.is_over:
        match = match.play_round(play_out(match.next_start(seed=len(match.rounds)), last))
    return match


def test_result_of_a_round_that_was_not_finished_is_kept():
    game = Game.parse(OPEN)
    assert game.tags == {"PlayerA": "Anna", "Result": "3/4", "Winner": "a"}
    assert Game.parse(str(game)) == game
    assert Game.from_json(json.loads(json.dumps(game.to_json()))) == game
    assert game.up_to() == game.up_to(3) == game
    assert str(Game.parse(str(game.up_to()))) == str(game)
    assert game.up_to(2).tags == {"PlayerA": "Anna"}
    (broken,) = cc.read_games(StringIO(OPEN + "\n[Round 2] [Seed 1] 99"))
    assert broken.error is not None
    assert broken.tags["Result"] == "3/4"


@given(games())
@examples(1)
def test_json_and_back_is_the_same_game(game):
    fields = json.loads(json.dumps(game.to_json()))
    again = Game.from_json(fields)
    assert again == game
    assert again.to_json() == fields
    assert read_game(json.dumps(fields)).game == game


def test_json_keeps_the_error_of_a_record():
    (broken,) = cc.read_games(StringIO("[Seed 17] 7dx7c 9d"))
    again = Game.from_json(broken.to_json())
    assert str(again.error) == str(broken.error)
    (warning,) = read_game(json.dumps(broken.to_json())).warnings
    assert warning.startswith("the record ends at an error: line 1, column 17: play 2: 9d")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("result",), {"a": 3, "b": 4}, 'result is null by the plays, not {"a": 3, "b": 4}'),
        (("winner",), "b", 'winner is null by the plays, not "b"'),
        (("leader",), "b", 'leader is null by the plays, not "b"'),
        (("site",), "x", "there is no field 'site'"),
        (("target",), "x", "target"),
        (("error",), 5, "error is a text, not 5"),
        (("rounds", 0, "seating"), "ba", 'round 1: seating is "ab" by the plays, not "ba"'),
        (("rounds", 0, "score"), {"a": 1, "b": 0}, "round 1: score is"),
        (("rounds", 0, "position"), "x", "round 1: position is"),
        (("rounds", 0, "points"), {}, "round 1: points is null by the plays"),
        (("rounds", 0, "note"), "x", "round 1: there is no field 'note'"),
        (("rounds", 0, "plays", 1, "seat"), "a", 'round 1: play 2: seat is "b" by the plays'),
        (("rounds", 0, "plays", 1, "play"), 3, "round 1: play 2: play is 2 by the plays, not 3"),
        (("rounds", 0, "plays", 1, "mrak"), "!", "round 1: play 2: there is no field 'mrak'"),
    ],
)
def test_json_that_contradicts_its_plays_is_refused(path, value, message):
    fields = Game.parse('[A "Anna"] [Seed 17] 7dx7c 9h').to_json()
    place = fields
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(CasinoError) as caught:
        Game.from_json(fields)
    assert message in str(caught.value)


def test_short_json_is_enough():
    start = "table=2s5h8dKc hands=As7c9hTd/????"
    game = Game.from_json({"rounds": [{"start": start, "plays": [{"move": "7cx2s5h"}]}]})
    assert game.rounds[0].round == cc.Round.parse(f"{start}\n7cx2s5h")
    rounds = [{"start": str(Position.start(seed=seed)), "plays": []} for seed in (1, 2)]
    assert [one.number for one in Game.from_json({"rounds": rounds}).rounds] == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Seed 17] 7dx7c * 9h", "column 19: a tag or the end expected after *, found '9h'"),
        ("[Seed 17] 7dx7c * 2. 9h", "column 19: a tag or the end expected after *, found '2'"),
        ("[Seed 17] 7dx7c * *", "column 19: a tag or the end expected after *, found '*'"),
        ("[Seed 17] * 7dx7c", "column 13: a tag or the end expected after *, found '7dx7c'"),
        ('[A "x"]\n{lost}', "line 2, column 1: a comment belongs to a round, and the record"),
    ],
)
def test_what_cannot_stand_there_is_refused(text, message):
    with pytest.raises(CasinoError) as caught:
        Game.parse(text)
    assert message in str(caught.value)


def test_tags_and_comments_may_follow_the_end():
    game = Game.parse("[Seed 17] 7dx7c * {rain} [Result 3/0]\n[Round 2] [Seed 18] *")
    assert game.rounds[0].note(1).comments == ("rain",)
    assert [one.number for one in game.rounds] == [1, 2]
    assert game.tags == {"Result": "3/0"}


def test_no_round_after_the_match_is_over():
    match = finished_match()
    text = str(match)
    more = text + f"\n[Round {len(match.rounds) + 1}]\n[Seed 5]\n*"
    line = text.count("\n") + 2
    why = f"the match is over after round {len(match.rounds)}"
    with pytest.raises(CasinoError, match=f"line {line}, column 1: {why}: no round expected"):
        Game.parse(more)
    (kept,) = cc.read_games(StringIO(more))
    assert kept.rounds == Game.of(match).rounds
    with pytest.raises(CasinoError, match=why):
        Game([*match.rounds, cc.Round(Position.start(match.rules, seed=1))])
    endless = more.replace('[Target "11"]', '[Target "none"]').replace('[Winner "a"]\n', "")
    endless = endless.replace('[Rules "standard"]', '[Rules "standard,target=11"]')
    assert len(Game.parse(endless).rounds) == len(match.rounds) + 1


def test_a_review_needs_a_round():
    answer = CliRunner().invoke(main, ["review", '[A "Anna"]'])
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr == "casino-core: the record has no round\n"


def shown(text, *options):
    answer = CliRunner().invoke(main, ["show", text, *options])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_players_of_a_match_are_named_alike():
    text = str(finished_match())
    game = Game.parse(text)
    assert game.winner == "a"
    assert game.side_name(1, 2) == "player a (side b of round 2)"
    assert shown(text).startswith("seat a player b, seat b player a, round 2, after 48 plays\n")
    assert shown(text).rstrip().endswith("player a (side b of round 2) wins: the target is 11")
    named = '[A "Anna"] [B "Ben"]\n' + text
    assert shown(named).startswith("seat a Ben, seat b Anna, round 2, after 48 plays\n")
    assert shown(named).rstrip().endswith("Anna wins: the target is 11")
    assert "Ben leads the next round" in shown(named, "--at", "1.49")
    assert "wins" not in shown(named, "--at", "1.49")
    fields = json.loads(shown(named, "--json"))
    assert (fields["counted"]["winner"], fields["game"]["winner"]) == ("b", "a")
    assert fields["game"]["seating"] == "ba"
    twice = Game.parse('[A "Anna"] [B "Anna"]')
    assert (twice.seat_name("a", 1), twice.seats_text(2)) == (
        "seat a",
        "seat a player b, seat b player a",
    )


def test_a_match_without_target_has_no_winner():
    text = str(finished_match()).replace('[Target "11"]', '[Target "none"]')
    assert "wins" not in shown(text.replace('[Winner "a"]\n', ""))


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("[Target 11] [Score 12/3] [Seed 17] *", True),
        ("[Target 11] [Score 10/3] [Seed 17] *", False),
        ("[Target 11] [Score 12/12] [Seed 17] *", False),
        ("[Rules standard,tie=draw] [Target 11] [Score 12/12] [Seed 17] *", True),
        ("[Target none] [Score 40/3] [Seed 17] *", False),
    ],
)
def test_a_round_that_starts_after_the_match_is_over_gives_a_warning(text, warned):
    found = read_game(text).warnings
    assert len(found) == warned
    assert all("the match to 11 is over" in warning for warning in found)


LINE = "table=2s5h8dKc hands=As7c9hTd/????"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(encoding):
    with pytest.raises(CasinoError, match="null characters: is this UTF-16 without"):
        cc.read(LINE.encode(encoding))
    (game,) = cc.read_games(BytesIO("[Seed 17] *".encode(encoding)))
    assert "null characters: is this UTF-16 without" in str(game.error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps({"position": LINE}), f"JSON with a position is for batch; here write '{LINE}'"),
        ("{}", "the JSON is not that of a game, which has rounds"),
        ('{"a": 5}', "the JSON is not that of a game, which has rounds"),
        ('{"rounds": [}', "the text is not JSON: Expecting value: line 1 column 13"),
        ('{"rounds":' + "[" * 100_000, "the JSON is nested too deeply for a game"),
        ('{"rounds": "' + "x" * 1_000_000 + '"}', "the text is too long for one game"),
    ],
)
def test_json_that_is_no_game_is_named(text, message):
    with pytest.raises(CasinoError) as caught:
        cc.read(text)
    assert message in str(caught.value)


def test_a_comment_in_braces_is_not_json():
    assert read_game('{"Well" she said: late} [Seed 17] 7dx7c').game.rounds[0].seed == 17
