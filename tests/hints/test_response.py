"""Best answers to careful players, against the same worked out play by play in Python."""

from itertools import permutations

import numpy as np
import pytest

import casino_core as cc
from casino_core.evaluation.players import greedy_move
from casino_core.game.substitution import with_hidden_cards
from casino_core.hints.response import ResponseSearch
from helpers.rounds import in_last_deal, random_round

UNIT = 60


def late(rules, seed, cards):
    """A position of random play as its mover sees it, without a stock, `cards` in each hand."""
    seats = cc.Rules.parse(rules).players
    position = random_round(rules, seed, until=in_last_deal(cards * seats)).position
    return position.view(position.turn)


def every_world(seen):
    """The masks of the hidden cards in every world."""
    unseen = [1 << card for card in range(52) if seen.unseen.mask >> card & 1]
    sizes = [hand.hidden for hand in seen.hands]
    places = [seat for seat, size in enumerate(sizes) for _ in range(size)]
    found = set()
    for order in permutations(unseen):
        hidden = [0] * 4
        for seat, card in zip(places, order, strict=True):
            hidden[seat] |= card
        found.add(tuple(hidden))
    return sorted(found)


def full(seen, hidden):
    hands = [hand.cards.mask | more for hand, more in zip(seen.hands, hidden, strict=False)]
    return with_hidden_cards(seen, hands, [pile.cards.mask for pile in seen.piles], None)


def outcome(position, side):
    """Points of a side less those of the best other."""
    points = position.score()
    return points[side] - max(p for other, p in enumerate(points) if other != side)


def answer(positions, seat, side):
    """Values of positions that the seat cannot tell apart, under its best plays."""
    first = positions[0]
    if first.is_over:
        return [outcome(position, side) for position in positions]
    if first.turn == seat:
        after = (
            answer([position.play(str(move)) for position in positions], seat, side)
            for move in first.legal_moves()
        )
        return max(after, key=sum)
    replies = [
        str(greedy_move(position.view(position.turn), careful=True)) for position in positions
    ]
    values = [0] * len(positions)
    for reply in set(replies):
        places = [place for place, text in enumerate(replies) if text == reply]
        together = answer([positions[place].play(reply) for place in places], seat, side)
        for place, value in zip(places, together, strict=True):
            values[place] = value
    return values


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("rules", "cards"),
    [
        ("standard,players=3", 2),
        ("royal,players=3", 2),
        ("hoyle,players=4", 1),
        ("standard,players=4,partners=yes", 1),
        ("spade-royal,players=4,partners=yes", 1),
    ],
)
def test_answers_against_the_same_play_by_play(rules, cards, seed):
    seen = late(rules, seed, cards)
    side = seen.rules.side_of(seen.rules.seats.index(seen.turn))
    worlds = every_world(seen)
    assert len(worlds) == 6
    search = ResponseSearch(seen, unit=UNIT)
    masks = np.zeros((len(worlds), 8), dtype=np.uint64)
    masks[:, :4] = worlds
    found, end = search.values(masks.tobytes())
    assert end == "done"
    values = np.frombuffer(found, dtype=np.int32).reshape(len(worlds), -1)[:, search.classes]
    positions = [full(seen, hidden) for hidden in worlds]
    for column, move in enumerate(seen.legal_moves()):
        after = [position.play(str(move)) for position in positions]
        expected = answer(after, seen.turn, side)
        assert values[:, column].sum() == UNIT * sum(expected)


def test_worlds_that_count_more_often_are_as_good_as_repeated():
    seen = late("standard,players=3", 7, 2)
    worlds = np.zeros((6, 8), dtype=np.uint64)
    worlds[:, :4] = every_world(seen)
    times = np.array([3, 1, 1, 2, 1, 5], dtype=np.int32)
    search = ResponseSearch(seen, unit=UNIT)
    weighed, _ = search.values(worlds.tobytes(), times=times.tobytes())
    repeated, _ = search.values(np.repeat(worlds, times, axis=0).tobytes())
    one = np.frombuffer(weighed, dtype=np.int32).reshape(6, -1)
    other = np.frombuffer(repeated, dtype=np.int32).reshape(times.sum(), -1)
    assert (times @ one == other.sum(axis=0)).all()


def test_a_wrong_number_of_times_is_refused():
    seen = late("standard,players=3", 7, 2)
    worlds = np.zeros((6, 8), dtype=np.uint64)
    worlds[:, :4] = every_world(seen)
    with pytest.raises(ValueError, match="times do not fit"):
        ResponseSearch(seen, unit=UNIT).values(worlds.tobytes(), times=b"1234")
