"""Agents: their texts, their plays, and that they do not see hidden cards."""

import json
import pickle
import sys
from itertools import pairwise

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.evaluation.players import greedy_move, greedy_rounds, greedy_scores, reply_scores
from casino_core.game.substitution import with_hidden_cards
from casino_core.play.agents import AGENTS, Agent, Turn, parse_agent
from casino_core.play.arena import play_arena, play_game
from casino_core.play.sampling import sample_positions
from casino_core.rules.ruleset import CompiledRules
from casino_core.rules.streams import Stream
from helpers.rounds import middle, play_out, shuffled
from helpers.side_by_side import SEATINGS

#: Every agent, as weak as it can be made.
QUICK = (
    "random",
    "greedy",
    "careful",
    "lookahead:samples=3",
    "pimc:samples=2",
    "open:samples=2",
    "hint:samples=2",
)
CHEAP = QUICK[:4]


def choice(agent, position, seed=1):
    """What an agent plays in a position."""
    return str(agent.choose(Turn(position, (), Stream(seed, "agent"))))


class Spy(Agent):
    """An agent that plays greedily and records its turns."""

    name = "spy"

    def __init__(self, sees_all=False):
        self.sees_all = sees_all
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        return greedy_move(turn.position)


# ---------------------------------------------------------------- texts


def test_every_agent_is_named_and_tried():
    assert [parse_agent(text).name for text in QUICK] == list(AGENTS)


@pytest.mark.parametrize("text", [*AGENTS, *QUICK, "hint:seconds=0.25,samples=7"])
def test_texts_are_read_and_written(text):
    agent = parse_agent(text)
    assert str(agent) == text
    assert parse_agent(f" {text} ") == agent
    assert pickle.loads(pickle.dumps(agent)) == agent


def test_a_default_is_not_written():
    assert str(parse_agent("pimc:samples=160")) == "pimc"
    assert str(parse_agent("hint: samples = 5 , seconds = 1")) == "hint:seconds=1,samples=5"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "'' is not an agent; the agents are random, greedy"),
        ("Greedy", "'Greedy' is not an agent"),
        ("greedy:", "greedy has no options"),
        ("greedy:samples=2", "greedy has no options"),
        ("pimc:", "'' is not one of the options of pimc: samples=number"),
        ("pimc:160", "'160' is not one of the options of pimc"),
        ("hint:sample=3", "options of hint: seconds=number, samples=number"),
        ("pimc:samples=3,samples=3", "samples is given twice"),
        ("pimc:samples=0", "samples is a whole number from 1 to 2**31 - 1, not '0'"),
        ("pimc:samples=1.5", "whole number"),
        ("pimc:samples=", "whole number"),
        ("hint:seconds=0", "seconds is a number of seconds more than 0 and at most 86400, not '0'"),
        ("hint:seconds=nan", "not 'nan'"),
        ("hint:seconds=inf", "not 'inf'"),
        ("no\nsuch", r"'no\\nsuch' is not an agent"),
    ],
)
def test_a_bad_text_is_refused_in_one_line(text, part):
    with pytest.raises(cc.CasinoError, match="agent") as caught:
        parse_agent(text)
    assert part.replace(r"\\", "\\") in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- what they see


@pytest.mark.parametrize("text", [text for text in QUICK if not text.startswith("open")])
@pytest.mark.parametrize("rules", ["standard", "spade-royal", "draw", "old-way,players=3"])
def test_hidden_cards_do_not_change_the_move(text, rules):
    """Of the full position itself, and so of every view of it."""
    agent = parse_agent(text)
    for seed in range(2):
        position = middle(rules, seed)
        first = choice(agent, position)
        assert choice(agent, position.view(position.turn)) == first
        for other in range(3):
            changed = shuffled(position, other)
            assert changed.view(position.turn) == position.view(position.turn)
            assert choice(agent, changed) == first


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("rules", ["hoyle", "royal-1911,players=4,partners=yes", "spade,players=4"])
def test_scores_do_not_depend_on_hidden_cards(rules, careful):
    for seed in range(20):
        position = middle(rules, seed)
        scores = greedy_scores(position, careful=careful)
        assert greedy_scores(position.view(position.turn), careful=careful) == scores
        assert greedy_scores(shuffled(position, seed), careful=careful) == scores


def test_open_sees_the_hands_but_not_the_order_of_the_stock():
    agent = parse_agent("open")
    position = cc.Position.start("standard", seed=3)
    assert len({choice(agent, shuffled(position, seed)) for seed in range(30)}) > 1
    position = middle("standard", 3)
    hands = [hand.cards.mask for hand in position.hands]
    piles = [pile.cards.mask for pile in position.piles]
    stock = [cc.CardSet(card).mask.bit_length() - 1 for card in position.stock]
    turned = with_hidden_cards(position, hands, piles, stock[::-1])
    assert turned != position
    assert choice(agent, turned) == choice(agent, position)


@pytest.mark.parametrize("rules", ["standard", "draw", "royal,players=3"])
def test_what_an_agent_is_shown(rules):
    rules = cc.Rules.parse(rules)
    spy, open_spy = Spy(), Spy(sees_all=True)
    play_game((spy, open_spy), rules, 5, 0, 1)
    assert {turn.position.turn for turn in spy.turns} == {"b"}
    for turn in spy.turns:
        position = turn.position
        assert not position.stock  # nothing left, or no order
        for seat, hand in zip(rules.seats, position.hands, strict=True):
            assert hand.hidden == 0 if seat == "b" else not hand.cards
        for earlier, move in turn.plays:
            assert earlier == earlier.view("b")
            assert move.card not in position.hands[1].cards
    for turn in open_spy.turns:
        assert not turn.position.stock
        assert not any(hand.hidden for hand in turn.position.hands)


def test_an_agent_is_told_the_plays_of_the_deal():
    spy = Spy()
    play_game((spy, spy), cc.Rules.parse("standard,players=3"), 5, 0, 0)
    assert [len(turn.plays) for turn in spy.turns] == [*range(12)] * 4
    draws = Spy()
    play_game((draws, draws), cc.Rules.parse("draw"), 5, 0, 0)
    assert [len(turn.plays) for turn in draws.turns] == [*range(48)]


def test_chance_differs_from_play_to_play_but_not_from_game_to_game():
    first, second = Spy(), Spy()
    for spy in (first, second):
        play_game((spy, spy), cc.Rules(), 5, 0, 0)
    drawn = [[turn.rng.random() for turn in spy.turns] for spy in (first, second)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 48
    other = Spy()
    play_game((other, other), cc.Rules(), 5, 1, 0)
    assert not {turn.rng.random() for turn in other.turns} & set(drawn[0])


# ---------------------------------------------------------------- what they play


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_every_table_is_played_to_the_end(preset, seating):
    rules = cc.Rules.parse(preset + seating)
    agents = [parse_agent(text) for text in CHEAP]
    for first, second in pairwise(agents):
        game = play_game((first, second), rules, 2, 0, 0)
        assert sum(game.plays) == 48
        assert len(game.points) == rules.sides


@pytest.mark.parametrize("text", QUICK[4:])
@pytest.mark.parametrize("rules", ["royal", "draw", "pagat,players=4,partners=yes"])
def test_the_dear_agents_play_a_whole_round(text, rules):
    game = play_game((parse_agent(text), parse_agent("careful")), cc.Rules.parse(rules), 1, 0, 0)
    assert sum(game.plays) == 48


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_the_greedy_beat_chance(preset, seating):
    """By a point a round and more on every side, the careful player by more still."""
    rules = cc.Rules.parse(preset + seating)
    compiled, rounds = CompiledRules(rules), 300
    leads = {}
    for careful in (False, True):
        total = 0.0
        for side in range(rules.sides):
            seats = rules.seats[side :: rules.sides]
            points = greedy_rounds(compiled, rounds, 3, greedy_seats=seats, careful=careful)[
                "points"
            ]
            total += points[side] - (sum(points) - points[side]) / (rules.sides - 1)
        leads[careful] = total / (rounds * rules.sides)
    assert leads[False] > 1
    assert leads[True] > leads[False]


def test_rounds_of_the_core_are_those_of_positions():
    """The two ways to let the greedy play come through the same round."""
    for preset in cc.PRESETS:
        for careful in (False, True):
            over = play_out(
                cc.Position.start(preset, seed=4),
                lambda at: greedy_move(at.view(at.turn), careful=careful),  # noqa: B023
            )
            counted = greedy_rounds(CompiledRules(cc.Rules.parse(preset)), 1, 4, careful=careful)
            assert tuple(counted["points"]) == over.score()
            assert counted["plays"] == 48


def test_the_best_score_is_what_is_played():
    for seed in range(20):
        position = middle("royal", seed)
        for careful in (False, True):
            scores = greedy_scores(position, careful=careful)
            moves = position.legal_moves()
            assert len(scores) == len(moves)
            best = moves.index(greedy_move(position, careful=careful))
            assert scores[best] == max(scores)


@pytest.mark.parametrize(
    ("line", "greedy", "careful"),
    [
        # the ten of diamonds before three other cards
        ("table=TdQh4hKc hands=Th8c9sJd/????", "ThxTd", "ThxTd"),
        # nothing to take: low, but no ace, no two of spades, no spade
        ("table=KsQhJd7c hands=As2s5s3d/????", "3d", None),
        # a sweep counts where the rules say so
        ("rules=hoyle table=5h4d hands=9c5cJsQd/???? piles=3h3s/-", "9cx4d5h", "9cx4d5h"),
        # the last six and all eights are gone, so that the build is safe; the greedy never build
        (
            "table=2dKsQhJd hands=6d8d/3c9h "
            "piles=AsAhAdAc2s2h2c3s3h3d4s4h4d4c5s5h5d5c6s6h6c7s7h7d7c/8s8h8c9s9d9cTsThTdTc"
            "JsJhJcQsQdQcKhKdKc",
            "6d",
            "6d+2d=8",
        ),
    ],
)
def test_what_the_card_books_advise(line, greedy, careful):
    position = cc.Position.parse(line)
    assert greedy_move(position) == position.move(greedy)
    if careful is not None:
        assert greedy_move(position, careful=True) == position.move(careful)


def test_replies_count_against_a_move():
    """A card that lets the next seat sweep should not be trailed."""
    position = cc.Position.parse(
        "table=- hands=3h9c/3dKs piles=AsAhAdAc2s2h2d2c3s3c4s4h4d4c5s5h5d5c6s6h6d6c7s7h7d7c/"
        "8s8h8d8c9s9h9dTsThTdTcJsJhJdJcQsQhQdQcKhKdKc"
    )
    scores = dict(zip(map(str, position.legal_moves()), reply_scores(position), strict=True))
    assert scores["9c"] > scores["3h"]


def test_questions_without_an_answer():
    position = cc.Position.start(seed=1)
    for ask in (greedy_move, greedy_scores, reply_scores):
        with pytest.raises(cc.HiddenCardError):
            ask(position.view("b"))
    position = play_out(position, greedy_move).position
    with pytest.raises(cc.CasinoError, match="finished"):
        greedy_move(position)
    assert greedy_scores(position) == reply_scores(position) == []
    with pytest.raises(cc.CasinoError, match="'x' is not a seat"):
        greedy_rounds(CompiledRules(cc.Rules()), 1, 1, greedy_seats="ax")


def test_the_method_of_a_hint_is_an_option():
    agent = parse_agent("hint:samples=5,method=response,history=0")
    assert str(agent) == "hint:samples=5,method=response,history=0"
    assert parse_agent(str(agent)) == agent
    with pytest.raises(cc.CasinoError, match=r"method is one of auto, blend, .*, not 'best'"):
        parse_agent("hint:method=best")
    assert play_arena(agent, "random", rounds=2).rounds == 2


# ---------------------------------------------------------------- agents of one's own

OWN = """
from casino_core.play.agents import Agent

class Last(Agent):
    def choose(self, turn):
        return turn.position.legal_moves()[-1]

class NoAgent:
    pass

class WithOptions(Last):
    def __init__(self, depth):
        self.depth = depth

def last(turn):
    return turn.position.legal_moves()[-1]

def as_text(turn):
    return str(last(turn))

ready = Last()
number = 7
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Modules in the working directory, which is not on the path."""
    (tmp_path / "own_agents.py").write_text(OWN)
    (tmp_path / "own_broken.py").write_text("1 / 0")
    (tmp_path / "own_needy.py").write_text("import no_such_module")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [part for part in sys.path if part])
    yield
    for name in ("own_agents", "own_broken", "own_needy"):
        sys.modules.pop(name, None)


def last_move(turn):
    """The last legal move by text."""
    return turn.position.legal_moves()[-1]


def test_a_function_plays_as_an_agent_does():
    found = play_arena(last_move, "greedy", rounds=6, seed=2)
    assert found.agents == (f"{__name__}:last_move", "greedy")
    by_two = play_arena(last_move, "greedy", rounds=6, seed=2, workers=2)
    by_text = play_arena(lambda turn: str(last_move(turn)), "greedy", rounds=6, seed=2)
    for other in (by_two, by_text):
        assert [game.points for game in other.games] == [game.points for game in found.games]
    assert len(list(sample_positions(1, agent=last_move))) == 48


def command(*arguments):
    return CliRunner().invoke(main, [str(part) for part in arguments])


def test_the_command_line_takes_agents_of_ones_own(own):
    points = set()
    for name in ("Last", "last", "as_text", "ready"):
        answer = command("arena", f"own_agents:{name}", "greedy", "--rounds", 4, "--json")
        assert answer.exit_code == 0, answer.output
        points.add(json.loads(answer.stdout)["points"])
    assert len(points) == 1
    answer = command("arena", "own_agents:Last", "greedy", "--rounds", 4, "--workers", 2, "--json")
    assert json.loads(answer.stdout)["points"] in points
    assert json.loads(answer.stdout)["first"] == "own_agents:Last"
    answer = command("sample", "--rounds", 1, "--agent", "own_agents:last")
    assert len(answer.stdout.splitlines()) == 48


def test_a_function_has_the_name_it_was_given():
    """`os` takes its functions from a module of another name."""
    answer = command("arena", "os:getcwd", "greedy", "--rounds", 2)
    assert "agent os:getcwd, seat a: TypeError" in answer.stderr
    assert str(parse_agent("os.path:join")) == "os.path:join"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("own_agents:nobody", "own_agents has no 'nobody'"),
        ("own_agents:number", "'7' is neither an Agent nor a function nor a text"),
        ("own_agents:NoAgent", "the class own_agents:NoAgent is not made from Agent"),
        ("own_agents:WithOptions", "missing 1 required positional argument: 'depth'"),
        ("no_module:Last", "'no_module' is neither an agent nor a module; the agents are random"),
        ("own_agents.sub:Last", "neither an agent nor a module"),
        ("own_broken:Last", "own_broken fails as it is imported (ZeroDivisionError: division"),
        ("own_needy:Last", "own_needy needs no_such_module"),
        ("own_agents:", "'own_agents' is not an agent"),
        ("own_agents", "'own_agents' is not an agent"),
    ],
)
def test_what_is_no_agent_is_refused_in_one_line(own, text, message):
    for arguments in (("arena", text, "greedy"), ("sample", "--rounds", 1, "--agent", text)):
        answer = command(*arguments)
        assert answer.exit_code == 2, answer.output
        assert message in answer.stderr
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("bad", [None, 7, b"greedy", object])
def test_what_is_no_agent_is_refused_in_python(bad):
    with pytest.raises(cc.CasinoError, match="agent"):
        play_arena(bad, "greedy", rounds=2)


def test_a_function_that_returns_no_move_is_refused():
    for answer in (None, "zz", 7):
        with pytest.raises(cc.CasinoError):
            play_arena(lambda turn, answer=answer: answer, "greedy", rounds=2)
