"""How fast a player is advised, in the middle of the round and in the last deal."""

import common
import pytest

from casino_core import hint
from casino_core.hints.tree.hint import tree_hint


def test_middle_of_round(benchmark, preset):
    """100 worlds each, of five positions."""
    positions = common.middle_positions(preset, 5)
    first = [hint(position, samples=100, seed=1).moves for position in positions]
    found = benchmark.pedantic(
        lambda: [hint(position, samples=100, seed=1) for position in positions], rounds=3
    )
    assert [answer.moves for answer in found] == first
    for position, answer in zip(positions, found, strict=True):
        assert answer.samples == 100
        assert not answer.exact
        assert sorted(str(item.move) for item in answer.moves) == [
            str(move) for move in position.legal_moves()
        ]


def test_last_deal(benchmark, preset):
    """The other hand is what is left, and the answer the exact value."""
    positions = [
        position.view(position.turn) for position in common.positions("last_deal", preset)[:100]
    ]
    found = benchmark.pedantic(lambda: [hint(position) for position in positions], rounds=3)
    assert all(answer.exact for answer in found)
    assert [answer.moves[0].value for answer in found] == common.values("last_deal", preset)[:100]


@pytest.mark.parametrize("method", ["pimc", "response", "blend"])
def test_over_a_deal(benchmark, preset, method):
    """160 worlds each, of positions all over a deal in the middle of the round."""
    positions = common.deal_positions(preset, 5)

    def advise():
        return [hint(position, samples=160, seed=1, method=method) for position in positions]

    first = advise()
    found = benchmark.pedantic(advise, rounds=3)
    assert [answer.moves for answer in found] == [answer.moves for answer in first]
    assert all(1 <= answer.samples <= 160 for answer in found)
    assert all(answer.method == method for answer in found)


def test_tree_search(benchmark, preset):
    """20,000 rounds from each of positions all over a deal in the middle of the round."""
    positions = common.deal_positions(preset, 2)

    def search():
        return [tree_hint(position, iterations=20_000, seed=1) for position in positions]

    first = search()
    found = benchmark.pedantic(search, rounds=3)
    assert found == first
    assert all(answer.iterations == 20_000 for answer in found)
