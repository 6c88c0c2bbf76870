"""The words of a record: tags, plays, numbers, comments, each with its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from casino_core._text import UNMARKED, is_unmarked, spaced
from casino_core.errors import quoted

__all__ = ["LONGEST_LINE", "Word", "is_record", "words_of"]

#: Longest line; a file with a longer one is the wrong file.
LONGEST_LINE: Final = 100_000

_UNREADABLE = re.compile("[\ud800-\udfff]")  # as bytes that are not UTF-8 are decoded
_BLANKS = re.compile(r"\s*")
# Neighbouring parts never match the same blanks, so the pattern needs no backtracking.
_TAG = re.compile(r'\[\s*([A-Za-z][\w-]{0,60})\s*(?:"((?:[^"\\]|\\.)*)"\s*|([^"\]\[]*))\]')
_NUMBER = re.compile(r"([0-9]{1,9})\s*(?:\.+|\))")
_PIECE = r"[^\s{}\[\];#!?=+xX*]+"
_BUILD = r'\[\s*\d[^\]"]{0,200}\]'
_PLAY = re.compile(
    rf"({_PIECE}(?:\s*(?:[xX+]\s*(?:{_PIECE}|{_BUILD})|=\s*{_PIECE}|{_BUILD}))*)"
    r"(?:\s*([!?]{1,2})(?![!?]))?"
)
_POSITION = re.compile(r"[A-Za-z]+\s*=")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a record.

    Attributes:
        kind: the kind of the word; `end` is the `*` of a round that stops early, `bad` is a part
            that cannot be read, with the reason as its text.
        text: the value of a tag, a play, a comment, a position line, a number.
        line: the line of its first character, from 1.
        column: the column of that character, from 1.
        name: the name of a tag.
        mark: the mark after a play.
    """

    kind: Literal["tag", "comment", "number", "play", "position", "end", "bad"]
    text: str
    line: int
    column: int
    name: str = ""
    mark: str = ""


def words_of(lines: Iterable[str]) -> Iterator[Word]:
    """The words of a text, line by line.

    Args:
        lines: the lines of the text.

    Example:
        >>> [(word.kind, word.text) for word in words_of(['[Seed 17] 1. 7c x 2s5h! {good}'])]
        [('tag', '17'), ('number', '1'), ('play', '7cx2s5h'), ('comment', 'good')]
    """
    opened: Word | None = None  # a comment that is not closed yet
    for number, line in _numbered(lines):
        place = 0
        if is_unmarked(line):
            yield Word("bad", UNMARKED, number, 1)
            opened = None
            continue
        if found := _UNREADABLE.search(line):
            column = found.start() + 1
            yield Word("bad", "the line is not UTF-8", number, column)
            opened = None
            continue
        if opened is not None:
            if _TAG.match(line.lstrip()):  # the comment must not swallow the games that follow
                yield _bad(opened, "the comment is not closed by }")
                opened = None
            else:
                text, closed, rest = line.partition("}")
                opened = _joined(opened, text)
                if not closed:
                    continue
                yield opened
                opened, place = None, len(line) - len(rest)
        while (place := _after_blanks(line, place)) < len(line):
            word, place = _word(line, number, place)
            if word.kind == "comment" and place < 0:
                opened = word
                break
            yield word
    if opened is not None:
        yield _bad(opened, "the comment is not closed by }")


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    number = 0
    for raw in lines:
        for line in spaced(raw).splitlines() or [""]:
            number += 1
            yield number, line


def _after_blanks(line: str, place: int) -> int:
    found = _BLANKS.match(line, place)
    return place if found is None else found.end()


def _joined(word: Word, text: str) -> Word:
    return Word(word.kind, f"{word.text} {text}", word.line, word.column)


def _bad(word: Word, reason: str) -> Word:
    return Word("bad", reason, word.line, word.column)


def _word(line: str, number: int, place: int) -> tuple[Word, int]:
    """The word at a place, and the place after it; -1 if a comment continues on the next line."""
    column = place + 1
    if len(line) > LONGEST_LINE:
        return Word("bad", f"the line is too long: {len(line)} characters", number, 1), len(line)
    first = line[place]
    if first == "{":
        text, closed, rest = line[column:].partition("}")
        return Word("comment", text, number, column), len(line) - len(rest) if closed else -1
    if first in ";#":
        return Word("comment", line[column:], number, column), len(line)
    if first == "*":
        return Word("end", "*", number, column), column
    if found := _TAG.match(line, place):
        value = found[3].strip() if found[2] is None else re.sub(r"\\(.)", r"\1", found[2])
        return Word("tag", value, number, column, name=found[1]), found.end()
    if _POSITION.match(line, place) and "hands" in line[place:]:
        return Word("position", line[place:].strip(), number, column), len(line)
    if found := _NUMBER.match(line, place):
        return Word("number", found[1], number, column), found.end()
    if found := _PLAY.match(line, place):
        text = "".join(found[1].split())
        return Word("play", text, number, column, mark=found[2] or ""), found.end()
    why = f"a tag, a play or a comment expected, found {quoted(line[place:].split()[0])}"
    return Word("bad", why, number, column), len(line)


def is_record(text: str) -> bool:
    """Whether a text begins like a record: with a tag or a position line.

    Args:
        text: any text.

    Example:
        >>> is_record('[Seed "17"]'), is_record("hands=As/Ah"), is_record("Table: D4")
        (True, True, False)
    """
    for word in words_of(text.splitlines()):
        if word.kind != "comment":
            return word.kind in ("tag", "position")
    return False
