"""Rounds that tests play: from a start on, by a choice of moves, until something holds."""

import random
from collections.abc import Callable
from functools import partial

import casino_core as cc
from casino_core.evaluation.players import greedy_move
from casino_core.game.substitution import with_hidden_cards
from casino_core.rules.cards import ALL_CARDS

Choice = Callable[[cc.Position], cc.Move]


def first(position: cc.Position) -> cc.Move:
    """The first legal move that is found, on tables too crowded for a list as well."""
    return next(position.iter_legal_moves())


def last(position: cc.Position) -> cc.Move:
    """The last legal move, as text: it takes rather than trails."""
    return position.legal_moves()[-1]


def at_random(source: int | random.Random) -> Choice:
    """Any legal move, by a seed or a generator."""
    rng = source if isinstance(source, random.Random) else random.Random(source)
    return lambda position: rng.choice(position.legal_moves())


def play_out(
    start: cc.Position,
    choice: Choice,
    plays: int = 1000,
    until: Callable[[cc.Position], bool] = lambda position: position.is_over,
) -> cc.Round:
    """A round from a position on, until it is over, or a number of plays or a condition is met."""
    followed = cc.Round(start)
    for _ in range(plays):
        if until(followed.position) or followed.is_over:
            break
        followed = followed.play(choice(followed.position))
    return followed


def random_round(rules: str, seed: int, **end: object) -> cc.Round:
    """A round of random plays from a shuffled start; it ends as in `played`."""
    return play_out(cc.Position.start(rules, seed=seed), at_random(seed), **end)


def in_hands(position: cc.Position) -> int:
    """Number of cards in all hands."""
    return sum(hand.size for hand in position.hands)


def cards_left(position: cc.Position) -> int:
    """Number of plays to the end of the round."""
    return position.stock_count + in_hands(position)


def in_last_deal(cards: int) -> Callable[[cc.Position], bool]:
    """Whether the stock is empty and the hands have at most this many cards together."""
    return lambda position: not position.stock_count and in_hands(position) <= cards


def middle(rules: str, seed: int, plays: int = 14) -> cc.Position:
    """A position of sensible play."""
    start = cc.Position.start(rules, seed=seed)
    return play_out(start, partial(greedy_move, careful=True), plays=plays).position


def shuffled(position: cc.Position, seed: int) -> cc.Position:
    """Another deal of the other hands and the stock."""
    mover = position.rules.seats.index(position.turn)
    hands = [hand.cards.mask for hand in position.hands]
    sizes = [len(hand.cards) for hand in position.hands]
    seen = position.table.mask | hands[mover]
    for part in (*position.builds, *position.piles):
        seen |= part.cards.mask
    pool = [card for card in range(52) if (ALL_CARDS & ~seen) >> card & 1]
    random.Random(seed).shuffle(pool)
    for seat, size in enumerate(sizes):
        if seat != mover:
            hands[seat] = sum(1 << pool.pop() for _ in range(size))
    return with_hidden_cards(position, hands, [pile.cards.mask for pile in position.piles], pool)
