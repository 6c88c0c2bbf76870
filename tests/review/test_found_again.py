"""Every number of a review is found again by `solve`, `hint`, `match_equity` and the scores."""

import json
from pathlib import Path
from statistics import fmean

import pytest

import casino_core as cc
from casino_core.play.agents import parse_agent
from casino_core.play.luck import OpenValues
from casino_core.play.table import play_round
from casino_core.review.grades import accuracy, counted, grade_of
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from helpers.commands import run
from helpers.rounds import at_random, last, play_out

SAVED = Path(__file__).resolve().parents[1] / "data" / "saved_games"
SAMPLES = 4
KEYS = ("inaccuracies", "mistakes", "blunders")


def of_agents(start, *names):
    """A round of agents from a start."""
    agents = [parse_agent(name) for name in names]
    for play in play_round(start, agents, lambda n: Stream(7, Purpose.AGENT, n)):
        played = play.round
    return played


def of_a_match():
    """Two rounds of two agents in a match to 21, with names."""
    match = cc.Match()
    for seed in range(2):
        start = match.next_start(seed=seed)
        match = match.play_round(of_agents(start, "careful", "greedy"))
    return cc.Game.of(match, tags={"PlayerA": "Anna", "PlayerB": "Ben"})


def of_saved_game(name, choice):
    """A saved game of another program, played on to its end."""
    found = cc.read((SAVED / name).read_bytes())
    return cc.Game([play_out(found.position, choice)], tags={"Event": name})


GAMES = {
    "match": of_a_match,
    "three": lambda: cc.Game([play_out(cc.Position.start("standard,players=3", seed=3), last)]),
    "draw": lambda: cc.Game([of_agents(cc.Position.start("draw", seed=3), "careful", "greedy")]),
    "seen": lambda: cc.Game([play_out(cc.Position.start(seed=5), last).seen_by("b")]),
    "saved 3": lambda: of_saved_game("game-003.txt", at_random(1)),
    "saved 20": lambda: of_saved_game("game-020.txt", last),
}


@pytest.fixture(scope="module", params=GAMES)
def reviewed(request, tmp_path_factory):
    """A game through its record and `casino-core review`: the game, and the JSON and the text."""
    path = tmp_path_factory.mktemp("reviewed") / "game.txt"
    path.write_text(str(GAMES[request.param]()))
    (game,) = cc.read_games(path)
    options = ("--samples", SAMPLES)
    fields = json.loads(run("review", path, *options, "--json").stdout)
    return game, fields, run("review", path, *options).stdout


def rounds_of(game, fields):
    found = fields.get("rounds", [fields])
    assert len(found) == len(game.rounds)
    return list(zip(game.rounds, found, strict=True))


def test_plays_are_those_of_the_record(reviewed):
    game, fields, _ = reviewed
    for one, found in rounds_of(game, fields):
        assert found["number"] == one.number
        assert found["seating"] == game.seating(one.number)
        assert found["players"] == game.players
        assert cc.Position.parse(found["position"]) == one.round.start
        plays = zip(one.round.plays, one.round.positions, strict=False)
        for item, (move, before) in zip(found["plays"], plays, strict=True):
            assert (item["turn"], item["move"]) == (before.turn, str(move))
            assert item["seen"] == str(before.view(before.turn))


def test_what_could_be_known_is_what_hint_says(reviewed):
    game, fields, _ = reviewed
    for one, found in rounds_of(game, fields):
        for item in found["plays"]:
            before, known = one.first(item["number"] - 1).round, item["known"]
            if known is None:
                assert item["known_reason"] == "hidden"
                assert before.position.hand.hidden
                continue
            answer = cc.hint(before, samples=SAMPLES, measure_all=True)
            values = {str(move.move): move.value for move in answer.moves}
            errors = {str(move.move): move.gap_stderr for move in answer.moves}
            top, own = max(values.values()), values[item["move"]]
            assert (known["value"], values[known["best"]]) == (top, top)
            assert known["cost"] == max(0.0, top - own)
            assert known["stderr"] == (errors[item["move"]] if known["cost"] else 0.0)
            assert known["at_random"] == pytest.approx(top - fmean(values.values()))
            assert (known["method"], known["samples"]) == (answer.method, answer.samples)
            assert known["counted"] == counted(known["cost"], known["stderr"])
            assert item["grade"] == grade_of(known["cost"], known["stderr"])
            if known["cost"]:
                assert known["best_reasons"] == list(answer.reasons) or known["best"] != str(
                    answer.best
                )
            for seat, cards in known["chances"].items():
                assert {card: answer.holds[seat][card] for card in cards} == cards


def test_hindsight_is_what_solve_says(reviewed):
    game, fields, _ = reviewed
    if game.rules.sides > 2:
        return  # max^n: the values of `analyse_play`, whose own tests solve them
    for one, found in rounds_of(game, fields):
        for item in found["plays"]:
            before = one.round.positions[item["number"] - 1]
            if item["before"] is None:
                assert item["reason"] in ("early", "hidden", "stock")
                continue
            answer = cc.solve(before)
            values = {str(move.move): move.value for move in answer.moves}
            assert item["before"] == answer.value
            if item["after"] is not None:
                assert item["after"] == values[item["move"]]
                assert item["cost"] == answer.value - values[item["move"]]
                assert values[item["best"]] == answer.value


def test_totals_are_sums_of_plays(reviewed):
    game, fields, _ = reviewed
    for _, found in rounds_of(game, fields):
        for total in (*found["seats"], *found["deals"]):
            own = [
                item
                for item in found["plays"]
                if item["turn"] == total["seat"] and total["deal"] in (None, item["deal"])
            ]
            known = [item["known"] for item in own if item["known"] is not None]
            costs = [item["cost"] for item in own if item["cost"] is not None]
            grades = [item["grade"] for item in own]
            assert total["plays"] == len(known)
            assert total["hindsight"] == (sum(costs) if costs else None)
            if not known:
                assert [total[key] for key in ("cost", *KEYS, "accuracy")] == [None] * 5
                continue
            assert total["cost"] == pytest.approx(sum(one["counted"] for one in known))
            counts = [grades.count(grade) for grade in ("inaccuracy", "mistake", "blunder")]
            assert [total[key] for key in KEYS] == counts
            share = accuracy((one["counted"], one["at_random"]) for one in known)
            assert total["accuracy"] == pytest.approx(share)


def test_luck_and_parts_add_up_to_the_score(reviewed):
    game, fields, _ = reviewed
    for one, found in rounds_of(game, fields):
        if found["luck_reason"] is not None:
            assert found["luck_reason"] == "hidden"
            assert found["parts"] is None
            continue
        points = one.round.score()
        names = list(found["parts_by_side"])
        values = OpenValues(game.rules)
        for deal in found["luck"]:
            assert deal["value"] == values.of(one.round.positions[deal["plays"]])[0]
            assert deal["luck"] == pytest.approx(deal["value"] - deal["mean"])
            assert deal["luck_by_side"][names[0]] == deal["luck"]
        for side, name in enumerate(names):
            parts = found["parts_by_side"][name]
            others = [value for place, value in enumerate(points) if place != side]
            assert parts["result"] == pytest.approx(points[side] - fmean(others))
            luck = sum(deal["luck_by_side"][name] for deal in found["luck"])
            assert parts["luck"] == pytest.approx(luck, abs=1e-9)
            whole = sum(parts[key] for key in ("start", "luck", "mistakes", "rest"))
            assert whole == pytest.approx(parts["result"], abs=1e-9)
        assert found["parts"] == found["parts_by_side"][names[0]]


def test_chances_are_those_of_match_equity(reviewed):
    game, fields, _ = reviewed
    for one, found in rounds_of(game, fields):
        if not found["chances"] or found["chances"]["before"] is None:
            continue
        score = "/".join(map(str, game_score(one)))
        leader = game.seating(one.number)[0]
        chances = cc.match_equity(score, rules=game.rules, leader=leader)
        assert found["chances"]["before"]["win"] == chances.win


def game_score(one):
    """The match score before a round, that of player a first."""
    score = one.round.start.match_score
    return score if one.number % 2 else score[::-1]


def test_the_text_has_the_same_numbers(reviewed):
    game, fields, text = reviewed
    squeezed = " ".join(text.split())
    for _, found in rounds_of(game, fields):
        for item in found["plays"]:
            known = item["known"]
            cost = "- -" if known is None else f"{known['cost']:.2f} {known['stderr']:.2f}"
            hindsight = item["reason"] if item["cost"] is None else item["cost"]
            assert f"{item['number']} {item['turn']} {cost} {hindsight}" in squeezed
        for total in found["seats"]:
            cost = "-" if total["cost"] is None else f"{total['cost']:.2f}"
            hindsight = "-" if total["hindsight"] is None else total["hindsight"]
            assert f"{total['seat']} all {cost} {hindsight}" in squeezed
        if found["parts"] is not None:
            parts = found["parts"]
            assert f"{parts['luck']:+.2f} luck of the deals, {parts['mistakes']:+.2f}" in squeezed
