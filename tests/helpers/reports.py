"""Games of fast players, with names, for reports."""

import casino_core as cc
from casino_core.play.agents import parse_agent
from casino_core.play.table import play_round
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

FEW = {"samples": 12, "deals": 4}
NAMES = {"PlayerA": "Anna", "PlayerB": "Ben"}


def played(start, agents, seed):
    """A round played to its end."""
    chosen = [parse_agent(agents[seat % len(agents)]) for seat in range(start.rules.players)]
    last = cc.Round(start)
    for play in play_round(start, chosen, lambda n: Stream(seed, Purpose.AGENT, n)):
        last = play.round
    return last


def round_of(rules="standard", seed=9, agents=("careful", "greedy"), tags=NAMES):
    """The record of a round."""
    return cc.Game([played(cc.Position.start(rules, seed=seed), agents, seed)], tags=tags)


def match_of(target=15, seed=4, rules="standard", agents=("careful", "greedy"), tags=NAMES):
    """The record of a match."""
    match = cc.Match(rules, target=target)
    while not match.is_over:
        match = match.play_round(played(match.next_start(seed=seed), agents, seed))
        seed += 1
    return cc.Game.of(match, tags=tags)
