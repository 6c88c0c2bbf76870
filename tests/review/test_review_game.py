"""`review_game`: costs by what could be known, parts of the result, going on with a review."""

import pytest

import casino_core as cc
from casino_core.play.agents import parse_agent
from casino_core.play.table import play_round
from casino_core.review.fields import review_fields
from casino_core.review.grades import DOUBT
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from helpers.side_by_side import PRESET_NAMES

FEW = {"samples": 8, "deals": 2}
MANY = [
    *(preset for preset in PRESET_NAMES if preset != "standard"),
    *("standard,players=3", "royal,players=4", "draw,players=3", "hoyle,players=4,partners=yes"),
]


def played(seed, rules="standard", agents=("careful", "greedy")):
    """A round of fast players."""
    start = cc.Position.start(rules, seed=seed)
    seats = [parse_agent(agents[seat % len(agents)]) for seat in range(start.rules.players)]
    for play in play_round(start, seats, lambda n: Stream(seed, Purpose.AGENT, n)):
        last = play.round
    return last


def part(record, first, last=None):
    """The plays of a round from one on, or the last ones."""
    first %= len(record.plays)
    return cc.Round(record.positions[first], record.plays[first:last])


def test_every_cost_is_found_again_by_hint():
    record = played(1)
    review = cc.review_game(record, **FEW)
    assert [play.number for play in review.plays] == list(range(1, 49))
    at = record
    for play in reversed(review.plays):
        at = at.undo()
        answer = cc.hint(at, samples=8, measure_all=True)
        values = {item.move: item for item in answer.moves}
        assert play.position == at.position.view(at.position.turn)
        assert play.move == record.plays[play.number - 1]
        known = play.known
        assert known.value == max(item.value for item in answer.moves)
        assert known.cost == known.value - values[play.move].value
        assert values[known.best].value == known.value
        assert known.stderr == (values[play.move].gap_stderr if known.cost else 0)
        assert known.exact == answer.exact
        if known.cost == 0:
            assert known.best == play.move


def test_in_the_last_deal_both_views_agree():
    """Each of two players then knows the other hand."""
    record = part(played(2), 40)
    for play in cc.review_game(record, **FEW).plays:
        assert play.known.exact
        assert (play.known.cost, play.known.stderr) == (play.hindsight.cost, 0)


def test_hindsight_is_that_of_analyse_play():
    record = played(3)
    review = cc.review_game(record, **FEW)
    assert tuple(play.hindsight for play in review.plays) == cc.analyse_play(record)
    late = part(record, 22)
    deep = cc.review_game(late, deep=True, **FEW)
    assert tuple(p.hindsight for p in deep.plays) == cc.analyse_play(late, plays=26)
    assert all(play.hindsight.cost is not None for play in deep.plays)


def test_totals():
    review = cc.review_game(played(4), **FEW)
    (one,) = review.rounds
    for seat in one.seats:
        own = [play for play in review.plays if play.seat == seat.seat]
        assert seat.plays == len(own) == 24
        assert seat.cost == pytest.approx(sum(play.cost for play in own))
        assert seat.blunders == sum(play.grade == "blunder" for play in own)
        in_deals = [deal for deal in one.deals if deal.seat == seat.seat]
        assert sum(deal.cost for deal in in_deals) == pytest.approx(seat.cost)
        assert sum(deal.hindsight or 0 for deal in in_deals) == seat.hindsight
        assert 0 <= seat.accuracy <= 100
    costs = [play.cost for play in review.costliest]
    assert costs == sorted((play.cost for play in review.plays if play.cost), reverse=True)[:3]


def test_nothing_is_flagged_within_its_error():
    for seed in range(3):
        for play in cc.review_game(played(seed), **FEW).plays:
            if play.known.cost <= DOUBT * play.known.stderr:
                assert (play.grade, play.cost) == ("good", 0)


def check_parts(records, **options):
    for record in records:
        (one,) = cc.review_game(record, **options).rounds
        points = record.score()
        rules, others = record.start.rules, len(points) - 1
        costs = [0.0] * rules.sides
        for seat, totals in enumerate(one.seats):
            costs[rules.side_of(seat)] += totals.cost or 0
        assert one.parts == one.parts_of(0)
        for side, own in enumerate(points):
            parts = one.parts_of(side)
            assert parts.result == pytest.approx(own - (sum(points) - own) / others)
            assert parts.start == 0
            whole = parts.luck + parts.mistakes + parts.rest
            assert whole == pytest.approx(parts.result, abs=1e-9)
            luck = sum(deal.luck_of(side) for deal in one.luck.deals)
            assert parts.luck == pytest.approx(luck, abs=1e-9)
            mistakes = (sum(costs) - costs[side]) / others - costs[side]
            assert parts.mistakes == pytest.approx(mistakes, abs=1e-9)


def test_the_parts_add_up_to_the_result():
    check_parts([played(seed) for seed in range(4)], **FEW)


def test_where_nothing_is_hidden_there_is_no_rest():
    """In the last deal the value at its begin and the mistakes are all there is."""
    record = part(played(2), 40)
    (one,) = cc.review_game(record, **FEW).rounds
    assert one.parts.start == cc.solve(record.start).value
    assert one.parts.luck == 0
    assert one.parts.rest == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_the_parts_of_a_thousand_rounds_add_up():
    check_parts((played(seed) for seed in range(1000)), samples=1, deals=1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", MANY)
def test_the_parts_add_up_under_every_rule_set(rules):
    """With those above these are more than a thousand rounds."""
    rounds = (played(seed, rules) for seed in range(15))
    check_parts(rounds, samples=1, deals=1)


@pytest.mark.parametrize("rules", ["draw", "standard,players=3", "draw-royal,players=4"])
def test_the_parts_add_up_in_draw_casino_and_with_many_sides(rules):
    check_parts([played(1, rules)], samples=2, deals=2)


def test_partners():
    record = played(1, "standard,players=4,partners=yes")
    (one,) = cc.review_game(record, samples=4, deals=1).rounds
    costs = {seat.seat: seat.cost for seat in one.seats}
    assert one.parts.mistakes == pytest.approx(
        costs["b"] + costs["d"] - costs["a"] - costs["c"], abs=1e-9
    )


def test_a_round_that_goes_on_has_no_result():
    record = part(played(1), 0, 12)
    (one,) = cc.review_game(record, **FEW).rounds
    assert one.parts is None
    assert [deal.deal for deal in one.luck.deals] == [1, 2]


def test_a_round_as_one_seat_has_seen_it():
    record = played(5)
    (one,) = cc.review_game(record.seen_by("b"), **FEW).rounds
    whole = cc.review_game(record, **FEW)
    assert one.luck.reason == "hidden"
    for play, same in zip(one.plays, whole.plays, strict=True):
        if play.seat == "b":
            assert play.known == same.known
        else:
            assert (play.known is None) == (play.reason == "hidden")
    assert [play.seat for play in one.plays if play.known is None].count("b") == 0


def test_what_cannot_be_judged_has_no_numbers():
    """Null and not 0: of a seat whose hand is hidden, and of plays too early for hindsight."""
    record = part(played(5), 0, 8).seen_by("b")
    review = cc.review_game(record, **FEW)
    (one,) = review.rounds
    first, second = one.seats
    nothing = (0, None, None, None, None, None, None)
    keys = ("plays", "cost", "hindsight", "inaccuracies", "mistakes", "blunders", "accuracy")
    assert tuple(getattr(first, key) for key in keys) == nothing
    assert (second.plays, second.hindsight, second.cost >= 0) == (4, None, True)
    assert [(play.cost, play.grade) for play in one.plays if play.seat == "a"] == [(None, None)] * 4
    fields = review_fields(review)
    assert tuple(fields["seats"][0][key] for key in keys) == nothing
    assert fields["plays"][0]["grade"] is None
    assert fields["parts_by_side"] == {"a": None, "b": None}


def test_the_review_does_not_depend_on_threads():
    record = part(played(6), 20)
    assert cc.review_game(record, threads=3, **FEW) == cc.review_game(record, **FEW)


def test_a_review_goes_on_where_it_was_ended():
    record = part(played(7), 28)
    whole = cc.review_game(record, **FEW)
    steps = []
    state = cc.ReviewState()

    def end(done, of_all):
        steps.append((done, of_all))
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(cc.ReviewInterrupted) as caught:
        cc.review_game(record, state=state, progress=end, **FEW)
    assert caught.value.state is state
    done = len(steps)
    assert len(state.judgements) == done
    kept = cc.ReviewState.parse(state.text())
    assert kept == state
    assert cc.review_game(record, state=kept, **FEW) == whole
    assert len(kept.judgements) == len(record.plays)
    assert [one for one, _ in steps] == [*range(1, done + 1)]
    assert steps[0][1] == 2 * len(record.plays) + 2


def test_a_state_of_something_else_is_refused():
    record, other = part(played(7), 44), part(played(8), 44)
    state = cc.ReviewState()
    cc.review_game(record, state=state, **FEW)
    with pytest.raises(cc.CasinoError, match="is of another game"):
        cc.review_game(other, state=state, **FEW)
    with pytest.raises(cc.CasinoError, match="has samples 8, not 9"):
        cc.review_game(record, state=state, samples=9)
    for text in ("", "[]", "{}", '{"format": 1}'):
        with pytest.raises(cc.CasinoError, match="not a saved review"):
            cc.ReviewState.parse(text)
    with pytest.raises(cc.CasinoError, match="another version"):
        cc.ReviewState.parse(state.text().replace('"format": 1', '"format": 0'))


def test_a_match_is_reviewed_round_by_round():
    match = cc.Match("standard", target=11)
    for seed in range(2):
        start = match.next_start(seed=seed)
        agents = [parse_agent("greedy")] * 2
        for play in play_round(start, agents, lambda n: Stream(1, Purpose.AGENT, n)):
            last = play.round
        match = match.play_round(last)
        if match.is_over:
            break
    review = cc.review_game(match, samples=2, deals=1)
    assert cc.review_game(str(match), samples=2, deals=1) == review
    assert cc.review_game(cc.Game(match.rounds), samples=2, deals=1) == review
    assert [one.round for one in review.rounds] == list(match.rounds)
    assert len(review.plays) == 48 * len(match.rounds)


def test_fields_are_those_of_the_review():
    record = part(played(9), 40)
    review = cc.review_game(record, **FEW)
    fields = review_fields(review)
    assert [play["cost"] for play in fields["plays"]] == [
        play.hindsight.cost for play in review.plays
    ]
    assert [play["known"]["cost"] for play in fields["plays"]] == [
        play.known.cost for play in review.plays
    ]
    assert fields["parts"]["result"] == review.rounds[0].parts.result


def test_chances_are_those_of_cards_that_matter():
    record = cc.Round.parse("table=Td5h8dKc hands=9sAsJh7c/2h3h4c6c\n9s")
    (play,) = cc.review_game(record, samples=50).plays
    chances = play.known.chances["b"]
    assert {card for card in chances if card[0] == "9"} == {"9h", "9d", "9c"}
    assert "2s" in chances
    assert "Kd" not in chances
    assert all(0 <= chance <= 1 for chance in chances.values())


def test_what_is_wrong_is_named():
    for options in ({"samples": 0}, {"seconds": 0}, {"threads": 0}, {"deals": 0}, {"state": 5}):
        with pytest.raises(cc.CasinoError, match=next(iter(options))):
            cc.review_game(part(played(1), 46), **options)
    with pytest.raises(cc.CasinoError, match="record is a Round"):
        cc.review_game(5)
