"""A sensible player in plain Python: recorded positions should look like play, not like chance.

It captures what is worth most, else makes a build that it can take back, else trails a low card
that is no ace, no two of spades, no ten of diamonds and no spade. Now and then it does
something else, so that builds and odd tables come up as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from casino_core import Move, Position

RANKS = "A23456789TJQK"

BUILDS_FIRST = 0.15  # share of the plays in which a build is made although a card could capture
ANY_PLAY = 0.06  # share of the plays that are pure chance


def worth(card: str) -> float:
    """What a captured card is worth: its points, and its part in most cards and most spades."""
    value = 0.3 + (0.3 if card[1] == "s" else 0.0)
    if card[0] == "A" or card == "2s":
        value += 1
    return value + 2 if card == "Td" else value


def gathered(move: Move) -> float:
    """Worth of all cards that a capture takes, or that a build holds together."""
    cards = [move.card, *move.loose, *move.built]
    return sum(worth(card) for card in cards)


def capture_worth(position: Position, move: Move) -> float:
    """Worth of a capture, that of a sweep included."""
    value = gathered(move)
    left = len(position.table) - len(move.loose)
    taken = len(move.built)
    if not left and taken == sum(len(build.cards) for build in position.builds):
        value += position.rules.sweep
    return value


def trail_cost(card: str) -> tuple[int, int]:
    """How little one likes to lay a card down: the dear ones last, then by rank."""
    dear = 2 if card[0] == "A" or card in ("2s", "Td") else 1 if card[1] == "s" else 0
    return dear, RANKS.index(card[0])


def pick(position: Position, rng: Random) -> Move:
    """The player's move. Only `rng.random()` is drawn from, which is the same in every Python."""
    moves = position.legal_moves()
    chance = rng.random()
    if chance < ANY_PLAY:
        return moves[int(rng.random() * len(moves))]
    captures = [move for move in moves if move.kind == "capture"]
    builds = [move for move in moves if move.kind == "build"]
    if builds and (not captures or chance < ANY_PLAY + BUILDS_FIRST):
        return max(builds, key=gathered)
    if captures:
        return max(captures, key=lambda move: capture_worth(position, move))
    return min(moves, key=lambda move: trail_cost(move.card))


def play_round(rules: str, seed: int) -> Iterator[Position]:
    """Every position of a round in which a card is to be played, the first one included."""
    rng = Random(seed)
    position = Position.start(rules, seed=seed)
    while not position.is_over:
        yield position
        position = position.play(pick(position, rng))
