"""A round: a start and its plays, fully known or as one seat sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, NoReturn

from casino_core._arguments import instance_of, shown
from casino_core._text import spaced
from casino_core.errors import CasinoError, IllegalMoveError, NotationError, quoted
from casino_core.game.position import Move, Position
from casino_core.game.substitution import with_hidden_again
from casino_core.rules.cards import CardSet

__all__ = ["Round", "position_and_plays", "record_lines"]

_History = Sequence[tuple[Position, "str | Move"]]


class _Play(NamedTuple):
    """A play, and the owner of the build that it makes if the cards in sight leave that open."""

    move: Move
    owner: str | None = None

    def words(self) -> str:
        return str(self.move) if self.owner is None else f"{self.move} owner:{self.owner}"


class _Cards(NamedTuple):
    """Hidden cards of a hand that have become known."""

    seat: str
    cards: CardSet

    def words(self) -> str:
        return f"{self.seat}:{self.cards}"


_Step = _Play | _Cards


def record_lines(text: str) -> list[str]:
    """The lines of a record that are neither blank nor a comment.

    Args:
        text: a record.

    Example:
        >>> record_lines("# a round\\n\\n hands=As/Ah \\nAs")
        ['hands=As/Ah', 'As']
    """
    lines = [line.strip() for line in spaced(text).splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


class Round:
    """A start and the plays made from it. Immutable; a play gives another round.

    The hands and the stock may be hidden, as a seat at the table sees them: cards are filled in as
    they are played, and `reveal` gives those that a seat is dealt.

    Args:
        start: the position that the plays begin from.
        plays: moves, each a Move or its text.

    Raises:
        IllegalMoveError: a play is not legal where it is made.
        NotationError: a play cannot be read.

    Example:
        >>> start = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> round = Round(start).play("7cx2s5h").play("KdxKc")
        >>> str(round.position)
        'rules=standard table=8d hands=As9hTd/??? piles=2s5h7c/KdKc turn=a last=b'
        >>> round.undo().position.turn
        'b'
    """

    __slots__ = ("_before", "_count", "_deal", "_deal_start", "_step", "position", "start")

    start: Position
    position: Position
    _before: Round | None
    _step: _Step | None
    _count: int  # of plays
    _deal: int
    _deal_start: int  # plays before the present deal

    def __init__(self, start: Position, plays: Iterable[str | Move] = ()) -> None:
        instance_of(Position)("start", start)
        if isinstance(plays, str | bytes) or not isinstance(plays, Iterable):
            raise CasinoError(f"plays is a list of moves, not {shown(plays)}")
        last: Round | None = None
        for play in plays:
            last = (last or Round(start)).play(play)
        if last is None:
            self._set(start, start, None, None, 0, 1, 0)
        else:
            self._set(*last._fields())

    def _set(
        self,
        start: Position,
        position: Position,
        before: Round | None,
        step: _Step | None,
        count: int,
        deal: int,
        deal_start: int,
    ) -> None:
        put = object.__setattr__
        put(self, "start", start)
        put(self, "position", position)
        put(self, "_before", before)
        put(self, "_step", step)
        put(self, "_count", count)
        put(self, "_deal", deal)
        put(self, "_deal_start", deal_start)

    def _fields(self) -> tuple[Position, Position, Round | None, _Step | None, int, int, int]:
        return (
            self.start,
            self.position,
            self._before,
            self._step,
            self._count,
            self._deal,
            self._deal_start,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Round cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Round cannot be changed: {name}")

    @staticmethod
    def parse(text: str) -> Round:
        """Read a record: a position line, then the plays made from it.

        Args:
            text: the first line that is neither blank nor begins with `#` is a position line; after
                it stand moves, with blanks or line ends between. `a:As2c9hTd` among them are the
                cards that seat a was dealt; `owner:c` after a build names its owner.

        Raises:
            NotationError: no position line, or a word that is not a move.
            IllegalMoveError: a move that is not legal where it stands.

        Example:
            >>> round = Round.parse("table=QsQh5d8c hands=QdAsThJh/AcAdKdKh\\n# good\\nQdxQs Ac")
            >>> [str(move) for move in round.plays], round.position.turn
            (['QdxQs', 'Ac'], 'a')
        """
        if not isinstance(text, str):
            raise NotationError(f"a round is read from text, not from {type(text).__name__}")
        lines = record_lines(text)
        if not lines:
            raise NotationError("the text is empty: a position line and plays expected")
        return Round(Position.parse(lines[0])).follow(lines[1:])

    def follow(self, lines: Iterable[str]) -> Round:
        """The round after the plays in lines of a record.

        Args:
            lines: lines of a record as `parse` takes them, without the position line.

        Raises:
            NotationError: a word that is not a move.
            IllegalMoveError: a move that is not legal where it stands.

        Example:
            >>> start = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
            >>> Round(start).follow(["7cx2s5h", "KdxKc"]).position.turn
            'a'
        """
        followed = self
        for line in lines:
            if "hands=" in line:
                raise NotationError(f"one position expected, then plays; found {quoted(line)}")
            words = line.split()
            for word, after in zip(words, [*words[1:], ""], strict=True):
                followed = followed._read(word, after)
        return followed

    def _read(self, word: str, after: str) -> Round:
        """The round after a word of a record; the next word may name the owner of a build."""
        key, colon, value = word.partition(":")
        if colon and key == "owner":
            if not isinstance(self._step, _Play):
                raise NotationError(f"{quoted(word)} does not stand after a build")
            return self
        if colon and len(key) == 1:
            return self.reveal(key.lower(), value)
        owner = after.removeprefix("owner:") if after.startswith("owner:") else None
        return self.play(word, owner=owner)

    # Plays made and taken back

    def play(self, move: str | Move, *, owner: str | None = None) -> Round:
        """The round with one more play.

        Args:
            move: a Move or its text.
            owner: the seat that owns the build made, needed only under `partner_builds=declared`
                when the cards of the seat to play are hidden; None for that seat itself, if it
                may hold a card that takes the build.

        Raises:
            IllegalMoveError: the move is not legal, or no hand that fits makes it legal.
            NotationError: the text is not a move.

        Example:
            >>> Round(Position.start(seed=1)).play("9c+3s5s=8")
            Traceback (most recent call last):
            ...
            casino_core.errors.IllegalMoveError: play 1: 9c+3s5s=8 is not legal: seat a does not \
hold 9c
        """
        try:
            if self.is_over:
                raise NotationError(f"{quoted(str(move))}: the round is over")
            played, position = self.position._advance(move)
            if owner is not None and owner != _owner(position, played):
                played, position = self.position._advance(move, own=False)
                if owner != _owner(position, played):
                    why = f"the build does not belong to seat {shown(owner)}"
                    raise IllegalMoveError(f"{played}: {why}", why, "wrong_owner")
            else:
                owner = None
        except IllegalMoveError as error:
            text = f"play {self._count + 1}: {error}"
            raise IllegalMoveError(text, error.reason, error.code) from None
        except CasinoError as error:
            raise type(error)(f"play {self._count + 1}: {error}") from None
        return self._then(_Play(played, owner), position)

    def reveal(self, seat: str, cards: str | Iterable[str] | CardSet) -> Round:
        """The round with hidden cards of a hand filled in, such as a seat was dealt or has drawn.

        Args:
            seat: the seat's letter.
            cards: the cards, no more than the hand hides.

        Raises:
            NotationError: the hand cannot hold these cards.

        Example:
            >>> start = Position.parse(f"table=2s hands=As/? piles={'?' * 12}/{'?' * 21}")
            >>> dealt = Round(start).play("As").play("3h").reveal("a", "AdTd3s4c")
            >>> str(dealt.position.hands[0]), str(dealt).splitlines()[-1]
            ('Ad3s4cTd', 'a:Ad3s4cTd')
        """
        position = self.position.reveal(seat, cards)
        found = CardSet(cards)
        if not found:
            return self
        if self._count == 0:
            return Round(position)
        last = self._step
        if isinstance(last, _Cards) and self._before is not None:
            if last.seat == seat:
                return self._before._then(_Cards(seat, last.cards | found), position)
            if seat < last.seat:  # in the order of seats, so that a round is written in one way
                return self._before.reveal(seat, cards).reveal(last.seat, last.cards)
        return self._then(_Cards(seat, found), position)

    def _then(self, step: _Step, position: Position) -> Round:
        """The round after one more step."""
        count, deal, deal_start = self._count, self._deal, self._deal_start
        if isinstance(step, _Play):
            count += 1
            before = self.position
            if position.stock_count != before.stock_count and not before.rules.draw:
                deal, deal_start = deal + 1, count
        found = Round.__new__(Round)
        found._set(self.start, position, self, step, count, deal, deal_start)
        return found

    def undo(self) -> Round:
        """The round without its last play.

        Raises:
            CasinoError: nothing has been played.

        Example:
            >>> round = Round(Position.start(seed=1))
            >>> round.play(round.position.legal_moves()[0]).undo() == round
            True
        """
        at = self
        while not isinstance(at._step, _Play):
            if at._before is None:
                raise CasinoError("there is no play to take back")
            at = at._before
        assert at._before is not None
        return at._before

    # Plays and positions so far

    def _back(self) -> Iterator[Round]:
        """This round and those before it, the last first, each with one step less."""
        at: Round | None = self
        while at is not None:
            yield at
            at = at._before

    def _pairs_back(self) -> Iterator[tuple[Position, Move]]:
        """The plays, the last first, each with the position that it was made in."""
        for at in self._back():
            if isinstance(at._step, _Play) and at._before is not None:
                yield at._before.position, at._step.move

    @property
    def plays(self) -> tuple[Move, ...]:
        """The plays, in order."""
        return tuple(move for _, move in self._pairs_back())[::-1]

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of the record for each play: the move, then what is known with it.

        Example:
            >>> start = Position.parse(f"table=2s hands=As/? piles={'?' * 12}/{'?' * 21}")
            >>> Round(start).play("As").play("3h").reveal("a", "AdTd3s4c").words
            (('As',), ('3h', 'a:Ad3s4cTd'))
        """
        found: list[tuple[str, ...]] = []
        for step in self._steps():
            said = tuple(step.words().split())
            if isinstance(step, _Play):
                found.append(said)
            else:
                found[-1] += said
        return tuple(found)

    def first(self, plays: int) -> Round:
        """The round after its first plays, with the cards that are known then.

        Args:
            plays: how many, at most as many as there are.

        Example:
            >>> round = Round(Position.start(seed=1), ["3h"])
            >>> round.first(0).plays, round.first(1) == round
            ((), True)
        """
        found = self
        for _ in range(self._count - plays):
            found = found.undo()
        return found

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each play, and the present one."""
        return (*(before for before, _ in [*self._pairs_back()][::-1]), self.position)

    @property
    def deal(self) -> int:
        """The number of the present deal, from 1 at the start; in draw casino 1 throughout."""
        return self._deal

    def plays_of_deal(self, seat: str | None = None) -> tuple[tuple[Position, Move], ...]:
        """The plays of the present deal, each with the position that it was made in.

        In draw casino a round is one deal.

        Args:
            seat: the seat from whose view the positions are; None for the positions as they are.

        Example:
            >>> round = Round(Position.start(seed=1))
            >>> round = round.play(round.position.legal_moves()[0])
            >>> [(before == round.start, str(move)) for before, move in round.plays_of_deal()]
            [(True, '3h')]
        """
        found: list[tuple[Position, Move]] = []
        for before, move in self._pairs_back():
            if len(found) == self._count - self._deal_start:
                break
            found.append((before if seat is None else before.view(seat), move))
        return tuple(found[::-1])

    def seen_by(self, seat: str) -> Round:
        """The round as a seat has seen it, other hands and the order of the stock hidden.

        Args:
            seat: the seat's letter.

        Example:
            >>> round = Round(Position.parse("table=2s5h8dKc hands=As7c9hTd/KdQd3s3h"))
            >>> print(round.play("7cx2s5h").play("KdxKc").seen_by("a"))
            rules=standard table=2s5h8dKc hands=As7c9hTd/???? turn=a
            7cx2s5h KdxKc
        """
        seen = Round(self.start.view(seat))
        index = self.start.rules.seats.index(seat)
        for at in [*self._back()][-2::-1]:
            if isinstance(at._step, _Play):
                seen = seen._see(at, seat, index)
            elif isinstance(at._step, _Cards) and at._step.seat == seat:
                seen = seen.reveal(seat, at._step.cards)
        return seen

    def _see(self, real: Round, seat: str, index: int) -> Round:
        """This round, as a seat sees it, after the last play of the real one."""
        assert isinstance(real._step, _Play)
        assert real._before is not None
        move = real._step.move
        before, after = real._before.position, real.position
        kept = before.hands[index].cards
        if before.turn == seat:
            kept -= CardSet(move.card)
        dealt = after.hands[index].cards - kept
        owner = _owner(after, move)
        if before.rules.partner_builds != "none" and owner not in (None, before.turn):
            seen = self.play(move, owner=owner)
        else:
            seen = self._then(_Play(move), with_hidden_again(after.view(seat), seat, dealt))
        return seen._then(_Cards(seat, dealt), after.view(seat)) if dealt else seen

    # End and score

    @property
    def is_over(self) -> bool:
        """Whether the round is finished: no card in a hand or in the stock."""
        return self.position.is_over

    def score(self) -> tuple[int, ...]:
        """Points of each side for the finished round, in the order of sides.

        Raises:
            CasinoError: the round is not finished.
            HiddenCardError: captured cards are not known.

        Example:
            >>> round = Round(Position.start(seed=1))
            >>> while not round.is_over:
            ...     round = round.play(round.position.legal_moves()[-1])
            >>> round.score()
            (2, 9)
        """
        return self.position.score()

    # Text, comparison and copies

    def _steps(self) -> tuple[_Step, ...]:
        return tuple(at._step for at in self._back() if at._step is not None)[::-1]

    def __str__(self) -> str:
        """The record: the position line, then a line for each deal."""
        lines: list[list[str]] = []
        deal = 0
        for at in [*self._back()][-2::-1]:
            assert at._step is not None
            assert at._before is not None
            if at._before._deal != deal:
                deal = at._before._deal
                lines.append([])
            lines[-1].append(at._step.words())
        return "\n".join([str(self.start), *map(" ".join, lines)])

    def __repr__(self) -> str:
        return f"Round.parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: the present position and the last play."""
        from casino_core.render.svg import position_svg  # drawn only where it is asked for

        if not self.plays:
            return position_svg(self.position)
        return position_svg(self.position, before=self.positions[-2], move=self.plays[-1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Round):
            return NotImplemented
        return self is other or (
            self._count == other._count
            and self.position == other.position
            and self.start == other.start
            and self._steps() == other._steps()
        )

    def __hash__(self) -> int:
        return hash((self.start, self._steps()))

    def __reduce__(self) -> tuple[object, ...]:
        return Round.parse, (str(self),)


def _owner(position: Position, move: Move) -> str | None:
    """The owner of the build that holds the card just played; None if there is no such build."""
    for build in position.builds:
        if move.card in build.cards:
            return build.owner
    return None


def position_and_plays(
    asked: Position | Round, history: Round | _History | None
) -> tuple[Position, _History | None]:
    """A position and the plays of its deal, from the arguments of a public function.

    Args:
        asked: a position, or a round with its plays.
        history: with a position, the plays that lead to it, or a round that does.

    Raises:
        CasinoError: a round with a history, or one that does not lead to the position.

    Example:
        >>> round = Round(Position.start(seed=1))
        >>> position_and_plays(round, None) == (round.start, ())
        True
        >>> position_and_plays(round.play("3h").position, round)
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: history: the plays do not lead to the position
    """
    if isinstance(asked, Round):
        if history is not None:
            raise CasinoError("history: a Round has its own plays, so it takes no history")
        return asked.position, asked.plays_of_deal()
    if not isinstance(history, Round) or not isinstance(asked, Position):
        return asked, history
    there = history.position
    if there.turn != asked.turn or there.view(there.turn) != asked.view(asked.turn):
        raise CasinoError("history: the plays do not lead to the position")
    return asked, history.plays_of_deal()
