"""Helpers to compare the core with the reference."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import settings

from casino_core import CardSet, Position
from casino_core.game.substitution import broken_invariant, state_hash, with_hidden_cards
from casino_core.rules.cards import CARD_NAMES
from helpers.rounds import at_random, play_out
from reference.notation import legal_texts, to_text
from reference.random_positions import random_round, shuffle_hidden
from reference.rules import UNKNOWN

DATA = Path(__file__).parents[1] / "data"

PRESET_NAMES = (
    "standard",
    "hoyle",
    "royal",
    "royal-1911",
    "old-way",
    "spade",
    "spade-royal",
    "draw",
    "draw-royal",
    "pagat",
    "pagat-royal",
    "ramapo",
    "britannica",
)
#: Rule sets at tables of every size, for what a seat can know.
TABLES = (
    "standard",
    "royal-1911,players=4,partners=yes",
    "pagat-royal,players=3",
    "draw",
    "old-way,players=4",
    "standard,players=4,partners=yes,partner_builds=declared",
)
#: The tables that every preset is tried at, as options that follow its name.
SEATINGS = ("", ",players=3", ",players=4", ",players=4,partners=yes")
CARD_FIELDS = ("table", "builds", "hands", "stock", "out")


def examples(times, **others):
    """A multiple of the examples of the Hypothesis profile, 50 by default, fewer in quick runs."""
    return settings(max_examples=max(1, round(times * settings.default.max_examples)), **others)


def cases(name):
    """The lines of a case file as test parameters, named by their place in it."""
    path = DATA / "cases" / f"{name}.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=f"{name}-{number}") for number, case in enumerate(lines, 1)]


def texts(moves):
    """Moves as text, in their order."""
    return [str(move) for move in moves]


def first_difference(position, expected):
    """The first fault of the moves of a position, in one line; None if there is none."""
    found = texts(position.legal_moves())
    if found == expected:
        return None
    missing = sorted(set(expected) - set(found))
    wrong = sorted(set(found) - set(expected))
    return f"{position}: missing {missing}, wrong {wrong}, or out of order or doubled: {found}"


def placed_cards(position):
    """All cards of a position that are known to lie somewhere, and how many lie unseen."""
    shares = [hand.cards for hand in (*position.hands, *position.piles)]
    shares += [position.table, position.out, *(build.cards for build in position.builds)]
    unseen = sum(hand.hidden for hand in (*position.hands, *position.piles))
    if position.stock is None:
        unseen += position.stock_count
    else:
        assert len(position.stock) == position.stock_count
        shares.append(CardSet(position.stock))
    return [card for share in shares for card in share], unseen


def assert_well_formed(position):
    """The position is consistent, each card has one place, and its text is complete."""
    assert broken_invariant(position) is None, position
    known, unseen = placed_cards(position)
    assert len(known) == len(set(known)), position
    assert len(known) + unseen == 52, position
    again = Position.parse(str(position))
    assert again == position
    assert str(again) == str(position)
    assert state_hash(again) == state_hash(position)


def assert_same(position, state):
    """The core's position is the reference's, and so are its legal moves, however asked for."""
    assert str(position) == to_text(state)
    assert position.is_over == state.is_over
    assert_well_formed(position)
    if UNKNOWN in state.hands[state.turn]:
        return
    expected = legal_texts(state)
    assert first_difference(position, expected) is None
    assert position.count_legal_moves() == len(expected)
    lazily = texts(position.iter_legal_moves())
    assert len(lazily) == len(expected)
    assert sorted(lazily) == expected


def last_deal(text, sides=2):
    """A position line with all cards that it does not place in the pile of side a, forgotten."""
    fields = dict(field.split("=", 1) for field in text.split())
    values = " ".join(fields.get(name, "") for name in CARD_FIELDS)
    values = re.sub(r"\d+[abcd]\*?:", "", values)  # 7c: is a build here, no card
    placed = len(re.findall("(?:10|[A2-9TJQK])[shdc♠♥♦♣]", values, re.IGNORECASE))
    forgotten = 52 - placed - values.count("?")
    return f"{text} piles={'?' * forgotten or '-'}{'/-' * (sides - 1)}"


def random_position(rules, seed, most=40):
    """A position of random play that is not finished."""
    rng = random.Random(seed)
    followed = play_out(Position.start(rules, seed=seed), at_random(rng), plays=rng.randrange(most))
    return (followed.undo() if followed.is_over else followed).position


def shuffle_unseen(position, seed):
    """Another deal of what the mover cannot see: the other hands and the stock."""
    mover = position.rules.seats.index(position.turn)
    hands = [hand.cards.mask for hand in position.hands]
    sizes = [len(hand.cards) for hand in position.hands]
    pool = [CARD_NAMES.index(card) for card in position.stock]
    for seat, mask in enumerate(hands):
        if seat != mover:
            pool += [card for card in range(52) if mask >> card & 1]
    random.Random(seed).shuffle(pool)
    for seat in range(len(hands)):
        if seat != mover:
            hands[seat] = sum(1 << pool.pop() for _ in range(sizes[seat]))
    return with_hidden_cards(position, hands, [pile.cards.mask for pile in position.piles], pool)


def small_positions(rules_text, rng, most_cards, most_moves):
    """Late positions of a random round, as they came and with the hands mixed anew."""
    for state, move in random_round(rules_text, rng):
        left = sum(len(hand) for hand in state.hands) + len(state.stock)
        if move is None or left > most_cards:
            continue
        for case in (state, shuffle_hidden(state, rng)):
            position = Position.parse(to_text(case))
            if position.count_legal_moves() <= most_moves:
                yield case, position
