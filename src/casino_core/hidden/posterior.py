"""The posterior over hidden hands, from facts, the rules and the plays seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casino_core._arguments import SAMPLES, SEED, instance_of, measure, whole
from casino_core.errors import CasinoError, NotationError
from casino_core.game.counting import card_values
from casino_core.game.position import Move, Position
from casino_core.game.whereabouts import whereabouts
from casino_core.hidden.facts import Belief, cards_named, checked_belief, checked_history
from casino_core.hidden.hands import Hands, all_deals, card_shares, draw_hands
from casino_core.rules.cards import CARD_NAMES, CardSet
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["CHANCE", "TEMPERATURE", "Beliefs", "named_shares"]

#: Temperature of the softmax in the player model of likelihoods, in points.
TEMPERATURE = 0.5
#: Share of random plays in the player model.
CHANCE = 0.3

#: The largest number of hands of one seat that are listed; four unseen cards have fewer.
MOST_HANDS = 1 << 18

_ESTIMATE = 4000  # draws for probabilities that are not exact


class _Constraint(NamedTuple):
    """One thing known of a seat's hand, and its words in a message."""

    words: str
    need: tuple[int, int] | None = None  # a mask, and the least number of its cards in the hand
    lacks: int = 0
    play: tuple[bytes, int, str, int] | None = None


def named_shares(
    seats: str, masks: NDArray[np.uint64], weights: NDArray[np.float64]
) -> dict[str, dict[str, float]]:
    """For each seat the total weight of the hands that hold each card.

    Args:
        seats: letters of the seats.
        masks: shape (hands, seats), the cards of each seat.
        weights: one for each row.

    Returns:
        A dictionary of cards for each seat that holds any.

    Example:
        >>> named_shares("ab", np.array([[0, 1], [0, 3]], dtype=np.uint64), np.array([0.25, 0.75]))
        {'b': {'As': 1.0, 'Ah': 0.75}}
    """
    found = {}
    for place, seat in enumerate(seats):
        shares = card_shares(masks[:, place], weights)
        found[seat] = {card: share for card, share in zip(CARD_NAMES, shares, strict=True) if share}
    return {seat: cards for seat, cards in found.items() if cards}


def _numbers(masks: bytes, weights: bytes) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    return np.frombuffer(masks, dtype=np.uint64).reshape(-1, 4), np.frombuffer(weights)


class Beliefs:
    """The posterior over the hidden cards of each seat.

    A hand fits if it agrees with the facts, holds a card of each value that its seat owns or has
    declared, and makes each play of the seat in this deal legal. The weight of a hand that fits is
    its odds, times the likelihood of each of these plays: a softmax over a greedy score of the
    legal moves, mixed with random play.

    Args:
        position: the position as one seat sees it (`Position.view`).
        facts: a `Belief`, its text, or None.
        history: pairs of a position and the move played in it, in order, as seen by the same seat.
            Plays of earlier deals are skipped, and in draw casino all plays before the last card is
            drawn.
        infer: whether the likelihood of plays counts; if not, plays only exclude hands for which
            they are illegal.
        temperature: of the softmax, in points, 0.05 to 1000.
        chance: share of plays that are any legal move, above 0, at most 1.
        by_card: whether tables by card may replace lists of moves for each hand; the weights are
            the same.
        most: the largest number of hands of one seat to list; beyond it hands are drawn by
            rejection sampling.
        duties: whether owners, and seats that have declared a value, hold their cards.

    Beliefs of equal arguments are equal. A copy, also by `pickle`, is computed anew.

    Attributes:
        seats: letters of the seats with hidden cards.

    Raises:
        CasinoError: facts that contradict each other, the position or the history.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> beliefs = Beliefs(position, "b:holds=9 lacks=9s")
        >>> round(beliefs.marginals()["b"]["9h"], 3)
        0.359
    """

    def __init__(
        self,
        position: Position,
        facts: Belief | str | None = None,
        history: Sequence[tuple[Position, str | Move]] | None = None,
        *,
        infer: bool = True,
        temperature: float = TEMPERATURE,
        chance: float = CHANCE,
        by_card: bool = True,
        most: int = MOST_HANDS,
        duties: bool = True,
    ) -> None:
        instance_of(Position)("position", position)
        checked_belief(facts)
        checked_history(history)
        if isinstance(facts, str):
            facts = Belief.parse(facts)
        temperature = measure("a number of points", 1000, least=0.05)("temperature", temperature)
        chance = measure("a share", 1)("chance", chance)
        most = whole(0, MOST_HANDS)("most", most)
        settings: dict[str, Any] = {
            "infer": infer,
            "by_card": by_card,
            "most": most,
            "duties": duties,
        }
        settings |= {"temperature": temperature, "chance": chance}
        plays = tuple((before, str(move)) for before, move in history or ())
        self._made_of = (position, facts, plays, settings)
        self._position = position
        self._model = (temperature if infer else 0.0, chance, by_card, most)
        self._letters = position.rules.seats
        self._unseen = position.unseen.mask
        self._odds = [[1.0] * 52 for _ in self._letters]
        self._odds_given: list[str] = []
        self._known: list[list[_Constraint]] = [[] for _ in self._letters]
        if facts is not None:
            self._add_facts(facts)
        if duties:
            self._add_duties()
        self._add_plays(plays)
        self._hidden = [seat for seat, hand in enumerate(position.hands) if hand.hidden]
        self.seats = tuple(self._letters[seat] for seat in self._hidden)
        self._hands = [self._fitting(seat) for seat in self._hidden]
        self._refuse_shared()
        self._numbers = bytes(self._hidden)
        self._listed: tuple[NDArray[np.uint64], NDArray[np.float64]] | None = None
        self._upto: NDArray[np.float64] | None = None
        if len(self._hands) > 1:
            deals = all_deals(self._hands, self._numbers)
            if deals is not None:
                self._listed = _numbers(*deals)
            if not (self._possible() if self._listed is None else len(self._listed[1])):
                raise CasinoError(self._clash())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Beliefs):
            return NotImplemented
        return self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of[:3])

    def __reduce__(self) -> tuple[Any, ...]:
        position, facts, plays, settings = self._made_of
        return partial(Beliefs, position, facts, plays, **settings), ()

    # Constraints from what is known

    def _add_facts(self, belief: Belief) -> None:
        for fact in belief.seats:
            if fact.seat not in self._letters:
                raise NotationError(
                    f"belief: no seat {fact.seat} plays; the seats are {self._letters}"
                )
            seat = self._letters.index(fact.seat)
            hand = self._position.hands[seat]
            for name in fact.holds:
                mask = cards_named(name)
                article = "" if len(name) == 2 else "an " if name in "A8" else "a "
                words = f"{fact.seat} holds {article}{name}"
                if not mask & (hand.cards.mask | (self._unseen if hand.hidden else 0)):
                    what = f"every {name} is" if len(name) == 1 else f"{name} is"
                    where = whereabouts(self._position, CardSet(mask))
                    raise CasinoError(f"belief: {words}, but {what} seen: {where}")
                self._known[seat].append(_Constraint(words, (mask, 1)))
            for name in fact.lacks:
                mask = cards_named(name)
                if mask & hand.cards.mask:
                    raise CasinoError(
                        f"belief: {fact.seat} lacks {name}, but its hand shows {hand.cards}"
                    )
                self._known[seat].append(_Constraint(f"{fact.seat} lacks {name}", lacks=mask))
            for name, weight in fact.odds:
                self._odds_given.append(f"{fact.seat} holds {name} {weight:g} times as likely")
                mask = cards_named(name)
                for card in range(52):
                    if mask >> card & 1:
                        self._odds[seat][card] *= weight

    def _add_duties(self) -> None:
        """Each seat holds a card of every value that it owns or has declared."""
        p = self._position
        for seat, letter in enumerate(self._letters):
            hand = p.hands[seat]
            owned = {build.value for build in p.builds if build.owner == letter}
            for value in sorted(owned | set(p.declared[seat])):
                mask = self._of_value(value)
                said = f"{letter} {'owns a build of' if value in owned else 'has declared'} {value}"
                # In a position made up by a user the owner may lack the card: no constraint then.
                if mask & (hand.cards.mask | (self._unseen if hand.hidden else 0)):
                    self._known[seat].append(_Constraint(said, (mask, 1)))
            both = self._of_value(1) & (hand.cards.mask | self._unseen)
            if {1, 14} <= owned and both.bit_count() > 1 and hand.size > 1:
                # One ace cannot guard both.
                words = f"{letter} owns builds of 1 and 14"
                self._known[seat].append(_Constraint(words, (both, 2)))

    def _of_value(self, value: int) -> int:
        return sum(
            1 << card
            for card, name in enumerate(CARD_NAMES)
            if value in card_values(self._position._compiled, name)
        )

    def _add_plays(self, history: Sequence[tuple[Position, str | Move]]) -> None:
        now = self._position
        later = [0] * len(self._letters)
        stock = now.stock_count
        for number in range(len(history), 0, -1):
            past, move = history[number - 1]
            if past.stock_count < stock:
                raise CasinoError(
                    f"history: play {number}, {move}, has a stock of {past.stock_count}, what "
                    f"comes after it one of {stock}"
                )
            stock = past.stock_count
            if past.rules != now.rules:
                raise CasinoError(
                    f"history: play {number} is of {past.rules}, the position of {now.rules}"
                )
            if past.stock_count != now.stock_count:
                continue  # another deal, or a card has been drawn since
            seat = past.rules.seats.index(past.turn)
            played = self._played(number, past, move)
            text, card = str(played), cards_named(played.card)
            if card & self._unseen and any(pile.hidden for pile in now.piles):
                # Captured since and forgotten: no seat holds it.
                for known in self._known:
                    known.append(_Constraint(f"{past.turn} played {text}", lacks=card))
            elif card & (self._unseen | now.hands[seat].cards.mask | later[seat]):
                raise CasinoError(
                    f"history: play {number}, {text} of {past.turn}, plays a card that is not on "
                    f"the table or captured afterwards"
                )
            later[seat] |= card
            if past.hands[seat].size != now.hands[seat].size + later[seat].bit_count():
                raise CasinoError(
                    f"history: before play {number}, {text}, {past.turn} has "
                    f"{past.hands[seat].size} cards, which with the plays since does not lead to "
                    f"the {now.hands[seat].size} of the position"
                )
            if now.hands[seat].hidden:
                state, _ = past._state()
                words = f"{past.turn} played {text}"
                play = (state, seat, text, later[seat])
                self._known[seat].append(_Constraint(words, play=play))

    @staticmethod
    def _played(number: int, past: Position, move: str | Move) -> Move:
        try:
            return past.move(move)
        except CasinoError as error:
            raise CasinoError(f"history: play {number}: {error}") from None

    # Hands that fit

    def _core(self, seat: int, constraints: Sequence[_Constraint], *, legal: bool = False) -> Hands:
        hand = self._position.hands[seat]
        unseen = self._unseen
        for one in constraints:
            unseen &= ~one.lacks
        temperature, chance, by_card, most = self._model
        return Hands(
            self._position._state()[1],
            hand.cards.mask,
            unseen,
            hand.hidden,
            [one.need for one in constraints if one.need],
            self._odds[seat],
            [one.play for one in constraints if one.play],
            0.0 if legal else temperature,
            chance,
            by_card=by_card,
            most=most,
        )

    def _fitting(self, seat: int) -> Hands:
        constraints = self._known[seat]
        hands = self._core(seat, constraints)
        if hands.count:
            return hands
        # Drop constraints that the contradiction does not need: the rest are named.
        clash = list(constraints)
        for one in constraints:
            fewer = [other for other in clash if other is not one]
            if self._core(seat, fewer, legal=True).count == 0:
                clash = fewer
        size = self._position.hands[seat].size
        cards = "card" if size == 1 else "cards"
        words = ", ".join(one.words for one in clash)
        raise CasinoError(f"belief: no hand of {size} {cards} fits all of this: {words}")

    def _refuse_shared(self) -> None:
        """Raise an error if two seats must hold the same card, before any drawing."""
        holders: dict[int, str] = {}
        for seat in self._hidden:
            for one in self._known[seat]:
                if one.need is None or one.need[0].bit_count() != 1:
                    continue
                other = holders.setdefault(one.need[0], one.words)
                if other != one.words and other[0] != one.words[0]:
                    raise CasinoError(f"belief: one card is not in two hands: {other}, {one.words}")

    def _possible(self) -> bool:
        return draw_hands(self._hands, self._numbers, 1, 0) is not None

    def _clash(self) -> str:
        words = [one.words for seat in self._hidden for one in self._known[seat]]
        words += self._odds_given
        return f"belief: no deal of the unseen cards, or hardly any, fits all of {', '.join(words)}"

    # The posterior

    @property
    def is_counted(self) -> bool:
        """Whether all hands are listed, so that probabilities are exact."""
        if len(self._hands) == 1:
            return self._hands[0].count >= 0
        return self._listed is not None or not self._hands

    @property
    def is_even(self) -> bool:
        """Whether nothing is known, so that all hands are equally likely."""
        return not any(self._known) and all(odds == 1 for seat in self._odds for odds in seat)

    def ways(self) -> tuple[NDArray[np.uint64], NDArray[np.float64]] | None:
        """All combinations of hidden hands with their probabilities; None if there are too many to
        list.

        Returns:
            Masks of shape (combinations, 4), with a column for each of four seats, and
            probabilities.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> masks, shares = Beliefs(position).ways()
            >>> masks.shape, round(float(shares.sum()), 6)
            ((135751, 4), 1.0)
        """
        if not self.is_counted:
            return None
        if not self._hands:
            return np.zeros((1, 4), dtype=np.uint64), np.ones(1)
        if self._listed is None:
            hidden, weights = self._hands[0].listed()
            shares = np.frombuffer(weights)
            masks = np.zeros((len(shares), 4), dtype=np.uint64)
            masks[:, self._hidden[0]] = np.frombuffer(hidden, dtype=np.uint64)
            self._listed = masks, shares
        return self._listed

    def all(self) -> list[tuple[tuple[int, ...], float]] | None:
        """All combinations of hidden hands with their probabilities; None if there are too many to
        list.

        Returns:
            Pairs of the masks of the hidden cards of each seat, 0 for a seat without, and a
            probability.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> len(Beliefs(position).all())
            135751
        """
        ways = self.ways()
        if ways is None:
            return None
        masks, shares = ways
        seats = len(self._letters)
        return list(zip(map(tuple, masks[:, :seats].tolist()), shares.tolist(), strict=True))

    def sample(self, number: int, seed: int = 0) -> list[tuple[int, ...]]:
        """Hidden hands drawn by their probability, as masks of the hidden cards of each seat.

        Args:
            number: the number of draws.
            seed: 0 to 2**64 - 1; the same seed gives the same draws.

        Raises:
            CasinoError: there are too many hands to list, and hardly any fits.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> [mask.bit_count() for mask in Beliefs(position).sample(1)[0]]
            [0, 4]
        """
        return [tuple(way) for way in self.draw(number, seed)[:, : len(self._letters)].tolist()]

    def draw(
        self, number: int, seed: int = 0, *, deadline: float | None = None
    ) -> NDArray[np.uint64]:
        """Hidden hands drawn by their probability, as masks of shape (draws, 4), a column for each
        seat.

        There may be fewer draws than asked for, if there are too many hands to list and few fit.

        Args:
            number: the number of draws.
            seed: 0 to 2**64 - 1; the same seed gives the same draws.
            deadline: on the clock of `time.perf_counter`, after which one draw is enough.

        Raises:
            CasinoError: there are too many hands to list, and hardly any fits.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> Beliefs(position).draw(3).shape
            (3, 4)
        """
        number = SAMPLES("number", number)
        stream = Stream(SEED("seed", seed), Purpose.HANDS)
        if self._listed is not None and len(self._hands) > 1:
            if self._upto is None:
                self._upto = np.cumsum(self._listed[1])
            chosen = np.empty((1, number))
            stream.fill_random(chosen)
            places = np.searchsorted(self._upto, chosen[0] * self._upto[-1], side="right")
            ways: NDArray[np.uint64] = self._listed[0][places.clip(max=len(self._upto) - 1)]
            return ways
        drawn = draw_hands(
            self._hands, self._numbers, number, stream.bits(), deadline=deadline or 0
        )
        if drawn is None:
            raise CasinoError("belief: hardly any hand fits what is known, so none can be drawn")
        return np.frombuffer(drawn, dtype=np.uint64).reshape(-1, 4)

    def marginals(self, samples: int = _ESTIMATE, seed: int = 0) -> dict[str, dict[str, float]]:
        """For each seat with hidden cards the probability that it holds each card, without zeros.

        Exact if `is_counted` or `is_even`, else estimated.

        Args:
            samples: the number of draws of an estimate.
            seed: of the draws.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> round(Beliefs(position).marginals()["b"]["9s"], 4)
            0.0909
        """
        if len(self._hands) == 1 and self.is_counted:
            shares = {self._hidden[0]: self._hands[0].marginals()}
        elif self.is_even:
            cards = self._unseen.bit_count()
            shares = {
                seat: [
                    self._position.hands[seat].hidden / cards * (self._unseen >> card & 1)
                    for card in range(52)
                ]
                for seat in self._hidden
            }
        else:
            ways = self.ways()
            masks = self.draw(samples, seed) if ways is None else ways[0]
            weights = np.full(len(masks), 1 / len(masks)) if ways is None else ways[1]
            shares = {seat: card_shares(masks[:, seat], weights) for seat in self._hidden}
        return {
            self._letters[seat]: {
                CARD_NAMES[card]: share for card, share in enumerate(shares[seat]) if share
            }
            for seat in self._hidden
        }

    def probability(self, seat: str, hidden: int) -> float:
        """The probability of a hand of the only hidden seat.

        Args:
            seat: the seat's letter.
            hidden: mask of its hidden cards.

        Raises:
            CasinoError: another hand is hidden too, or hands are too many to list.

        Example:
            >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
            >>> 1 / Beliefs(position).probability("b", 0b1110001 << 4)
            135751.0
        """
        if len(self._hands) != 1 or seat != self.seats[0] or not self.is_counted:
            raise CasinoError(f"belief: {seat} is not the only seat whose hand is hidden")
        hands = self._hands[0]
        return hands.weight(hidden) / hands.total
