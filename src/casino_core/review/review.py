"""Reviews of rounds and matches: the cost of each play, the luck of the deals, and the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from casino_core._arguments import CALLBACK, SAMPLES, SECONDS, SEED, SWITCH, THREADS, instance_of
from casino_core._tables import Tabular
from casino_core.formats.reading import read_game
from casino_core.formats.record import Game
from casino_core.game.match import Match
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.play.luck import DEFAULT_DEALS, leads_of
from casino_core.review.analysis import PlayRecord, ReviewedPlay, reviewed, round_of, values_back
from casino_core.review.chances import RoundChances, round_chances
from casino_core.review.grades import Grade, accuracy
from casino_core.review.judgement import Judgement, judged
from casino_core.review.luck import Parts, RoundLuck, round_luck
from casino_core.review.state import ReviewState
from casino_core.search.solver import plays_left

__all__ = [
    "PlayReview",
    "Review",
    "ReviewInterrupted",
    "RoundReview",
    "SeatTotals",
    "review_game",
]

#: Worlds for a play if neither a number nor a time is given: a round of 48 plays then takes about
#: a second.
DEFAULT_SAMPLES = 200

_COSTLIEST = 3  # number of plays shown with their reasons

#: Reasons why a play is not judged: the cards of its seat are hidden, or there are too many moves.
Unjudged: TypeAlias = Literal["hidden", "many"]


@dataclass(frozen=True, slots=True)
class PlayReview:
    """A play of a round, judged by what its seat could know and in hindsight.

    Attributes:
        round_number: number of the round in its game.
        number: number of the play in the record, from 1.
        deal: number of the deal, from 1 where the record begins.
        position: the position as the seat saw it.
        move: the play.
        known: the judgement by what the seat could know, or None.
        reason: the reason why `known` is None: "hidden" or "many".
        hindsight: the judgement with every card open.
    """

    round_number: int
    number: int
    deal: int
    position: Position
    move: Move
    known: Judgement | None
    reason: Unjudged | None
    hindsight: ReviewedPlay

    @property
    def seat(self) -> str:
        """The seat that made the play."""
        return self.position.turn

    @property
    def grade(self) -> Grade | None:
        """The grade of the play; None if it is not judged."""
        return None if self.known is None else self.known.grade

    @property
    def cost(self) -> float | None:
        """Points that the play gave away, by what the seat could know; 0 if that may be chance.

        None if the play is not judged.
        """
        return None if self.known is None else self.known.counted


@dataclass(frozen=True, slots=True)
class SeatTotals:
    """Totals of the plays of a seat, over a round or a deal.

    Attributes:
        seat: the letter of the seat.
        deal: number of the deal, None for the round.
        plays: number of plays judged.
        cost: points given away, by what the seat could know; costs within their error count 0.
            None, as for the numbers of faults, if no play is judged.
        hindsight: points given away with all cards open, in the plays where that is known; None
            if it is known for none.
        inaccuracies: number of inaccuracies.
        mistakes: number of mistakes.
        blunders: number of blunders.
        accuracy: accuracy in percent: 100 for the best plays, 0 for plays as good as random ones;
            None if no choice mattered.
    """

    seat: str
    deal: int | None
    plays: int
    cost: float | None
    hindsight: int | None
    inaccuracies: int | None
    mistakes: int | None
    blunders: int | None
    accuracy: float | None


@dataclass(frozen=True)
class RoundReview:
    """The review of a round.

    Attributes:
        round: the round.
        plays: every play.
        luck: the luck of the deals.
        number: number of the round in its game, from 1.
        chances: win chances of the match before and after the round; None if they are not known.
    """

    round: Round
    plays: tuple[PlayReview, ...]
    luck: RoundLuck
    number: int
    chances: RoundChances | None

    @property
    def seats(self) -> tuple[SeatTotals, ...]:
        """Totals of each seat over the round."""
        return tuple(_totals(seat, None, self.plays) for seat in self.round.start.rules.seats)

    @property
    def deals(self) -> tuple[SeatTotals, ...]:
        """Totals of each seat in each deal, in order of deals."""
        numbers = sorted({play.deal for play in self.plays})
        return tuple(
            _totals(seat, deal, [play for play in self.plays if play.deal == deal])
            for deal in numbers
            for seat in self.round.start.rules.seats
        )

    @property
    def mistakes(self) -> tuple[float, ...]:
        """For each side, points that the others gave away on average, less those of its own."""
        rules = self.round.start.rules
        given = [0.0] * rules.sides
        for play in self.plays:
            given[rules.side_of(rules.seats.index(play.seat))] -= play.cost or 0.0
        return leads_of(given)

    @property
    def parts(self) -> Parts | None:
        """The result for side a in parts; None if it is not known."""
        return self.parts_of(0)

    def parts_of(self, side: int) -> Parts | None:
        """The result for a side in parts; None if it is not known.

        Args:
            side: number of the side.
        """
        return self.luck.parts(self.round, self.mistakes[side], side)


@dataclass(frozen=True)
class Review(Tabular):
    """The review of a game.

    Attributes:
        rounds: the review of each round.
        seconds: longest time for a play, None without a limit.
        samples: worlds for a play, None without a limit.
        seed: seed of the sampling.
        game: the game, with the names of its players.
    """

    rounds: tuple[RoundReview, ...]
    seconds: float | None
    samples: int | None
    seed: int
    game: Game

    @cached_property
    def plays(self) -> tuple[PlayReview, ...]:
        """Every play of all rounds."""
        return tuple(play for one in self.rounds for play in one.plays)

    def _kinds(self) -> dict[str, type]:
        return {
            **dict.fromkeys(("round", "play", "deal"), int),
            **dict.fromkeys(("seat", "move", "grade"), str),
            **dict.fromkeys(("cost", "hindsight_cost"), float),
            "position": str,
        }

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for one in self.plays:
            words = (one.seat, str(one.move), one.grade)
            costs = (one.cost, one.hindsight.cost)
            yield one.round_number, one.number, one.deal, *words, *costs, str(one.position)

    @property
    def costliest(self) -> tuple[PlayReview, ...]:
        """The three costliest plays by what their seats could know, the costliest first."""
        faults = [(play.cost, play) for play in self.plays if play.cost]
        return tuple(play for _, play in sorted(faults, key=lambda one: -one[0])[:_COSTLIEST])


class ReviewInterrupted(KeyboardInterrupt):
    """Ctrl-C during `review_game`.

    Attributes:
        state: the results so far; `review_game(..., state=state)` continues from them.
    """

    def __init__(self, state: ReviewState) -> None:
        super().__init__()
        self.state = state

    def __reduce__(self) -> tuple[Any, ...]:
        return ReviewInterrupted, (self.state,)


def review_game(
    game: Round | Match | Game | PlayRecord | str | bytes,
    *,
    samples: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    deep: bool = False,
    deals: int = DEFAULT_DEALS,
    state: ReviewState | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Reviews a round or a match: the cost of each play, and the luck of the deals.

    Args:
        game: a `Round`, a `Match`, a `Game`, a `PlayRecord`, or the text of a record.
        samples: worlds for each play; None for 200, or for no limit if `seconds` is given.
        seconds: longest time for each play; None for no limit.
        seed: seed of the sampling, 0 to 2**64 - 1.
        threads: number of plays judged at once; without `seconds` the review does not depend on
            it.
        deep: whether to solve the whole round in hindsight, which takes seconds, and not only
            its last deals.
        deals: number of other deals to sample for the luck of each, unless all are valued.
        state: results of a review that was stopped; new results are added to it.
        progress: called after each step with the numbers of steps done and of all.

    Raises:
        CasinoError: text that is not a record, an illegal play, an invalid limit, or a state of
            another game.
        ReviewInterrupted: Ctrl-C was pressed; the exception has the state.

    Example:
        >>> played = Round.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a\\n"
        ...     "Kc Jc Jh Kh"
        ... )
        >>> review = review_game(played)
        >>> [(play.known.cost, play.grade) for play in review.plays]
        [(0.0, 'good'), (0.0, 'good'), (0.0, 'good'), (6.0, 'blunder')]
        >>> review.rounds[0].parts.mistakes
        6.0
    """
    CALLBACK.if_given("progress", progress)
    record = _game_of(game)
    rounds = [one.round for one in record.rounds]
    samples, seconds = SAMPLES.if_given("samples", samples), SECONDS.if_given("seconds", seconds)
    if samples is None and seconds is None:
        samples = DEFAULT_SAMPLES
    seed, deep = SEED("seed", seed), SWITCH("deep", deep)
    if state is None:
        state = ReviewState()
    settings = {"samples": samples, "seconds": seconds, "seed": seed, "deep": deep}
    instance_of(ReviewState)("state", state).begin([str(one) for one in rounds], settings)
    threads = THREADS("threads", threads)
    work = _Work(record, samples, seconds, seed, deep, state, progress, threads)
    try:
        work.judge_all()
        work.look_back()
        luck = [work.luck(one, SAMPLES("deals", deals)) for one in rounds]
        chances = [round_chances(record, one) for one in record.rounds]
    except KeyboardInterrupt:
        raise ReviewInterrupted(state) from None
    found = tuple(
        RoundReview(
            one.round,
            tuple(work.plays(place)),
            luck[place],
            one.number,
            chances[place],
        )
        for place, one in enumerate(record.rounds)
    )
    return Review(found, seconds, samples, seed, record)


def _game_of(game: Round | Match | Game | PlayRecord | str | bytes) -> Game:
    """The record of a game, with every play checked."""
    if isinstance(game, Match):
        return Game.of(game)
    if isinstance(game, str | bytes):
        return read_game(game).game
    return game if isinstance(game, Game) else Game([round_of(game)])


@dataclass
class _Work:
    """A review in progress: its game, its limits, and the state with its results."""

    game: Game
    samples: int | None
    seconds: float | None
    seed: int
    deep: bool
    state: ReviewState
    progress: Callable[[int, int], object] | None
    threads: int
    stopped: bool = False
    done: int = field(default=0, init=False)

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds of the game."""
        return [one.round for one in self.game.rounds]

    @cached_property
    def befores(self) -> list[list[Round]]:
        """For each round, the rounds as they stand before each of its plays."""
        return [_befores(one) for one in self.rounds]

    @property
    def steps(self) -> int:
        """Number of all steps: judging plays, solving positions, measuring the luck of rounds."""
        return sum(2 * len(one.plays) + 2 for one in self.rounds)

    def step(self) -> None:
        """Count a finished step."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.steps)

    def judge_all(self) -> None:
        """Judge each play by what its seat could know."""
        left = []
        for place, befores in enumerate(self.befores):
            moves = self.rounds[place].plays
            for number, (before, move) in enumerate(zip(befores, moves, strict=True)):
                if _key(place, number) in self.state.judgements:
                    self.step()
                else:
                    left.append((_key(place, number), before, move))
        if self.threads == 1:
            for item in left:
                self.keep(*self.judge(*item))
        else:
            self.judge_in_threads(left)

    def judge_in_threads(self, left: list[tuple[str, Round, Move]]) -> None:
        """Judge plays on threads; an error or Ctrl-C stops all of them at once."""
        futures: list[Future[tuple[str, Judgement | Unjudged]]] = []
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                futures += (pool.submit(self.judge, *item) for item in left)
                for future in as_completed(futures):
                    self.keep(*future.result())
            except BaseException:
                self.stopped = True
                pool.shutdown(cancel_futures=True)
                raise

    def judge(self, key: str, before: Round, move: Move) -> tuple[str, Judgement | Unjudged]:
        """Judge one play."""
        if before.position.hand.hidden:
            return key, "hidden"
        found = judged(
            before,
            move,
            samples=self.samples,
            seconds=self.seconds,
            seed=self.seed,
            stop=None if self.threads == 1 else lambda: self.stopped,
        )
        return key, "many" if found is None else found

    def keep(self, key: str, found: Judgement | Unjudged) -> None:
        """Store the result of a play."""
        self.state.judgements[key] = found if isinstance(found, str) else found.fields()
        self.step()

    def look_back(self) -> None:
        """Solve positions with every card open."""
        for place, one in enumerate(self.rounds):
            count = len(one.plays) + 1
            known = [n for n in range(count) if _key(place, n) in self.state.values]
            for _ in known:
                self.step()
            plays = plays_left(one.start) if self.deep else None
            for number, found in values_back(one, plays, known=known):
                self.state.add_value(_key(place, number), found)
                self.step()

    def luck(self, one: Round, deals: int) -> RoundLuck:
        """Measure the luck of a round."""
        found = round_luck(one, seed=self.seed, deals=deals)
        self.step()
        return found

    def plays(self, place: int) -> Iterator[PlayReview]:
        """The plays of a round with all results."""
        one, state = self.rounds[place], self.state
        positions = one.positions
        values = {n: state.value(_key(place, n), at) for n, at in enumerate(positions)}
        backwards = reviewed(one, values)
        for number, (before, hindsight) in enumerate(
            zip(self.befores[place], backwards, strict=True)
        ):
            position, found = before.position, state.judgements[_key(place, number)]
            yield PlayReview(
                self.game.rounds[place].number,
                number + 1,
                before.deal,
                position.view(position.turn),
                hindsight.move,
                None if isinstance(found, str) else Judgement.read(found, position),
                ("hidden" if found == "hidden" else "many") if isinstance(found, str) else None,
                hindsight,
            )


def _key(place: int, number: int) -> str:
    """The key of a play or position in a state."""
    return f"{place}:{number}"


def _befores(played: Round) -> list[Round]:
    """The round as it stands before each of its plays."""
    found, at = [], played
    for _ in played.plays:
        at = at.undo()
        found.append(at)
    return found[::-1]


def _totals(seat: str, deal: int | None, plays: Sequence[PlayReview]) -> SeatTotals:
    """Totals of a seat over some plays."""
    own = [play for play in plays if play.seat == seat]
    known = [play.known for play in own if play.known is not None]
    exact = [play.hindsight.cost for play in own if play.hindsight.cost is not None]

    def count(grade: Grade) -> int | None:
        return sum(one.grade == grade for one in known) if known else None

    return SeatTotals(
        seat,
        deal,
        len(known),
        sum(one.counted for one in known) if known else None,
        sum(exact) if exact else None,
        count("inaccuracy"),
        count("mistake"),
        count("blunder"),
        accuracy((one.counted, one.at_random) for one in known),
    )
