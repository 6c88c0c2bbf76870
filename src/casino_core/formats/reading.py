"""Games as text: position lines, records, and the saved games of other programs.

`read` reads them all, so that the commands, the engine and the functions accept the same texts.
`saved_game_to_line` and `to_saved_game` convert between lines and saved games; the format of
saved games is described in `casino_core.formats.saved_games`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from casino_core._arguments import instance_of, shown
from casino_core._text import decoded, spaced
from casino_core.errors import NotationError, quoted
from casino_core.formats.groups import split_into_groups, values_of_group
from casino_core.formats.record import Game, RecordedRound
from casino_core.formats.record_json import is_json, json_object
from casino_core.formats.record_words import is_record
from casino_core.formats.saved_games import (
    PLAYERS,
    SavedFacts,
    is_saved_game,
    saved_game_facts,
    saved_game_to_line,
)
from casino_core.game.match import by_players
from casino_core.game.position import Position
from casino_core.game.round import Round, record_lines
from casino_core.rules.cards import card_name, parse_card
from casino_core.rules.options import PRESETS

__all__ = [
    "ReadGame",
    "ReadResult",
    "ReadRound",
    "position_line",
    "read",
    "read_game",
    "read_round",
    "saved_game_to_line",
    "to_saved_game",
]

# A saved game has about a thousand characters, a record about a thousand a round; a longer text is
# the wrong file.
_LONGEST = 100_000
_LONGEST_RECORD = 1_000_000


class ReadResult(NamedTuple):
    """The result of `read`.

    Attributes:
        position: the position.
        warnings: oddities in the text or the position, one line each.
    """

    position: Position
    warnings: tuple[str, ...]


class ReadRound(NamedTuple):
    """A round that was read, as it stands at a play.

    Attributes:
        round: the round.
        warnings: oddities in the text or the first position, one line each.
    """

    round: Round
    warnings: tuple[str, ...]

    @property
    def position(self) -> Position:
        """The position of the play."""
        return self.round.position


class ReadGame(NamedTuple):
    """The result of `read_game`.

    Attributes:
        game: the game.
        warnings: oddities in the text or the first position, one line each.
        is_position: whether the text is a position only, without tags, plays and comments.
    """

    game: Game
    warnings: tuple[str, ...]
    is_position: bool

    def at(self, play: int | str | None) -> ReadRound:
        """The round as it stands at a play.

        Args:
            play: as `Game.round_at` takes it.

        Raises:
            CasinoError: there is no such play.
        """
        return ReadRound(self.game.round_at(play), self.warnings)


def read(text: str | bytes, *, at: int | str | None = None) -> ReadResult:
    """Reads a position line, a record, or a saved game of another program.

    Args:
        text: the whole text; bytes are UTF-8, or UTF-16 with its byte-order mark.  Blank lines
            and lines that begin with `#` around a position line are ignored.
        at: for a record, the number of the play to stop before, as for `Game.round_at`; one more
            than the last play, or None, is the end of the record.

    Raises:
        NotationError: the text is none of them, or cannot be understood.
        RulesError: the position line names rules that do not exist.

    Example:
        >>> read("table=2s5h8dKc hands=AsTd7c9h/????").position.turn
        'a'
        >>> read('[Table 2s5h8dKc] [Hand a:As7c9hTd] 7cx2s5h KdxKc', at=2).position.turn
        'b'
    """
    found = read_game(text).at(at)
    return ReadResult(found.position, found.warnings)


def read_round(text: str | bytes, *, at: int | str | None = None) -> Round:
    """Reads the last round of a record; a position is a round without plays.

    Args:
        text: as `read` takes it.
        at: for a record, the number of the play to stop before, as for `read`.

    Raises:
        NotationError: the text cannot be read.
        IllegalMoveError: a move that is not legal where it stands.

    Example:
        >>> read_round("table=2s5h8dKc hands=As7c9hTd/????\\n7cx2s5h").position.turn
        'b'
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a record is read from text, not from {type(text).__name__}")
    return read_game(text).at(at).round


def read_game(text: str | bytes) -> ReadGame:
    """Reads a game: a record, a position line, or a saved game of another program.

    Args:
        text: as `read` takes it.

    Raises:
        NotationError: the text cannot be read.
        IllegalMoveError: a move that is not legal where it stands.

    Example:
        >>> read_game("table=2s5h8dKc hands=As7c9hTd/????").is_position
        True
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a position is read from text, not from {type(text).__name__}")
    text = decoded(text) if isinstance(text, bytes) else text
    if is_json(text):
        game = Game.from_json(json_object(text))
        return ReadGame(game, _warnings(game), False)
    if _is_longer(text):
        game = Game.parse(text)
        return ReadGame(game, _warnings(game), False)
    if len(text) <= _LONGEST and is_saved_game(spaced(text)):
        return _saved(saved_game_facts(text))
    line, warnings = position_line(text)
    game = Game([Round(Position.parse(line))])
    return ReadGame(game, warnings + _start_warnings(game), True)


def _saved(facts: SavedFacts) -> ReadGame:
    """A saved game as a game with one round without plays."""
    number = max(1, facts.number)
    seats = by_players(facts.players, number - 1)
    tags = {f"Player{seat}": name for seat, name in zip("AB", seats, strict=True)}
    one = RecordedRound(Round(Position.parse(facts.line)), number=number)
    game = Game([one], tags=tags)
    return ReadGame(game, facts.warnings + _start_warnings(game), True)


def _warnings(game: Game) -> tuple[str, ...]:
    found = _start_warnings(game)
    found += tuple(filter(None, map(game.why_over_before, game.rounds)))
    return found if game.error is None else (*found, f"the record ends at an error: {game.error}")


def _start_warnings(game: Game) -> tuple[str, ...]:
    return game.rounds[0].round.start.warnings if game.rounds else ()


def _is_longer(text: str) -> bool:
    """Whether a text is a record and not a position line alone."""
    begin = text.lstrip()
    if begin[:1] not in ("[", "{", ";") and "\n" not in begin and "\r" not in begin:
        return False
    if len(text) > _LONGEST_RECORD or not is_record(text):
        return False
    lines = record_lines(text)
    return lines[0][0] in "[{;" or (len(lines) > 1 and not all("hands=" in line for line in lines))


def position_line(text: str) -> tuple[str, tuple[str, ...]]:
    """The position line of any text that `read` takes; for a record, the line of its end.

    Args:
        text: the whole text.

    Returns:
        The line, which is not checked yet, and warnings about the text around it.

    Raises:
        NotationError: there is no position in the text, or more than one.

    Example:
        >>> position_line("# the last deal\\r\\ntable=2s hands=As/Ah\\r\\n")
        ('table=2s hands=As/Ah', ())
    """
    if _is_longer(text):
        game = Game.parse(text)
        return str(game.round_at().position), _warnings(game)
    if len(text) > _LONGEST:
        raise NotationError(f"the text is too long for one position: {len(text)} characters")
    text = spaced(text)
    return saved_game_to_line(text) if is_saved_game(text) else (_only_line(text), ())


def _only_line(text: str) -> str:
    lines = record_lines(text)
    if not lines:
        raise NotationError("the text is empty: one position expected")
    if len(lines) > 1:
        raise NotationError(f"one position expected, the text has {len(lines)} lines")
    if "=" not in lines[0]:
        raise NotationError(f"{quoted(lines[0])} is neither a position line nor a saved game")
    return lines[0]


def to_saved_game(
    position: Position | str, *, players: Sequence[str] = PLAYERS, number: int = 0
) -> str:
    """Write a position in the saved-game format.

    Reading the text gives the same position without its sweeps, which the format does not
    record and which score nothing under its rules.

    Args:
        position: the position or its text: two players, the rules of `ramapo`, and all cards
            known.
        players: Human and Computer, the one in seat a first.
        number: the number of the round.

    Raises:
        NotationError: the format cannot hold the position; the message gives the reason.

    Example:
        >>> text = (
        ...     "Computer:\\n Hand: HQ\\n Pile:\\nHuman:\\n Hand: D9\\n Pile:\\n"
        ...     "Table: [C6 C3]\\nBuild Owner: [C6 C3] Human\\nDeck:\\nNext Player: Human"
        ... )
        >>> written = to_saved_game(read(text).position)
        >>> [line for line in written.splitlines() if "Owner" in line]
        ['Build Owner: [ [C3 C6] ] Human']
    """
    p = (
        read(position).position
        if isinstance(position, str)
        else instance_of(Position)("position", position)
    )
    reason = _why_not_saved(p)
    if reason:
        raise NotationError(f"a saved game cannot hold this position: {reason}")
    if sorted(players) != sorted(PLAYERS):
        raise NotationError(f"players are {' and '.join(PLAYERS)}, not {shown(players)}")
    return "\n".join(line.rstrip() for line in _saved_lines(p, tuple(players), number))


def _saved_lines(p: Position, players: tuple[str, ...], number: int) -> Iterator[str]:
    owners = dict(zip("ab", players, strict=True))
    builds = [(_bracketed(build.cards, build.value), owners[build.owner]) for build in p.builds]
    yield from (f"Round: {number}", "")
    for name in reversed(PLAYERS):
        seat = players.index(name)
        yield f"{name}:"
        yield f"   Score: {p.match_score[seat]}"
        yield f"   Hand: {_foreign(p.hands[seat].cards)}"
        yield f"   Pile: {_foreign(p.piles[seat].cards)}"
        yield ""
    table = " ".join([*(text for text, _ in builds), _foreign(p.table)])
    yield from (f"Table: {table}", "")
    for text, owner in builds:
        yield from (f"Build Owner: {text} {owner}", "")
    if p.last is not None:
        yield from (f"Last Capturer: {owners[p.last]}", "")
    yield from (f"Deck: {_foreign(_deck(p, players))}", "")
    yield from (f"Next Player: {owners[p.turn]}", "")


def _deck(p: Position, players: tuple[str, ...]) -> list[str]:
    """The stock in the order of the format, which gives four cards to Human first."""
    stock = list(p.stock or ())
    if players == PLAYERS:
        return stock
    deals = [stock[start : start + 8] for start in range(0, len(stock), 8)]
    split = [max(0, len(deal) - 4) for deal in deals]
    return [card for deal, at in zip(deals, split, strict=True) for card in deal[at:] + deal[:at]]


def _why_not_saved(p: Position) -> str:
    """Why the saved-game format cannot hold a position; empty if it can."""
    if p.rules != PRESETS["ramapo"]:
        return f"its rules are ramapo, not {p.rules}"
    if any(hand.hidden for hand in (*p.hands, *p.piles)):
        return "cards of a hand or pile are not known"
    if p.stock is None and p.stock_count:
        return "the order of the stock is not known"
    leader, dealer = (len(hand.cards) for hand in p.hands)
    if leader > dealer or (leader == dealer and p.turn == "b"):
        return "it would show the wrong player as the leader of the deal"
    for build in p.builds:
        groups = split_into_groups(map(parse_card, build.cards), build.value) or [[]]
        if max(set.intersection(*map(values_of_group, groups)), default=0) != build.value:
            return f"the build {build.cards} would be read with another value"
    return ""


def _foreign(cards: Iterable[str]) -> str:
    return " ".join(name[1].upper() + name[0].replace("T", "X") for name in cards)


def _bracketed(cards: Iterable[str], value: int) -> str:
    groups = split_into_groups(map(parse_card, cards), value) or []
    inner = " ".join(f"[{_foreign(map(card_name, sorted(group)))}]" for group in groups)
    return f"[ {inner} ]"
