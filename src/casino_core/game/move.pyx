"""The public class Move, and what it means in a position."""
cimport cython
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport uint32_t, uint8_t

from casino_core.game.movetext cimport parse_move
from casino_core.game.writing cimport write_move
from casino_core.rules.cardtext cimport Writer
from casino_core.rules.types cimport build_cards, lowest

cdef tuple CARD_NAMES                    # imported into a C variable: no name of the module

from casino_core.errors import IllegalMoveError, NotationError
from casino_core.rules.cards import CARD_NAMES, CardSet

cdef tuple KINDS = ("trail", "capture", "build", "build", "build")


@cython.final
cdef class Move:
    """One play: a card, with the cards that it captures or builds with. Immutable; made by a
    `Position`.

    `str(move)` is its text. Two moves are equal if their card, kind, captured or built cards, and
    value are equal.

    Attributes:
        kind: "trail", "capture" or "build".
        card: name of the card played.
        loose: loose cards captured or built with, a `CardSet`.
        built: cards of the builds captured or built on, a `CardSet`.
        value: value announced by a build, None for other plays.

    Example:
        >>> from casino_core import Position
        >>> move = Position.parse("table=2s5hJdKc hands=7c8dAs9h/????").move("7cx2s5h")
        >>> move.kind, move.card, move.loose
        ('capture', '7c', CardSet('2s5h'))
    """

    def __init__(self, *_, **__):
        raise TypeError("a Move is made by Position.legal_moves() or Position.move(text)")

    @property
    def kind(self):
        """"trail", "capture" or "build"."""
        return KINDS[self.data.kind]

    @property
    def card(self):
        """Name of the card played."""
        return CARD_NAMES[self.data.card]

    @property
    def loose(self):
        """Loose cards captured or built with, a `CardSet`."""
        return CardSet(self.data.loose)

    @property
    def built(self):
        """All cards of the builds captured or built on, a `CardSet`."""
        return CardSet(self.built)

    @property
    def value(self):
        """Value announced by a build, None for other plays."""
        return self.data.value if self.data.value else None

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Move({self.text!r})"

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return (self.data.card == (<Move>other).data.card
                and self.data.kind == (<Move>other).data.kind
                and self.data.value == (<Move>other).data.value
                and self.data.loose == (<Move>other).data.loose
                and self.built == (<Move>other).built)

    def __hash__(self):
        return hash((self.data.card, self.data.kind, self.data.value, self.data.loose, self.built))

    def __reduce__(self):
        return _restore_move, (self.data.card, self.data.kind, self.data.value, self.data.loose,
                               self.built, self.text)


def _restore_move(int card, int kind, int value, cards_t loose, cards_t built, str text):
    cdef Move move = Move.__new__(Move)
    move.data.card = <uint8_t>card
    move.data.kind = <uint8_t>kind
    move.data.value = <uint8_t>value
    move.data.loose = loose
    move.built = built
    move.text = text
    return move


cdef Move new_move(const State* state, const MoveData* data):
    """The public form of a move of a state."""
    cdef Writer writer
    cdef Move move = Move.__new__(Move)
    cdef uint32_t builds = data.builds
    writer.length = 0
    write_move(&writer, state, data)
    move.data = data[0]
    move.built = 0
    while builds:
        move.built |= build_cards(state.builds[lowest(builds)])
        builds &= builds - 1
    move.text = PyUnicode_DecodeASCII(writer.text, writer.length, NULL)
    return move


cdef int resolve_move(const State* state, object move, MoveData* data) except -1:
    """Express a move, given as text or as a Move of any position, in terms of this state."""
    cdef int i
    cdef cards_t cards, left
    if isinstance(move, str):
        parse_move(move, state, data)
        return 0
    if not isinstance(move, Move):
        raise NotationError(f"a move is a Move or its text, not {type(move).__name__}")
    data[0] = (<Move>move).data
    data.builds = 0
    left = (<Move>move).built
    for i in range(state.build_count):
        cards = build_cards(state.builds[i])
        if cards & ~left == 0:
            data.builds |= <uint32_t>1 << i
            left ^= cards
    if left:
        raise IllegalMoveError(f"{move} is not legal: its build is not on the table",
                               "its build is not on the table", "not_on_table")
    return 0
