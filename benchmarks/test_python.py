"""What the Python face costs: text in and out, lists of moves, plays, the smallest call."""

import common

from casino_core import Position, Solver


def test_parse(benchmark):
    """Reading 10,000 lines."""
    lines = common.lines("midgame")
    positions = benchmark(lambda: [Position.parse(line) for line in lines])
    assert tuple(positions) == common.positions("midgame")


def test_text(benchmark):
    """Writing 10,000 lines."""
    positions = common.positions("midgame")
    texts = benchmark(lambda: tuple(str(position) for position in positions))
    assert texts == common.lines("midgame")


def test_parse_and_moves(benchmark):
    """From lines to lists of moves: what a program does that asks for the moves of a position."""
    lines = common.lines("midgame")
    total = benchmark(lambda: sum(len(Position.parse(line).legal_moves()) for line in lines))
    assert total == common.answers()["midgame_moves"]


def test_move_texts(benchmark, preset):
    """Lists of moves and their texts."""
    positions = common.positions("midgame", preset)
    texts = benchmark(
        lambda: [[str(move) for move in position.legal_moves()] for position in positions]
    )
    assert all(found == sorted(set(found)) for found in texts)


def test_play(benchmark, preset):
    """Every move of 500 last deals, as Move."""
    pairs = [
        (position, move)
        for position in common.positions("last_deal", preset)[:500]
        for move in position.legal_moves()
    ]
    after = benchmark(lambda: [position.play(move) for position, move in pairs])
    assert {sum(hand.size for hand in position.hands) for position in after} == {7}


def test_play_text(benchmark, preset):
    """The same moves, as text."""
    pairs = [
        (position, str(move))
        for position in common.positions("last_deal", preset)[:500]
        for move in position.legal_moves()
    ]
    after = benchmark(lambda: [position.play(text) for position, text in pairs])
    assert after[-1] == pairs[-1][0].play(pairs[-1][1])
    assert {position.turn for position in after} == {"b"}


def test_smallest_call(benchmark, preset):
    """A value where one move is legal and ends the round: the overhead of a call."""
    position = common.last_play(preset)
    solver = Solver(table_mib=1)
    found = benchmark(solver.value, position)
    side = "ab".index(position.turn)
    score = position.play(found.best).score()
    assert found.value == score[side] - score[1 - side]
