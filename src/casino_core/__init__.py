"""A fast solver and play adviser for the fishing card game Casino (Cassino).

The map of the package:

* `Position`, `Move`, `Round`, `Rules`, `CardSet`: the game; `PRESETS` has the named rule sets.
* `perft` counts sequences of plays; `solve` and `Solver` compute exact values if every card is
  known; `hint` finds the best play from what the player to move can see.
* `review_game` computes what each play of a record cost by what could be known, and what was luck;
  `analyse_play` what it cost with every card open.
* `Belief` has facts about hidden hands; `Beliefs` is the posterior over hidden hands from these
  facts and the plays seen.
* `analyze` answers any number of positions, on all processors or on a cluster; a `PositionArray`
  holds positions as a NumPy array.
* `read` reads a position line or another program's saved game.
* `casino_core.play.agents` has players of different strength, `casino_core.play.arena` sets them
  against each other.
* `Game` is the record of a game with names and comments; `read_games` reads a file of them.
* `match_equity` computes the chances of a match from its score.
* `solve_ending` computes an equilibrium of an ending with hidden hands, `exploitability` what an
  agent loses there to its best opponent.
* `Match` follows rounds to a target; `match_result` is the state of a match after a round.

Errors are raised as a `CasinoError`.
"""

from casino_core._version import __version__

TYPE_CHECKING = False  # as type checkers read it; `typing` takes as long to import as all of this
if TYPE_CHECKING:
    from casino_core._build_info import build_info
    from casino_core.batch.analysis import BatchItem, BatchProgress, analyze
    from casino_core.batch.array_analysis import ArrayAnalysis
    from casino_core.batch.arrays import PositionArray
    from casino_core.batch.frames import BatchAnswers
    from casino_core.batch.statuses import Status
    from casino_core.equilibrium.ending import exploitability, solve_ending
    from casino_core.errors import (
        AgentError,
        CasinoError,
        HiddenCardError,
        IllegalMoveError,
        NotationError,
        RulesError,
        SearchLimitError,
        TooManyMovesError,
        WorkerError,
    )
    from casino_core.evaluation.equity import MatchEquity, match_equity
    from casino_core.formats.reading import ReadResult, read, to_saved_game
    from casino_core.formats.record import Game, Note, RecordedRound
    from casino_core.formats.record_files import read_games
    from casino_core.game.match import Match, MatchResult, match_result
    from casino_core.game.perft import perft, perft_divide
    from casino_core.game.position import Move, Position
    from casino_core.game.round import Round
    from casino_core.hidden.facts import Belief, SeatBelief
    from casino_core.hidden.posterior import Beliefs
    from casino_core.hints.answer import Hint, HintMove
    from casino_core.hints.hint import hint
    from casino_core.review.analysis import PlayRecord, ReviewedPlay, analyse_play, read_play
    from casino_core.review.review import (
        PlayReview,
        Review,
        ReviewInterrupted,
        RoundReview,
        SeatTotals,
        review_game,
    )
    from casino_core.review.state import ReviewState
    from casino_core.rules.cards import CardSet
    from casino_core.rules.options import PRESETS, Rules
    from casino_core.rules.pieces import Build, Hand, Points
    from casino_core.search.solver import MoveValue, Solution, SolveProgress, Solver, Value, solve

__all__ = [
    "PRESETS",
    "AgentError",
    "ArrayAnalysis",
    "BatchAnswers",
    "BatchItem",
    "BatchProgress",
    "Belief",
    "Beliefs",
    "Build",
    "CardSet",
    "CasinoError",
    "Game",
    "Hand",
    "HiddenCardError",
    "Hint",
    "HintMove",
    "IllegalMoveError",
    "Match",
    "MatchEquity",
    "MatchResult",
    "Move",
    "MoveValue",
    "NotationError",
    "Note",
    "PlayRecord",
    "PlayReview",
    "Points",
    "Position",
    "PositionArray",
    "ReadResult",
    "RecordedRound",
    "Review",
    "ReviewInterrupted",
    "ReviewState",
    "ReviewedPlay",
    "Round",
    "RoundReview",
    "Rules",
    "RulesError",
    "SearchLimitError",
    "SeatBelief",
    "SeatTotals",
    "Solution",
    "SolveProgress",
    "Solver",
    "Status",
    "TooManyMovesError",
    "Value",
    "WorkerError",
    "__version__",
    "analyse_play",
    "analyze",
    "build_info",
    "exploitability",
    "hint",
    "match_equity",
    "match_result",
    "perft",
    "perft_divide",
    "read",
    "read_games",
    "read_play",
    "review_game",
    "solve",
    "solve_ending",
    "to_saved_game",
]

# Each is imported when it is asked for: the package is there at once, and what needs NumPy later.
_LATER = {
    "casino_core._build_info": ("build_info",),
    "casino_core.batch.analysis": ("BatchItem", "BatchProgress", "analyze"),
    "casino_core.batch.array_analysis": ("ArrayAnalysis",),
    "casino_core.batch.arrays": ("PositionArray",),
    "casino_core.batch.frames": ("BatchAnswers",),
    "casino_core.batch.statuses": ("Status",),
    "casino_core.equilibrium.ending": ("exploitability", "solve_ending"),
    "casino_core.errors": (
        "AgentError",
        "CasinoError",
        "HiddenCardError",
        "IllegalMoveError",
        "NotationError",
        "RulesError",
        "SearchLimitError",
        "TooManyMovesError",
        "WorkerError",
    ),
    "casino_core.evaluation.equity": ("MatchEquity", "match_equity"),
    "casino_core.formats.reading": ("ReadResult", "read", "to_saved_game"),
    "casino_core.formats.record": ("Game", "Note", "RecordedRound"),
    "casino_core.formats.record_files": ("read_games",),
    "casino_core.game.match": ("Match", "MatchResult", "match_result"),
    "casino_core.game.perft": ("perft", "perft_divide"),
    "casino_core.game.position": ("Move", "Position"),
    "casino_core.game.round": ("Round",),
    "casino_core.hidden.facts": ("Belief", "SeatBelief"),
    "casino_core.hidden.posterior": ("Beliefs",),
    "casino_core.hints.answer": ("Hint", "HintMove"),
    "casino_core.hints.hint": ("hint",),
    "casino_core.review.analysis": ("PlayRecord", "ReviewedPlay", "analyse_play", "read_play"),
    "casino_core.review.review": (
        "PlayReview",
        "Review",
        "ReviewInterrupted",
        "RoundReview",
        "SeatTotals",
        "review_game",
    ),
    "casino_core.review.state": ("ReviewState",),
    "casino_core.rules.cards": ("CardSet",),
    "casino_core.rules.options": ("PRESETS", "Rules"),
    "casino_core.rules.pieces": ("Build", "Hand", "Points"),
    "casino_core.search.solver": (
        "MoveValue",
        "Solution",
        "SolveProgress",
        "Solver",
        "Value",
        "solve",
    ),
}

if not TYPE_CHECKING:

    def __getattr__(name):
        for module, names in _LATER.items():
            if name in names:
                globals()[name] = getattr(_imported(module), name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})

    def _imported(module):
        from importlib import import_module

        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(__name__):
                raise
            raise ImportError(
                "casino_core's compiled core is not there: the package is imported from its source "
                "folder without having been built. Install it (pip install .) or import it "
                "elsewhere."
            ) from error
