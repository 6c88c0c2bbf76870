"""What a player sees: drawn by `rich`, or in plain sentences for pipes and screen readers."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from casino_core.cli.play.words import (
    after_play,
    cards_words,
    counted,
    does,
    owners,
    plays_since,
    result_words,
    score_words,
    side_name,
    sides_of,
    standing,
    step_word,
    whose,
)
from casino_core.game.points import captured_cards
from casino_core.game.position import Move, Position
from casino_core.game.wording import card_words, move_words
from casino_core.hints.answer import Hint, HintMove
from casino_core.hints.reasons import reasons_for
from casino_core.play.outcome import Outcome
from casino_core.play.session import Player, Session
from casino_core.render.text import (
    MOST_ROWS,
    Column,
    card_text,
    move_text,
    print_cards,
    print_line,
    print_ranking,
    print_table,
    screen,
)

__all__ = ["DrawnScreen", "Screen", "screen_for"]

_CARD = re.compile(r"(?<![\w\[])([A2-9TJQK][shdc])(?!\w)")
_BEST_SHOWN = 5  # moves of a hint
_REASONED = 3  # moves of a hint with reasons
_SIDES = (
    Column("player"),
    Column("hand", numbers=True),
    Column("taken", numbers=True),
    Column("spades", numbers=True, drop=1),
    Column("sweeps", numbers=True, drop=2),
    Column("points", numbers=True),
)
_HELP = (Column("type"), Column("for"))
_MOVES = (Column("", numbers=True), Column("move"), Column("what it does"))
_HINT = (
    Column("value", numbers=True),
    Column("error", numbers=True, drop=1),
    Column("move"),
)


def screen_for(*, plain: bool) -> Screen:
    """The screen for standard output.

    Drawings need a terminal that can move its cursor. Colours are left out with `NO_COLOR`.

    Args:
        plain: whether sentences are asked for.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # names on a terminal without Unicode
    console = screen()
    if os.environ.get("NO_COLOR"):
        console = Console(width=console.width, highlight=False, color_system=None)
    plain = plain or not console.is_terminal or os.environ.get("TERM", "") == "dumb"
    return Screen(console) if plain else DrawnScreen(console)


class Screen:
    """A game in sentences, one below the other.

    Args:
        console: the console to print on.
    """

    def __init__(self, console: Console) -> None:
        self.console = console

    def card_named(self, card: str) -> str:
        """A card as it is named in the words of a move."""
        return card_words(card)

    # Lines

    def say(self, *parts: str | Text) -> None:
        """Print a sentence in lines of whole words.

        Args:
            *parts: parts of the sentence.
        """
        print_line(self.console, *parts)

    def cards(self, text: str) -> Text:
        """A sentence in which cards have the colours of their suits.

        Args:
            text: the sentence; its cards stand alone.
        """
        shown, end = Text(), 0
        for found in _CARD.finditer(text):
            shown.append(text[end : found.start()])
            shown.append_text(card_text(found[1], self.console))
            end = found.end()
        return shown.append(text[end:])

    def move(self, move: Move | str) -> Text:
        """A move with its cards in the colours of their suits.

        Args:
            move: the move.
        """
        return move_text(move, self.console)

    def blank(self) -> None:
        """Print an empty line."""
        self.console.print()

    def clear(self) -> None:
        """Remove what another person has seen, where a terminal can."""
        if self.console.is_terminal:
            self.console.file.write("\x1b[2J\x1b[3J\x1b[H")
            self.console.file.flush()

    def help(self, lines: Sequence[tuple[str, str]]) -> None:
        """Print what can be typed.

        Args:
            lines: what to type, and what it means.
        """
        self.say("Suits are s h d c, and T is the ten: Td is the ten of diamonds.")
        for typed, meaning in lines:
            self.say(f"{typed}: {meaning}.")

    # Plays

    def plays(self, session: Session, viewer: Player) -> None:
        """Print what the others have played since a player's last play.

        Args:
            session: the game.
            viewer: the player.
        """
        found = plays_since(session, viewer)
        if found:
            self.blank()
        for player, before, outcome in found:
            self.played(session, player, before, outcome)

    def played(self, session: Session, player: Player, before: Position, outcome: Outcome) -> None:
        """Print a play and what happened.

        Args:
            session: the game after the play.
            player: who played.
            before: the position before the play.
            outcome: what happened.
        """
        move, words = self.move(outcome.move), self.words(session, before, outcome.move)
        if outcome.move.kind == "trail":
            self.say(f"{does(player.name, 'trails')} ", move, ".")
        else:
            self.say(f"{does(player.name, 'plays')} ", move, ": ", words, ".")
        for sentence in after_play(session, outcome):
            self.say(self.cards(sentence))

    def words(self, session: Session, position: Position, move: Move) -> Text:
        """What a move does, in words.

        Args:
            session: the game.
            position: the position before it.
            move: the move.
        """
        return self.cards(move_words(position, move, owners=owners(session), named=self.card_named))

    # The table

    def table(self, session: Session, viewer: Player) -> None:
        """Print the table as a player sees it.

        Args:
            session: the game.
            viewer: the player; other hands stay hidden.
        """
        position = session.seen_by(viewer).position
        self.blank()
        self.say(standing(session))
        self._loose(position)
        self._builds(session, position)
        self._sides(session, position)
        self._hand(session, viewer, position)

    def _loose(self, position: Position) -> None:
        self.say("On the table: ", self.cards(cards_words(position.table)), ".")

    def _builds(self, session: Session, position: Position) -> None:
        for name, cards in _builds(session, position):
            self.say(f"{name}: ", self.cards(", ".join(cards)), ".")

    def _sides(self, session: Session, position: Position) -> None:
        for name, hand, cards, spades, sweeps, points in _side_cells(session, position):
            held = "1 card" if hand == "1" else f"{' + '.join(hand.split())} cards"
            counts = [counted(int(n), w) for n, w in ((spades, "spade"), (sweeps, "sweep"))]
            worth = counted(int(points), "point")
            names = " + ".join(name.splitlines())
            self.say(f"{names}: {held} in hand, {cards} taken, {', '.join(counts)}, {worth}.")

    def _hand(self, session: Session, viewer: Player, position: Position) -> None:
        seat = session.seat_of(viewer)
        cards = cards_words(position.hands[seat].cards)
        self.say(f"{_capital(whose(viewer.name))} hand (seat {seat}): ", self.cards(cards), ".")

    def piles(self, session: Session, viewer: Player) -> None:
        """Print the captured cards.

        Args:
            session: the game.
            viewer: the player who asks.
        """
        piles = captured_cards(session.seen_by(viewer).position)
        for number, players in sides_of(session):
            cards = cards_words(piles[number])
            self.say(f"Captured by {side_name(players)}: ", self.cards(cards), ".")

    # Moves and hints

    def moves(
        self, session: Session, position: Position, moves: Sequence[tuple[int, Move]]
    ) -> None:
        """Print moves with their numbers and what they do.

        Args:
            session: the game.
            position: the position as the player sees it.
            moves: the moves with their numbers.
        """
        for number, move in moves:
            words = self.words(session, position, move)
            self.say(f"{number}. ", self.move(move), ": ", words, ".")

    def hint(self, position: Position, hint: Hint, asked: Sequence[Move]) -> None:
        """Print the best moves of a hint, and the reasons.

        Args:
            position: the position as the player sees it.
            hint: the hint.
            asked: moves that are shown too.
        """
        self._values(_shown(hint, _BEST_SHOWN, asked))
        self._reasons(position, hint, asked)

    def _values(self, moves: Sequence[HintMove]) -> None:
        for item in moves:
            self.say(self.move(item.move), f": {item.value:+.2f}{_error(item.stderr)}")

    def _reasons(self, position: Position, hint: Hint, asked: Sequence[Move]) -> None:
        """Print the reasons for and against the best moves of a hint."""
        how = "exact" if hint.exact else f"from {hint.samples} deals that fit what you see"
        self.say("Best: ", self.move(hint.best), f" ({how}).")
        for item in _shown(hint, _REASONED, asked):
            reasons = reasons_for(position, item.move, hint.holds)
            words = move_words(position, item.move, named=self.card_named)
            why = Text(", ".join(reasons)) if reasons else self.cards(words)
            self.say(self.move(item.move), ": ", why, ".")
        self.say("Values are the expected points of the round, yours less the other side's.")

    # The score

    def score(self, session: Session) -> None:
        """Print the score of a finished round by category, and how the match stands.

        Args:
            session: the game at the end of a round.
        """
        self.say(f"Score of round {session.number}:")
        self._categories(session)
        for number, players in sides_of(session):
            total = session.round.score()[number]
            self.say(f"{side_name(players)}: {counted(total, 'point')} in this round.")
        self.match(session)

    def score_so_far(self, session: Session, viewer: Player) -> None:
        """Print the match score and what each side has taken; of a finished round its score.

        Args:
            session: the game.
            viewer: the player who asks.
        """
        if session.round.is_over:
            self.score(session)
            return
        self.say(standing(session))
        self._sides(session, session.seen_by(viewer).position)

    def match(self, session: Session) -> None:
        """Print how the match stands after a round.

        Args:
            session: the game at the end of a round.
        """
        self.say(standing(session))
        for sentence in result_words(session):
            self.say(sentence)

    def _categories(self, session: Session) -> None:
        for sentence in score_words(session):
            self.say(self.cards(sentence), ".")


class DrawnScreen(Screen):
    """A game with drawn cards and tables."""

    def card_named(self, card: str) -> str:
        return card

    def help(self, lines: Sequence[tuple[str, str]]) -> None:
        print_table(self.console, _HELP, lines)
        self.say("Suits are s h d c, and T is the ten: Td is the ten of diamonds.")

    def _loose(self, position: Position) -> None:
        self.blank()
        self.say("On the table:", "" if position.table else " no loose cards")
        print_cards(self.console, list(position.table))

    def _builds(self, session: Session, position: Position) -> None:
        for name, cards in _builds(session, position):
            self.say(f"{name}:")
            print_cards(self.console, list(cards), overlap=True)

    def _sides(self, session: Session, position: Position) -> None:
        self.blank()
        print_table(self.console, _SIDES, list(_side_cells(session, position)))
        self.blank()

    def _hand(self, session: Session, viewer: Player, position: Position) -> None:
        seat = session.seat_of(viewer)
        self.say(f"{_capital(whose(viewer.name))} hand (seat {seat}):")
        print_cards(self.console, list(position.hands[seat].cards))

    def moves(
        self, session: Session, position: Position, moves: Sequence[tuple[int, Move]]
    ) -> None:
        rows = [
            (str(number), self.move(move), self.words(session, position, move))
            for number, move in moves
        ]
        print_table(self.console, _MOVES, rows)

    def _values(self, moves: Sequence[HintMove]) -> None:
        rows = [
            (f"{item.value:+.2f}", _error(item.stderr).strip(), self.move(item.move))
            for item in moves
        ]
        print_ranking(self.console, _HINT, rows, show_all=True)

    def _categories(self, session: Session) -> None:
        outcome = session.outcome
        assert outcome is not None
        sides = sides_of(session)
        rows: dict[str, list[int]] = {}
        for step in outcome.steps:
            row = rows.setdefault(step_word(session, step.name), [0] * len(sides))
            for place, (number, _) in enumerate(sides):
                row[place] += step.points * (step.side == number)
        shown: list[tuple[str | Text, ...]] = [
            (self.cards(name), *map(str, points))
            for name, points in rows.items()
            if any(points) or name not in _SPADE_NAMES
        ]
        columns = [Column("points"), *(Column(side_name(p), numbers=True) for _, p in sides)]
        print_table(self.console, columns, shown)


_SPADE_NAMES = {f"{rank}s" for rank in "3456789TJQK"}


def _builds(session: Session, position: Position) -> Iterator[tuple[str, Iterable[str]]]:
    """The builds with their names: value, owner, the way to type them."""
    named = owners(session)
    for build in position.builds:
        kind = "multiple build" if build.multiple else "build"
        typed = f"[{build.value}{build.owner}]"
        yield f"{_capital(named[build.owner])} {kind} of {build.value}, {typed}", build.cards


def _side_cells(session: Session, position: Position) -> Iterator[tuple[str, ...]]:
    """A row for each side: players and hands on lines, cards taken, spades, sweeps, points."""
    for number, players in sides_of(session):
        pile, points = position.piles[number], position.points[number]
        seats = [session.seat_of(player) for player in players]
        names = "\n".join(f"{p.name} ({s})" for p, s in zip(players, seats, strict=True))
        yield (
            names,
            "\n".join(str(position.hands[seat].size) for seat in seats),
            str(pile.size),
            str(points.spades),
            str(position.sweeps[number]),
            str(points.total),
        )


def _shown(hint: Hint, best: int, asked: Sequence[Move]) -> list[HintMove]:
    """The best moves of a hint, and those that were asked for."""
    return [item for place, item in enumerate(hint.moves) if place < best or item.move in asked]


def _error(stderr: float) -> str:
    return f" +-{stderr:.2f}" if stderr >= 0.005 else ""


def _capital(text: str) -> str:
    """A sentence's first words; names stay as they are."""
    return "Your" if text == "your" else text


#: The most moves of a list without "m all".
MOST_LISTED = MOST_ROWS
