"""Who plays: the players that the options of the command name."""

from __future__ import annotations

from collections.abc import Sequence

from casino_core.cli.agents import agent_named
from casino_core.errors import CasinoError, quoted
from casino_core.play.session import Player
from casino_core.rules.options import Rules

__all__ = ["DEFAULT_LEVEL", "PERSON", "YOU", "players_of"]

#: The level of the other players if none is named.
DEFAULT_LEVEL = 5
#: The text that stands for a person in place of an agent.
PERSON = "person"
#: The name of a person who plays alone against agents and gives no name.
YOU = "You"


def players_of(
    rules: Rules,
    *,
    seat: str,
    level: int | None,
    against: Sequence[str],
    partner: str | None,
    names: Sequence[str],
) -> list[Player]:
    """The players by their seats in the first round.

    Args:
        rules: the rule set.
        seat: the seat of the first person.
        level: the level of the other players, if it is given.
        against: texts of agents, or "person", for the other seats in order; one text for all.
        partner: the text of the partner, if it is given.
        names: names of the people, in the order of seats.

    Raises:
        CasinoError: options that do not fit each other or the rules.

    Example:
        >>> found = players_of(
        ...     Rules(), seat="b", level=None, against=["greedy"], partner=None, names=[]
        ... )
        >>> [player.name for player in found]
        ['greedy', 'You']
    """
    if seat not in [*rules.seats]:
        raise CasinoError(f"--seat: {quoted(seat)} is not a seat; the seats are {rules.seats}")
    if level is not None and against:
        raise CasinoError("--level and --against both name the others: give one of them")
    own = rules.seats.index(seat)
    texts: list[str | None] = [None] * rules.players
    texts[own] = PERSON
    if partner is not None:
        texts[_partner_of(rules, own)] = partner
    others = list(against) or [f"level-{DEFAULT_LEVEL if level is None else level}"]
    free = [place for place, text in enumerate(texts) if text is None]
    if len(others) == 1:
        others *= len(free)
    if len(others) != len(free):
        raise CasinoError(
            f"--against: {len(others)} players for {len(free)} other seats; give one for all, or "
            "one for each"
        )
    for place, text in zip(free, others, strict=True):
        texts[place] = text
    return _named([PERSON if text is None else text for text in texts], names)


def _partner_of(rules: Rules, own: int) -> int:
    """The place of the partner of a seat."""
    side = rules.side_of(own)
    found = [p for p in range(rules.players) if p != own and rules.side_of(p) == side]
    if not found:
        raise CasinoError("--partner: there are no partners under these rules (partners=yes)")
    return found[0]


def _named(texts: Sequence[str], names: Sequence[str]) -> list[Player]:
    """The players of texts; the people among them get the names in order."""
    people = [place for place, text in enumerate(texts) if text.strip().lower() == PERSON]
    if len(names) > len(people):
        raise CasinoError(
            f"--name: {len(names)} names for {len(people)} "
            f"{'person' if len(people) == 1 else 'people'}; --against {PERSON} adds one"
        )
    usual = [YOU] if len(people) == 1 else [f"Player {'ABCD'[place]}" for place in people]
    chosen = dict(zip(people, [*names, *usual[len(names) :]], strict=True))
    return [
        Player(chosen[place]) if place in chosen else Player("", agent_named(text))
        for place, text in enumerate(texts)
    ]
