"""What each command of protocol 2 does with its checked fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias

from casino_core.engine.codes import RequestError
from casino_core.engine.fields import HINT_OPTIONS
from casino_core.errors import CasinoError, HiddenCardError, IllegalMoveError, NotationError, quoted
from casino_core.evaluation.equity import match_equity
from casino_core.formats import answers
from casino_core.formats.reading import ReadRound
from casino_core.formats.record import Game, RecordedRound
from casino_core.formats.record_json import round_fields
from casino_core.game.match import by_seats
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.game.scoring import side_names
from casino_core.game.wording import move_words
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint
from casino_core.hints.options import untimed
from casino_core.hints.reasons import reasons_for
from casino_core.play.agents import AGENTS, LEVELS, Agent, parse_agent
from casino_core.play.outcome import last_outcome
from casino_core.play.table import turn_of
from casino_core.review.fields import review_fields
from casino_core.review.review import review_game
from casino_core.rules.options import Rules
from casino_core.rules.pieces import Build, Points
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from casino_core.search.solver import SolveProgress, solve

__all__ = ["DOES", "Watch", "answer_fields", "own_agents", "solve_progress", "with_warnings"]

Fields: TypeAlias = dict[str, Any]


class Watch(Protocol):
    """What a long command tells and asks while it works."""

    def progress(self, so_far: Callable[[Any], Fields]) -> Callable[[Any], bool]:
        """The progress function of a search: it sends interim answers when they are due.

        Args:
            so_far: makes the fields of an interim answer.

        Returns:
            A function that returns True to end the search.
        """


def answer_fields(command: str, given: Fields, watch: Watch) -> Fields:
    """The fields of the answer to a request.

    Args:
        command: the command.
        given: the checked fields of the request.
        watch: for interim answers and stops.

    Raises:
        CasinoError: the request has no answer.
    """
    found = DOES[command](given, watch)
    if command not in _OF_A_SEAT:
        with_warnings(found, given.get("position"))
    wanted = given.get("fields")
    return found if wanted is None else _chosen(found, wanted)


#: Commands that answer from what a seat sees: warnings of the whole position may tell more.
_OF_A_SEAT: Final = frozenset({"view", "hint", "agent"})


def with_warnings(fields: Fields, found: ReadRound | None) -> Fields:
    """The fields, with the warnings of the position that was read.

    Args:
        fields: the fields of an answer, which are changed.
        found: the position, if there is one.
    """
    if found is not None and found.warnings:
        fields["warnings"] = list(found.warnings)
    return fields


def _chosen(found: Fields, wanted: list[str]) -> Fields:
    return {name: value for name, value in found.items() if name in wanted}


# Parts of answers


def _build(build: Build) -> Fields:
    return {
        "value": build.value,
        "owner": build.owner,
        "multiple": build.multiple,
        "cards": list(build.cards),
    }


def _points(points: Points) -> Fields:
    return {**points._asdict(), "total": points.total}


def _stands(position: Position) -> Fields:
    """How a position stands: whose turn it is, or the score."""
    names = side_names(position.rules)
    return {
        "turn": position.turn,
        "over": position.is_over,
        "points": dict(zip(names, map(_points, position.points), strict=True)),
        "counted": answers.counted_fields(position) if answers.can_be_counted(position) else None,
    }


# The game


def _deal(given: Fields, _: Watch) -> Fields:
    if ("seed" in given) == ("deck" in given):
        raise RequestError("deal needs one of the fields seed and deck", "missing_field", "seed")
    game = _next(given) if "position" in given else _first(given)
    last = game.rounds[-1]
    rules, position = game.rules, last.round.position
    return {
        "position": str(position),
        "record": str(game),
        "rules": str(rules),
        "number": last.number,
        "seating": game.seating(last.number),
        "seats": rules.seats,
        "sides": list(side_names(rules)),
        "turn": position.turn,
    }


def _first(given: Fields) -> Game:
    """A record whose first round is dealt."""
    rules, names = Rules.parse(given.get("rules", "standard")), given.get("players", [])
    if len(names) > rules.players:
        raise RequestError(
            f"players: {rules.players} play, not {len(names)}", "bad_field", "players"
        )
    tags = {f"Player{seat.upper()}": name for seat, name in zip(rules.seats, names, strict=False)}
    return Game([_dealt(given, rules, given.get("score"), 1)], tags=tags)


def _next(given: Fields) -> Game:
    """The record of a match with its next round dealt."""
    for name in ("rules", "score", "players"):
        if name in given:
            what = f"{name} is not given with a record, which has its own"
            raise RequestError(what, "bad_field", name)
    game: Game = given["game"].game
    if game.result is None:
        raise CasinoError("the last round of the record is not finished")
    if game.winner is not None:
        raise CasinoError("the match is over, so there is no next round")
    number = game.rounds[-1].number + 1
    dealt = _dealt(given, game.rules, by_seats(game.result, number - 1), number)
    return _game_of(game, [*game.rounds, dealt])


def _dealt(given: Fields, rules: Rules, score: Any, number: int) -> RecordedRound:
    seed = given.get("seed")
    start = Position.start(rules, seed=seed, deck=given.get("deck"), score=score)
    return RecordedRound(Round(start), number=number, seed=seed)


def _game_of(game: Game, rounds: list[RecordedRound]) -> Game:
    """A game with the rules, target and tags of another."""
    tags = {name: text for name, text in game.tags.items() if name not in ("Result", "Winner")}
    target = "none" if game.target is None else None
    return Game(rounds, rules=game.rules, target=target, tags=tags)  # type: ignore[arg-type]


def _view(given: Fields, _: Watch) -> Fields:
    found, game = given["position"].round, given["game"].game
    position = found.position
    seat = given.get("seat", position.turn)
    if seat not in position.rules.seats:
        raise RequestError(
            f"seat is one of {', '.join(position.rules.seats)}, not {seat!r}", "bad_field", "seat"
        )
    seen = found.seen_by(seat)
    return {"seat": seat, **_seen_parts(seen, seat), "record": _seen_record(game, given, seen)}


def _seen_record(game: Game, given: Fields, seen: Round) -> str:
    """The record of a round as a seat has seen it, with the names of the players."""
    number = game.up_to(given["at"]).rounds[-1].number
    tags = {f"Player{seat.upper()}": name for seat, name in game.players.items()}
    target = "none" if game.target is None else None
    one = RecordedRound(seen, number=number)
    return str(Game([one], rules=game.rules, target=target, tags=tags))  # type: ignore[arg-type]


def _seen_parts(seen: Round, seat: str) -> Fields:
    position, rules = seen.position, seen.start.rules
    sides = side_names(rules)
    hands = zip(rules.seats, map(answers.hand_names, position.hands), strict=True)
    piles = zip(sides, map(answers.hand_names, position.piles), strict=True)
    return {
        "position": str(position),
        "rules": str(rules),
        "hand": answers.hand_names(position.hands[seat]),
        "hands": dict(hands),
        "table": list(position.table),
        "builds": list(map(_build, position.builds)),
        "piles": dict(piles),
        "sweeps": dict(zip(sides, position.sweeps, strict=True)),
        "stock_count": position.stock_count,
        "last": position.last,
        "deal": seen.deal,
        "plays": list(map(str, seen.plays)),
        "score": dict(zip(sides, position.match_score, strict=True)),
        **_stands(position),
    }


def _moves(given: Fields, _: Watch) -> Fields:
    position: Position = given["position"].position
    moves = [_move(position, move) for move in position.legal_moves()]
    return {
        "position": str(position),
        "turn": position.turn,
        "count": len(moves),
        "moves": moves,
    }


def _move(position: Position, move: Move) -> Fields:
    return {
        "move": str(move),
        "card": move.card,
        "kind": move.kind,
        "loose": list(move.loose),
        "builds": [_build(build) for build in position.builds if build.cards <= move.built],
        "value": move.value,
        "words": move_words(position, move),
    }


def _why(given: Fields, _: Watch) -> Fields:
    position, text = given["position"].position, given["move"]
    try:
        return {"move": str(position.move(text)), "legal": True, "reason": None}
    except IllegalMoveError as error:
        reason = {"code": error.code, "text": error.reason}
    except NotationError as error:
        reason = {"code": "unreadable", "text": str(error)}
    return {"move": text, "legal": False, "reason": reason}


def _play(given: Fields, _: Watch) -> Fields:
    move = given["position"].position.move(given["move"])
    game = given["game"].game.up_to(given["at"])
    last = game.rounds[-1]
    played = RecordedRound(
        last.round.play(move), number=last.number, seed=last.seed, notes=last.notes, tags=last.tags
    )
    game = _game_of(game, [*game.rounds[:-1], played])
    return {**_happened(played.round), "record": str(game), **_stands(played.round.position)}


def _happened(played: Round) -> Fields:
    """What happened at the last play of a round."""
    found = last_outcome(played)
    assert found is not None
    before, after = played.undo().position, played.position
    sizes = zip(before.rules.seats, before.hands, after.hands, strict=True)
    return {
        "move": str(found.move),
        "seat": found.seat,
        "kind": found.move.kind,
        "words": move_words(before, found.move),
        "taken": list(found.taken),
        "builds_taken": list(map(_build, found.builds_taken)),
        "build": None if found.build is None else _build(found.build),
        "sweep": found.sweep,
        "dealt": {seat: new.size - old.size + (seat == found.seat) for seat, old, new in sizes},
        "last_deal": found.last_deal,
        "last_cards": list(found.last_cards),
        "last_to": found.last_taker,
        "position": str(after),
    }


def _show(given: Fields, _: Watch) -> Fields:
    return answers.position_fields(given["position"].position)


# Advice


def _hint(given: Fields, watch: Watch) -> Fields:
    options = {
        option.name: given[option.field]
        for option in HINT_OPTIONS.values()
        if option.field in given
    }
    found: ReadRound = given["position"]
    asked = found.position if "history" in options else found.round
    seen = found.position if options.get("open") else found.position.view(found.position.turn)
    wanted = given.get("reasons", "best")

    def fields(hint: Hint) -> Fields:
        return _hint_fields(hint, seen, wanted)

    return fields(hint(asked, **untimed(options), progress=watch.progress(fields)))


def _hint_fields(found: Hint, seen: Position, wanted: str) -> Fields:
    fields = answers.hint_fields(found)
    del fields["search"]  # the former name of `method`
    if wanted == "none":
        del fields["reasons"]
    if wanted == "all":
        for item, one in zip(fields["moves"], found.moves, strict=True):
            item["reasons"] = list(reasons_for(seen, one.move, found.holds))
    return fields


def _agent(given: Fields, watch: Watch) -> Fields:
    agent, played = _agent_of(given), given["position"].round
    position: Position = played.position
    if position.is_over:
        raise CasinoError("the round is finished, so there is no play to choose")
    if position.hand.hidden:
        raise HiddenCardError(f"agent: the cards of seat {position.turn} are not all known")
    number = given["game"].game.up_to(given["at"]).rounds[-1].number
    rng = Stream(given.get("seed", 0), Purpose.AGENT, number, len(played.plays))
    stop = partial(watch.progress(lambda _: {}), None)
    move = agent.choose(replace(turn_of(played, agent, rng), stop=stop))
    return {
        "move": str(move),
        "seat": position.turn,
        "words": move_words(position, move),
        "agent": str(agent),
    }


def _agent_of(given: Fields) -> Agent:
    """The agent of a request: one of the program's own that sees no hidden card."""
    if "agent" in given and "level" in given:
        what = "agent takes one of the fields agent and level, not both"
        raise RequestError(what, "bad_field", "level")
    text = f"level-{given['level']}" if "level" in given else given.get("agent", "hint")
    name = text.partition(":")[0].strip()
    if name not in own_agents():  # requests import no modules
        what = f"agent: {quoted(name)} is not one of {', '.join(own_agents())}"
        raise RequestError(what, "bad_field", "agent")
    try:
        return parse_agent(text)
    except CasinoError as error:
        raise RequestError(str(error), "bad_field", "agent") from None


def own_agents() -> list[str]:
    """The names of the agents that requests may ask: those that see no hidden card.

    Example:
        >>> own_agents()[:3]
        ['random', 'greedy', 'careful']
    """
    return [*(name for name, agent in AGENTS.items() if not agent.sees_all), *LEVELS]


def _solve(given: Fields, watch: Watch) -> Fields:
    progress = watch.progress(lambda news: solve_progress(news, given))
    return answers.solve_fields(
        solve(
            given["position"].position,
            stock=given.get("stock", "known"),
            table_mib=given.get("table"),
            nodes=given.get("nodes", 0),
            seconds=given.get("seconds"),
            progress=progress,
        )
    )


def solve_progress(news: SolveProgress, given: Mapping[str, Any]) -> Fields:
    """The fields of an interim answer to `solve`, without the time.

    Args:
        news: the state of the search.
        given: the fields of the request.
    """
    whole = given.get("stock") != "unknown"
    lower, upper = (int(x) if whole else x for x in (news.lower, news.upper))
    return {
        "lower": lower,
        "upper": upper,
        "settled": news.settled,
        "count": news.moves,
        "nodes": news.nodes,
    }


class _EndedError(Exception):
    """A review that is to end."""


def _review(given: Fields, watch: Watch) -> Fields:
    step = watch.progress(lambda news: {"done": news[0], "steps": news[1]})

    def progress(done: int, steps: int) -> None:
        if step((done, steps)):
            raise _EndedError

    options = {name: given[name] for name in _REVIEW_OPTIONS if name in given}
    try:
        found = review_game(given["game"].game, **options, progress=progress)
    except _EndedError:
        raise RequestError("the review was stopped before its end", "cancelled") from None
    return review_fields(found)


_REVIEW_OPTIONS: Final = ("samples", "seconds", "seed", "deals", "deep")


# Matches


def _score(given: Fields, _: Watch) -> Fields:
    fields = _stands(given["position"].position)
    return {name: fields[name] for name in ("over", "points", "counted")}


_ROUND_FIELDS: Final = ("number", "seating", "score", "points", "steps")


def _match(given: Fields, _: Watch) -> Fields:
    game: Game = given["game"].game
    names, leader = side_names(game.rules), game.leader
    number = game.rounds[-1].number + 1
    rounds = [round_fields(one) for one in game.rounds]
    return {
        "rules": str(game.rules),
        "target": game.target,
        "players": game.players,
        "rounds": [{name: one[name] for name in _ROUND_FIELDS} for one in rounds],
        "score": None if game.result is None else dict(zip(names, game.result, strict=True)),
        "over": game.winner is not None,
        "winner": game.winner,
        "leader": leader,
        "seating": None if leader is None else game.seating(number),
    }


def _equity(given: Fields, _: Watch) -> Fields:
    leader = given.get("leader", "a")
    rules = given.get("rules", "standard")
    found = match_equity(given["score"], rules=rules, target=given.get("target"), leader=leader)
    return answers.equity_fields(found, given["score"], leader)


#: What does each command that takes its turn.
DOES: Final[Mapping[str, Callable[[Fields, Watch], Fields]]] = MappingProxyType(
    {
        "deal": _deal,
        "view": _view,
        "moves": _moves,
        "why": _why,
        "play": _play,
        "show": _show,
        "hint": _hint,
        "agent": _agent,
        "solve": _solve,
        "review": _review,
        "score": _score,
        "match": _match,
        "equity": _equity,
    }
)
