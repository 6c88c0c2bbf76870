"""What the page is sent of a game: what its player sees, and nothing else."""

from __future__ import annotations

from itertools import islice
from typing import Any

from casino_core.errors import CasinoError
from casino_core.evaluation.equity import match_equity
from casino_core.formats.answers import counted_fields, hand_names
from casino_core.game.match import by_players, match_result
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.play.outcome import outcome_of
from casino_core.web.games import PageGame
from casino_core.web.words import cards_signs, happened, request_words

__all__ = ["MOST_MOVES", "game_view", "listed_moves", "table_view"]

#: The most moves that the page is sent; a crowded table has thousands.
MOST_MOVES = 1000


def table_view(position: Position) -> dict[str, Any]:
    """A position as the page draws it.

    Args:
        position: the position, as the page may see it.

    Example:
        >>> table_view(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))["hands"]
        {'a': ['As', '7c', '9h', 'Td'], 'b': ['?', '?', '?', '?']}
    """
    seats = position.rules.seats
    return {
        "table": list(position.table),
        "builds": [_build_view(build) for build in position.builds],
        "hands": {seat: hand_names(position.hands[seat]) for seat in seats},
        "sides": [_side_view(position, side) for side in range(position.rules.sides)],
        "turn": position.turn,
        "stock": position.stock_count,
        "over": position.is_over,
    }


def _build_view(build: Any) -> dict[str, Any]:
    return {
        "value": build.value,
        "owner": build.owner,
        "multiple": build.multiple,
        "cards": list(build.cards),
    }


def _side_view(position: Position, side: int) -> dict[str, Any]:
    """What a side has captured."""
    rules, points = position.rules, position.points[side]
    seats = [seat for place, seat in enumerate(rules.seats) if rules.side_of(place) == side]
    return {
        "seats": seats,
        "cards": points.cards,
        "spades": points.spades,
        "big": points.big_casino > 0,
        "little": points.little_casino > 0,
        "aces": points.aces,
        "sweeps": position.sweeps[side],
        "points": points.total,
        "score": position.match_score[side],
    }


def listed_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves of a position, at most `MOST_MOVES` of them.

    Args:
        position: the position.

    Example:
        >>> moves = listed_moves(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))
        >>> [(move["text"], move["kind"], move["loose"]) for move in moves[:2]]
        [('As+8d=9', 'build', ['8d']), ('As', 'trail', [])]
    """
    moves = islice(position.iter_legal_moves(), MOST_MOVES)
    return [move_view(position, move) for move in moves]


def move_view(position: Position, move: Move) -> dict[str, Any]:
    """A move as the page shows it.

    Args:
        position: where it could be played.
        move: the move.
    """
    return {
        "text": str(move),
        "kind": move.kind,
        "card": move.card,
        "loose": list(move.loose),
        "builds": [i for i, build in enumerate(position.builds) if build.cards <= move.built],
        "value": move.value,
        "words": request_words(position, move),
    }


def game_view(game: PageGame) -> dict[str, Any]:
    """A game as the person at the page sees it.

    Args:
        game: the game.
    """
    session, seen = game.session, game.seen
    mine = game.is_mine
    return {
        "id": game.id,
        "version": game.version,
        "rules": str(session.rules),
        "target": session.game.target,
        "round": session.number,
        "you": game.seat,
        "names": game.names,
        **table_view(seen.position),
        "mine": mine,
        "thinking": game.is_thinking,
        "trouble": game.trouble,
        "moves": listed_moves(seen.position) if mine else [],
        "log": plays_view(game, seen),
        "can_take_back": any(before.turn == game.seat for before in seen.positions[:-1]),
        "win": _chance_of(game),
        "result": _result_view(game) if session.round.is_over else None,
    }


def plays_view(game: PageGame, seen: Round) -> list[dict[str, Any]]:
    """The plays of a round, in words and in cards.

    Args:
        game: the game.
        seen: its present round as the person at the page has seen it.
    """
    positions = seen.positions
    return [
        _play_view(game, before, move, after)
        for before, move, after in zip(positions[:-1], seen.plays, positions[1:], strict=True)
    ]


def _play_view(game: PageGame, before: Position, move: Move, after: Position) -> dict[str, Any]:
    player, outcome = game.session.player_at(before.turn), outcome_of(before, move, after)
    words = [happened(before, move, after, None if player.is_person else player.name)]
    if outcome.last_taker is not None:
        taker = game.session.player_at(outcome.last_taker)
        verb = "take" if taker.is_person else "takes"
        words.append(f"{taker.name} {verb} the last cards, {cards_signs(outcome.last_cards)}.")
    return {
        **move_view(before, move),
        "seat": before.turn,
        "words": " ".join(words),
        "dealt": outcome.dealt,
        "sweep": outcome.sweep,
    }


def _chance_of(game: PageGame) -> float | None:
    """The chance that the person's side wins the match, before the next round to be played."""
    session = game.session
    if session.game.target is None or session.rules.players != 2 or session.is_over:
        return None
    leader = session.game.leader or session.seating[0]
    try:
        found = match_equity(session.score, rules=session.rules, leader=leader)
    except CasinoError:  # rules that were not measured
        return None
    return found.win if game.person is session.players[0] else found.loss


def _result_view(game: PageGame) -> dict[str, Any]:
    """The points of a finished round, and how the match stands."""
    session = game.session
    result = match_result(session.position)
    leader = session.leader
    return {
        "points": list(session.position.score()),
        "steps": counted_fields(session.position)["steps"],
        "totals": list(result.totals),
        "score": list(by_players(result.totals, session.number - 1)),
        "match_over": session.is_over,
        "winner": result.winner if session.is_over else None,
        "leader": None if leader is None else leader.name,
    }
