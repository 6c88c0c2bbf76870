"""The games that are played on the page, kept by the server.

A `PageGame` knows every card; what the page is sent is made in `views` from what its player sees.
All changes are made in the server's one event loop; agents think in threads beside it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from concurrent.futures import Executor

from casino_core.errors import CasinoError
from casino_core.formats.record import Game, RecordedRound
from casino_core.game.round import Round
from casino_core.play.session import Player, Session

__all__ = ["MOST_GAMES", "YOU", "Games", "PageGame"]

#: The most games kept; beyond them the game that was touched longest ago is dropped.
MOST_GAMES = 100
#: The name of the person at the page.
YOU = "You"

_WAIT = 15.0  # seconds


class PageGame:
    """A session of the person at the page with agents.

    Args:
        session: the session; one of its players is a person.
        threads: where agents think.

    Attributes:
        id: its name in addresses.
        session: the session as it stands.
        version: grows with every change.
        trouble: why an agent could not play, or None.
        is_closed: whether the page has ended, so that agents stop to think.

    Raises:
        CasinoError: there is more than one person, or an agent that sees every card.
    """

    def __init__(self, session: Session, threads: Executor) -> None:
        if len(session.persons) != 1:
            raise CasinoError("on the page one person plays, against agents")
        if any(player.agent is not None and player.agent.sees_all for player in session.players):
            raise CasinoError("an agent that sees every card does not play here")
        self.id = secrets.token_urlsafe(9)
        self.session = session
        self.version = 0
        self.trouble: str | None = None
        self._threads = threads
        self.is_closed = False
        self._thinking: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    @property
    def person(self) -> Player:
        """The person at the page."""
        return self.session.persons[0]

    @property
    def seat(self) -> str:
        """The seat of the person at the page in the present round."""
        return self.session.seat_of(self.person)

    @property
    def names(self) -> dict[str, str]:
        """The names of the players by their seats in the present round."""
        seats = self.session.rules.seats
        return {seat: self.session.player_at(seat).name for seat in seats}

    @property
    def is_mine(self) -> bool:
        """Whether the person at the page is to play."""
        return self.session.to_play is self.person

    @property
    def is_thinking(self) -> bool:
        """Whether an agent is to play."""
        player = self.session.to_play
        return player is not None and not player.is_person and self.trouble is None

    @property
    def seen(self) -> Round:
        """The present round as the person at the page has seen it."""
        return self.session.seen_by(self.person)

    def record(self) -> Game:
        """The game so far; of a round in progress only what the person at the page has seen.

        The seed of the game would tell the cards that are still to come, so it is left out until
        the match is over.
        """
        game = self.session.game
        if self.session.is_over:
            return game
        *before, last = game.rounds
        if not last.round.is_over:
            last = RecordedRound(self.seen, number=last.number)
        tags = {name: text for name, text in game.tags.items() if name != "GameSeed"}
        rounds = [*map(_without_seed, before), _without_seed(last)]
        return Game(
            rounds, rules=game.rules, target="none" if game.target is None else None, tags=tags
        )

    # Changes

    def start(self) -> None:
        """Let an agent play if it is its turn."""
        self._touch()

    def play(self, move: str) -> None:
        """Make a play of the person at the page.

        Args:
            move: its text.

        Raises:
            CasinoError: it is not that player's turn, or the move cannot be read or is not legal.
        """
        if self.session.to_play is None:
            raise CasinoError("the round is over")
        if not self.is_mine:
            raise CasinoError("it is not your turn")
        self._become(self.session.play(move))

    def take_back(self) -> None:
        """Take back the last play of the person at the page, and what was played after it.

        Raises:
            CasinoError: that player has not played in this round.
        """
        self._become(self.session.take_back())

    def next_round(self) -> None:
        """Deal the next round.

        Raises:
            CasinoError: this round is not finished, or the match is over.
        """
        self._become(self.session.next_round())

    def _become(self, session: Session) -> None:
        self.session, self.trouble = session, None
        self._touch()

    def _touch(self) -> None:
        """Announce a change, and let an agent think if it is to play."""
        self.version += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        if self.is_thinking:
            self._thinking = asyncio.get_running_loop().create_task(self._let_agent_play())

    async def _let_agent_play(self) -> None:
        version, session = self.version, self.session
        loop = asyncio.get_running_loop()
        try:
            move = await loop.run_in_executor(
                self._threads, session.choose, lambda: self.is_closed or version != self.version
            )
            played = session.play(move)
        except Exception as error:  # of an agent, which may be anybody's
            if version == self.version:
                self.trouble = f"an agent cannot play: {' '.join(str(error).split())}"
                self._touch()
            return
        if version == self.version:  # else a play was taken back meanwhile
            self._become(played)

    # Watching

    async def wait(self, version: int) -> bool:
        """Wait for a change, but not for long.

        Args:
            version: the version that is known already.

        Returns:
            Whether there is a later version.
        """
        if self.version == version:
            try:
                await asyncio.wait_for(self._changed.wait(), _WAIT)
            except TimeoutError:
                return False
        return True


def _without_seed(one: RecordedRound) -> RecordedRound:
    return RecordedRound(one.round, number=one.number, notes=one.notes, tags=one.tags)


class Games:
    """The games by their names.

    Args:
        threads: where agents think.
        most: the most games kept.
    """

    def __init__(self, threads: Executor, most: int = MOST_GAMES) -> None:
        self._threads = threads
        self._most = most
        self._games: OrderedDict[str, PageGame] = OrderedDict()

    def new(self, session: Session) -> PageGame:
        """Begin or continue a game.

        Args:
            session: the session.

        Raises:
            CasinoError: its players do not fit.
        """
        game = PageGame(session, self._threads)
        self._games[game.id] = game
        while len(self._games) > self._most:
            _, dropped = self._games.popitem(last=False)
            dropped.is_closed = True
        game.start()
        return game

    def close(self) -> None:
        """End all games: agents stop to think."""
        for game in self._games.values():
            game.is_closed = True

    def get(self, name: str) -> PageGame:
        """A game by its name.

        Args:
            name: its name.

        Raises:
            KeyError: there is no such game.
        """
        self._games.move_to_end(name)
        return self._games[name]

    def __len__(self) -> int:
        return len(self._games)
