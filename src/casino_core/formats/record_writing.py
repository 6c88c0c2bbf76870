"""Writing of records in their canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from casino_core.formats.record_parts import Note, RecordedRound, first_deal, result_tags, tags_of
from casino_core.game.match import by_players
from casino_core.game.position import Position
from casino_core.rules.options import Rules

__all__ = ["rules_text", "start_tags", "value_text", "written"]

_WIDTH: Final = 100


def written(
    rounds: Sequence[RecordedRound], rules: Rules, *, endless: bool, tags: Mapping[str, str]
) -> str:
    """The text of a game.

    Args:
        rounds: the rounds in order.
        rules: the rules of the game.
        endless: whether the match has no target.
        tags: the tags of the game.

    Example:
        >>> from casino_core.game.round import Round
        >>> round = RecordedRound(Round(Position.start(seed=17), ["7dx7c"]), seed=17)
        >>> print(written([round], Rules(), endless=False, tags={"Date": "2026.12.01"}), end="")
        [Date "2026.12.01"]
        [Rules "standard"]
        [Target "21"]
        [Result "*"]
        <BLANKLINE>
        [Round "1"]
        [Seed "17"]
        <BLANKLINE>
        1. 7dx7c
    """
    known = result_tags(rounds[-1], endless=endless) if rounds else {}
    header = {"Result": "*", **tags, **known, "Rules": rules_text(rules, endless=endless)}
    header["Target"] = "none" if endless else str(rules.target)
    blocks = [_tags(dict(tags_of(header)))]
    for one in rounds:
        blocks += [_tags(_round_tags(one)), _moves(one)]
    return "\n".join(blocks)


def rules_text(rules: Rules, *, endless: bool) -> str:
    """Rules as text, without the target if a tag has it.

    Args:
        rules: the rule set.
        endless: whether the match has no target; the target of the rules is then kept.

    Example:
        >>> rules_text(Rules.parse("royal,target=11,sweep=0"), endless=False)
        'royal,sweep=0'
    """
    return str(rules) if endless else re.sub(r",target=\d+", "", str(rules))


def value_text(value: float) -> str:
    """A value as text for a comment: with its sign and two to four decimals.

    Args:
        value: the value of a play.

    Example:
        >>> value_text(1.25), value_text(-3), value_text(0.0625)
        ('+1.25', '-3.00', '+0.0625')
    """
    text = f"{value:+.4f}"
    return text[:-2] + text[-2:].rstrip("0")


def _tags(tags: Mapping[str, str]) -> str:
    lines = (f'[{name} "{_escaped(text)}"]\n' for name, text in tags.items())
    return "".join(lines)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _round_tags(one: RecordedRound) -> dict[str, str]:
    start = one.round.start
    found = {"Round": str(one.number)}
    begun = {"Seed": str(one.seed)} if one.seed is not None else start_tags(start)
    if any(start.match_score) and "Position" not in begun:
        found["Score"] = "/".join(map(str, by_players(start.match_score, one.number - 1)))
    return {**found, **begun, **one.tags}


def start_tags(start: Position) -> dict[str, str]:
    """The tags for the start of a round.

    Args:
        start: the first position of the round.

    Returns:
        `Deck` for an opening deal with all cards known, `Table` and `Hand` for one seen by a seat,
        `Table` for one seen by an onlooker; else `Position`.

    Example:
        >>> start_tags(Position.parse("table=2s5h8dKc hands=????/As7c9hTd"))
        {'Table': '2s5h8dKc', 'Hand': 'b:As7c9hTd'}
    """
    deck = "".join(str(hand.cards) for hand in start.hands) + str(start.table)
    deck += "".join(start.stock or ())
    score = start.match_score
    if len(deck) == 104 and Position.start(start.rules, deck=deck, score=score) == start:
        return {"Deck": deck}
    seats = start.rules.seats
    known = [s for s, hand in zip(seats, start.hands, strict=True) if hand.cards]
    if len(known) <= 1:
        seat = known[0] if known else ""
        cards = start.hands[seat].cards if known else ""
        if first_deal(start.rules, start.table, seat, cards, score) == str(start):
            return {"Table": str(start.table), **({"Hand": f"{seat}:{cards}"} if known else {})}
    return {"Position": str(start)}


def _moves(one: RecordedRound) -> str:
    """The plays with their numbers and notes; each deal begins a new line."""
    positions = one.round.positions
    lines = _Lines()
    for comment in one.note(0).comments:
        lines.comment(comment)
    for number, (words, before, after) in enumerate(
        zip(one.round.words, positions[:-1], positions[1:], strict=True), start=1
    ):
        note = one.note(number)
        lines.add(f"{number}. {words[0]}{note.mark}")
        owners = [word for word in words[1:] if word.startswith("owner:")]
        for word in (*owners, *_notes(note)):
            lines.add(word)
        for comment in note.comments:
            lines.comment(comment)
        for word in words[1 + len(owners) :]:
            lines.add(word)
        if after.stock_count != before.stock_count and not before.rules.draw:
            lines.end()
    if not one.round.plays:
        lines.add("*")
    return lines.text()


def _notes(note: Note) -> Iterator[str]:
    if note.value is not None:
        yield f"{{{value_text(note.value)}}}"


class _Lines:
    """Words in lines of at most 100 characters; a longer word has its own line."""

    def __init__(self) -> None:
        self._lines: list[str] = [""]

    def add(self, word: str) -> None:
        last = self._lines[-1]
        if last and len(last) + 1 + len(word) > _WIDTH:
            self._lines.append(word)
        else:
            self._lines[-1] = f"{last} {word}" if last else word

    def comment(self, text: str) -> None:
        """A comment in braces, or, if it has a brace itself, up to the end of the line."""
        if "}" in text:
            self.add(f"; {text}")
            self.end()
        else:
            self.add(f"{{{text}}}")

    def end(self) -> None:
        if self._lines[-1]:
            self._lines.append("")

    def text(self) -> str:
        return "\n".join(self._lines).rstrip("\n") + "\n"
