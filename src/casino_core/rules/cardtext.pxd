# Cards and numbers as text: reading them at a place, writing them into a buffer.
# Inline, as a call through a module's table costs as much as a card.
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int32_t, uint8_t

from casino_core.rules.types cimport cards_t, lowest


cdef struct Span:                        # a piece of a text
    const char* start
    const char* end


cdef struct Writer:                      # a buffer that the longest position fits
    int length
    char text[2048]


cdef inline str span_text(Span span):
    return span.start[:span.end - span.start].decode("utf-8", "replace")


# Reading

cdef inline int read_rank(const char** place, const char* end) noexcept nogil:
    """Rank index at the place, which moves on; -1 if there is none."""
    cdef char letter
    if place[0] >= end:
        return -1
    letter = place[0][0]
    if c"2" <= letter <= c"9":
        place[0] += 1
        return letter - c"1"
    if letter == c"1":
        if place[0] + 1 < end and place[0][1] == c"0":
            place[0] += 2
            return 9
        return -1
    letter |= 32
    place[0] += 1
    if letter == c"t":
        return 9
    if letter == c"j":
        return 10
    if letter == c"q":
        return 11
    if letter == c"k":
        return 12
    if letter == c"a":
        return 0
    place[0] -= 1
    return -1


cdef inline int read_suit(const char** place, const char* end) noexcept nogil:
    """Suit index, from a letter or a symbol in UTF-8, with or without a variation selector; -1 if
    there is none."""
    cdef const unsigned char* text = <const unsigned char*>place[0]
    cdef int left = <int>(end - place[0])
    cdef int suit = -1, size = 1
    if left < 1:
        return -1
    if text[0] | 32 == c"s":
        suit = 0
    elif text[0] | 32 == c"h":
        suit = 1
    elif text[0] | 32 == c"d":
        suit = 2
    elif text[0] | 32 == c"c":
        suit = 3
    elif left >= 3 and text[0] == 0xE2 and text[1] == 0x99:
        size = 3
        if text[2] == 0xA0:
            suit = 0
        elif text[2] == 0xA5:
            suit = 1
        elif text[2] == 0xA6:
            suit = 2
        elif text[2] == 0xA3:
            suit = 3
        if (left >= 6 and text[3] == 0xEF and text[4] == 0xB8
                and (text[5] == 0x8E or text[5] == 0x8F)):
            size = 6
    if suit >= 0:
        place[0] += size
    return suit


cdef inline int read_card(const char** place, const char* end) noexcept nogil:
    """Card number at the place, which moves on; -1, and the place stays, if there is no card."""
    cdef const char* start = place[0]
    cdef int rank = read_rank(place, end)
    cdef int suit = -1
    if rank >= 0:
        suit = read_suit(place, end)
    if suit < 0:
        place[0] = start
        return -1
    return 4 * rank + suit


# Writing

cdef inline void put(Writer* writer, char letter) noexcept nogil:
    writer.text[writer.length] = letter
    writer.length += 1


cdef inline void write_card(Writer* writer, int card) noexcept nogil:
    cdef const char* ranks = "A23456789TJQK"
    cdef const char* suits = "shdc"
    put(writer, ranks[card >> 2])
    put(writer, suits[card & 3])


cdef inline void write_cards(Writer* writer, cards_t cards) noexcept nogil:
    while cards:
        write_card(writer, lowest(cards))
        cards &= cards - 1


cdef inline void write_number(Writer* writer, int32_t number) noexcept nogil:
    cdef char digits[10]
    cdef int count = 0
    while number >= 10:
        digits[count] = c"0" + <char>(number % 10)
        number //= 10
        count += 1
    put(writer, c"0" + <char>number)
    while count:
        count -= 1
        put(writer, digits[count])


cdef inline str names_of(cards_t cards):
    """The cards as text."""
    cdef Writer writer
    writer.length = 0
    write_cards(&writer, cards)
    return PyUnicode_DecodeASCII(writer.text, writer.length, NULL)
