"""Many positions in one NumPy array, and the answers to them.

The layouts are those of the core's structs, which read and write the arrays in place.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import IO, Any, overload

import numpy as np
from numpy.typing import NDArray

from casino_core.core.batch import fill_records, moves_of, positions_of, random_records
from casino_core.core.position import Move, Position
from casino_core.core.rulesets import CompiledRules
from casino_core.errors import CasinoError, quoted
from casino_core.rules import Rules

__all__ = [
    "ANSWER_DTYPE",
    "LISTED_DTYPE",
    "MOVE_DTYPE",
    "POSITION_DTYPE",
    "ArrayAnalysis",
    "PositionArray",
    "Status",
]

#: A position in 344 bytes. A set of cards is a mask: bit 4 * rank + suit, from the ace of spades
#: (0) to the king of clubs (51); ranks A23456789TJQK, suits shdc.
POSITION_DTYPE = np.dtype(
    {
        "names": [
            "table",  # mask of the loose cards
            "hands",  # masks of the known cards of seats a to d
            "piles",  # masks of the known captured cards of each side
            "declared",  # per seat, bit V: value V declared beyond those of the builds it owns
            "hidden",  # per seat, cards of the hand that are not known
            "forgotten",  # per side, captured cards that are not known
            "sweeps",  # per side
            "turn",  # seat to play, 0 for a
            "last",  # seat that captured last, 255 for nobody
            "stock",  # number of cards to come
            "build_count",
            "builds",  # bits 0-51 cards, 52-55 value, 56-57 owner, 58 multiple; build_count of them
            "ordered",  # the stock where its order is known, else 0
            "order",  # card numbers of the stock, next first; `ordered` of them
            "out",  # mask of the cards that are not in the game
            "score",  # match score before the round, per side
            "rules",  # index into the rule sets of the array; 65535: it could not be read
        ],
        "formats": [
            "<u8",
            ("<u8", 4),
            ("<u8", 4),
            ("<u2", 4),
            ("u1", 4),
            ("u1", 4),
            ("u1", 4),
            "u1",
            "u1",
            "u1",
            "u1",
            ("<u8", 20),
            "u1",
            ("u1", 52),
            "<u8",
            ("<i4", 4),
            "<u2",
        ],
        "offsets": [
            *(0, 8, 40, 72, 80, 84, 88, 92, 93, 94, 95, 96),
            *(256, 257, 312, 320, 336),
        ],
        "itemsize": 344,
    }
)

#: A move in 16 bytes, in terms of its position.
MOVE_DTYPE = np.dtype(
    [
        ("loose", "<u8"),  # mask of the loose cards taken or built with
        ("builds", "<u4"),  # bit i: build i, the builds sorted as they are written
        ("card", "u1"),  # number of the card played; 255: no move
        ("kind", "u1"),  # 0 trail, 1 capture, 2 new build, 3 build added to, 4 build raised
        ("value", "u1"),  # value that a build announces, else 0
        ("unused", "u1"),
    ]
)

#: The answer to a position, in 64 bytes.
ANSWER_DTYPE = np.dtype(
    [
        ("best", MOVE_DTYPE),  # tasks value and solve: a best move
        ("lower", "<i4"),  # proven bounds of the value, equal where it is exact
        ("upper", "<i4"),
        ("nodes", "<i8"),  # positions searched
        ("points", "<i4", (4,)),  # task score: points per side
        ("moves", "<i4"),  # length of the item's list of moves
        ("line", "<i4"),  # length of the item's line of best play
        ("status", "<i4"),  # a Status
        ("unused", "<i4"),
    ]
)

#: A move of a list, and for the task solve its bounds.
LISTED_DTYPE = np.dtype([("move", MOVE_DTYPE), ("lower", "<i4"), ("upper", "<i4")])

_MOST_RULES = 256


class Status(IntEnum):
    """How an item of a batch has ended.

    Example:
        >>> Status.DONE.is_error, Status.HIDDEN_HAND.is_error
        (False, True)
        >>> Status.UNFINISHED.message
        'the round is not finished, so it has no score yet'
    """

    DONE = 0
    LIMIT = 1
    UNREADABLE = 2
    INVALID = 3
    HIDDEN_HAND = 4
    HIDDEN_PILE = 5
    HIDDEN_STOCK = 6
    MANY_SIDES = 7
    MANY_MOVES = 8
    UNFINISHED = 9
    LARGE_VALUES = 10
    NO_MEMORY = 11
    LOST = 12

    @property
    def is_error(self) -> bool:
        """Whether there is no answer; `LIMIT` has bounds."""
        return self > Status.LIMIT

    @property
    def message(self) -> str:
        """What went wrong, in words; empty where nothing did."""
        return _MESSAGES[self]


_MESSAGES = {
    Status.DONE: "",
    Status.LIMIT: "",
    Status.UNREADABLE: "the position could not be read",
    Status.INVALID: "the item of the array is not a position that can be",
    Status.HIDDEN_HAND: "cards of a hand are not known; hint works with what is seen",
    Status.HIDDEN_PILE: "captured cards are not all known (? in piles)",
    Status.HIDDEN_STOCK: "the order of the stock is not known; hint works with what is seen",
    Status.MANY_SIDES: "exact values are for two sides: two players, or four in partnership",
    Status.MANY_MOVES: "a position has too many legal moves to list",
    Status.UNFINISHED: "the round is not finished, so it has no score yet",
    Status.LARGE_VALUES: "the points for a sweep make values too large for this search",
    Status.NO_MEMORY: "there was no memory for it",
    Status.LOST: "the worker was lost",
}


def as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The rows of an array as rows of bytes, which share its memory."""
    return array.view(np.uint8).reshape(len(array), array.dtype.itemsize)


#: What may be kept of a round.
KEPT = ("all", "last-deal", "deal-end")


def check_kept(rules: Rules, keep: str, deal: int | None) -> None:
    """Refuse what cannot be kept of a round.

    Args:
        rules: of the round.
        keep: one of `KEPT`.
        deal: whose end, from 1, with `deal-end`.

    Raises:
        CasinoError: with the reason.
    """
    if keep not in KEPT:
        raise CasinoError(f"keep is {', '.join(KEPT)}, not {quoted(keep)}")
    deals = 48 // (4 * rules.players)
    if keep != "deal-end":
        if deal is not None:
            raise CasinoError("deal is for keep deal-end only")
    elif rules.draw:
        raise CasinoError("under draw=yes a round is one long deal, so no deal has an end")
    elif deal is None or not 1 <= deal <= deals:
        raise CasinoError(f"deal is 1 to {deals} for {rules.players} players, not {deal}")


class PositionArray:
    """Positions in one NumPy array of fixed size an item, with their rule sets beside it.

    An item's field `rules` is an index into `rules`: files mix rule sets, and an index costs two
    bytes where the set itself would cost a hundred.

    Args:
        data: an array of `POSITION_DTYPE`, of one dimension; it is not copied where it is
            contiguous. Items are checked when they are used.
        rules: the rule sets, `Rules` or texts, at most 256.
        errors: by item, why it could not be read.

    Attributes:
        data: the array.
        rules: the rule sets.
        errors: by item, why it could not be read.

    Example:
        >>> positions = PositionArray.from_texts(["table=2s5h8dKc hands=AsTd7c9h/????", "table=1"])
        >>> len(positions), str(positions[0].turn), positions.errors
        (2, 'a', {1: "table: '1' is not a card"})
        >>> int(positions.data["table"][0]).bit_count()
        4
    """

    def __init__(
        self,
        data: NDArray[Any],
        rules: Iterable[Rules | str] = ("standard",),
        errors: dict[int, str] | None = None,
    ) -> None:
        names = getattr(getattr(data, "dtype", None), "names", None)
        if names != POSITION_DTYPE.names or data.ndim != 1:
            raise CasinoError("a position array has one dimension and the dtype POSITION_DTYPE")
        # NumPy packs the fields closer when it concatenates.
        self.data = np.ascontiguousarray(data.astype(POSITION_DTYPE, copy=False))
        sets = [Rules.parse(one) if isinstance(one, str) else one for one in rules]
        if len(sets) > _MOST_RULES:
            raise CasinoError(f"a position array holds {_MOST_RULES} rule sets at most")
        self.errors = {} if errors is None else dict(errors)
        self._set_rules([CompiledRules(one) for one in sets])

    def _set_rules(self, compiled: list[CompiledRules]) -> None:
        self.compiled = compiled
        self.rules: tuple[Rules, ...] = tuple(one.rules for one in compiled)

    @classmethod
    def from_texts(cls, texts: Iterable[str | Position | CasinoError]) -> PositionArray:
        """An array of positions given as lines or as `Position`.

        What cannot be read keeps its place; `errors` says why.

        Args:
            texts: position lines, Positions, or errors that stand for what is not there.
        """
        items = texts if isinstance(texts, Sequence) else list(texts)
        data = np.zeros(len(items), POSITION_DTYPE)
        compiled: list[CompiledRules] = []
        errors = fill_records(items, as_bytes(data), compiled)
        return cls._made(data, compiled, errors)

    @classmethod
    def random(
        cls,
        rounds: int,
        rules: str | Rules = "standard",
        *,
        seed: int = 0,
        keep: str = "all",
        deal: int | None = None,
        first: int = 0,
    ) -> PositionArray:
        """Positions of rounds in which each legal move is equally likely, every card known.

        A round depends on its number and the seed alone.

        Args:
            rounds: how many.
            rules: of all of them.
            seed: 0 to 2**64 - 1.
            keep: `all` positions in which a card is to be played, those of the `last-deal`, or
                the one at each `deal-end`: what follows the last play of a deal.
            deal: whose end, from 1.
            first: number of the first round.

        Raises:
            CasinoError: a round has no such deal, or a number that does not fit.

        Example:
            >>> [len(PositionArray.random(10, keep=keep)) for keep in ("all", "last-deal")]
            [480, 80]
        """
        compiled = CompiledRules(Rules.parse(rules) if isinstance(rules, str) else rules)
        check_kept(compiled.rules, keep, deal)
        if rounds < 0 or first < 0 or not 0 <= seed < 1 << 64:
            raise CasinoError("rounds and seed are numbers from 0, the seed below 2**64")
        most = {"all": 52, "last-deal": 52, "deal-end": 1}[keep]
        data = np.zeros(rounds * most, POSITION_DTYPE)
        kind = KEPT.index(keep)
        count = random_records(compiled, as_bytes(data), first, rounds, seed, kind, deal or 0)
        return cls._made(data[:count].copy(), [compiled], {})

    @classmethod
    def _made(
        cls, data: NDArray[Any], compiled: list[CompiledRules], errors: dict[int, str]
    ) -> PositionArray:
        made = cls.__new__(cls)
        made.data = data
        made.errors = errors
        made._set_rules(compiled)
        return made

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> PositionArray: ...
    def __getitem__(self, index: int | slice) -> Position | PositionArray:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            errors = self.errors
            if errors:
                places = range(start, stop, step)
                errors = {places.index(at): text for at, text in errors.items() if at in places}
            data = np.ascontiguousarray(self.data[index])
            return self._made(data, self.compiled, errors)
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"no item {index} in an array of {len(self)}")
        if at in self.errors:
            raise CasinoError(self.errors[at])
        (position,) = positions_of(as_bytes(self.data[at : at + 1]), self.compiled, False)
        return position

    def __iter__(self) -> Iterator[Position]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionArray):
            return NotImplemented
        return self.rules == other.rules and bool(np.array_equal(self.data, other.data))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<PositionArray of {len(self)} under {len(self.rules)} rule sets>"

    def __reduce__(self) -> tuple[Any, ...]:
        texts = tuple(str(one) for one in self.rules)
        return PositionArray, (self.data, texts, self.errors)

    def texts(self) -> list[str]:
        """The position lines.

        Raises:
            CasinoError: an item could not be read.
        """
        return positions_of(as_bytes(self.data), self.compiled, True)

    def save(self, path: str | Path) -> None:
        """Write the array to a file.

        Args:
            path: ending in `.npz`, which holds the rule sets too, or in `.npy`, for an array
                under one rule set, which `load` then has to be told.

        Raises:
            CasinoError: another ending; or rule sets that a `.npy` does not hold.

        Example:
            >>> import tempfile
            >>> positions = PositionArray.from_texts(["table=2s5h8dKc hands=AsTd7c9h/????"])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     positions.save(Path(folder, "one.npz"))
            ...     PositionArray.load(Path(folder, "one.npz")) == positions
            True
        """
        path = Path(path)
        if path.suffix == ".npz":
            np.savez(path, positions=self.data, rules=self._rule_texts())
        elif path.suffix == ".npy":
            if len(self.rules) > 1:
                raise CasinoError("a .npy has no place for several rule sets; a .npz has")
            np.save(path, self.data)
        else:
            raise CasinoError(f"positions are saved as .npz or .npy, not as {quoted(path.name)}")

    def _rule_texts(self) -> NDArray[Any]:
        return np.array([str(one) for one in self.rules] or ["standard"])

    @classmethod
    def load(cls, path: str | Path, rules: str | Rules = "standard") -> PositionArray:
        """Read an array from a file.

        Args:
            path: of a `.npz` or `.npy`.
            rules: of a `.npy`, which does not hold them.

        Raises:
            CasinoError: the file is none that `save` has written.
        """
        try:
            if Path(path).suffix == ".npy":
                return cls(np.load(path, allow_pickle=False), [rules])
            with np.load(path, allow_pickle=False) as found:
                return cls(found["positions"], [str(one) for one in found["rules"]])
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            if isinstance(error, CasinoError):
                raise
            raise CasinoError(f"{quoted(Path(path).name)} holds no position array") from None


def read_array_header(file: IO[bytes]) -> tuple[int, np.dtype[Any]]:
    """Length and dtype of an array of one dimension that begins here in NumPy's format.

    Args:
        file: at the beginning of a `.npy`; it is left at the first item.

    Raises:
        CasinoError: it is something else.
    """
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read(file)
    except ValueError:
        raise CasinoError("the file is not an array in NumPy's format") from None
    if len(shape) != 1 or dtype.hasobject:
        raise CasinoError("the file holds no array of one dimension")
    return shape[0], dtype


class ArrayAnalysis:
    """The answers to a `PositionArray`, as arrays.

    Lists of moves (tasks `moves` and `solve`) lie item after item: those of item i are
    `moves[offsets[i]:offsets[i + 1]]`.

    Args:
        task: value, solve, moves or score.
        positions: that were asked about.
        answers: an array of `ANSWER_DTYPE`.
        moves: an array of `LISTED_DTYPE`.
        lines: an array of `MOVE_DTYPE`: best play of each item, one after the other.

    Example:
        >>> from casino_core import analyze
        >>> positions = PositionArray.from_texts(
        ...     ["table=3h4c hands=JhKc/JcKh out=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTcQsQhQdQcAsAd"
        ...      "2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd5c7cJsJd turn=a"])
        >>> found = analyze(positions, task="moves")
        >>> found.move_texts(0), found.status.tolist()
        (['Jh', 'Kc'], [0])
    """

    def __init__(
        self,
        task: str,
        positions: PositionArray,
        answers: NDArray[Any],
        moves: NDArray[Any],
        lines: NDArray[Any],
    ) -> None:
        self.task = task
        self.positions = positions
        self.answers = answers
        self.moves = moves
        self.lines = lines
        self.offsets = _offsets(answers["moves"])
        self.line_offsets = _offsets(answers["line"])

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def value(self) -> NDArray[Any]:
        """Values as floating point; not a number where an item has none."""
        exact = (self.status <= Status.LIMIT) & (self.lower == self.upper)
        return np.where(exact, self.lower, np.nan)

    @property
    def lower(self) -> NDArray[Any]:
        """Lower bounds of the values, equal to the upper ones where they are exact."""
        return np.asarray(self.answers["lower"])

    @property
    def upper(self) -> NDArray[Any]:
        """Upper bounds of the values."""
        return np.asarray(self.answers["upper"])

    @property
    def best(self) -> NDArray[Any]:
        """Best moves, packed; card 255 where there is none."""
        return np.asarray(self.answers["best"])

    @property
    def nodes(self) -> NDArray[Any]:
        """Positions searched."""
        return np.asarray(self.answers["nodes"])

    @property
    def points(self) -> NDArray[Any]:
        """Points of finished rounds, four columns: those of sides that do not play are 0."""
        return np.asarray(self.answers["points"])

    @property
    def status(self) -> NDArray[Any]:
        """A `Status` an item."""
        return np.asarray(self.answers["status"])

    def error(self, index: int) -> str | None:
        """What went wrong with an item, or None.

        Args:
            index: of the item.
        """
        status = Status(int(self.status[index]))
        if not status.is_error:
            return None
        return self.positions.errors.get(index, status.message)

    def best_texts(self) -> list[str | None]:
        """Best moves as texts."""
        return [found[0] if found else None for found in self.best_moves(as_text=True)]

    def best_moves(self, *, as_text: bool = False) -> list[list[Any]]:
        """For each item a list of its best move, empty where there is none.

        Args:
            as_text: as text, else as `Move`.
        """
        there = self.best["card"] != 255
        chosen = np.ascontiguousarray(self.best[there])
        counts = there.astype(np.int32)
        return self._moves(as_bytes(chosen), counts, in_line=False, as_text=as_text)

    def _moves(
        self, moves: NDArray[np.uint8], counts: NDArray[Any], *, in_line: bool, as_text: bool
    ) -> list[list[Any]]:
        records = as_bytes(self.positions.data)
        counts = np.ascontiguousarray(counts, np.int32)
        compiled = self.positions.compiled
        if as_text:
            return moves_of(records, compiled, moves, counts, in_line, True)
        return moves_of(records, compiled, moves, counts, in_line, False)

    def all_moves(self, *, as_text: bool = False) -> list[list[Any]]:
        """The list of moves of each item.

        Args:
            as_text: as texts, else as `Move`.
        """
        moves = as_bytes(self.moves)
        return self._moves(moves, self.answers["moves"], in_line=False, as_text=as_text)

    def all_lines(self, *, as_text: bool = False) -> list[list[Any]]:
        """The line of best play of each item.

        Args:
            as_text: as texts, else as `Move`.
        """
        lines = as_bytes(self.lines)
        return self._moves(lines, self.answers["line"], in_line=True, as_text=as_text)

    def move_texts(self, index: int) -> list[str]:
        """The texts of an item's list of moves.

        Args:
            index: of the item.
        """
        (found,) = self[index : index + 1].all_moves(as_text=True)
        return found

    def __getitem__(self, chosen: slice) -> ArrayAnalysis:
        """The answers to a run of items."""
        start, stop, step = chosen.indices(len(self))
        if step != 1:
            raise CasinoError("answers are taken in one run: a slice without a step")
        stop = max(start, stop)
        return ArrayAnalysis(
            self.task,
            self.positions[start:stop],
            self.answers[start:stop],
            self.moves[self.offsets[start] : self.offsets[stop]],
            self.lines[self.line_offsets[start] : self.line_offsets[stop]],
        )

    @classmethod
    def joined(
        cls, task: str, positions: PositionArray, parts: Sequence[ArrayAnalysis]
    ) -> ArrayAnalysis:
        """The answers to an array from those to its parts, in order.

        Args:
            task: of all parts.
            positions: the whole array.
            parts: of `positions`.
        """
        return cls(
            task,
            positions,
            _join([part.answers for part in parts], ANSWER_DTYPE),
            _join([part.moves for part in parts], LISTED_DTYPE),
            _join([part.lines for part in parts], MOVE_DTYPE),
        )


def _join(parts: Sequence[NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _offsets(counts: NDArray[Any]) -> NDArray[np.int64]:
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def to_moves(found: list[list[Move | None]]) -> list[tuple[Move, ...]]:
    """Lists of moves without the places where there is none."""
    return [tuple(move for move in part if move is not None) for part in found]
