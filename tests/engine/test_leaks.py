"""What a seat cannot see does not matter: other hidden cards give the same answers."""

import json
import re
from random import Random

import pytest

import casino_core as cc
from helpers.engine import ask, one
from helpers.rounds import at_random, play_out

RULES = [*cc.PRESETS, "royal,players=3", "pagat,players=4", "royal-1911,players=4,partners=yes"]
AGENTS = ("random", "greedy", "careful", "lookahead:samples=4", "pimc:samples=4", "hint:samples=4")


def other_world(position: cc.Position, seat: str, rng: Random) -> cc.Position:
    """The position with all that the seat cannot see shuffled."""
    hands = {letter: list(position.hands[letter].cards) for letter in position.rules.seats}
    hidden = [card for letter in hands if letter != seat for card in hands[letter]]
    hidden += position.stock
    rng.shuffle(hidden)
    for other, cards in hands.items():
        if other != seat:
            hands[other] = [hidden.pop() for _ in cards]
    seen = str(position.view(seat))
    shown = "/".join("".join(cards) or "-" for cards in hands.values())
    words = [f"hands={shown}" if word.startswith("hands=") else word for word in seen.split()]
    stock = [f"stock={''.join(hidden)}"] if hidden else []
    return cc.Position.parse(" ".join([*words, *stock]))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("plays", [0, 5, 21])
def test_hidden_cards_do_not_matter(rules, plays):
    position = play_out(
        cc.Position.start(rules, seed=plays), at_random(plays), plays=plays
    ).position
    seat, rng = position.turn, Random(plays)
    worlds = [position, *(other_world(position, seat, rng) for _ in range(2))]
    assert len(set(worlds)) == 3
    requests = [{"command": "view"}, {"command": "hint", "samples": 4, "reasons": "all"}]
    requests += [{"command": "agent", "agent": name, "seed": 5} for name in AGENTS]
    requests += [{"command": "agent", "level": level, "seed": 5} for level in range(1, 11)]
    for request in requests:
        found = [ask({**request, "position": str(world)})[0] for world in worlds]
        for answer in found:
            assert "error" not in answer
            answer.pop("seconds", None)
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("rules", ["standard", "royal,players=3", "draw"])
def test_a_view_is_enough_for_hints_and_agents(rules):
    followed = play_out(cc.Position.start(rules, seed=3), at_random(4), plays=9)
    record = str(cc.Game([followed]))
    seen = one("view", position=record)["record"]
    for request in (
        {"command": "hint", "samples": 5},
        {"command": "agent", "agent": "hint:samples=5"},
        {"command": "agent", "level": 5},
        {"command": "moves", "fields": ["moves"]},
    ):
        command = request["command"]
        fields = {name: value for name, value in request.items() if name != "command"}
        open_ = one(command, position=record, **fields)
        of_view = one(command, position=seen, **fields)
        for answer in (open_, of_view):
            answer.pop("seconds", None)
        assert open_ == of_view


@pytest.mark.parametrize("rules", RULES)
def test_no_hidden_card_is_in_a_view(rules):
    followed = play_out(cc.Position.start(rules, seed=8), at_random(2), plays=17)
    record = str(cc.Game([followed]))
    for seat in followed.start.rules.seats:
        # Without the names of builds: `4c` in `14c:` and in `[4c]` is a value and an owner.
        text = re.sub(
            r"\d+[a-d](?=[:*\]])", "", json.dumps(one("view", position=record, seat=seat))
        )
        position = followed.position
        hidden = set(position.stock)
        for other in position.rules.seats:
            if other != seat:
                hidden |= set(position.hands[other].cards)
        assert not [card for card in hidden if card in text]


def test_agents_that_see_hidden_cards_are_refused():
    found = one("agent", position=str(cc.Position.start(seed=1)), agent="open:samples=2")
    assert found["code"] == "bad_field"
