"""Saved games of other programs, converted to position lines.

Those programs save a game of two, `Human` and `Computer`, as lines of a key, a colon and a
value; cards are suit then rank, with `X` for ten:

    Round: 2
    Computer:
       Score: 14
       Hand: HQ
       Pile: CK H4
    Human:
       Score: 15
       Hand: D9
       Pile:
    Table: HK [ [C6 C3] [H5 D4] ] [S7 D5]
    Build Owner: [ [C6 C3] [H5 D4] ] Human [S7 D5] Computer
    Last Capturer: Human
    Deck:
    Next Player: Human

The rules are those of the preset `ramapo`. Such files are also written by hand, so mistakes that
leave the meaning clear are read with a warning; anything else is refused.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from casino_core._text import look_alike, spaced
from casino_core.errors import NotationError, quoted
from casino_core.formats.groups import HIGHEST_VALUE, split_into_groups, values_of_group
from casino_core.rules.cards import ALL_CARDS, RANKS, SUITS, card_name, cards_text

__all__ = ["PLAYERS", "SavedFacts", "is_saved_game", "saved_game_facts", "saved_game_to_line"]

_HUMAN, _COMPUTER = _PLAYERS = ("Human", "Computer")
#: The names of the two players.
PLAYERS = _PLAYERS
_OF_PLAYER = ("Score", "Hand", "Pile")
_LISTS = ("Hand", "Pile", "Table", "Build Owner", "Deck")
_KEYS = {
    "".join(key.split()).lower(): key
    for key in (
        *("Round", *_PLAYERS, *_OF_PLAYER),
        *("Table", "Build Owner", "Last Capturer", "Deck", "Next Player"),
    )
}
_PLAYER_WORDS = {"human": _HUMAN, "computer": _COMPUTER, "none": "", "nobody": "", "-": ""}
# Least similarity of an unknown word to the known one that it is read as (1: identical).
_LIKENESS = 0.7

_LINE_END = re.compile("\r\n|\r|\n")
_TOKEN = re.compile(r"([\[({])|([\])}])|([^\s,\[\](){}]+)")
_CARD = re.compile("([SsHhDdCc])(10|[Aa2-9XxTtJjQqKk])")
_OPEN, _CLOSE = "[", "]"


def is_saved_game(text: str) -> bool:
    """Whether a text has a line with a key of the saved-game format.

    Args:
        text: any text.

    Example:
        >>> is_saved_game("Table: D4"), is_saved_game("table=4d hands=5s/5h")
        (True, False)
    """
    heads = (line.partition(":") for line in _LINE_END.split(text))
    return any(colon and _plain(head) in _KEYS for head, colon, _ in heads)


def _plain(word: str) -> str:
    """A key or name in lower case without blanks, for comparison."""
    return "".join(word.split()).lower()


class SavedFacts(NamedTuple):
    """The content of a saved game.

    Attributes:
        line: its position line.
        warnings: oddities in the text, one line each.
        players: `Human` and `Computer`, the one in seat a first.
        number: the number of the round, 0 if the text has none.
    """

    line: str
    warnings: tuple[str, ...]
    players: tuple[str, str]
    number: int


def saved_game_to_line(text: str) -> tuple[str, tuple[str, ...]]:
    """The position line of a saved game.

    The leader of the deal is seat `a`: the next player if the hands are equal, otherwise the
    player with fewer cards. Cards that appear nowhere become the field `out`.

    Args:
        text: the saved game.

    Returns:
        The position line, and warnings. They do not say whether the owners of builds hold
        the cards to capture them; `Position.parse` checks that.

    Raises:
        NotationError: a line cannot be read or is missing, a card is there twice, or a build
            has no clear value or owner.

    Example:
        >>> from casino_core.formats.saved_games import saved_game_to_line
        >>> line, warnings = saved_game_to_line(
        ...     "Computer:\\n Hand: HQ\\n Pile:\\nHuman:\\n Hand: D9\\n Pile:\\n"
        ...     "Table: [C6 C3]\\nBuild Owner: [C6 C3] Human\\nDeck:\\nNext Player: Human"
        ... )
        >>> line[:54]
        'rules=ramapo table=- builds=9a:3c6c hands=9d/Qh turn=a'
    """
    return saved_game_facts(text)[:2]


def saved_game_facts(text: str) -> SavedFacts:
    """Read a saved game.

    Args:
        text: as `saved_game_to_line` takes it.

    Raises:
        NotationError: as for `saved_game_to_line`.
    """
    text = spaced(text)
    warnings: list[str] = []
    try:
        saved = _SavedGame(_fields(text, warnings), warnings)
        line = saved.line()
    except NotationError as error:
        reason = look_alike(text)
        if reason is None:
            raise
        raise NotationError(f"{error}; {reason}") from None
    return SavedFacts(line, tuple(warnings), saved.seats, saved.number)


@dataclass(slots=True)
class _Field:
    """The value of a key: pieces of text, each with the number of its line."""

    pieces: list[tuple[int, str]] = field(default_factory=list)

    def refuse(self, why: str) -> NoReturn:
        _refuse(self.pieces[0][0], why)


def _refuse(number: int, why: str) -> NoReturn:
    raise NotationError(f"saved game, line {number}: {why}")


def _fields(text: str, warnings: list[str]) -> dict[str, _Field]:
    """The values by key; the keys of a player begin with the player's name."""
    fields: dict[str, _Field] = {}
    player = ""
    name = ""  # the field that a line without a key continues
    for number, line in enumerate(_LINE_END.split(text), start=1):
        rest = line.strip()
        while rest:
            head, colon, value = rest.partition(":")
            if not colon:
                if not name or not _goes_on(name, fields[name]):
                    _refuse(number, f"cannot read {quoted(rest)}")
                fields[name].pieces.append((number, rest))
                break
            key = _alike(head, _KEYS)
            if key is None:
                _refuse(number, f"cannot read {quoted(rest)}")
            if _plain(head) not in _KEYS:
                warnings.append(f"line {number}: {quoted(head.strip())} read as {key}")
            rest = value.strip()
            if key in _PLAYERS:
                player, name = key, ""
                continue  # the rest of the line is treated as a new line
            if key in _OF_PLAYER and not player:
                _refuse(number, f"{key} belongs to neither Human nor Computer")
            name = f"{player} {key}" if key in _OF_PLAYER else key
            if name in fields and name != "Build Owner":
                _refuse(number, f"{name} is there twice")
            fields.setdefault(name, _Field()).pieces.append((number, rest))
            break
    return fields


def _goes_on(name: str, known: _Field) -> bool:
    """Whether a line without a key may continue a field."""
    if name.endswith(_LISTS):
        return True
    return not any(piece for _, piece in known.pieces)


def _alike(word: str, known: dict[str, str]) -> str | None:
    """The known word that a word means, which may be misspelt."""
    word = _plain(word)
    if word in known:
        return known[word]
    if len(word) > 2 * max(map(len, known)):
        return None
    found = difflib.get_close_matches(word, known, n=1, cutoff=_LIKENESS)
    return known[found[0]] if found else None


def _tokens(known: _Field) -> Iterator[tuple[int, str]]:
    """The words and brackets of a field with their lines; all brackets become square ones."""
    for number, piece in known.pieces:
        for opening, closing, word in _TOKEN.findall(piece):
            yield number, _OPEN if opening else _CLOSE if closing else word


def _cards_of(word: str) -> list[int] | None:
    """The numbers of the cards in a word; None if it is not made of cards."""
    cards = []
    place = 0
    while place < len(word):
        found = _CARD.match(word, place)
        if found is None:
            return None
        suit, rank = found.groups()
        rank = "T" if rank in ("10", "X", "x") else rank.upper()
        cards.append(RANKS.index(rank) * 4 + SUITS.index(suit.lower()))
        place = found.end()
    return cards


def _mask(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _names(cards: Iterable[int]) -> str:
    return cards_text(_mask(cards))


@dataclass(slots=True)
class _TableBuild:
    """A build on the table, with the groups given by its brackets."""

    groups: list[list[int]]
    owner: str = ""

    @property
    def cards(self) -> list[int]:
        return [card for group in self.groups for card in group]

    @property
    def mask(self) -> int:
        return _mask(self.cards)

    def __str__(self) -> str:
        return f"[{_names(self.cards)}]"


@dataclass(slots=True)
class _Claim:
    """An owner named in the file, with the cards before the name."""

    number: int
    cards: list[int]
    owner: str

    @property
    def mask(self) -> int:
        return _mask(self.cards)


class _SavedGame:
    """The parsed fields of one saved game."""

    def __init__(self, fields: dict[str, _Field], warnings: list[str]) -> None:
        self.seats = (_HUMAN, _COMPUTER)
        self.number = 0
        self._fields = fields
        self._warnings = warnings
        places = [f"{player} {key}" for player in _PLAYERS for key in ("Hand", "Pile")]
        for name in (*places, "Table", "Deck", "Next Player"):
            if name not in fields:
                raise NotationError(f"saved game: there is no {name} line")
        self.hands = {player: self._cards(f"{player} Hand") for player in _PLAYERS}
        self.piles = {player: self._cards(f"{player} Pile") for player in _PLAYERS}
        self.deck = self._cards("Deck")
        table = self._table_tokens()
        self._refuse_card_twice(token for token in table if isinstance(token, int))
        claims = self._claims()
        self.loose, self.builds = self._loose_and_builds(table, claims)
        self._give_owners(claims)

    # ------------------------------------------------------------------ the fields

    def _cards(self, name: str) -> list[int]:
        cards: list[int] = []
        for number, word in _tokens(self._fields[name]):
            found = _cards_of(word)
            if found is None:
                _refuse(number, f"{quoted(word)} in {name} is not a card")
            cards += found
        return cards

    def _table_tokens(self) -> list[int | str]:
        """Card numbers and brackets, in the order of the text."""
        table: list[int | str] = []
        for number, word in _tokens(self._fields["Table"]):
            if word in (_OPEN, _CLOSE):
                table.append(word)
                continue
            found = _cards_of(word)
            if found is None:
                _refuse(number, f"{quoted(word)} in Table is not a card")
            table += found
        return table

    def _refuse_card_twice(self, table: Iterable[int]) -> None:
        seen = twice = 0
        for cards in (*self.hands.values(), *self.piles.values(), self.deck, table):
            for card in cards:
                twice |= seen & 1 << card
                seen |= 1 << card
        if twice:
            raise NotationError(f"saved game: cards twice: {cards_text(twice)}")

    def _player(self, name: str) -> str:
        """The player named by a field; empty if the field is."""
        words = [word for _, word in _tokens(self._fields[name])] if name in self._fields else []
        if not words:
            return ""
        player = _alike(words[0].lower(), _PLAYER_WORDS) if len(words) == 1 else None
        if player is None:
            shown = quoted(" ".join(words))
            self._fields[name].refuse(f"{name} is Human or Computer, not {shown}")
        if words[0].lower() not in _PLAYER_WORDS:
            self._warnings.append(f"{name}: {quoted(words[0])} read as {player}")
        return player

    def _number(self, name: str) -> int:
        """A field that is a number; 0 if it is missing."""
        if name not in self._fields:
            return 0
        known = self._fields[name]
        text = " ".join(piece for _, piece in known.pieces).strip()
        if not text:
            self._warnings.append(f"{name} is empty, read as 0")
            return 0
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            known.refuse(f"{name} is a number, not {quoted(text)}")
        return int(text)

    # ------------------------------------------------------------------ builds and owners

    def _claims(self) -> list[_Claim]:
        """The owners with the cards before their names; brackets are ignored there."""
        claims: list[_Claim] = []
        if "Build Owner" not in self._fields:
            return claims
        cards: list[int] = []
        for number, word in _tokens(self._fields["Build Owner"]):
            found = [] if word in (_OPEN, _CLOSE) else _cards_of(word)
            if found is not None:
                cards += found
                continue
            owner = _alike(word.lower(), _PLAYER_WORDS)
            if owner is None:
                _refuse(number, f"{quoted(word)} in Build Owner is neither card nor player")
            if word.lower() not in _PLAYER_WORDS:
                self._warnings.append(f"Build Owner: {quoted(word)} read as {owner}")
            if owner:
                claims.append(_Claim(number, cards, owner))
            cards = []
        return claims

    def _loose_and_builds(
        self, table: list[int | str], claims: list[_Claim]
    ) -> tuple[list[int], list[_TableBuild]]:
        raw = " ".join(piece for _, piece in self._fields["Table"].pieces)
        owner_lines = self._fields.get("Build Owner", _Field())
        brackets = raw + " ".join(piece for _, piece in owner_lines.pieces)
        if any(bracket in brackets for bracket in "(){}"):
            self._warnings.append("brackets that are not square, read as square ones")
        found = _by_brackets(table)
        if found is None:
            found = _by_claims(table, claims)
            if found is None:
                self._fields["Table"].refuse(f"a bracket without its pair in {quoted(raw, 80)}")
            self._warnings.append(
                "Table: a bracket without its pair; read as "
                + "".join(map(str, found[1]))
                + ", as in Build Owner"
            )
        loose, builds = found
        for build in builds:
            if len(build.cards) < 2:
                self._fields["Table"].refuse(f"a build of one card, {build}")
        return loose, builds

    def _give_owners(self, claims: list[_Claim]) -> None:
        unmatched = []
        for claim in claims:
            if not claim.cards and len(claims) == len(self.builds) == 1:
                build = self.builds[0]
                self._warnings.append(f"Build Owner names no build; read as {build}")
                build.owner = claim.owner
                continue
            inside = [build for build in self.builds if not build.mask & ~claim.mask]
            if not inside or _mask(c for build in inside for c in build.cards) != claim.mask:
                unmatched.append(claim)
                continue
            for build in inside:
                self._own(build, claim)
        for claim in unmatched:
            self._place_unmatched(claim)

    def _own(self, build: _TableBuild, claim: _Claim) -> None:
        if build.owner and build.owner != claim.owner:
            _refuse(claim.number, f"the build {build} has two owners")
        build.owner = claim.owner

    def _place_unmatched(self, claim: _Claim) -> None:
        """Handle an owner whose cards are not exactly those of a build on the table."""
        around = [build for build in self.builds if not claim.mask & ~build.mask]
        if claim.cards and around and not around[0].owner:
            self._warnings.append(
                f"Build Owner gives {claim.owner} [{_names(claim.cards)}]; "
                f"read as the build {around[0]}, which holds these cards"
            )
            self._own(around[0], claim)
            return
        held = (*self.hands.values(), *self.piles.values(), self.deck)
        gone = _mask(card for cards in held for card in cards)
        gone |= _mask(card for build in self.builds for card in build.cards)
        if not claim.cards or claim.mask & ~gone:
            what = f"[{_names(claim.cards)}]" if claim.cards else "no build"
            _refuse(claim.number, f"{claim.owner} owns {what}, which is not a build on the table")
        self._warnings.append(
            f"Build Owner names [{_names(claim.cards)}], which is not a build on the table"
        )

    def _value(self, build: _TableBuild) -> tuple[int, bool]:
        """The value of a build, and whether it is multiple."""
        agreed = set.intersection(*map(values_of_group, build.groups))
        if agreed:
            value = max(agreed)
            if len(agreed) > 1:
                self._warnings.append(f"the build {build} is worth 1 or 14; read as {value}")
            return value, len(build.groups) > 1
        values = range(1, HIGHEST_VALUE + 1)
        possible = [v for v in values if all(split_into_groups(group, v) for group in build.groups)]
        if len(possible) > 1 and build.owner:
            held = [v for v in possible if _holds(self.hands[build.owner], v)]
            possible = held or possible
        if len(possible) != 1:
            why = f"may be worth {' or '.join(map(str, possible))}" if possible else "has no value"
            self._fields["Table"].refuse(f"the build {build} {why}")
        self._warnings.append(
            f"the groups of the build {build} are not marked; read as worth {possible[0]}"
        )
        return possible[0], True

    def _owner(self, build: _TableBuild, value: int) -> str:
        if build.owner:
            return build.owner
        # An owner holds a card to capture the build, so a player without one is not the owner.
        holders = [player for player in _PLAYERS if _holds(self.hands[player], value)]
        if len(holders) != 1:
            self._fields["Table"].refuse(f"the build {build} has no owner")
        self._warnings.append(
            f"the build {build} has no owner; read as {holders[0]}'s, who alone holds "
            f"a card of value {value}"
        )
        return holders[0]

    # ------------------------------------------------------------------ the line

    def line(self) -> str:
        """The position line."""
        mover = self._player("Next Player")
        if not mover:
            self._fields["Next Player"].refuse("Next Player is empty")
        last = self._player("Last Capturer")
        self.number = self._number("Round")
        seats = self.seats = self._seats(mover)
        letters = {player: "ab"[seat] for seat, player in enumerate(seats)}
        parts = ["rules=ramapo", f"table={_names(self.loose) or '-'}"]
        if self.builds:
            parts.append(f"builds={','.join(self._build_texts(letters))}")
        parts.append("hands=" + "/".join(_names(self.hands[player]) or "-" for player in seats))
        if any(self.piles.values()):
            piles = "/".join(_names(self.piles[player]) or "-" for player in seats)
            parts.append(f"piles={piles}")
        parts.append(f"turn={letters[mover]}")
        if last:
            parts.append(f"last={letters[last]}")
        if self.deck:
            parts.append("stock=" + "".join(map(card_name, self._stock(seats[0]))))
        missing = ALL_CARDS & ~_mask(self._all_cards())
        if missing:
            self._warnings.append(f"cards that appear nowhere: {cards_text(missing)}")
            parts.append(f"out={cards_text(missing)}")
        scores = [self._number(f"{player} Score") for player in seats]
        if any(scores):
            parts.append("score=" + "/".join(map(str, scores)))
        return " ".join(parts)

    def _seats(self, mover: str) -> tuple[str, str]:
        human, computer = (len(self.hands[player]) for player in _PLAYERS)
        if human == computer:
            leader = mover
        else:
            leader = _HUMAN if human < computer else _COMPUTER
        return (_HUMAN, _COMPUTER) if leader == _HUMAN else (_COMPUTER, _HUMAN)

    def _build_texts(self, letters: dict[str, str]) -> Iterator[str]:
        found = []
        for build in self.builds:
            value, multiple = self._value(build)
            owner = letters[self._owner(build, value)]
            found.append((value, owner, sorted(build.cards), "*" if multiple else ""))
        for value, owner, cards, star in sorted(found):
            yield f"{value}{owner}{star}:{_names(cards)}"

    def _stock(self, leader: str) -> list[int]:
        """The deck in the order of seats: the format deals four to Human, then to Computer."""
        if leader == _HUMAN:
            return self.deck
        stock = []
        for start in range(0, len(self.deck), 8):
            deal = self.deck[start : start + 8]
            stock += deal[4:] + deal[:4]
        return stock

    def _all_cards(self) -> Iterator[int]:
        for cards in (*self.hands.values(), *self.piles.values(), self.deck, self.loose):
            yield from cards
        for build in self.builds:
            yield from build.cards


def _by_brackets(table: Sequence[int | str]) -> tuple[list[int], list[_TableBuild]] | None:
    """Loose cards and builds if all brackets match, else None.

    Cards of a build outside its inner brackets are a group too.
    """
    loose: list[int] = []
    builds: list[_TableBuild] = []
    opened: list[list[int]] = []
    groups: list[list[int]] = []
    for token in table:
        if token == _OPEN:
            opened.append([])
        elif isinstance(token, int):
            (opened[-1] if opened else loose).append(token)
        elif not opened:
            return None
        else:
            group = opened.pop()
            if group:
                groups.append(group)
            if groups and not opened:
                builds.append(_TableBuild(groups))
                groups = []
    return None if opened else (loose, builds)


def _by_claims(
    table: Sequence[int | str], claims: Sequence[_Claim]
) -> tuple[list[int], list[_TableBuild]] | None:
    """Loose cards and builds if brackets do not match but owners name the builds.

    None unless every bracket is in or next to a build that has an owner.
    """
    owned = {card: index for index, claim in enumerate(claims) for card in claim.cards}
    builds: list[_TableBuild] = []
    loose: list[int] = []
    previous: int | None = None  # the build of the card before
    brackets = False  # between that card and this
    for token in table:
        if not isinstance(token, int):
            brackets = True
            continue
        owner = owned.get(token)
        if owner is None:
            if brackets and previous is None:
                return None
            loose.append(token)
        elif owner != previous:
            builds.append(_TableBuild([[token]]))
        elif brackets:
            builds[-1].groups.append([token])
        else:
            builds[-1].groups[-1].append(token)
        previous, brackets = owner, False
    claimed = {claim.mask for claim in claims}
    if (brackets and previous is None) or any(build.mask not in claimed for build in builds):
        return None
    return loose, builds


def _holds(hand: Iterable[int], value: int) -> bool:
    return any(value in values_of_group([card]) for card in hand)
