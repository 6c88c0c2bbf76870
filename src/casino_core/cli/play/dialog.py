"""The dialog of a game: whose turn it is, what is typed, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from casino_core.cli.play.advice import Adviser
from casino_core.cli.play.keyboard import Keyboard
from casino_core.cli.play.place import SavePlace
from casino_core.cli.play.reading import Typed, command_of, fitting_moves, is_number
from casino_core.cli.play.screen import MOST_LISTED, Screen
from casino_core.cli.play.seats import YOU
from casino_core.cli.play.words import does
from casino_core.errors import CasinoError, IllegalMoveError
from casino_core.game.position import Move, Position
from casino_core.play.agent import moves_or_some
from casino_core.play.session import Player, Session

__all__ = ["Dialog", "Left"]

_HELP = (
    ("m", "the legal moves with numbers; type the number of one to play it"),
    ("? MOVE", "why a move is not legal"),
    ("h, h MOVE", "a hint, from what you see; what it thinks of a move"),
    ("u", "take back your last play and the answer to it"),
    ("r", "what your plays of this round gave away"),
    ("s", "the score so far"),
    ("p", "the captured cards"),
    ("q", "quit; the game is saved after every play"),
    ("Enter", "the table again"),
    ("9h", "a move: trail the nine of hearts, which leaves it on the table"),
    ("7cx2s5h", "capture 2s and 5h with 7c"),
    ("7cx[9a]", "capture the build of 9 that seat a owns"),
    ("7c+2s=9", "build 9 with 7c and 2s"),
    ("7c+2s+[9a]=9", "add 7c and 2s to a build of 9"),
    ("7x25", "a short form: capture a two and a five with a seven"),
    ("7cx", "a short form: capture whatever 7c can"),
)


class Left(Exception):  # noqa: N818 - the normal end of a dialog
    """The players have left the game."""


class Dialog:
    """A game between people at a keyboard and agents.

    Args:
        session: the game.
        screen: where it is shown.
        keyboard: where people type.
        place: the file that it is saved in.
        rounds: the number of rounds to play; None for the whole match.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        keyboard: Keyboard,
        place: SavePlace,
        *,
        rounds: int | None = None,
    ) -> None:
        self.session = session
        self._screen = screen
        self._keyboard = keyboard
        self._place = place
        self._rounds_left = rounds
        self._adviser = Adviser()
        self._viewer = self._first_viewer()
        self._listed: Sequence[Move] = ()

    def _first_viewer(self) -> Player:
        """The person who sees the screen at the beginning."""
        to_play = self.session.to_play
        if to_play is not None and to_play.is_person:
            return to_play
        if not self.session.persons:
            raise CasinoError("no person plays in this game; arena plays agents against each other")
        return self.session.persons[0]

    def run(self) -> None:
        """Play until the match is over or the players leave."""
        self._place.begin(self.session)
        try:
            while True:
                player = self.session.to_play
                if player is None:
                    self._between_rounds()
                elif player.is_person:
                    self._turn(player)
                else:
                    self._put(self.session.play(self.session.choose()))
        except Left:
            return

    def _put(self, session: Session) -> None:
        """Save the next state of the game, and go on from it."""
        self._place.save(session)
        self.session = session
        self._listed = ()

    # A turn

    def _turn(self, player: Player) -> None:
        """Let a person play."""
        if not self._pass_keyboard(player):
            return
        self._screen.plays(self.session, player)
        self._screen.table(self.session, player)
        before = self.session
        while self.session is before:
            self._listen(player)

    def _pass_keyboard(self, player: Player) -> bool:
        """Hide the hand of the last person from the next one; False if a play was taken back."""
        if player == self._viewer or not self._keyboard.is_person:
            self._viewer = player
            return True
        self._keyboard.forget()
        self._screen.clear()
        self._screen.say(f"{does(player.name, 'plays')} next: pass the keyboard.")
        line = self._ask(f"Enter shows the hand of {player.name}, u takes back the last play: ")
        if command_of(line).command == "back" and self._take_back(None):
            return False
        self._viewer = player
        return True

    def _ask(self, prompt: str) -> str:
        line = self._keyboard.ask(prompt)
        if line is None:
            raise Left
        return line

    def _listen(self, player: Player) -> None:
        """Read a line and do what it says."""
        typed = command_of(self._ask(_prompt(player)))
        try:
            self._do(typed, player)
        except IllegalMoveError as error:
            self._screen.say(self._screen.move(_sentence(error.reason)))
        except CasinoError as error:
            self._screen.say(_sentence(str(error)))

    def _do(self, typed: Typed, player: Player) -> None:
        """Do what a line says."""
        if typed.command is None:
            self._play(typed.rest, player)
        elif typed.command == "moves":
            self._list(typed.rest, player)
        elif typed.command == "why":
            self._why(typed.rest, player)
        elif typed.command == "hint":
            self._hint(typed.rest, player)
        elif typed.command == "back":
            self._take_back(player)
        elif typed.command == "show":
            self._screen.table(self.session, player)
        else:
            self._tell(typed, player)

    def _tell(self, typed: Typed, player: Player) -> None:
        """Answer a question that stands between rounds too."""
        if typed.command == "quit":
            raise Left
        if typed.command == "review":
            self._review(player)
        elif typed.command == "piles":
            self._screen.piles(self.session, player)
        elif typed.command == "score":
            self._screen.score_so_far(self.session, player)
        else:
            self._screen.help(_HELP)

    # Moves

    def _seen(self, player: Player) -> Position:
        return self.session.seen_by(player).position

    def _play(self, text: str, player: Player) -> None:
        """Play what was typed; ask if it may mean several moves."""
        position = self._seen(player)
        if is_number(text):
            move = self._numbered(text, player)
        else:
            found = self._meant(position, text)
            move = found[0] if len(found) == 1 else self._which(position, found)
        if move is not None:
            self._make(move, player)

    def _make(self, move: Move, player: Player) -> None:
        before = self.session.position
        self._put(self.session.play(move))
        outcome = self.session.outcome
        assert outcome is not None
        self._screen.played(self.session, player, before, outcome)

    def _meant(self, position: Position, text: str) -> list[Move]:
        """The moves that a text may mean; of a card alone also what it could take."""
        found = fitting_moves(position, text)
        if len(found) > 1 or found[0].kind != "trail" or not self._keyboard.is_person:
            return found
        if text.lower().startswith(("trail", "leave")):
            return found
        card = found[0].card
        takes = [m for m in moves_or_some(position) if m.card == card and m.kind == "capture"]
        return [*found, *takes]

    def _numbered(self, text: str, player: Player) -> Move | None:
        """The move of a number, if the moves are on the screen."""
        if not self._listed:
            self._list("", player)
            self._screen.say(f"Type {text} again to play move {text} of this list.")
            return None
        if not 1 <= int(text) <= len(self._listed):
            raise CasinoError(f"the moves have numbers from 1 to {len(self._listed)}, not {text}")
        return self._listed[int(text) - 1]

    def _which(self, position: Position, found: list[Move]) -> Move | None:
        """Ask which of several moves is meant; another line is taken as the next input."""
        self._screen.say("That may mean:")
        self._screen.moves(self.session, position, [*enumerate(found, 1)])
        line = self._ask("Which one (number, or Enter for none)? ").strip()
        if is_number(line) and 1 <= int(line) <= len(found):
            return found[int(line) - 1]
        if line:
            self._keyboard.hold(line)
        return None

    def _list(self, rest: str, player: Player) -> None:
        """List legal moves with their numbers: all of them, or those of a card."""
        position = self._seen(player)
        self._listed = moves = moves_or_some(position)
        shown = [*enumerate(moves, 1)]
        if rest and rest.lower() != "all":
            fitting = fitting_moves(position, rest)
            cards = {move.card for move in fitting}
            shown = [(number, move) for number, move in shown if move.card in cards]
        most = len(shown) if rest else MOST_LISTED
        self._screen.moves(self.session, position, shown[:most])
        if len(shown) > most:
            self._screen.say(
                f"and {len(shown) - most} more: m all shows them, m {moves[0].card} those of a card"
            )

    def _why(self, text: str, player: Player) -> None:
        """Say why a move is not legal."""
        if not text:
            raise CasinoError("which move? Type it after the question mark, as in ? 7cx2s5h")
        position = self._seen(player)
        found = fitting_moves(position, text)
        self._screen.say("That is legal:")
        self._screen.moves(self.session, position, [*enumerate(found, 1)])

    # Other commands

    def _hint(self, text: str, player: Player) -> None:
        """Show a hint, and in it the moves that a text may mean."""
        position = self._seen(player)
        asked = fitting_moves(position, text) if text else []
        try:
            found = self._adviser.hint(self.session, player)
        except KeyboardInterrupt:
            self._screen.say("The hint was stopped.")
            return
        self._screen.hint(position, found, asked)

    def _review(self, player: Player) -> None:
        try:
            self._adviser.review(self.session, player, self._screen)
        except KeyboardInterrupt:
            self._screen.say("The review was stopped.")

    def _take_back(self, player: Player | None) -> bool:
        """Take back the last play of a person; whether there was one."""
        try:
            session = self.session.take_back(player)
        except CasinoError as error:
            self._screen.say(_sentence(str(error)))
            return False
        count = len(self.session.round.plays) - len(session.round.plays)
        self._put(session)
        self._screen.say(f"Taken back: {'1 play' if count == 1 else f'{count} plays'}.")
        return True

    # Between rounds

    def _between_rounds(self) -> None:
        """Show the score of a finished round, and go on to the next one."""
        session = self.session
        self._screen.plays(session, self._viewer)
        self._screen.blank()
        self._screen.score(session)
        if self._rounds_left is not None:
            self._rounds_left -= 1
        over = session.is_over or self._rounds_left == 0
        while self.session is session:
            self._listen_between(over=over)

    def _listen_between(self, *, over: bool) -> None:
        what = "ends" if over else "deals the next round"
        typed = command_of(self._ask(f"Enter {what}; r, s, p, u, q: "))
        if typed.command == "show":
            if over:
                raise Left
            self._put(self.session.next_round())
        elif typed.command == "back":
            self._back_into_round()
        elif typed.command in ("review", "score", "piles", "quit", "help"):
            self._tell(typed, self._viewer)
        else:
            self._screen.say("The round is over: there is nothing to play.")

    def _back_into_round(self) -> None:
        """Take back the last play of a finished round."""
        if self._take_back(None) and self._rounds_left is not None:
            self._rounds_left += 1


def _prompt(player: Player) -> str:
    return (
        "Your move (or help): " if player.name == YOU else f"{player.name}, your move (or help): "
    )


def _sentence(text: str) -> str:
    """A message as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", ")")) else ".")
