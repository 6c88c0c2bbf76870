"""Levels: players from 1 to 10, whose errors are those of people.

Level 10 plays the best move of a `hint`. A lower level overlooks sums, forgets captured cards, does
not infer, or does not think ahead. What it overlooks is drawn by the random stream of the turn: the
same seed gives the same game. `docs/levels.md` has what each level is worth against the one below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal

from casino_core._arguments import whole
from casino_core.evaluation.players import greedy_scores
from casino_core.game.counting import points_of_cards
from casino_core.game.position import Move, Position
from casino_core.game.substitution import with_forgotten_cards
from casino_core.hints.hint import hint
from casino_core.hints.options import DEFAULT_SAMPLES
from casino_core.play.agent import Agent, Turn
from casino_core.play.noticing import Eye, noticed_moves
from casino_core.rules.cards import CardSet

__all__ = ["LEVELS", "SKILLS", "LevelAgent", "Skill"]

#: Which captured cards are remembered: all; those of the last plays of this deal and those that
#: score points; only those that score points.
Memory = Literal["all", "deal", "points"]

_ALL = CardSet((1 << 52) - 1)
_RECENT = 8  # plays of this deal that memory keeps if it does not keep all


@dataclass(frozen=True, slots=True)
class Skill:
    """What a level can do.

    Attributes:
        eye: the plays that it notices.
        caution: chance that in a turn it weighs what a build promises and what its play leaves to
            the others. In other turns it takes the most that it can.
        memory: the captured cards that it remembers.
        thinking: chance that in a turn it thinks ahead: it plays the best move of a hint.
        samples: worlds of that hint.
        infers: whether it infers hands from the plays seen.
    """

    eye: Eye = field(default_factory=Eye)
    caution: float = 1.0
    memory: Memory = "all"
    thinking: float = 0.0
    samples: int = DEFAULT_SAMPLES
    infers: bool = False


#: What each level can do, level 1 first.
SKILLS: tuple[Skill, ...] = (
    Skill(Eye(sums=0.4, several=0.1, builds=0.0), caution=0.0, memory="points"),
    Skill(Eye(sums=0.55, several=0.25, builds=0.1), caution=0.1, memory="points"),
    Skill(Eye(sums=0.65, several=0.4, builds=0.25), caution=0.25, memory="points"),
    Skill(Eye(sums=0.75, several=0.55, builds=0.4), caution=0.4, memory="points"),
    Skill(Eye(sums=0.85, several=0.7, builds=0.55), caution=0.55, memory="points"),
    Skill(Eye(sums=0.92, several=0.8, builds=0.7), caution=0.7, memory="points"),
    Skill(Eye(sums=0.97, several=0.9, builds=0.85), caution=0.85, memory="deal"),
    Skill(thinking=1.0, samples=10, memory="deal"),
    Skill(thinking=1.0, samples=10),
    Skill(thinking=1.0, infers=True),
)


@dataclass(frozen=True, slots=True)
class LevelAgent(Agent):
    """Plays at a level from 1, a beginner, to 10, a `hint`.

    Args:
        level: 1 to 10.

    Raises:
        CasinoError: there is no such level.

    Example:
        >>> from casino_core.rules.streams import Stream
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> str(LevelAgent(3)), str(LevelAgent(3).choose(Turn(position, (), Stream(1, "agent"))))
        ('level-3', 'TsxTd')
    """

    name: ClassVar[str] = "level"
    level: int

    def __post_init__(self) -> None:
        _LEVEL("level", self.level)

    def __str__(self) -> str:
        return f"{self.name}-{self.level}"

    @property
    def skill(self) -> Skill:
        """What this level can do."""
        return SKILLS[self.level - 1]

    def choose(self, turn: Turn) -> Move:
        return _choice(self.skill, turn)


_LEVEL = whole(1, len(SKILLS))

#: The agents of all levels by name, `level-1` to `level-10`.
LEVELS: Mapping[str, LevelAgent] = MappingProxyType(
    {str(agent): agent for agent in (LevelAgent(level) for level in range(1, len(SKILLS) + 1))}
)


def _choice(skill: Skill, turn: Turn) -> Move:
    """The play of somebody with this skill."""
    seen, rng = turn.position.view(turn.position.turn), turn.rng
    thinks, is_careful = rng.random() < skill.thinking, rng.random() < skill.caution
    key = rng.bits()
    moves = noticed_moves(seen, skill.eye, key)
    if len(moves) == 1:
        return moves[0]
    known = _remembered(seen, turn, skill.memory)
    if thinks:
        return _thought_out(skill, known, turn, moves)
    scores = greedy_scores(known, careful=is_careful, moves=moves)
    return moves[scores.index(max(scores))]


def _thought_out(skill: Skill, known: Position, turn: Turn, moves: list[Move]) -> Move:
    """The best of some moves by a hint."""
    answer = hint(
        known,
        seed=turn.rng.bits(),
        samples=skill.samples,
        history=turn.plays if skill.infers else None,
        progress=turn.progress,
    )
    noticed = set(moves)
    return next(item.move for item in answer.moves if item.move in noticed)


def _remembered(seen: Position, turn: Turn, memory: Memory) -> Position:
    """The position without the captured cards that are forgotten."""
    if memory == "all":
        return seen
    kept = CardSet()
    if memory == "deal":
        for _, move in turn.plays[-_RECENT:]:
            kept |= move.loose | move.built | CardSet([move.card])
    return with_forgotten_cards(seen, _ALL - kept - _scoring(seen))


def _scoring(seen: Position) -> CardSet:
    """The captured cards that score points by themselves."""
    taken = [card for pile in seen.piles for card in pile.cards]
    return CardSet([card for card in taken if points_of_cards(seen._compiled, CardSet([card]))])
