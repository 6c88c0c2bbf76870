"""Random rules, and the positions of random rounds played under them.

Everything comes from the given ``random.Random``: the same seed gives the same positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from .options import OPTIONS, PRESETS, Rules, parse_rules, rules_to_text
from .rules import PACK, Cards, Move, State, legal_moves, ordered, play

# Numbers worth trying for the options that take any number.
NUMBERS = {"max_builds": (0, 1, 2, 3), "sweep": (0, 1, 2), "target": (11, 21, 61)}


def random_rules(rng: Random, change: float = 0.3) -> str:
    """The text of a valid rule set: a random preset, each option redrawn at the chance `change`.

    Options are drawn from all their values, so a redrawn one may stay as it is.
    """
    parts = [rng.choice(list(PRESETS))]
    for name, (default, others) in OPTIONS.items():
        if rng.random() < change:
            choices = NUMBERS[name] if others is int else (default, *others)
            parts.append(f"{name}={rng.choice(choices)}")
    if "partners=yes" in parts:
        parts = [part for part in parts if not part.startswith("players=")] + ["players=4"]
    return rules_to_text(parse_rules(",".join(parts)))


def first_position(rules: Rules, pack: Cards) -> State:
    """The start of a round: four cards for each player from the top of the pack, then four on
    the table; the rest is the stock.
    """
    seats = range(rules.players)
    dealt = 4 * rules.players
    return State(
        rules=rules,
        table=ordered(pack[dealt : dealt + 4]),
        builds=(),
        hands=tuple(ordered(pack[4 * seat : 4 * seat + 4]) for seat in seats),
        piles=((),) * rules.sides,
        turn=0,
        last=None,
        sweeps=(0,) * rules.sides,
        stock=tuple(pack[dealt + 4 :]),
        out=(),
        declared=((),) * rules.players,
        before=(0,) * rules.sides,
    )


def random_start(rules_text: str, rng: Random) -> State:
    """The start of a round from a shuffled pack."""
    pack = list(PACK)
    rng.shuffle(pack)
    return first_position(parse_rules(rules_text), tuple(pack))


def random_move(state: State, rng: Random) -> Move:
    """A legal move: first its kind is drawn, then one of that kind, so that trails, captures
    and builds all come about.
    """
    moves = legal_moves(state)
    kind = rng.choice(sorted({move.kind for move in moves}))
    return rng.choice(sorted((m for m in moves if m.kind == kind), key=move_key))


def move_key(move: Move) -> tuple:
    """An order of moves that does not depend on how they were found."""
    base = () if move.base is None else (move.base.order,)
    taken = tuple(build.order for build in move.builds)
    return move.card, move.loose, taken, base, move.value


def random_round(rules_text: str, rng: Random) -> Iterator[tuple[State, Move | None]]:
    """A round of random moves: each position with the move made in it, None in the last."""
    state = random_start(rules_text, rng)
    while not state.is_over:
        move = random_move(state, rng)
        yield state, move
        state = play(state, move)
    yield state, None


def shuffle_hidden(state: State, rng: Random) -> State:
    """The same position with other hands and another stock, of the same sizes.

    As in a position from outside, an owner may lack the card for his build.
    """
    hidden = [card for hand in state.hands for card in hand] + list(state.stock)
    rng.shuffle(hidden)
    hands = []
    for hand in state.hands:
        hands.append(ordered(hidden[: len(hand)]))
        hidden = hidden[len(hand) :]
    return replace(state, hands=tuple(hands), stock=tuple(hidden))


def random_positions(seed: int, rounds: int = 1, rules_text: str | None = None) -> Iterator[State]:
    """The positions of some random rounds, each under its own random rules if none are given."""
    rng = Random(seed)
    for _ in range(rounds):
        for state, _ in random_round(rules_text or random_rules(rng), rng):
            yield state
