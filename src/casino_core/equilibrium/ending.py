"""Endings solved: value, strategies, and how much an agent loses against its best opponent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from casino_core._arguments import CALLBACK, SEED, instance_of, measure, one_of, whole
from casino_core.equilibrium.cfr import Cfr, Strategy
from casino_core.equilibrium.tree import EndingTree, Estimate, Progress, ending_tree
from casino_core.errors import CasinoError
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.play.agent import Agent, Turn, blamed
from casino_core.play.agents import as_agent
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["EndingSolution", "Exploitability", "exploitability", "solve_ending"]

_ITERATIONS = whole(1, 1_000_000)
_ESTIMATE = one_of(get_args(Estimate))
_GAP = measure("a number of points", 100)
_LOOK = 25  # iterations between two looks at the gap
_NEVER = 1e-3  # probability below which a move is left out


@dataclass(frozen=True)
class EndingSolution:
    """An equilibrium of an ending, up to a gap.

    Attributes:
        value: final points of the side to play minus those of the other, both playing so.
        lower: the least that the mover gets against any play of the other.
        upper: the most that any mover gets against the other.
        iterations: how many it took.
        tree: the game.
        strategy: probabilities of every move in every information set, as arrays of the tree.
    """

    value: float
    lower: float
    upper: float
    iterations: int
    tree: EndingTree
    strategy: Strategy

    @property
    def exploitability(self) -> float:
        """What a player of these strategies loses at most, in points, mean of both seats."""
        return (self.upper - self.lower) / 2

    def first(self, hand: str) -> dict[str, float]:
        """How the seat to play plays with a hand: probabilities of its moves.

        Args:
            hand: its two cards.

        Raises:
            CasinoError: these are not two cards that it may hold.
        """
        number = self._hand(hand)
        return _likely(self.tree.first, self.strategy.first[number])

    def second(self, first: str, hand: str) -> dict[str, float]:
        """How the other seat answers a first move with a hand.

        Args:
            first: the first move.
            hand: the two cards of the seat that answers.

        Raises:
            CasinoError: there is no such move, or these are not two cards that it may hold.
        """
        texts = [str(move) for move in self.tree.first]
        if first not in texts:
            raise CasinoError(f"first: {first} is not one of {', '.join(texts)}")
        place, number = texts.index(first), self._hand(hand)
        return _likely(self.tree.second[place], self.strategy.second[place, number])

    def _hand(self, hand: str) -> int:
        cards = self.tree.cards
        names = [hand[place : place + 2] for place in range(0, len(hand), 2)]
        if len(names) != 2 or len({*names} & {*cards}) != 2:
            raise CasinoError(f"hand: two of {''.join(cards)}, not {hand!r}")
        return int(self.tree.pair_number[cards.index(names[0]), cards.index(names[1])])


def _likely(moves: tuple[Move, ...], chances: NDArray[np.float64]) -> dict[str, float]:
    return {
        str(move): float(chance)
        for move, chance in zip(moves, chances, strict=False)
        if chance > _NEVER
    }


def _position(ending: Position | Round) -> Position:
    found = ending.position if isinstance(ending, Round) else ending
    return instance_of(Position)("ending", found)


def solve_ending(
    ending: Position | Round,
    *,
    weights: NDArray[np.float64] | None = None,
    gap: float = 0.001,
    iterations: int = 5000,
    estimate: Estimate = "exact",
    progress: Progress | None = None,
) -> EndingSolution:
    """Solve an ending before the last deal: two cards in each hand, the stock unknown.

    Captured cards are known to both, and what follows the four plays is worth the exact mean of the
    last deal over its splits. So the ending is a zero-sum game, which CFR+ (O. Tammelin 2014)
    solves over all hands at once.

    Args:
        ending: two players with two cards each, eight cards in the stock, no builds, and every
            captured card known. Cards of the hands and of the stock are ignored.
        weights: how likely each pair of hands is, that of the seat to play first: shape (pairs,
            pairs), pairs as `EndingSolution.tree.pairs` numbers them. None if all are alike likely.
        gap: iterate until neither player can gain more than this, in points.
        iterations: the most iterations.
        estimate: what the last deal is worth: `exact`, its mean over the splits; or an estimate of
            hints, `learned` (the network), `fitted` (leads and table) or `material` (leads alone),
            in a fraction of the time.
        progress: called with the numbers of first moves done and of all, while the values of all
            ways to play are computed.

    Raises:
        CasinoError: another kind of position, or an argument that is not valid.

    Example:
        >>> position = Position.parse(
        ...     "table=5dQd hands=6dKh/AdTc piles=AsAc3s3h7s7dQsQc/Ah2s2h2d2c3d3c4s4h4d5s5h5c6s6h6c"
        ...     "7c8s8h8c9s9h9dTsThTdJsJhKsKc last=b stock=KdQh4c9cJd8d7hJc"
        ... )
        >>> found = solve_ending(position)
        >>> round(found.value, 2), found.exploitability < 0.001
        (-6.04, True)
        >>> chances = found.first("6dKh")
        >>> max(chances, key=chances.get), sum(chances.values()) > 0.99
        ('Kh', True)
    """
    CALLBACK.if_given("progress", progress)
    gap, iterations = _GAP("gap", gap), _ITERATIONS("iterations", iterations)
    _ESTIMATE("estimate", estimate)
    tree = ending_tree(_position(ending), progress, estimate)
    cfr = Cfr(tree, _checked(tree, weights))
    while True:
        cfr.run(min(_LOOK, iterations - cfr.done))
        found = cfr.average()
        lower, upper = cfr.best_of_other(found), cfr.best_of_mover(found.second)
        if (upper - lower) / 2 <= gap or cfr.done >= iterations:
            return EndingSolution(cfr.value(found), lower, upper, cfr.done, tree, found)


def _checked(tree: EndingTree, weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    if weights is None:
        return None
    found = np.asarray(weights, dtype=float)
    size = len(tree.pairs)
    if found.shape != (size, size):
        raise CasinoError(f"weights: an array of shape ({size}, {size}), not {found.shape}")
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise CasinoError("weights: numbers from 0, not all of them 0")
    return found


@dataclass(frozen=True)
class Exploitability:
    """What an agent loses in an ending against an opponent that knows how it plays.

    Attributes:
        agent: the text of the agent.
        value: the value of the ending in an equilibrium.
        as_mover: points that it loses to the best play of the other, if it moves first.
        as_other: the same if it moves second.
        asked: how many times it was asked for a play.
    """

    agent: str
    value: float
    as_mover: float
    as_other: float
    asked: int

    @property
    def mean(self) -> float:
        """The mean of both, in points."""
        return (self.as_mover + self.as_other) / 2


def exploitability(
    agent: Agent | str,
    ending: Position | Round | EndingSolution,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Exploitability:
    """What an agent loses at most in an ending: the exact best response to its play.

    It is asked for its play in every information set that it can reach, as in a game: it sees its
    own hand, the table, the captured cards and the plays of the ending.

    Args:
        agent: an agent or its text, which does not see every card. Where it draws lots, each
            information set has a stream of its own, and what is measured is the play that follows.
        ending: a position as `solve_ending` takes it, or its solution.
        seed: seed of the agent's random choices.
        progress: as for `solve_ending`.

    Raises:
        CasinoError: another kind of position, or no agent.
        AgentError: the agent fails, or chooses a move that is not legal.

    Example:
        >>> position = Position.parse(
        ...     "table=5dQd hands=6dKh/AdTc piles=AsAc3s3h7s7dQsQc/Ah2s2h2d2c3d3c4s4h4d5s5h5c6s6h6c"
        ...     "7c8s8h8c9s9h9dTsThTdJsJhKsKc last=b stock=KdQh4c9cJd8d7hJc"
        ... )
        >>> found = exploitability("greedy", position)
        >>> found.mean > 0, found.as_mover >= 0, found.as_other >= 0
        (True, True, True)
    """
    player = as_agent(agent)
    if player.sees_all:
        raise CasinoError(f"agent {player} sees every card")
    solution = ending if isinstance(ending, EndingSolution) else None
    if solution is None:
        solution = solve_ending(ending, progress=progress)  # type: ignore[arg-type]
    cfr = Cfr(solution.tree)
    asked = _Asked(player, cfr, SEED("seed", seed))
    mover = cfr.best_of_other(asked.as_mover())
    second, payoff = asked.as_other()
    other = cfr.best_of_mover(second, payoff)
    middle = (solution.lower + solution.upper) / 2
    return Exploitability(str(player), middle, middle - mover, other - middle, asked.count)


class _Asked:
    """The play of an agent in every information set that it reaches."""

    def __init__(self, agent: Agent, cfr: Cfr, seed: int) -> None:
        self.agent, self.cfr, self.tree, self.seed = agent, cfr, cfr.tree, seed
        self.count = 0
        self.hands = ["".join(self.tree.cards[card] for card in pair) for pair in self.tree.pairs]

    def _move(self, plays: list[Move], seen: list[Position]) -> Move:
        """The agent's move after some plays; `seen` are the positions before them, and now."""
        self.count += 1
        turn = Turn(
            seen[-1],
            tuple(zip(seen, plays, strict=False)),
            Stream(self.seed, Purpose.AGENT, self.count),
        )
        with blamed(self.agent, turn):
            return seen[-1].move(str(self.agent.choose(turn)))

    def as_mover(self) -> Strategy:
        """Its strategy as the seat that plays first."""
        tree = self.tree
        uniform = self.cfr.uniform()
        first, third = np.zeros_like(uniform.first), np.zeros_like(uniform.third)
        chosen = []
        for number, hand in enumerate(self.hands):
            move = self._move([], [tree.seen([], hand, "??")])
            chosen.append(move)
            first[number, tree.first.index(move)] = 1
        for node, (place, reply) in enumerate(zip(tree.node_first, tree.node_second, strict=True)):
            plays = [tree.first[place], tree.second[place][reply]]
            for card in sorted({*tree.third_card[node]} - {-1}):
                hand = tree.pair_number[tree.cards.index(plays[0].card), card]
                if chosen[hand] == plays[0]:
                    self._third(node, plays, int(card), hand, third)
        return Strategy(first, uniform.second, third)

    def _third(
        self, node: int, plays: list[Move], card: int, hand: int, third: NDArray[np.float64]
    ) -> None:
        tree, name = self.tree, self.tree.cards[card]
        seen = [
            tree.seen([], self.hands[hand], "??"),
            tree.seen(plays[:1], name, "??"),
            tree.seen(plays, name, "?"),
        ]
        third[node, tree.third[node].index(self._move(plays, seen))] = 1

    def as_other(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Its second moves, and the payoff with its last ones."""
        tree = self.tree
        second = np.zeros_like(self.cfr.uniform().second)
        chosen: dict[tuple[int, int], Move] = {}
        for place, first in enumerate(tree.first):
            for number, cards in enumerate(self.hands):
                if tree.second_legal[place, number].any():
                    seen = [tree.seen([], "??", cards), tree.seen([first], "?", cards)]
                    move = chosen[place, number] = self._move([first], seen)
                    second[place, number, tree.second[place].index(move)] = 1
        worth = tree.worth.copy()
        for (node, third, card), values in tree.last.items():
            place = int(tree.node_first[node])
            reply = tree.second[place][tree.node_second[node]]
            hand = int(tree.pair_number[tree.cards.index(reply.card), card])
            if chosen[place, hand] == reply:
                move = self._last([tree.first[place], reply, tree.third[node][third]], hand, card)
                worth[node, third, card] = dict(values)[move]
        return second, self.cfr.payoff_of(worth)

    def _last(self, plays: list[Move], hand: int, card: int) -> Move:
        tree, name = self.tree, self.tree.cards[card]
        seen = [
            tree.seen([], "??", self.hands[hand]),
            tree.seen(plays[:1], "?", self.hands[hand]),
            tree.seen(plays[:2], "?", name),
            tree.seen(plays, "", name),
        ]
        return self._move(plays, seen)
