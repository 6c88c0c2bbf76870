"""How fast a player is advised, in the middle of the round and in the last deal."""

import common

from casino_core import hint


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
