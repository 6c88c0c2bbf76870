"""Many games at once in NumPy arrays, for training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike, NDArray

from casino_core._arguments import SEED, SWITCH, THREADS, shown, whole
from casino_core.errors import CasinoError, IllegalMoveError, not_copied
from casino_core.game.position import Position
from casino_core.learning.block import GameBlock
from casino_core.learning.steps import STEP_COUNT, describe
from casino_core.learning.tensor import tensor_size
from casino_core.rules.options import Rules
from casino_core.rules.ruleset import CompiledRules

__all__ = ["Games"]

_COUNT = whole(1, 1 << 24)


class Games:
    """Games of one rule set, stepped together; a game whose round ends goes on with the next one.

    Each game takes one step at a time, for the seat whose turn it is (see
    `casino_core.learning.steps`). The arrays are made once and filled by every call: copy what is
    to be kept. Games do not depend on each other, so that any number of threads gives the same
    bytes. If more than 65,536 moves are legal, about 4,096 of them are offered, those that a hint
    compares.

    Args:
        rules: a `Rules` or its text.
        count: number of games.
        threads: number of threads that step them.
        mask: whether `mask` is filled.
        tensor: whether `tensor` is filled.

    Attributes:
        rules: the rules, a `Rules`.
        count: number of games.
        seats: the number of the seat to play, one for each game; int8.
        mask: 1 for each step that is offered, games x 121; uint8.
        tensor: what the seat to play knows, games x `tensor_size(rules)`; int16.
        rewards: for each game and seat, after the last play of a round, its points minus the mean
            points of the other sides, else 0; float32.
        points: for each game and side, the points of a round that has just ended, else 0; int32.
        done: True where a round has just ended.

    Raises:
        RulesError: there are no such rules.
        CasinoError: an argument is not valid.

    Example:
        >>> games = Games("royal", 4)
        >>> games.reset(seed=1)
        >>> for _ in range(500):
        ...     games.step(games.sample())
        >>> games.mask.shape, games.tensor.shape, games.seats.tolist()
        ((4, 121), (4, 1089), [1, 1, 1, 0])
    """

    def __init__(
        self,
        rules: str | Rules = "standard",
        count: int = 1,
        *,
        threads: int = 1,
        mask: bool = True,
        tensor: bool = True,
    ) -> None:
        self.rules = rules if isinstance(rules, Rules) else Rules.parse(rules)
        self.count = _COUNT("count", count)
        threads = min(THREADS("threads", threads), self.count)
        compiled = CompiledRules(self.rules)
        edges = [self.count * i // threads for i in range(threads + 1)]
        self._slices = [slice(*edge) for edge in pairwise(edges)]
        self._blocks = [GameBlock(compiled, part.stop - part.start) for part in self._slices]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._masked, self._written = SWITCH("mask", mask), SWITCH("tensor", tensor)
        self.seats = np.zeros(self.count, np.int8)
        self.mask = np.zeros((self.count, STEP_COUNT), np.uint8)
        self.tensor = np.zeros((self.count, tensor_size(self.rules)), np.int16)
        self.rewards = np.zeros((self.count, self.rules.players), np.float32)
        self.points = np.zeros((self.count, self.rules.sides), np.int32)
        self.done = np.zeros(self.count, np.bool_)
        self._steps = np.zeros(self.count, np.int64)
        self._free = Lock()
        self.reset()

    def __reduce__(self) -> tuple[object, ...]:
        raise not_copied(self)

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Refuses a call while another one is under way in a different thread."""
        if not self._free.acquire(blocking=False):
            raise CasinoError("games take one call at a time; give each thread its own")
        try:
            yield
        finally:
            self._free.release()

    def _each(self, work: Callable[[GameBlock, slice], int | None]) -> list[int | None]:
        """What a function returns for each block with its part of the arrays."""
        if self._pool is None:
            return [work(self._blocks[0], self._slices[0])]
        return list(self._pool.map(work, self._blocks, self._slices))

    def reset(self, seed: int | ArrayLike = 0) -> None:
        """Deal the first round of every game.

        Args:
            seed: a seed; game `i` starts as `Position.start(rules, seed=seed + i)`. Or an array
                with a seed for each game.

        Raises:
            CasinoError: the seed is out of range, or there are more or fewer seeds than games.
        """
        seeds = self._seeds(seed)

        def work(block: GameBlock, part: slice) -> None:
            block.reset(seeds[part])

        with self._one_at_a_time():
            self._each(work)
            self.rewards[:], self.points[:], self.done[:] = 0, 0, False
            self._observe()

    def _seeds(self, seed: int | ArrayLike) -> NDArray[np.uint64]:
        array = np.asarray(seed)
        if array.ndim == 0:
            first = SEED("seed", seed)
            return np.array([(first + i) % 2**64 for i in range(self.count)], np.uint64)
        if array.shape != (self.count,):
            raise CasinoError(f"seed: {self.count} seeds expected, not {shown(array.shape)}")
        return np.array([SEED("seed", one) for one in array.tolist()], np.uint64)

    def step(self, steps: ArrayLike) -> None:
        """Take one step in every game, and fill the arrays.

        Args:
            steps: the number of a step for each game.

        Raises:
            IllegalMoveError: a step is not offered; then no game has changed.
            CasinoError: not one whole number for each game.
        """
        given = self._numbers(steps)
        with self._one_at_a_time():
            self._step(given)

    def _step(self, given: NDArray[np.int64]) -> None:
        done = self.done.view(np.uint8)
        if len(self._blocks) > 1 and not self._offered(given):
            raise self._refusal(given)

        def work(block: GameBlock, part: slice) -> int:
            return block.step(given[part], self.rewards[part], self.points[part], done[part])

        if self._each(work) != [-1] * len(self._blocks):
            raise self._refusal(given)
        self._observe()

    def _numbers(self, steps: ArrayLike) -> NDArray[np.int64]:
        array = np.asarray(steps)
        if array.shape != (self.count,) or not np.issubdtype(array.dtype, np.integer):
            what = f"an array of {array.dtype} of shape {array.shape}"
            raise CasinoError(f"steps: {self.count} whole numbers expected, not {what}")
        return np.ascontiguousarray(array, np.int64)

    def _offered(self, steps: NDArray[np.int64]) -> bool:
        """Whether every game offers its step."""

        def work(block: GameBlock, part: slice) -> int:
            return block.first_refused(steps[part])

        return self._each(work) == [-1] * len(self._blocks)

    def _refusal(self, steps: NDArray[np.int64]) -> CasinoError:
        """The error for the first step that its game does not offer."""
        for block, part in zip(self._blocks, self._slices, strict=True):
            found = block.first_refused(steps[part])
            if found >= 0:
                game = part.start + found
                step = int(steps[game])
                words = f" ({describe(step)})" if 0 <= step < STEP_COUNT else ""
                return IllegalMoveError(f"step {step}{words} is not offered in game {game}")
        raise AssertionError("every step is offered")

    def sample(self) -> NDArray[np.int64]:
        """Draw a step for every game, each that is offered with equal probability.

        The draws come from streams of the games' seeds. The array is filled anew by each call.
        """

        def work(block: GameBlock, part: slice) -> None:
            block.sample(self._steps[part])

        with self._one_at_a_time():
            self._each(work)
        return self._steps

    def _observe(self) -> None:
        def work(block: GameBlock, part: slice) -> None:
            block.observe(
                self.seats[part],
                self.mask[part] if self._masked else None,
                self.tensor[part] if self._written else None,
            )

        self._each(work)

    def position(self, game: int) -> Position:
        """The position of a game, with every card known.

        Args:
            game: its number.

        Example:
            >>> Games("royal", 2).position(1) == Position.start("royal", seed=1)
            True
        """
        number = whole(0, self.count - 1)("game", game)
        found = next(i for i, part in enumerate(self._slices) if number < part.stop)
        with self._one_at_a_time():
            return self._blocks[found].position(number - self._slices[found].start)
