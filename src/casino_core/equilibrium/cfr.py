"""Counterfactual regret minimisation on the tree of an ending, over all hands at once.

CFR+ (O. Tammelin 2014): regrets are never below zero, the players are updated in turn, and later
iterations weigh more in the average.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from casino_core.equilibrium.tree import EndingTree

__all__ = ["Cfr", "Strategy"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Strategy:
    """Probabilities of moves at every information set of both players.

    Attributes:
        first: of the mover's first moves by its hand, shape (pairs, first moves).
        second: of the other's moves by the first move and its hand, shape (first moves, pairs,
            second moves).
        third: of the mover's last moves, shape (nodes, third moves); those of one card sum to 1.
    """

    first: Array
    second: Array
    third: Array


class Cfr:
    """The iterations on one tree.

    Args:
        tree: the tree.
        weights: probability of each pair of hands, the mover's first, shape (pairs, pairs); None
            if all are alike likely.
    """

    def __init__(self, tree: EndingTree, weights: Array | None = None) -> None:
        self.tree = tree
        pairs, cards = len(tree.pairs), len(tree.cards)
        apart = np.array(
            [[not set(one) & set(two) for two in tree.pairs] for one in tree.pairs], dtype=float
        )
        weights = apart if weights is None else weights * apart
        self.weights = weights / weights.sum()
        pair = tree.pair_number
        first_card = np.array([tree.cards.index(move.card) for move in tree.first])[tree.node_first]
        second_card = np.array(
            [
                tree.cards.index(tree.second[a][b].card)
                for a, b in zip(tree.node_first, tree.node_second, strict=True)
            ]
        )
        self.there = tree.third_card >= 0
        third = np.where(self.there, tree.third_card, 0)
        self.mine = np.where(self.there, pair[first_card[:, None], third], -1)  # (nodes, thirds)
        self.theirs = pair[second_card]  # (nodes, cards), -1 where there is no such hand
        chance = self.weights[self.mine[:, :, None], self.theirs[:, None, :]]
        self._chance = chance
        self.has = self.theirs >= 0
        possible = self.there[:, :, None] & self.has[:, None, :]
        self._possible = possible & (np.arange(cards) != third[:, :, None])
        self.payoff = self.payoff_of(tree.worth)
        group = np.where(self.there, third, cards)  # moves of one card are one information set
        self._one_hot = (group[:, :, None] == np.arange(cards)).astype(float)
        one_over = 1 / np.maximum(self._one_hot.sum(axis=1), 1)
        self._even = np.einsum("nc,njc->nj", one_over, self._one_hot)  # third moves alike
        self.at = (
            tree.node_first[:, None],
            np.where(self.has, self.theirs, 0),
            tree.node_second[:, None],
        )
        self.first_legal = tree.first_legal.astype(float)
        self.second_legal = tree.second_legal.astype(float)
        self.regrets = Strategy(
            np.zeros((pairs, len(tree.first))),
            np.zeros(tree.second_legal.shape),
            np.zeros(tree.third_card.shape),
        )
        self.sums = Strategy(
            *(
                np.zeros_like(one)
                for one in (self.regrets.first, self.regrets.second, self.regrets.third)
            )
        )
        self.done = 0

    def payoff_of(self, worth: Array) -> Array:
        """Values of all ways to play times their chance, shape (nodes, thirds, cards).

        Args:
            worth: as in the tree, perhaps with other last plays.
        """
        found: Array = np.where(self._possible, self._chance * worth, 0.0)
        return found

    # Strategies

    def uniform(self) -> Strategy:
        """Every legal move of an information set with equal probability."""
        return self._normal(Strategy(self.first_legal, self.second_legal, self.there.astype(float)))

    def _normal(self, weights: Strategy) -> Strategy:
        """Weights as probabilities; where all are zero, legal moves alike."""
        return Strategy(
            _shares(weights.first * self.first_legal, self.first_legal),
            _shares(weights.second * self.second_legal, self.second_legal),
            self._third_shares(weights.third),
        )

    def _third_shares(self, weights: Array) -> Array:
        weights = weights * self.there
        total = np.einsum("nj,njc->nc", weights, self._one_hot)
        own = np.einsum("nc,njc->nj", total, self._one_hot)
        return np.where(own > 0, weights / np.where(own > 0, own, 1), self._even) * self.there

    def current(self) -> Strategy:
        """The strategy that follows from the regrets."""
        return self._normal(self.regrets)

    def average(self) -> Strategy:
        """The average strategy, which comes near an equilibrium."""
        return self._normal(self.sums)

    # Values

    def third_values(self, second: Array, payoff: Array | None = None) -> Array:
        """Counterfactual values of the mover's third moves, shape (nodes, thirds)."""
        reach = np.where(self.has, second[self.at], 0.0)
        payoff = self.payoff if payoff is None else payoff
        found: Array = np.einsum("njc,nc->nj", payoff, reach)
        return found

    def first_values(self, third_values: Array, third: Array) -> Array:
        """Counterfactual values of the mover's first moves, shape (pairs, first moves)."""
        found = np.zeros_like(self.first_legal)
        own = third * third_values
        rows = self.mine[self.there]
        columns = np.broadcast_to(self.tree.node_first[:, None], self.mine.shape)[self.there]
        np.add.at(found, (rows, columns), own[self.there])
        return found

    def second_values(self, strategy: Strategy) -> Array:
        """Counterfactual values of the other's moves for the mover, shape as `second`."""
        by_card = np.einsum("njc,nj->nc", self.payoff, self._reached(strategy))
        found = np.zeros_like(self.second_legal)
        np.add.at(found, self.at, np.where(self.has, by_card, 0.0))
        return found

    # Iterations

    def run(self, iterations: int) -> None:
        """Iterate.

        Args:
            iterations: how often.
        """
        for _ in range(iterations):
            self.done += 1
            self._update_mover(self.current())
            self._update_other(self.current())

    def _update_mover(self, now: Strategy) -> None:
        values = self.third_values(now.second)
        mean = np.einsum("nj,nj,njc->nc", now.third, values, self._one_hot)
        gain = values - np.einsum("nc,njc->nj", mean, self._one_hot)
        self.regrets.third[:] = np.maximum(self.regrets.third + gain * self.there, 0)
        first = self.first_values(values, now.third)
        gain = first - (now.first * first).sum(axis=1, keepdims=True)
        self.regrets.first[:] = np.maximum(self.regrets.first + gain * self.first_legal, 0)
        self.sums.first[:] += self.done * now.first
        self.sums.third[:] += self.done * self._reached(now)

    def _update_other(self, now: Strategy) -> None:
        values = -self.second_values(now)
        gain = values - (now.second * values).sum(axis=2, keepdims=True)
        self.regrets.second[:] = np.maximum(self.regrets.second + gain * self.second_legal, 0)
        self.sums.second[:] += self.done * now.second

    # Best responses

    def value(self, strategy: Strategy) -> float:
        """Expected value for the mover if both play a strategy."""
        return float((self.third_values(strategy.second) * self._reached(strategy)).sum())

    def _reached(self, strategy: Strategy) -> Array:
        reach = strategy.first[np.where(self.there, self.mine, 0), self.tree.node_first[:, None]]
        found: Array = np.where(self.there, reach * strategy.third, 0.0)
        return found

    def best_of_mover(self, second: Array, payoff: Array | None = None) -> float:
        """The most that the mover can get against the other's strategy.

        Args:
            second: of the other's second moves.
            payoff: with the other's last plays; None for the best ones.
        """
        values = self.third_values(second, payoff)
        by_card = np.where(self._one_hot > 0, values[:, :, None], -np.inf)
        best = by_card.max(axis=1)  # (nodes, cards)
        chosen = np.einsum("nc,njc->nj", np.where(np.isfinite(best), best, 0.0), self._one_hot)
        first = self.first_values(chosen, self._even * self.there)
        return float(np.where(self.tree.first_legal, first, -np.inf).max(axis=1).sum())

    def best_of_other(self, strategy: Strategy) -> float:
        """The least that the other can leave to the mover's strategy."""
        values = self.second_values(strategy)
        least = np.where(self.tree.second_legal, values, np.inf).min(axis=2)
        return float(least[np.isfinite(least)].sum())


def _shares(weights: Array, legal: Array) -> Array:
    """Weights of the last axis as shares; where all are zero, legal moves alike."""
    total = weights.sum(axis=-1, keepdims=True)
    count = np.maximum(legal.sum(axis=-1, keepdims=True), 1)
    found: Array = np.where(total > 0, weights / np.where(total > 0, total, 1), legal / count)
    return found
