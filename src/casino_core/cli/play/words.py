"""Sentences about a game: plays, the table, the score, the match."""

from __future__ import annotations

from collections.abc import Iterator

from casino_core.cli.play.seats import YOU
from casino_core.game.points import captured_cards
from casino_core.game.position import Position
from casino_core.game.wording import listed
from casino_core.play.outcome import Outcome, outcome_of
from casino_core.play.session import Player, Session
from casino_core.rules.cards import CardSet

__all__ = [
    "after_play",
    "cards_words",
    "counted",
    "does",
    "owners",
    "plays_since",
    "result_words",
    "score_words",
    "side_name",
    "sides_of",
    "standing",
    "step_word",
    "whose",
    "win_chance",
]

_CATEGORIES = {"cards": "most cards", "spades": "most spades"}


def counted(number: int, what: str) -> str:
    """A number of things.

    Args:
        number: the number.
        what: one of them.

    Example:
        >>> counted(1, "card"), counted(3, "card")
        ('1 card', '3 cards')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def does(name: str, verb: str) -> str:
    """What a player does, in the person that fits the name.

    Args:
        name: the name of the player.
        verb: the verb, as for "he".

    Example:
        >>> does("Anna", "leads"), does("You", "leads"), does("You", "has")
        ('Anna leads', 'You lead', 'You have')
    """
    own = {"has": "have", "is": "are"}.get(verb, verb.removesuffix("s"))
    return f"{name} {own if name == YOU else verb}"


def whose(name: str) -> str:
    """The possessive of a name.

    Args:
        name: the name of the player.

    Example:
        >>> whose("Anna"), whose("You")
        ("Anna's", 'your')
    """
    return "your" if name == YOU else f"{name}'s"


def owners(session: Session) -> dict[str, str]:
    """The possessive of each player's name, by seat of the present round.

    Args:
        session: the game.
    """
    return {seat: whose(session.player_at(seat).name) for seat in session.rules.seats}


def sides_of(session: Session) -> list[tuple[int, list[Player]]]:
    """The sides of the match in order: the number of each in the present round, and its players.

    Args:
        session: the game.
    """
    rules, found = session.rules, []
    for first in range(rules.sides):
        seat = session.seat_of(session.players[first])
        members = [p for place, p in enumerate(session.players) if rules.side_of(place) == first]
        found.append((rules.side_of(rules.seats.index(seat)), members))
    return found


def side_name(players: list[Player]) -> str:
    """The name of a side.

    Args:
        players: its players.

    Example:
        >>> side_name([Player("Anna"), Player("Ben")])
        'Anna and Ben'
    """
    return listed(player.name for player in players)


def plays_since(session: Session, viewer: Player) -> list[tuple[Player, Position, Outcome]]:
    """The plays after the last one of a player: who played, the position before, what happened.

    Args:
        session: the game.
        viewer: the player.
    """
    played, found = session.round, []
    while played.plays:
        before = played.undo()
        player = session.player_at(before.position.turn)
        if player == viewer:
            break
        outcome = outcome_of(before.position, played.plays[-1], played.position)
        found.append((player, before.position, outcome))
        played = before
    return found[::-1]


def after_play(session: Session, outcome: Outcome) -> Iterator[str]:
    """What happened after a play, sentence by sentence: a sweep, a deal, the last cards.

    Args:
        session: the game after the play.
        outcome: what happened.
    """
    if outcome.sweep:
        yield "That sweeps the table."
    if outcome.dealt and outcome.last_deal:
        yield "New cards are dealt, the last ones."
    elif outcome.dealt:
        yield f"New cards are dealt; {session.position.stock_count} are left in the stock."
    elif outcome.last_deal:
        yield "The stock is empty now."
    if outcome.over:
        yield "The round is over."
    if outcome.last_cards:
        cards = listed(outcome.last_cards)
        if outcome.last_taker is None:
            yield f"Nobody has captured, so nobody gets {cards}."
        else:
            name = session.player_at(outcome.last_taker).name
            yield f"{name} captured last and got {cards} from the table."


def standing(session: Session) -> str:
    """The place in the match, and its score.

    Args:
        session: the game.
    """
    score = zip(sides_of(session), session.score, strict=True)
    points = ", ".join(f"{side_name(side)} {number}" for (_, side), number in score)
    target = session.game.target
    goal = "" if target is None else f", to {target}"
    stock = session.position.stock_count
    left = "the last deal" if not stock else f"{stock} cards in the stock"
    if session.round.is_over:
        left = "finished"
    return f"Round {session.number}, {left}. Match: {points}{goal}."


def step_word(session: Session, name: str) -> str:
    """The name of a category of the score; of most cards and most spades with the counts.

    Args:
        session: the game at the end of a round.
        name: the name of the category in `score_steps`.
    """
    if name not in _CATEGORIES:
        return name
    piles = captured_cards(session.position)
    spades = [sum(card[1] == "s" for card in pile) for pile in piles]
    numbers = spades if name == "spades" else [len(pile) for pile in piles]
    counts = " to ".join(str(numbers[side]) for side, _ in sides_of(session))
    return f"{_CATEGORIES[name]}, {counts}"


def score_words(session: Session) -> Iterator[str]:
    """The score of a finished round by category, a sentence for each.

    Args:
        session: the game at the end of a round.
    """
    outcome = session.outcome
    assert outcome is not None
    names = {number: side_name(side) for number, side in sides_of(session)}
    for step in outcome.steps:
        if step.side is None:
            yield f"{step_word(session, step.name)}: nobody"
        elif step.points or step.name != "sweeps":
            yield f"{step_word(session, step.name)}: {names[step.side]} {step.points}"


def result_words(session: Session) -> Iterator[str]:
    """How the match stands after a round: the winner, or who leads next and the chances.

    Args:
        session: the game at the end of a round.
    """
    winner = session.game.winner
    if winner is None:
        leader = session.leader
        assert leader is not None
        yield f"{does(leader.name, 'leads')} the next round."
        if (chance := win_chance(session)) is not None:
            yield chance
    elif winner == "draw":
        yield "The match is drawn."
    else:
        players = [session.players["abcd".index(seat)] for seat in winner.split("+")]
        verb = (
            does(side_name(players), "wins") if len(players) == 1 else f"{side_name(players)} win"
        )
        yield f"{verb} the match."


def win_chance(session: Session) -> str | None:
    """The chance of the match for the first person, in a sentence; None if it is not known.

    Args:
        session: the game at the end of a round.
    """
    equity = session.equity
    if equity is None:
        return None
    person = next((p for p in session.players if p.is_person), session.players[0])
    chance = equity.win if person == session.players[0] else equity.loss
    drawn = f" and draw it in {equity.draw:.0%}" if equity.draw >= 0.005 else ""
    name = "you" if person.name == YOU else person.name
    return f"Between equal players {name} would win the match in {chance:.0%}{drawn}."


def cards_words(cards: CardSet) -> str:
    """Cards with commas, "none" if there are none.

    Args:
        cards: the cards.

    Example:
        >>> cards_words(CardSet("2s5h")), cards_words(CardSet())
        ('2s, 5h', 'none')
    """
    return ", ".join(cards) or "none"
