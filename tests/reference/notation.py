"""Positions and moves as text: one line of ``key=value`` fields, and moves as ``9hx4d5c[9a]``.

The reader here trusts its input as far as that is harmless: it refuses what it cannot read, and
cards that do not add up to a pack, but it does not look for every error that a person can make.
"""

from __future__ import annotations

from .options import Rules, parse_rules, rules_to_text
from .rules import (
    CARD_ORDER,
    PACK,
    UNKNOWN,
    Build,
    Cards,
    Move,
    State,
    counting_of,
    is_single,
    legal_moves,
    ordered,
)

SEATS = "abcd"
NONE = "-"
FIELDS = (
    "rules",
    "table",
    "builds",
    "hands",
    "piles",
    "turn",
    "last",
    "sweeps",
    "stock",
    "out",
    "declared",
    "score",
)


# ---------------------------------------------------------------------------------------------
# Cards


def parse_cards(text: str) -> Cards:
    """Cards in the order in which they are written; `-` for none."""
    if text == NONE:
        return ()
    cards = []
    while text:
        size = 1 if text[0] == UNKNOWN else 2
        cards.append(text[:size])
        text = text[size:]
    for card in cards:
        if card not in CARD_ORDER:
            raise ValueError(f"{card} is no card")
    return tuple(cards)


def cards_to_text(cards: Cards) -> str:
    """Cards without spaces, `-` for none."""
    return "".join(cards) or NONE


# ---------------------------------------------------------------------------------------------
# Positions: reading


def parse_state(text: str) -> State:
    """A position from its line."""
    given: dict[str, str] = {}
    for part in text.split():
        key, equals, value = part.partition("=")
        if not equals or key not in FIELDS or key in given:
            raise ValueError(f"{key}: not a field, or given twice")
        given[key] = value
    rules = parse_rules(given.get("rules", "standard"))
    table = ordered(parse_cards(given.get("table", NONE)))
    builds = parse_builds(rules, given.get("builds", NONE))
    hands = parse_shares(given["hands"], rules.players)
    piles = parse_shares(given.get("piles", NONE + f"/{NONE}" * (rules.sides - 1)), rules.sides)
    out = ordered(parse_cards(given.get("out", NONE)))
    placed = [*table, *out]
    for cards in (*hands, *piles, *(build.cards for build in builds)):
        placed.extend(cards)
    state = State(
        rules=rules,
        table=table,
        builds=builds,
        hands=hands,
        piles=piles,
        turn=SEATS.index(given.get("turn", "a")),
        last=parse_seat(given.get("last", NONE)),
        sweeps=parse_numbers(given.get("sweeps"), rules.sides),
        stock=parse_stock(given.get("stock"), placed),
        out=out,
        declared=parse_declared(given.get("declared"), rules.players, builds),
        before=parse_numbers(given.get("score"), rules.sides),
    )
    check_turn(state)
    return state


def parse_builds(rules: Rules, text: str) -> tuple[Build, ...]:
    """Builds such as ``7b:3c4d,9a*:4h5c9s``."""
    builds = []
    for part in [] if text == NONE else text.split(","):
        head, _, cards_text = part.partition(":")
        multiple = head.endswith("*")
        head = head.removesuffix("*")
        cards = ordered(parse_cards(cards_text))
        value = int(head[:-1])
        if multiple == is_single(counting_of(rules), cards, value):
            raise ValueError(f"builds: {part} is marked single or multiple wrongly")
        builds.append(Build(value, SEATS.index(head[-1]), multiple, cards))
    return tuple(sorted(builds, key=lambda build: build.order))


def parse_shares(text: str, count: int) -> tuple[Cards, ...]:
    """Hands or piles, one for each seat or side."""
    parts = text.split("/")
    if len(parts) != count:
        raise ValueError(f"{text}: {count} hands or piles are needed")
    return tuple(ordered(parse_cards(part)) for part in parts)


def parse_seat(text: str) -> int | None:
    return None if text == NONE else SEATS.index(text)


def parse_numbers(text: str | None, count: int) -> tuple[int, ...]:
    """Numbers such as ``1/0``; zeros where there is no text."""
    if text is None:
        return (0,) * count
    numbers = tuple(int(part) for part in text.split("/"))
    if len(numbers) != count:
        raise ValueError(f"{text}: {count} numbers are needed")
    return numbers


def parse_stock(text: str | None, placed: list[str]) -> Cards:
    """The stock, next card first: as written, or as many unknown cards as have no place."""
    known = [card for card in placed if card != UNKNOWN]
    if len(known) != len(set(known)):
        raise ValueError("a card is in two places")
    left = [card for card in PACK if card not in known]
    size = len(left) - placed.count(UNKNOWN)
    if size < 0:
        raise ValueError("too many cards")
    if text is None:
        return (UNKNOWN,) * size
    stock = parse_cards(text)
    if len(stock) != size or len(set(stock)) != size or not set(stock) <= set(left):
        raise ValueError("stock: not the cards that are in no other place")
    return stock


def parse_declared(
    text: str | None, players: int, builds: tuple[Build, ...]
) -> tuple[tuple[int, ...], ...]:
    """Declared values such as ``7/-/9.4/-``, without those of the builds that a seat owns."""
    parts = [NONE] * players if text is None else text.split("/")
    if len(parts) != players:
        raise ValueError(f"declared: {players} seats are needed")
    declared = []
    for seat, part in enumerate(parts):
        values = set() if part == NONE else {int(value) for value in part.split(".")}
        values -= {build.value for build in builds if build.owner == seat}
        declared.append(tuple(sorted(values, reverse=True)))
    return tuple(declared)


def check_turn(state: State) -> None:
    """Refuse a turn of a seat without cards, and hands that wait for a deal."""
    if not state.is_over and not any(state.hands):
        raise ValueError("hands: all are empty while there is a stock")
    if any(state.hands) and not state.hands[state.turn]:
        raise ValueError("turn: that seat has no card")


# ---------------------------------------------------------------------------------------------
# Positions: writing


def to_text(state: State) -> str:
    """The position as a line in its one canonical form."""
    rules = state.rules
    parts = [f"rules={rules_to_text(rules)}", f"table={cards_to_text(state.table)}"]
    if state.builds:
        parts.append("builds=" + ",".join(map(build_to_text, state.builds)))
    parts.append("hands=" + "/".join(map(cards_to_text, state.hands)))
    if any(state.piles):
        parts.append("piles=" + "/".join(map(cards_to_text, state.piles)))
    parts.append(f"turn={SEATS[state.turn]}")
    if state.last is not None:
        parts.append(f"last={SEATS[state.last]}")
    if any(state.sweeps):
        parts.append("sweeps=" + "/".join(map(str, state.sweeps)))
    if state.stock and UNKNOWN not in state.stock:
        parts.append(f"stock={cards_to_text(state.stock)}")
    if state.out:
        parts.append(f"out={cards_to_text(state.out)}")
    if any(state.declared):
        parts.append("declared=" + "/".join(map(declared_to_text, state.declared)))
    if any(state.before):
        parts.append("score=" + "/".join(map(str, state.before)))
    return " ".join(parts)


def build_to_text(build: Build) -> str:
    star = "*" if build.multiple else ""
    return f"{build.value}{SEATS[build.owner]}{star}:{cards_to_text(build.cards)}"


def declared_to_text(values: tuple[int, ...]) -> str:
    return ".".join(map(str, values)) or NONE


# ---------------------------------------------------------------------------------------------
# Moves


def move_to_text(state: State, move: Move) -> str:
    """A move as it is written in this position."""
    loose = "".join(move.loose)
    if move.kind == "trail":
        return move.card
    if move.kind == "capture":
        brackets = "".join(bracket(state, build) for build in move.builds)
        return f"{move.card}x{loose}{brackets}"
    base = [] if move.base is None else [bracket(state, move.base)]
    parts = [move.card, *([loose] if loose else []), *base]
    return f"{'+'.join(parts)}={move.value}"


def bracket(state: State, build: Build) -> str:
    """A build in a move: ``[9b]``, and ``[9b:4d5c]`` where another shares value and owner."""
    name = f"{build.value}{SEATS[build.owner]}"
    twins = [b for b in state.builds if (b.value, b.owner) == (build.value, build.owner)]
    return f"[{name}]" if len(twins) == 1 else f"[{name}:{cards_to_text(build.cards)}]"


def legal_texts(state: State) -> list[str]:
    """Every legal move as text, sorted."""
    return sorted(move_to_text(state, move) for move in legal_moves(state))


def parse_move(state: State, text: str) -> Move:
    """The legal move that is written so. Only the canonical form of a move is read."""
    for move in legal_moves(state):
        if move_to_text(state, move) == text:
            return move
    raise ValueError(f"{text} is not legal in {to_text(state)}")
