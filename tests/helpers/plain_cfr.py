"""Counterfactual regret minimisation on any small game of two players, one history after the other.

Written from M. Zinkevich and others 2007 with the regrets of CFR+ (O. Tammelin 2014), to judge the
solver that treats all hands at once.
"""

from collections import defaultdict


class Deal:
    """A game of two players that begins with a deal.

    Args:
        deals: pairs of a deal and its probability.
        turn: returns the player (0 or 1), what it sees (any hashable) and its moves for a deal and
            a history of moves; None at the end.
        payoff: returns what player 0 gets at the end.
    """

    def __init__(self, deals, turn, payoff):
        self.deals, self.turn, self.payoff = deals, turn, payoff


class Solved:
    """What some iterations have found."""

    def __init__(self, game, iterations):
        self.game = game
        self.regrets = defaultdict(float)
        self.sums = defaultdict(float)
        for number in range(1, iterations + 1):
            for player in (0, 1):
                gains = defaultdict(float)
                for deal, chance in game.deals:
                    self._walk(deal, (), player, chance, 1.0, number, gains)
                for key, gain in gains.items():
                    self.regrets[key] = max(0.0, self.regrets[key] + gain)

    def _shares(self, table, seen, moves):
        weights = [table[seen, move] for move in moves]
        total = sum(weights)
        return [one / total if total else 1 / len(moves) for one in weights]

    def _walk(self, deal, plays, player, others, own, number, gains):
        """The value for the player; `others` is the chance of the deal and of the other's moves."""
        now = self.game.turn(deal, plays)
        if now is None:
            worth = self.game.payoff(deal, plays)
            return worth if player == 0 else -worth
        mover, seen, moves = now
        shares = self._shares(self.regrets, seen, moves)
        if mover != player:
            return sum(
                share * self._walk(deal, (*plays, move), player, others * share, own, number, gains)
                for move, share in zip(moves, shares, strict=True)
                if share
            )
        values = [
            self._walk(deal, (*plays, move), player, others, own * share, number, gains)
            for move, share in zip(moves, shares, strict=True)
        ]
        value = sum(share * one for share, one in zip(shares, values, strict=True))
        for move, share, one in zip(moves, shares, values, strict=True):
            gains[seen, move] += others * (one - value)
            self.sums[seen, move] += number * own * share
        return value

    def chances(self, seen, moves):
        """The average strategy at what a player sees."""
        return self._shares(self.sums, seen, moves)

    @property
    def value(self):
        """What player 0 gets if both play the average strategy."""
        return sum(chance * self._expected(deal, ()) for deal, chance in self.game.deals)

    def _expected(self, deal, plays):
        now = self.game.turn(deal, plays)
        if now is None:
            return self.game.payoff(deal, plays)
        _, seen, moves = now
        shares = self.chances(seen, moves)
        return sum(
            share * self._expected(deal, (*plays, move))
            for move, share in zip(moves, shares, strict=True)
            if share
        )
