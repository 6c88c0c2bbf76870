"""Cleaning of pasted text: blanks of every kind, look-alike letters, encodings."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from casino_core.errors import CasinoError, NotationError, quoted

__all__ = ["UNMARKED", "UTF16_MARKS", "decoded", "is_unmarked", "look_alike", "plain", "spaced"]

#: The byte-order marks of UTF-16.
UTF16_MARKS: Final = (BOM_UTF16_LE, BOM_UTF16_BE)

#: The message for text of which half the characters are null characters.
UNMARKED: Final = "there are null characters: is this UTF-16 without its byte-order mark?"

_AROUND = 12  # characters of context on each side in a message

_WIDE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
_LINE_ENDS = re.compile("[\u0085\u2028\u2029]")
_NO_WIDTH = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
_UNSEEN = re.compile(_NO_WIDTH)
#: Marks without width as the only separator of two fields `key=`.
_UNSEEN_BETWEEN = re.compile(f"(?<![,:;]){_NO_WIDTH}+(?=[a-z]+=)")

# Characters that Unicode does not map to ASCII, unlike fullwidth letters and digits.
_LOOK_ALIKES: Final = dict(
    zip(
        "\u0430\u0410\u0432\u0412\u0441\u0421\u0435\u0415\u04bb\u041d\u0456\u0406\u0458\u0408"
        "\u043a\u041a\u043e\u041e\u0440\u0420\u051b\u051a\u0455\u0405\u0442\u0422\u0445\u0425"
        "\u0443\u0501\u0417\u0431"
        "\u03b1\u0391\u0392\u03f2\u03f9\u0395\u0397\u0399\u03b9\u03f3\u037f\u03ba\u039a\u03bf"
        "\u039f\u03c1\u03a1\u03c4\u03a4\u03c7\u03a7"
        "\u00d7\u2715\u2716\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u2236\u2217",
        "aABBcCeEhHiIjJkKoOpPqQsStTxXyd36aABcCEHIijJkKoOpPtTxXxxx-------//:*",
        strict=True,
    )
)


def spaced(text: str) -> str:
    """Text with all blanks and line ends replaced by plain ones.

    Blanks with a width become spaces. Marks without width, such as zero-width spaces and text
    directions, are removed; one that is the only separator of two fields becomes a space.

    Args:
        text: any text.

    Example:
        >>> spaced("7c\\u00a0x\\u2009" + "2s\\u200b5h")
        '7c x 2s5h'
        >>> spaced("table=2s\\u200bturn=a")
        'table=2s turn=a'
    """
    if text.isascii():
        return text
    text = _LINE_ENDS.sub("\n", _WIDE.sub(" ", text))
    return _UNSEEN.sub("", _UNSEEN_BETWEEN.sub(" ", text))


def plain(text: str, error: type[CasinoError] = NotationError, where: str = "") -> str:
    """Text with plain blanks, and an error for letters that only look like those of the notation.

    Args:
        text: any text; other faults are left to its reader.
        error: the exception to raise.
        where: the beginning of the message.

    Raises:
        CasinoError: an `error` that names the letter by its code point.

    Example:
        >>> plain("\\u212a\\u2665")
        Traceback (most recent call last):
        casino_core.errors.NotationError: ...: ... is U+212A KELVIN SIGN, not the letter K
    """
    if text.isascii():
        return text
    text = spaced(text)
    reason = look_alike(text)
    if reason is not None:
        raise error(where + reason)
    return text


def look_alike(text: str) -> str | None:
    """A description of the first character of a text that only looks like one of ASCII.

    Args:
        text: any text.

    Returns:
        The description, with the text around the character; None if there is no such character.

    Example:
        >>> look_alike("turn=\\uff41")
        "'turn=ａ': 'ａ' is U+FF41 FULLWIDTH LATIN SMALL LETTER A, not the letter a"
    """
    for place, letter in enumerate(text):
        meant = None if letter.isascii() else _meant(letter)
        if meant is None:
            continue
        kind = "letter" if meant.isalpha() else "digit" if meant.isdigit() else "sign"
        before = re.split(r"\s", text[max(0, place - _AROUND) : place])[-1]
        after = re.split(r"\s", text[place : place + _AROUND])[0]
        name = unicodedata.name(letter)
        return (
            f"{quoted(before + after)}: {quoted(letter)} is U+{ord(letter):04X} {name}, "
            f"not the {kind} {meant}"
        )
    return None


def _meant(letter: str) -> str | None:
    """The ASCII character that a character looks like."""
    found = _LOOK_ALIKES.get(letter)
    if found is not None:
        return found
    digit = unicodedata.decimal(letter, None)
    found = unicodedata.normalize("NFKC", letter) if digit is None else str(digit)
    return found if len(found) == 1 and "!" <= found <= "~" else None


def is_unmarked(data: bytes | str) -> bool:
    """Whether a text looks like UTF-16 without its byte-order mark, read as another encoding.

    Args:
        data: the text, or its bytes.

    Example:
        >>> is_unmarked("turn=a".encode("utf-16-le")), is_unmarked(b"turn=a")
        (True, False)
    """
    nulls = data.count(b"\0") if isinstance(data, bytes) else data.count("\0")
    return nulls > 1 and 3 * nulls > len(data)


def decoded(data: bytes) -> str:
    """The text of bytes in UTF-8, or in UTF-16 with its byte-order mark.

    Args:
        data: all bytes of the text.

    Raises:
        NotationError: the bytes are neither.

    Example:
        >>> decoded("turn=a".encode("utf-16"))
        'turn=a'
    """
    wide = data[:2] in UTF16_MARKS
    if not wide and is_unmarked(data):
        raise NotationError(UNMARKED)
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError(f"the text is not {'UTF-16' if wide else 'UTF-8'}") from None
