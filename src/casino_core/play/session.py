"""A game in progress between people and agents, for the terminal and for the page.

A session is a record that grows by a play at a time, so it can be saved after each play and
continued at any time with the same cards: the record has the seed of every shuffle and of the
agents' random numbers, and the names of the agents.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from casino_core._arguments import SEED, instance_of, shown
from casino_core._files import write_whole
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.evaluation.equity import MatchEquity, match_equity
from casino_core.formats.reading import read_game
from casino_core.formats.record import Game
from casino_core.formats.record_parts import RecordedRound, one_line
from casino_core.game.match import by_players, by_seats, match_result
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.play.agent import Agent, blamed
from casino_core.play.agents import AGENTS, parse_agent
from casino_core.play.levels import LEVELS
from casino_core.play.outcome import Outcome, last_outcome
from casino_core.play.table import turn_of
from casino_core.rules.options import Rules
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["Player", "Session", "new_seed", "player_to_play"]

_LONGEST_NAME: Final = 40
_SEED_TAG: Final = "GameSeed"
_KEPT_TAGS: Final = ("Event", "Date")  # of a record, for a game that goes on from it
_NUMBERS: Final = ("II", "III", "IV", "V")
_MOST_BYTES: Final = 4_000_000  # of a record to continue


def new_seed() -> int:
    """A seed that nobody can guess, small enough for a number of JavaScript.

    Example:
        >>> new_seed() < 2**53
        True
    """
    return secrets.randbits(53)


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a session.

    Args:
        name: the name; of an agent, empty for the text that names it.
        agent: the agent that plays; None for a person.

    Raises:
        CasinoError: a name that is empty or too long, or no agent.

    Example:
        >>> Player("", parse_agent("careful")).name
        'careful'
    """

    name: str = ""
    agent: Agent | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.agent, Agent | None):
            raise CasinoError(f"agent is an Agent or None, not {shown(self.agent)}")
        if not isinstance(self.name, str):
            raise CasinoError(f"the name of a player is a text, not {shown(self.name)}")
        name = one_line(self.name) or ("" if self.agent is None else str(self.agent))
        if not name or not name.isprintable():
            raise CasinoError(f"the name of a player is a line of letters, not {quoted(self.name)}")
        if self.agent is None and len(name) > _LONGEST_NAME:
            raise CasinoError(f"the name of a player has at most {_LONGEST_NAME} characters")
        object.__setattr__(self, "name", name)

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return self.agent is None


@dataclass(frozen=True, slots=True)
class Session:
    """A round or a match in progress. Immutable: a play gives another session.

    Players are named by their seats in the first round, `a` to `d`. From round to round the lead
    passes to the left, so the seats of a round are others: `seating` has the players in their
    order.

    Attributes:
        game: the record so far; its last round is the present one, finished or not.
        players: the players, that of seat a of the first round first.
        seed: the seed of the game, from which the packs and the agents' random numbers follow.

    Example:
        >>> players = [Player("Anna"), Player("", parse_agent("greedy"))]
        >>> session = Session.start(players=players, seed=17)
        >>> session = session.play("7dx7c").play_agents()
        >>> [str(move) for move in session.round.plays], session.to_play.name
        (['7dx7c', '3d'], 'Anna')
        >>> Session.resume(str(session.game)) == session
        True
    """

    game: Game
    players: tuple[Player, ...]
    seed: int

    # Beginning, saving and continuing

    @staticmethod
    def start(
        rules: str | Rules = "standard",
        *,
        target: int | Literal["none"] | None = None,
        players: Sequence[Player],
        seed: int | None = None,
        tags: Mapping[str, str] = MappingProxyType({}),
    ) -> Session:
        """A new game with its first round dealt.

        Args:
            rules: the rule set.
            target: points that win the match, "none" for rounds without an end; None for the
                target of the rules.
            players: a player for each seat, the one who leads the first round first. Agents of the
                same name get a number.
            seed: the seed of the game, 0 to 2**64 - 1; the first round is dealt by it. None for a
                random one.
            tags: tags of the record, such as Event and Date.

        Raises:
            CasinoError: an argument is not valid, or two players have the same name.
        """
        empty = Game(
            (), rules=Rules.parse(rules) if isinstance(rules, str) else rules, target=target
        )
        seed = new_seed() if seed is None else SEED("seed", seed)
        players, known = _seated(empty.rules, players, seed)
        start = Position.start(empty.rules, seed=seed)
        game = Game(
            [RecordedRound(Round(start), seed=seed)],
            rules=empty.rules,
            target="none" if target == "none" else None,
            tags={**tags, **known},
        )
        return Session(game, players, seed)

    @staticmethod
    def from_record(
        game: Game | str | bytes,
        *,
        at: int | str | None = None,
        players: Sequence[Player],
        seed: int | None = None,
    ) -> Session:
        """A game that goes on from a record, with other players.

        Args:
            game: a record that holds every card.
            at: the play to go on before, 12 or "2.12" for play 12 of round 2; None for the end.
            players: a player for each seat, that of seat a of the first round first.
            seed: as for `start`; further rounds are dealt by it.

        Raises:
            CasinoError: the record cannot be read or played on, or an argument is not valid.

        Example:
            >>> players = [Player("Anna"), Player("", parse_agent("careful"))]
            >>> session = Session.from_record("[Seed 17] 7dx7c 9h", at=2, players=players)
            >>> [str(move) for move in session.round.plays], session.to_play.name
            (['7dx7c'], 'careful')
        """
        found = read_game(game).game if isinstance(game, str | bytes) else game
        found = instance_of(Game)("game", found).up_to(at)
        _check_open(found)
        seed = new_seed() if seed is None else SEED("seed", seed)
        players, known = _seated(found.rules, players, seed)
        kept = {name: text for name, text in found.tags.items() if name in _KEPT_TAGS}
        target: Literal["none"] | None = "none" if found.target is None else None
        game = Game(found.rounds, rules=found.rules, target=target, tags={**kept, **known})
        return Session(game, players, seed)

    @staticmethod
    def resume(
        game: Game | str | bytes, *, agents: Mapping[str, Agent] = MappingProxyType({})
    ) -> Session:
        """The session that a record continues.

        Args:
            game: a record that holds every card, such as a session saves. A player without an agent
                in it is a person.
            agents: agents by seat of the first round that the caller vouches for. A record cannot
                name an agent of a module of its own, as that would run code at the record's will.

        Raises:
            CasinoError: the record cannot be read or played on, or names an agent that is unknown.

        Example:
            >>> Session.resume('[A "Anna"] [AgentB "careful"] [Seed 17] 7dx7c').play_agents().names
            ('Anna', 'careful')
        """
        found = read_game(game).game if isinstance(game, str | bytes) else game
        _check_open(instance_of(Game)("game", found))
        tags = found.tags
        players = []
        for seat in found.rules.seats:
            agent = agents.get(seat) or _agent_of(tags.get(f"Agent{seat.upper()}"))
            name = found.players.get(seat, "")
            players.append(Player(name or ("" if agent else f"Player {seat.upper()}"), agent))
        return Session(found, tuple(players), _seed_of(found))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, which is complete at any time.

        The record has every card, also those of hidden hands and the stock.

        Args:
            path: the path of the file.

        Raises:
            OSError: the file cannot be written.
        """
        write_whole(path, str(self.game))

    @staticmethod
    def load(
        path: str | os.PathLike[str], *, agents: Mapping[str, Agent] = MappingProxyType({})
    ) -> Session:
        """The session that a file continues.

        Args:
            path: the path of a file with a record.
            agents: as for `resume`.

        Raises:
            CasinoError: the file cannot be read, or its record cannot be played on.
        """
        name = quoted(os.fspath(path))
        try:
            with open(path, "rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError as error:
            raise NotationError(f"cannot read {name}: {error.strerror or error}") from None
        if len(data) > _MOST_BYTES:
            raise NotationError(f"{name} is too long for the record of a game")
        try:
            return Session.resume(data, agents=agents)
        except CasinoError as error:
            raise type(error)(f"{name}: {error}") from None

    # Players and seats

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.game.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.players)

    @property
    def number(self) -> int:
        """The number of the present round."""
        return self.game.rounds[-1].number

    @property
    def seating(self) -> str:
        """The letters of the players in the order of the seats of the present round."""
        return self.game.seating(self.number)

    def player_at(self, seat: str) -> Player:
        """The player at a seat of the present round.

        Args:
            seat: the letter of the seat.
        """
        return self.players[self.rules.seats.index(self.seating[self.rules.seats.index(seat)])]

    def seat_of(self, player: Player) -> str:
        """The seat of a player in the present round.

        Args:
            player: one of the players.
        """
        letter = self.rules.seats[self.players.index(player)]
        return self.rules.seats[self.seating.index(letter)]

    @property
    def persons(self) -> tuple[Player, ...]:
        """The players that are people."""
        return tuple(player for player in self.players if player.is_person)

    # The present round

    @property
    def round(self) -> Round:
        """The present round, with all its cards."""
        return self.game.rounds[-1].round

    @property
    def position(self) -> Position:
        """The present position, with all its cards."""
        return self.round.position

    @property
    def to_play(self) -> Player | None:
        """The player whose turn it is; None if the round is over."""
        return None if self.round.is_over else self.player_at(self.position.turn)

    def seen_by(self, player: Player) -> Round:
        """The present round as a player has seen it, the other hands and the stock hidden.

        Args:
            player: one of the players.
        """
        return self.round.seen_by(self.seat_of(player))

    @property
    def outcome(self) -> Outcome | None:
        """What happened at the last play; None if nothing has been played in this round."""
        return last_outcome(self.round)

    # Plays

    def play(self, move: str | Move) -> Session:
        """The session with one more play.

        Args:
            move: the play of the player to play.

        Raises:
            IllegalMoveError: the move is not legal.
            NotationError: the text is not a move, or the round is over.
        """
        return self._with(self.round.play(move))

    def choose(self, stop: Callable[[], bool] | None = None) -> Move:
        """The play of the agent whose turn it is, which sees its own hand and the table.

        The same game, seed and number of plays give the same play.

        Args:
            stop: asked now and then while the agent thinks; True ends it with its best so far.

        Raises:
            CasinoError: the round is over, or a person is to play.
            AgentError: the agent fails, or its move is not legal.
        """
        player = self.to_play
        if player is None:
            raise CasinoError("the round is over, so no agent is to play")
        if player.agent is None:
            raise CasinoError(f"{player.name} is to play, which is no agent")
        rng = Stream(self.seed, Purpose.AGENT, self.number, len(self.round.plays))
        turn = replace(turn_of(self.round, player.agent, rng), stop=stop)
        with blamed(player.agent, turn):
            return turn.position.move(str(player.agent.choose(turn)))

    def play_agents(self) -> Session:
        """The session after the plays of agents, up to the turn of a person or the round's end."""
        at = self
        while at.to_play is not None and not at.to_play.is_person:
            at = at.play(at.choose())
        return at

    def take_back(self, player: Player | None = None) -> Session:
        """The session before a person's last play, without the answers to it.

        Args:
            player: the person; None for the one who played last.

        Raises:
            CasinoError: there is no such play in this round.
        """
        played = self.round
        while played.plays:
            played = played.undo()
            last = self.player_at(played.position.turn)
            if last == player or (player is None and last.is_person):
                return self._with(played)
        who = "a person" if player is None else player.name
        raise CasinoError(f"there is no play of {who} to take back in this round")

    def _with(self, played: Round) -> Session:
        """The session with another state of the present round."""
        last = self.game.rounds[-1]
        plays = len(played.plays)
        notes = {play: note for play, note in last.notes.items() if play <= plays}
        one = RecordedRound(played, number=last.number, seed=last.seed, notes=notes, tags=last.tags)
        return self._of((*self.game.rounds[:-1], one))

    def _of(self, rounds: Sequence[RecordedRound]) -> Session:
        endless: Literal["none"] | None = "none" if self.game.target is None else None
        game = Game(rounds, rules=self.rules, target=endless, tags=self.game.tags)
        return Session(game, self.players, self.seed)

    # The match

    @property
    def score(self) -> tuple[int, ...]:
        """The points of each side of the match, player a's first, the present round if finished."""
        before = by_players(self.round.start.match_score, self.number - 1)
        return self.game.result or before

    @property
    def is_over(self) -> bool:
        """Whether the match has ended; without a target it never does."""
        ended = self.round.is_over and self.game.target is not None
        return ended and match_result(self.position).over

    @property
    def leader(self) -> Player | None:
        """The player who leads the next round; None before the end of this one, and of a match."""
        letter = self.game.leader
        return None if letter is None else self.players[self.rules.seats.index(letter)]

    @property
    def equity(self) -> MatchEquity | None:
        """The chances of the match after a finished round, of equal players.

        None in an unfinished round, after the match, without a target, and under rules for which
        they were not measured.
        """
        leader = self.game.leader
        if leader is None or self.game.target is None or self.rules.players != 2:
            return None
        try:
            return match_equity(self.score, rules=self.rules, leader=leader)
        except CasinoError:  # rules that were not measured
            return None

    def next_round(self) -> Session:
        """The session with the next round dealt.

        Raises:
            CasinoError: the present round is not finished, or the match is over.
        """
        if not self.round.is_over:
            raise CasinoError(f"round {self.number} is not finished")
        if self.is_over:
            raise CasinoError("the match is over, so there is no next round")
        number = self.number + 1
        seed = Stream(self.seed, Purpose.DECK, number).bits()
        score = by_seats(self.score, number - 1)
        start = Position.start(self.rules, seed=seed, score=score)
        return self._of((*self.game.rounds, RecordedRound(Round(start), number=number, seed=seed)))


def player_to_play(game: Game) -> str:
    """The player who is to play at the end of a record, by the seat in its first round.

    Args:
        game: the record.

    Raises:
        CasinoError: it has no round.

    Example:
        >>> player_to_play(Game.parse("[Seed 17] 7dx7c"))
        'b'
    """
    if not game.rounds:
        raise CasinoError("the record has no round")
    last = game.rounds[-1]
    return game.seating(last.number)[game.rules.seats.index(last.round.position.turn)]


def _seated(
    rules: Rules, players: Sequence[Player], seed: int
) -> tuple[tuple[Player, ...], dict[str, str]]:
    """The players of a new game with names that differ, and the tags that continue it."""
    seats, players = rules.seats, tuple(players)
    if len(players) != len(seats):
        raise CasinoError(f"players: {len(players)} for {len(seats)} seats")
    players = _told_apart(players)
    tags = {_SEED_TAG: str(seed)}
    for seat, player in zip(seats, players, strict=True):
        tags[f"Player{seat.upper()}"] = player.name
        if player.agent is not None:
            tags[f"Agent{seat.upper()}"] = str(player.agent)
    return players, tags


def _told_apart(players: Sequence[Player]) -> tuple[Player, ...]:
    """The players, with a number after the names of agents that are there already."""
    taken = [player.name for player in players if player.is_person]
    if len(set(taken)) < len(taken):
        raise CasinoError("players: two of them have the same name")
    found = []
    for player in players:
        names = [player.name, *(f"{player.name} {number}" for number in _NUMBERS)]
        if player.agent is not None:
            name = next(name for name in names if name not in taken)
            player = Player(name, player.agent)
            taken.append(name)
        found.append(player)
    return tuple(found)


def _check_open(game: Game) -> None:
    """Refuse a record that cannot be played on."""
    if not game.rounds:
        raise CasinoError("the record has no round")
    if game.error is not None:
        raise game.error
    position = game.rounds[-1].round.position
    hidden = any(hand.hidden for hand in (*position.hands, *position.piles))
    if hidden or (position.stock is None and position.stock_count):
        raise CasinoError("the record does not hold every card, so it cannot be played on")


def _agent_of(text: str | None) -> Agent | None:
    """The agent that a record names."""
    if text is None:
        return None
    name = text.partition(":")[0].strip()
    if name not in AGENTS and name not in LEVELS:
        raise CasinoError(
            f"the record names the agent {quoted(text)}, which is not one of the program's own; "
            "name it again to continue (--against)"
        )
    return parse_agent(text)


def _seed_of(game: Game) -> int:
    """The seed of a game: as it is recorded, else a number that follows from its first round."""
    text = game.tags.get(_SEED_TAG)
    if text is None:
        first = game.rounds[0]
        return 0 if first.seed is None else first.seed
    if not text.isascii() or not text.isdigit() or not SEED.accepts(int(text[:25])):
        raise CasinoError(f"the tag {_SEED_TAG} is a seed, not {quoted(text)}")
    return int(text)
