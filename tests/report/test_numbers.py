"""Every number of a report is found again by the JSON of the review, and by hint, solve, equity."""

import re

import pytest

import casino_core as cc
from casino_core.report.course import course, given_away
from casino_core.report.page import report_html
from casino_core.report.words import Names
from casino_core.review.fields import review_fields
from helpers.reports import FEW, match_of, round_of

LINE = re.compile(r'data-line="([\w-]+)" data-values="([^"]*)"')
LEGEND = re.compile(r'data-part="([\w-]+)" data-value="([^"]*)"')


def lines_of(page, key):
    """The values of the lines of a plot, by line."""
    plot = page[page.index(f'aria-labelledby="{key}-title"') :]
    found = LINE.findall(plot[: plot.index("</svg>")])
    numbers = {name: list(map(float, values.split())) for name, values in found}
    return {name: list(zip(v[::2], v[1::2], strict=True)) for name, v in numbers.items()}


def shown(text):
    """Numbers of a text, with their signs."""
    return [float(n.replace("−", "-")) for n in re.findall(r"[+−]?\d+(?:\.\d+)?", text)]


@pytest.mark.parametrize("seed", range(4))
def test_the_lines_end_at_the_parts_of_the_result(seed):
    review = cc.review_game(round_of(seed=seed), **FEW)
    parts = review_fields(review)["parts"]
    page = report_html(review)
    for width in ("wide", "narrow"):
        lines = lines_of(page, f"r1-{width}")
        assert list(lines) == ["rest", "mistakes", "luck", "total"]
        for line, part in zip(lines, ("rest", "mistakes", "luck", "result"), strict=True):
            assert lines[line][-1] == (48, pytest.approx(parts[part], abs=1e-9))
    legend = {name: float(value) for name, value in LEGEND.findall(page)}
    for name, part in (("total", "result"), ("luck", "luck"), ("rest", "rest")):
        assert legend[name] == pytest.approx(parts[part], abs=1e-9)


def test_the_lines_change_where_the_review_says(review):
    (one,) = review.rounds
    points = course(one, 0)
    fields = review_fields(review)
    deals = {deal["plays"]: deal for deal in fields["luck"]}
    for point in points:
        assert point.total == pytest.approx(point.luck + point.mistakes + point.rest)
        made = fields["plays"][: point.play]
        costs = [(play["known"]["counted"], play["turn"]) for play in made]
        wanted = sum(cost if turn == "b" else -cost for cost, turn in costs)
        assert point.mistakes == pytest.approx(wanted)
    for plays, deal in deals.items():
        after = [point for point in points if point.play == plays][-1]
        assert after.total == pytest.approx(deal["value"])
        dealt = sum(other["luck"] for place, other in deals.items() if place <= plays)
        assert after.luck == pytest.approx(dealt)


def test_a_part_of_a_round_begins_at_its_value():
    whole = round_of(seed=3).rounds[0].round
    review = cc.review_game(cc.Round(whole.positions[12], whole.plays[12:]), **FEW)
    (one,) = review.rounds
    points = course(one, 0)
    assert points[0].total == one.parts.start
    assert points[-1].total == pytest.approx(one.parts.result)
    assert points[-1].rest == pytest.approx(one.parts.rest)


def test_in_a_match_all_plots_are_of_player_a(match_review):
    names = Names(match_review.game)
    assert len(match_review.rounds) > 1
    score = [0, 0]
    for one in match_review.rounds:
        points = one.round.score()
        own, other = points if one.number % 2 else points[::-1]
        assert course(one, names.side_in(one.number))[-1].total == pytest.approx(own - other)
        score = [score[0] + own, score[1] + other]
    assert f"{score[0]} : {score[1]}" in report_html(match_review)


@pytest.mark.parametrize("rules", ["standard,players=3", "draw", "royal,players=4,partners=yes"])
def test_the_parts_of_each_side_are_those_of_the_json(rules):
    review = cc.review_game(round_of(rules, seed=6, tags={}), samples=4, deals=2)
    (one,) = review.rounds
    page, fields = report_html(review), review_fields(review)
    several = one.round.start.rules.sides > 2
    for side in range(one.round.start.rules.sides):
        parts = one.parts_of(side)
        assert tuple(course(one, side)[-1][1:4]) == pytest.approx(
            (parts.luck, parts.mistakes, parts.rest)
        )
        assert course(one, side)[-1].total == pytest.approx(parts.result)
        if several or not side:
            lines = lines_of(page, f"r1-{side}-wide" if several else "r1-wide")
            assert lines["total"][-1][1] == pytest.approx(parts.result)
    assert fields["parts"] == one.parts._asdict()


@pytest.mark.parametrize("rules", ["standard,players=3", "standard"])
def test_what_seats_gave_away(rules):
    game = round_of(rules, seed=5)
    review = cc.review_game(game, samples=4, deals=2)
    for seat in review.rounds[0].seats:
        assert given_away(review.rounds[0], seat.seat)[-1][1] == pytest.approx(seat.cost)


def panels_of(page):
    """The panel of each play, as text without tags."""
    found = re.findall(r'<li class="play[^>]*>.*?</details></li>', page, re.DOTALL)
    texts = [re.sub(r"<svg.*?</svg>", "", one, flags=re.DOTALL) for one in found]
    return [re.sub(r"<[^>]+>", " ", text) for text in texts]


def test_costs_of_plays_are_those_of_the_json_and_of_a_hint(review):
    fields, (one,) = review_fields(review), review.rounds
    befores = [one.round.first(place) for place in range(len(one.plays))]
    panels = panels_of(report_html(review))
    assert len(panels) == len(fields["plays"])
    for panel, play in zip(panels, fields["plays"], strict=True):
        known = play["known"]
        told = re.search(r"Cost by what could be known\s+(.*?)  ", panel)[1]
        cost, *error = shown(told)[:2]
        assert cost == pytest.approx(known["cost"], abs=0.0051)
        if not known["exact"]:
            assert error == [pytest.approx(known["stderr"], abs=0.0051)]
        (worth,) = shown(re.search(r"worth ([+−\d.]+) points", panel)[1])
        assert worth == pytest.approx(known["value"], abs=0.0051)
    for place in (3, 20, 41):
        answer = cc.hint(befores[place], samples=FEW["samples"], seed=0, measure_all=True)
        best = max(item.value for item in answer.moves)
        own = next(item.value for item in answer.moves if item.move == one.plays[place].move)
        (cost, *_) = shown(re.search(r"could be known\s+(.*?)  ", panels[place])[1])
        assert cost == pytest.approx(best - own, abs=0.0051)


def test_hindsight_is_that_of_solve():
    game = round_of(seed=2, agents=("careful", "random"))
    review = cc.review_game(game, **FEW)
    (one,) = review.rounds
    panels = panels_of(report_html(review))
    solved = 0
    for panel, play in zip(panels, one.plays, strict=True):
        text = re.search(r"With all cards open\s+(.*?)  ", panel)[1]
        if play.number <= 32:
            continue
        before = play.hindsight.position
        values = {item.move: item.value for item in cc.solve(before).moves}
        cost = max(values.values()) - values[play.move]
        if cost:
            assert shown(text)[0] == cost
            solved += 1
        else:
            assert "nothing given away" in text
    assert solved


def test_win_chances_are_those_of_match_equity():
    game = match_of(seed=11)
    review = cc.review_game(game, **FEW)
    page = report_html(review)
    table = page[page.index("<caption>Rounds") :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")])[1:]
    score = (0, 0)
    for number, row in enumerate(rows, 1):
        cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        leader = "ab"[(number - 1) % 2]
        win = cc.match_equity(score, target=15, leader=leader).win
        assert shown(cells[-2]) == [pytest.approx(100 * win, abs=0.051)]
        score = tuple(map(int, cells[4].split(" : ")))
        assert score == cc.Match(rounds=game.match.rounds[:number], target=15).score
    lines = lines_of(page, "match-wide")["total"]
    assert len(lines) == len(review.rounds) + 1
    for one, (_, y) in zip(review.rounds, lines, strict=False):
        assert y == one.chances.before.win


def test_totals_are_those_of_the_json(review):
    page, fields = report_html(review), review_fields(review)
    table = page[page.index("<caption>Points given away<") :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")])[1:]
    for row, seat in zip(rows, fields["seats"], strict=True):
        cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        wanted = [f"{seat['cost']:.2f}", str(seat["hindsight"])]
        wanted += [str(seat[n]) if seat[n] else "–" for n in ("inaccuracies", "mistakes")]
        assert cells[1:5] == wanted
        assert cells[6] == f"{seat['accuracy']:.1f} %"
