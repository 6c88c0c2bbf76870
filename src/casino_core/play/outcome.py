"""What happens at a play: cards taken, a sweep, a new deal, the last cards, the score."""

from __future__ import annotations

from dataclasses import dataclass

from casino_core.formats.answers import can_be_counted
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.game.scoring import ScoreStep, score_steps
from casino_core.rules.cards import CardSet
from casino_core.rules.pieces import Build

__all__ = ["Outcome", "last_outcome", "outcome_of"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened at a play.

    Attributes:
        seat: the letter of the seat that played.
        move: its play.
        taken: the cards that went to its pile, the card played included.
        builds_taken: the builds among them.
        build: the build that was made, added to or raised; None for another play.
        sweep: whether the play swept the table.
        dealt: whether new hands were dealt after it.
        last_deal: whether these were the last cards of the stock; in draw casino, whether the stock
            ran out.
        last_cards: the cards left on the table at the end of the round.
        last_taker: the seat that takes them, as it captured last; None if nobody captured, and
            before the end.
        over: whether the round ended.
        steps: the points of the round by category, if it ended and every card is known.
    """

    seat: str
    move: Move
    taken: CardSet
    builds_taken: tuple[Build, ...]
    build: Build | None
    sweep: bool
    dealt: bool
    last_deal: bool
    last_cards: CardSet
    last_taker: str | None
    over: bool
    steps: tuple[ScoreStep, ...]


def outcome_of(before: Position, move: Move, after: Position) -> Outcome:
    """What happened at a play.

    Args:
        before: the position before the play.
        move: the play.
        after: the position after it, as `Round.play` makes it.

    Example:
        >>> before = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> move = before.move("7cx2s5h")
        >>> found = outcome_of(before, move, before.play(move))
        >>> found.seat, str(found.taken), found.sweep, found.dealt
        ('a', '2s5h7c', False, False)
    """
    side = before.rules.side_of(before.rules.seats.index(before.turn))
    captures = move.kind == "capture"
    ran_out = before.stock_count > 0 and after.stock_count == 0
    left = _left(after)
    return Outcome(
        seat=before.turn,
        move=move,
        taken=(move.loose | move.built | CardSet(move.card)) if captures else CardSet(),
        builds_taken=tuple(b for b in before.builds if captures and b.cards <= move.built),
        build=next((b for b in after.builds if move.card in b.cards), None),
        sweep=after.sweeps[side] > before.sweeps[side],
        dealt=after.stock_count < before.stock_count and not before.rules.draw,
        last_deal=ran_out,
        last_cards=left,
        last_taker=after.last if left else None,
        over=after.is_over,
        steps=score_steps(after) if can_be_counted(after) else (),
    )


def _left(after: Position) -> CardSet:
    """The cards on the table of a finished round."""
    left = after.table if after.is_over else CardSet()
    for build in after.builds if after.is_over else ():
        left |= build.cards
    return left


def last_outcome(played: Round) -> Outcome | None:
    """What happened at the last play of a round; None if nothing has been played.

    Args:
        played: a round, fully known or as a seat has seen it.

    Example:
        >>> last_outcome(Round(Position.start(seed=17), ["7dx7c"])).taken
        CardSet('7d7c')
    """
    if not played.plays:
        return None
    return outcome_of(played.undo().position, played.plays[-1], played.position)
