"""Many positions in one NumPy array, and the layouts of their answers.

The layouts are those of the core's structs, which read and write the arrays in place.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, overload

import numpy as np
from numpy.typing import NDArray

from casino_core._arguments import SEED, one_of, whole
from casino_core._tables import ROWS, SHOWN, Tabular, html_table
from casino_core.batch.records import fill_records, positions_of, random_records
from casino_core.errors import CasinoError, quoted
from casino_core.game.position import Position
from casino_core.rules.options import Rules
from casino_core.rules.ruleset import CompiledRules

__all__ = [
    "ANSWER_DTYPE",
    "LISTED_DTYPE",
    "MOVE_DTYPE",
    "POSITION_DTYPE",
    "PositionArray",
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
            "out",  # mask of the cards that are out of the game
            "score",  # match score before the round, per side
            "rules",  # index into the rule sets of the array; 65535: the item could not be read
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

#: A move of a list, with its bounds for the task solve.
LISTED_DTYPE = np.dtype([("move", MOVE_DTYPE), ("lower", "<i4"), ("upper", "<i4")])

_MOST_RULES = 256


def as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """A view of an array as rows of bytes, which shares its memory."""
    return array.view(np.uint8).reshape(len(array), array.dtype.itemsize)


#: The allowed numbers of rounds.
ROUNDS = whole(0, 2**48 - 1)
#: The choices of positions to keep of a round.
KEPT = ("all", "last-deal", "deal-end")


def check_kept(rules: Rules, keep: str, deal: int | None) -> None:
    """Validate `keep` and `deal`.

    Args:
        rules: the rules of the round.
        keep: one of `KEPT`.
        deal: for `deal-end` the number of the deal, from 1.

    Raises:
        CasinoError: a wrong argument, or a deal that the round does not have.
    """
    one_of(KEPT)("keep", keep)
    deals = 48 // (4 * rules.players)
    if keep != "deal-end":
        if deal is not None:
            raise CasinoError("deal is for keep deal-end only")
    elif rules.draw:
        raise CasinoError("under draw=yes a round is one long deal, so no deal has an end")
    elif deal is None:
        raise CasinoError(f"keep deal-end needs a deal, 1 to {deals} for {rules.players} players")
    else:
        whole(1, deals)(f"deal, for {rules.players} players,", deal)


def _kept_of_a_round(rules: Rules, keep: str) -> int:
    """The number of positions kept of a round: 48 for all plays, 4 a player for the last deal."""
    return {"all": 48, "last-deal": 4 * rules.players, "deal-end": 1}[keep]


class PositionArray(Tabular):
    """Positions in one NumPy array with items of a fixed size, and their rule sets.

    An item's field `rules` is an index into `rules`, as files mix rule sets: an index takes two
    bytes, a rule set about a hundred.

    Args:
        data: an array of `POSITION_DTYPE`, of one dimension; it is copied only if it is not
            contiguous. Items are checked when they are used.
        rules: the rule sets, `Rules` or texts, at most 256.
        errors: errors of items that could not be read, by index.

    Attributes:
        data: the array.
        rules: the rule sets.
        errors: errors of items that could not be read, by index.

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

        An item that cannot be read keeps its index; `errors` has the reason.

        Args:
            texts: position lines, Positions, or errors in place of items that could not be read.
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
        """Positions of rounds of uniformly random play, with every card known.

        A round depends only on its number and the seed.

        Args:
            rounds: number of rounds.
            rules: the rules of all rounds.
            seed: 0 to 2**64 - 1.
            keep: `all` positions before a play, only those of the `last-deal`, or the one at a
                `deal-end`, after the last play of the deal.
            deal: for `deal-end` the number of the deal, from 1.
            first: number of the first round.

        Raises:
            CasinoError: a deal that the round does not have, or a number out of range.

        Example:
            >>> [len(PositionArray.random(10, keep=keep)) for keep in ("all", "last-deal")]
            [480, 80]
        """
        compiled = CompiledRules(Rules.parse(rules) if isinstance(rules, str) else rules)
        check_kept(compiled.rules, keep, deal)
        rounds, seed = ROUNDS("rounds", rounds), SEED("seed", seed)
        first = whole(0, 2**62 - 1)("first", first)
        try:
            data = np.empty(rounds * _kept_of_a_round(compiled.rules, keep), POSITION_DTYPE)
        except MemoryError:
            raise CasinoError(f"there is no memory for the positions of {rounds} rounds") from None
        kind = KEPT.index(keep)
        count = random_records(compiled, as_bytes(data), first, rounds, seed, kind, deal or 0)
        assert count == len(data)
        return cls._made(data, [compiled], {})

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

    def taken(self, places: NDArray[np.int64]) -> PositionArray:
        """The items at the given indices, in that order.

        Args:
            places: indices from 0.
        """
        errors = self.errors
        if errors:
            chosen = places.tolist()
            errors = {at: errors[place] for at, place in enumerate(chosen) if place in errors}
        return self._made(self.data[places], self.compiled, errors)

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

    def _kinds(self) -> dict[str, Any]:
        return {"position": str, "rules": str, "error": str}

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of a table: the position lines, their rules, and errors.

        `data` has the fields of all positions without a copy.

        Example:
            >>> PositionArray.from_texts(["table=2s5h8dKc hands=As7c9hTd/????"]).to_dict()["rules"]
            ['standard']
        """
        return super().to_dict()

    def _as_columns(self) -> dict[str, list[Any]]:
        names = [str(one) for one in self.rules]
        rules = [names[at] if at < len(names) else None for at in self.data["rules"].tolist()]
        texts, errors = self.texts_and_errors()
        return {"position": texts, "rules": rules, "error": errors}

    def texts_and_errors(self) -> tuple[list[str | None], list[str | None]]:
        """The position lines, and the errors of items that have none."""
        try:
            return list(self.texts()), [None] * len(self)
        except CasinoError as error:
            if len(self) == 1:
                return [None], [self.errors.get(0, str(error))]
        middle = len(self) // 2
        halves = (self[:middle].texts_and_errors(), self[middle:].texts_and_errors())
        return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]

    def _parts(self) -> Iterator[PositionArray]:
        return (self[at : at + ROWS] for at in range(0, max(len(self), 1), ROWS))

    def _repr_html_(self) -> str:
        return html_table(self[:SHOWN].to_dict(), len(self))

    def save(self, path: str | Path) -> None:
        """Write the array to a file.

        Args:
            path: a name with the ending `.npz`, which holds the rule sets too, or `.npy`, for an
                array with one rule set, which must then be passed to `load`.

        Raises:
            CasinoError: another ending, or several rule sets in a `.npy`.

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
                raise CasinoError("a .npy file cannot hold several rule sets: use .npz")
            np.save(path, self.data)
        else:
            raise CasinoError(f"positions are saved as .npz or .npy, not as {quoted(path.name)}")

    def _rule_texts(self) -> NDArray[Any]:
        return np.array([str(one) for one in self.rules] or ["standard"])

    @classmethod
    def load(cls, path: str | Path, rules: str | Rules = "standard") -> PositionArray:
        """Read an array from a file.

        Args:
            path: the path of a `.npz` or `.npy` file.
            rules: the rules for a `.npy`, which does not hold them.

        Raises:
            CasinoError: the file was not written by `save`.
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
    """Read the header of an array of one dimension in NumPy's format: its length and dtype.

    Args:
        file: a file at the beginning of a `.npy`; it is left at the first item.

    Raises:
        CasinoError: the header is of another format.
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
