"""The game of OpenSpiel: chance deals the cards one by one, players take the steps of turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from casino_core.adapters.spiel_observer import CasinoObserver
from casino_core.errors import CasinoError
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.hidden.posterior import Beliefs
from casino_core.learning.rewards import rewards_of
from casino_core.learning.steps import STEP_COUNT, Choice, describe
from casino_core.rules.cards import ALL_CARDS, CARD_NAMES, CardSet
from casino_core.rules.options import Rules

__all__ = ["GAME_TYPE", "CasinoGame", "CasinoState", "Dealt"]

_PACK = 52
_LOOSE = 4  # cards that the table gets at the start of a round
_MOST_POINTS = 27  # of a round without sweeps, under any scoring
_MOST_SWEEPS = 26
#: OpenSpiel keeps parameters in a text where `,` ends a value and `=` ends a name.
_WRITTEN, _READ = str.maketrans(",=", ";~"), str.maketrans(";~", ",=")
_NO_CARDS = CardSet()
_MOST_TRIES = 1000  # hands drawn until one fits every play of the deal

GAME_TYPE = pyspiel.GameType(
    short_name="casino_core",
    long_name="Casino, the fishing card game",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": "standard", "position": ""},
)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A game so far: immutable, so that copies of a state share it.

    Attributes:
        table: the loose cards dealt by chance before there is a round.
        round: the round, None while the first loose cards are dealt.
        choice: the turn, None while cards are to be dealt and at the end.
    """

    table: CardSet = _NO_CARDS
    round: Round | None = None
    choice: Choice | None = None

    def __deepcopy__(self, memo: object) -> Dealt:
        return self


def _given(parameters: Mapping[str, Any], name: str) -> str:
    return str(parameters.get(name, "")).translate(_READ)


class CasinoGame(pyspiel.Game):
    """One round of Casino.

    Args:
        params: `rules` and `position`, see `casino_core.adapters.openspiel`.

    Raises:
        CasinoError: there are no such rules, or the position cannot be read or is over.

    Example:
        >>> game = CasinoGame({"rules": "royal"})
        >>> state = game.new_initial_state()
        >>> state.is_chance_node(), len(state.chance_outcomes())
        (True, 52)
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {name: str(text).translate(_WRITTEN) for name, text in (params or {}).items()}
        line = _given(given, "position")
        self.rules = Rules.parse(_given(given, "rules") or "standard")
        self.start = _start_of(line, self.rules) if line else None
        most = float(_MOST_POINTS + _MOST_SWEEPS * self.rules.sweep)
        cards = _PACK - _LOOSE  # plays; a card is taken loose once, a build once after each play
        info = pyspiel.GameInfo(
            num_distinct_actions=STEP_COUNT,
            max_chance_outcomes=_PACK,
            num_players=self.rules.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=3 * cards + _PACK + cards,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> CasinoState:
        """The state before any card is dealt."""
        return CasinoState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The cards of the pack, each dealt once."""
        return _PACK

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> CasinoObserver:
        """An observer of states; with perfect recall it sees the plays of the deal too."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CasinoObserver(self.rules, kind, params)


def _start_of(line: str, rules: Rules) -> Position:
    """The position to start from, with the order of the stock unknown."""
    position = Position.parse(line if "rules=" in line else f"rules={rules} {line}")
    if position.rules != rules:
        raise CasinoError(f"position: the rules are {position.rules}, not {rules}")
    if position.is_over:
        raise CasinoError("position: the round is over")
    return position.open_view()


class CasinoState(pyspiel.State):
    """A round so far.

    Attributes:
        dealt: the cards and plays so far, a `Dealt`.
    """

    def __init__(self, game: CasinoGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.dealt = Dealt() if game.start is None else _settled(Dealt(round=Round(game.start)))

    @property
    def round(self) -> Round | None:
        """The round, a `Round`; None while the first loose cards are dealt."""
        return self.dealt.round

    def current_player(self) -> int:
        """The seat to play, or that chance deals, or that the round is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.dealt.choice is None or self.dealt.round is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.rules.seats.index(self.dealt.round.position.turn)

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.dealt.round is not None and self.dealt.round.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, each with the same probability."""
        if self.dealt.round is None:
            cards = CardSet(ALL_CARDS & ~self.dealt.table.mask)
        else:
            cards = self.dealt.round.position.unseen
        return [(CARD_NAMES.index(card), 1 / len(cards)) for card in cards]

    def _legal_actions(self, player: int) -> list[int]:
        assert player >= 0
        assert self.dealt.choice is not None
        return list(self.dealt.choice.legal)

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.dealt = _settled(_with_card(self.dealt, CARD_NAMES[action], self.rules))
            return
        dealt = self.dealt
        assert dealt.choice is not None
        assert dealt.round is not None
        choice = dealt.choice.step(action)
        if choice.move is None:
            self.dealt = replace(dealt, choice=choice)
        else:
            self.dealt = _settled(Dealt(round=dealt.round.play(choice.move)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {CARD_NAMES[action]}"
        return describe(action)

    def returns(self) -> list[float]:
        """What each seat has over the mean of the other sides; zeros before the end."""
        if self.dealt.round is None or not self.is_terminal():
            return [0.0] * self.rules.players
        return list(rewards_of(self.rules, self.dealt.round.score()))

    def resample_from_infostate(self, player: int, sampler: Any) -> CasinoState:
        """A state that a player cannot tell from this one, by the posterior of `Beliefs`.

        Args:
            player: the player.
            sampler: a function that returns a random number from 0 up to 1.
        """
        dealt = self.dealt
        assert dealt.round is not None
        seat = self.rules.seats[player]
        seen = dealt.round.position.view(seat)
        beliefs = Beliefs(seen, history=dealt.round.plays_of_deal(seat))
        for _ in range(_MOST_TRIES):
            (hands,) = beliefs.sample(1, int(sampler() * 2**53))
            found = self._with_hands(player, hands)
            if found is not None:
                return found
        raise CasinoError("hardly any hand fits the plays of this deal, so none can be drawn")

    def _with_hands(self, player: int, hands: tuple[int, ...]) -> CasinoState | None:
        """This state with other hidden hands; None if they do not allow the plays so far."""
        assert self.dealt.round is not None
        left = {
            seat: list(CardSet(mask)) for seat, mask in enumerate(hands) if seat != player and mask
        }
        held = self.dealt.round.position.hands
        found: CasinoState = self.get_game().new_initial_state()
        for actor, action in ((item.player, item.action) for item in self.full_history()):
            if actor == pyspiel.PlayerId.CHANCE:
                seat = found.seat_dealt()
                if seat in left and CARD_NAMES[action] in held[seat].cards:
                    action = CARD_NAMES.index(left[seat].pop())
            elif action not in found.legal_actions():
                return None
            found.apply_action(action)
        return found

    def seat_dealt(self) -> int | None:
        """The seat that chance deals a card to; None for the table."""
        if self.dealt.round is None:
            return None
        hands = self.dealt.round.position.hands
        return next(seat for seat, hand in enumerate(hands) if hand.hidden)

    def __str__(self) -> str:
        """The record of the round, and the steps of an unfinished turn."""
        if self.dealt.round is None:
            return f"table={self.dealt.table or '-'}"
        steps = self.dealt.choice.steps if self.dealt.choice is not None else ()
        lines = [str(self.dealt.round), ", ".join(map(describe, steps))]
        return "\n".join(filter(None, lines))


def _with_card(dealt: Dealt, card: str, rules: Rules) -> Dealt:
    """A game after chance has dealt a card."""
    if dealt.round is None:
        table = dealt.table | CardSet(card)
        if len(table) < _LOOSE:
            return Dealt(table)
        unknown = "/".join(["????"] * rules.players)
        return Dealt(round=Round(Position.parse(f"rules={rules} table={table} hands={unknown}")))
    hands = dealt.round.position.hands
    seat = next(seat for seat, hand in enumerate(hands) if hand.hidden)
    return Dealt(round=dealt.round.reveal(rules.seats[seat], card))


def _settled(dealt: Dealt) -> Dealt:
    """A game with its turn begun, once every hand is known."""
    if dealt.round is None or dealt.round.is_over:
        return dealt
    if any(hand.hidden for hand in dealt.round.position.hands):
        return dealt
    return replace(dealt, choice=Choice(dealt.round.position, some=True))


pyspiel.register_game(GAME_TYPE, CasinoGame)
