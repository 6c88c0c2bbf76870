"""The parser of position lines, which fills the plain structs."""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint16_t, uint32_t, uint8_t
from libc.string cimport memset

from casino_core.moves.state cimport hand_size, set_value_sum, sort_builds
from casino_core.moves.sums cimport count_values, splits
from casino_core.rules.cardtext cimport Span, names_of, read_card, span_text
from casino_core.rules.types cimport (
    DECK, MAX_BUILDS, MAX_HAND, NOBODY, Ruleset, State, build_cards, build_owner, build_value,
    cards_t, lowest, make_build, popcount,
)

cdef object PRESETS                      # imported into a C variable: no name of the module

from casino_core._text import plain
from casino_core.errors import NotationError, quoted
from casino_core.rules.options import PRESETS, Rules

cdef dict COMPILED_PRESETS = {name: CompiledRules(rules) for name, rules in PRESETS.items()}
cdef cards_t PACK = (<cards_t>1 << DECK) - 1

cdef enum:
    MAX_SCORE = 1000000000

cdef enum:                               # fields of a line, in the order in which they are written
    RULES_FIELD
    TABLE_FIELD
    BUILDS_FIELD
    HANDS_FIELD
    PILES_FIELD
    TURN_FIELD
    LAST_FIELD
    SWEEPS_FIELD
    STOCK_FIELD
    OUT_FIELD
    DECLARED_FIELD
    SCORE_FIELD
    FIELDS

cdef tuple FIELD_NAMES = ("rules", "table", "builds", "hands", "piles", "turn", "last", "sweeps",
                          "stock", "out", "declared", "score")


cdef int refuse(int field, str message) except -1:
    raise NotationError(f"{FIELD_NAMES[field]}: {message}")


cdef int read_cards(int field, Span span, cards_t* cards, uint8_t* unknown) except -1:
    """Read cards and `?`, or `-` for none; `unknown` receives the number of `?` (NULL: not
    allowed)."""
    cdef const char* place = span.start
    cdef int card, count = 0
    cards[0] = 0
    if span.start == span.end:
        refuse(field, "nothing is written; - stands for no cards")
    if span.end - span.start == 1 and place[0] == c"-":
        return 0
    while place < span.end:
        if place[0] == c"?" and unknown != NULL:
            place += 1
            count += 1
            if count > DECK:
                refuse(field, "more cards than the pack has")
            continue
        card = read_card(&place, span.end)
        if card < 0:
            refuse(field, f"{quoted(span_text(Span(place, span.end)), 12)} is not a card")
        if cards[0] >> card & 1:
            refuse(field, f"{names_of(<cards_t>1 << card)} is there twice")
        cards[0] |= <cards_t>1 << card
    if unknown != NULL:
        unknown[0] = <uint8_t>count
    return 0


# Reading the fields of a position

cdef struct Pieces:                      # a field cut at its separators
    int count
    Span piece[DECK]


cdef int cut(int field, Span span, char separator, Pieces* pieces) except -1:
    cdef const char* place = span.start
    pieces.count = 0
    while True:
        if pieces.count == DECK:
            refuse(field, "too many parts")
        pieces.piece[pieces.count].start = place
        while place < span.end and place[0] != separator:
            place += 1
        pieces.piece[pieces.count].end = place
        pieces.count += 1
        if place == span.end:
            return 0
        place += 1


cdef int cut_as(int field, Span span, int count, str whose, Pieces* pieces) except -1:
    """Split at `/` into `count` parts."""
    cut(field, span, c"/", pieces)
    if pieces.count != count:
        refuse(field, f"{count} {whose} under these rules, not {pieces.count}")
    return 0


cdef int read_number(int field, Span span, int most) except -1:
    cdef const char* place = span.start
    cdef long number = 0
    while place < span.end and c"0" <= place[0] <= c"9" and number <= most:
        number = 10 * number + (place[0] - c"0")
        place += 1
    if place < span.end or span.start == span.end or number > most:
        refuse(field, f"{quoted(span_text(span))} is not a number from 0 to {most}")
    return <int>number


cdef int read_seat(int field, Span span, int seats, bint nobody) except -1:
    cdef int seat
    if span.end - span.start == 1:
        if nobody and span.start[0] == c"-":
            return NOBODY
        seat = (span.start[0] | 32) - c"a"
        if 0 <= seat < seats:
            return seat
    refuse(field, f"{quoted(span_text(span))} is not a seat; the seats are {'abcd'[:seats]}")


cdef int take_cards(int field, cards_t cards, cards_t* seen) except -1:
    """Mark cards as placed; a card placed before is refused."""
    if cards & seen[0]:
        refuse(field, f"a card twice: {names_of(cards & seen[0])}")
    seen[0] |= cards
    return 0


cdef int read_build(Span span, const Ruleset* rules, State* state, cards_t* seen) except -1:
    """Read one build, such as `7b:3c4d` or `9a*:4h5c9s`."""
    cdef const char* place = span.start
    cdef int value = 0, owner, total
    cdef bint multiple
    cdef cards_t cards
    cdef uint8_t counts[16]
    cdef str text = span_text(span)
    while place < span.end and c"0" <= place[0] <= c"9" and value < 100:
        value = 10 * value + (place[0] - c"0")
        place += 1
    if place == span.start or place == span.end:
        refuse(BUILDS_FIELD,
               f"{quoted(text)} is not a build: value, owner's seat, * if multiple, :, cards")
    owner = read_seat(BUILDS_FIELD, Span(place, place + 1), rules.seats, False)
    place += 1
    multiple = place < span.end and place[0] == c"*"
    place += multiple
    if place == span.end or place[0] != c":":
        refuse(BUILDS_FIELD,
               f"{quoted(text)} is not a build: value, owner's seat, * if multiple, :, cards")
    read_cards(BUILDS_FIELD, Span(place + 1, span.end), &cards, NULL)
    if popcount(cards) < 2:
        refuse(BUILDS_FIELD, f"{text} has fewer than two cards")
    take_cards(BUILDS_FIELD, cards, seen)
    if value < 1 or value > 14 or not rules.by_value[value]:
        refuse(BUILDS_FIELD, f"{text}: no card has the value {value} under these rules")
    if cards & ~rules.valued:
        refuse(BUILDS_FIELD,
               f"{text}: {names_of(cards & ~rules.valued)} has no value under these rules")
    count_values(rules, cards, counts)
    if not splits(counts, value, rules.aces_high):
        refuse(BUILDS_FIELD, f"{text}: its cards do not split into groups of {value}")
    total = set_value_sum(rules, cards)
    if multiple and total == value:
        refuse(BUILDS_FIELD,
               f"{text} is marked multiple, but {names_of(cards)} is a single build of {value}")
    if not multiple and total != value:
        refuse(BUILDS_FIELD, f"{text} is not marked multiple (*), but {names_of(cards)} is more "
                             f"than one group of {value}")
    if state.build_count == MAX_BUILDS:
        refuse(BUILDS_FIELD, f"more than {MAX_BUILDS} builds")
    state.builds[state.build_count] = make_build(cards, value, owner, multiple)
    state.build_count += 1
    return 0


cdef int read_builds(Span span, const Ruleset* rules, State* state, cards_t* seen) except -1:
    cdef Pieces pieces
    cdef int i
    cdef uint16_t standing = 0, value
    if span.end - span.start == 1 and span.start[0] == c"-":
        return 0
    cut(BUILDS_FIELD, span, c",", &pieces)
    for i in range(pieces.count):
        read_build(pieces.piece[i], rules, state, seen)
    if rules.merge:
        for i in range(state.build_count):
            value = <uint16_t>(1 << build_value(state.builds[i]))
            if standing & value:
                refuse(BUILDS_FIELD, f"two builds of {build_value(state.builds[i])}, "
                                     "which same_value=merge makes one")
            standing |= value
    return 0


cdef int read_declared(Span span, const Ruleset* rules, State* state) except -1:
    cdef Pieces seats, values
    cdef int seat, i, value, owner
    cut_as(DECLARED_FIELD, span, rules.seats, "seats", &seats)
    for seat in range(rules.seats):
        if (seats.piece[seat].end - seats.piece[seat].start == 1
                and seats.piece[seat].start[0] == c"-"):
            continue
        cut(DECLARED_FIELD, seats.piece[seat], c".", &values)
        for i in range(values.count):
            value = read_number(DECLARED_FIELD, values.piece[i], 14)
            if not rules.by_value[value]:
                refuse(DECLARED_FIELD, f"no card has the value {value} under these rules")
            state.declared[seat] |= <uint16_t>(1 << value)
        if not rules.partners:
            refuse(DECLARED_FIELD, "values are declared in partnership only (partners=yes)")
    for i in range(state.build_count):   # the value of a build counts as declared anyway
        owner = build_owner(state.builds[i])
        state.declared[owner] &= <uint16_t>~(1 << build_value(state.builds[i]))
    return 0


cdef int read_stock(Span span, Layout* layout, cards_t* seen) except -1:
    """Read the order of the cards in the stock."""
    cdef const char* place = span.start
    cdef int card
    if span.start == span.end:
        refuse(STOCK_FIELD, "nothing is written; - stands for no cards")
    if span.end - span.start == 1 and place[0] == c"-":
        return 0
    while place < span.end:
        card = read_card(&place, span.end)
        if card < 0:
            refuse(STOCK_FIELD, f"{quoted(span_text(Span(place, span.end)), 12)} is not a card")
        take_cards(STOCK_FIELD, <cards_t>1 << card, seen)
        layout.stock.cards[layout.stock.count] = <uint8_t>card
        layout.stock.count += 1
    return 0


cdef int count_stock(Layout* layout, const Ruleset* rules, cards_t seen, bint given, bint out_given,
                     list warnings) except -1:
    """Compute and check the number of cards in the stock."""
    cdef State* state = &layout.state
    cdef int hidden = 0, i, left, a_deal = 4 * rules.seats
    cdef cards_t unplaced = PACK & ~seen
    for i in range(4):
        hidden += state.hidden[i] + state.forgotten[i]
    left = popcount(unplaced) - hidden
    if left < 0:
        refuse(HANDS_FIELD, f"{hidden} cards are marked ?, but only {popcount(unplaced)} are not "
                            f"placed elsewhere")
    if given:
        if left:
            refuse(STOCK_FIELD, f"{left} of {names_of(unplaced)} are placed nowhere; a stock that "
                                "is given holds every card to come, captured cards belong in "
                                "piles, as ? where not remembered, and cards that are not in the "
                                "game in out")
        left = layout.stock.count
    state.stock = <uint8_t>left
    if left % a_deal and not out_given and not rules.draw:
        # A given stock is dealt as far as it goes; otherwise a field may be missing.
        if not given:
            refuse(STOCK_FIELD, uneven_stock(layout, rules, left))
        cards = "1 card does" if left == 1 else f"{left} cards do"
        warnings.append(f"stock: {cards} not make a whole deal; the deal is made as far as it goes")
    return 0


cdef str uneven_stock(const Layout* layout, const Ruleset* rules, int left):
    """Why the cards that are left cannot be the stock, and what to write so that they can."""
    cdef int a_deal = 4 * rules.seats, over = left % a_deal, side, captured = 0
    cdef str piles = "/".join(["?" * over] + ["-"] * (rules.sides - 1))
    for side in range(rules.sides):
        captured += popcount(layout.state.piles[side]) + layout.state.forgotten[side]
    return (f"{left} {'card is' if left == 1 else 'cards are'} left, but a deal takes {a_deal}; "
            f"if {over} of them {'has' if over == 1 else 'have'} been captured, add "
            + (f"{over} more ? to piles" if captured else f"piles={piles}")
            + "; if the last deal is a short one, add out=-")


cdef int check_turn(const State* state, const Ruleset* rules) except -1:
    cdef int seat, cards = 0
    for seat in range(rules.seats):
        cards += hand_size(state, seat)
    if cards == 0:
        if state.stock:
            refuse(HANDS_FIELD, f"all hands are empty while {state.stock} cards are in the stock")
    elif hand_size(state, state.turn) == 0:
        refuse(TURN_FIELD, f"seat {'abcd'[state.turn]} has no card to play, but another seat has")
    return 0


cdef int warn_of_owners(const State* state, const Ruleset* rules, list warnings) except -1:
    """Warn of owners who lack cards for their builds."""
    cdef uint16_t owned[4]
    cdef int i, seat
    for seat in range(4):
        owned[seat] = 0
    for i in range(state.build_count):
        owned[build_owner(state.builds[i])] |= <uint16_t>(1 << build_value(state.builds[i]))
    for seat in range(rules.seats):
        if owned[seat]:
            warn_of_owner(state, rules, seat, owned[seat], warnings)
    return 0


cdef int warn_of_owner(const State* state, const Ruleset* rules, int seat, uint16_t owned,
                       list warnings) except -1:
    """Warn of each smallest set of a seat's values for which its hand has too few cards, each card
    taking one value.

    By Hall's theorem there is a card for each value unless such a set exists.
    """
    cdef uint32_t chosen = 0, rest
    cdef cards_t cards
    cdef list lacking = None
    while True:                          # all subsets but the empty one, subsets of a set first
        chosen = (chosen - owned) & owned
        if not chosen:
            return 0
        cards = 0
        rest = chosen
        while rest:
            cards |= rules.by_value[lowest(rest)]
            rest &= rest - 1
        cards &= state.hands[seat]
        if (popcount(cards) + state.hidden[seat] < popcount(chosen)
                and not holds_one_of(lacking, chosen)):
            lacking = [chosen] if lacking is None else [*lacking, chosen]
            warnings.append(owner_lacks(state, seat, chosen, cards))


cdef bint holds_one_of(list sets, uint32_t values) except -1:
    cdef uint32_t one
    for one in sets or ():
        if one & ~values == 0:
            return True
    return False


cdef str owner_lacks(const State* state, int seat, uint32_t values, cards_t cards):
    """A warning: the values of a seat's builds, and the cards that it has for all of them."""
    cdef int i, value
    cdef str letter = "abcd"[seat]
    cdef str builds = ", ".join([
        f"{build_value(state.builds[i])}{letter}:{names_of(build_cards(state.builds[i]))}"
        for i in range(state.build_count)
        if build_owner(state.builds[i]) == seat and values >> build_value(state.builds[i]) & 1
    ])
    if popcount(values) == 1:
        value = lowest(values)
        return f"builds: seat {letter} owns {builds} but holds no card of value {value}"
    if state.hidden[seat]:
        return f"builds: seat {letter} owns {builds} but has too few cards to take them all"
    return f"builds: seat {letter} owns {builds} but holds only {names_of(cards)} to take them"


cdef inline int field_of(const char* key, Py_ssize_t length) noexcept nogil:
    """Field of a name, or -1: found by its first two letters, then compared in full."""
    cdef const char* name = NULL
    cdef int field = -1
    cdef Py_ssize_t i
    if length < 3:
        return -1
    if key[0] == c"r":
        field, name = RULES_FIELD, "rules"
    elif key[0] == c"t":
        if key[1] == c"a":
            field, name = TABLE_FIELD, "table"
        else:
            field, name = TURN_FIELD, "turn"
    elif key[0] == c"b":
        field, name = BUILDS_FIELD, "builds"
    elif key[0] == c"h":
        field, name = HANDS_FIELD, "hands"
    elif key[0] == c"p":
        field, name = PILES_FIELD, "piles"
    elif key[0] == c"l":
        field, name = LAST_FIELD, "last"
    elif key[0] == c"s":
        if key[1] == c"w":
            field, name = SWEEPS_FIELD, "sweeps"
        elif key[1] == c"t":
            field, name = STOCK_FIELD, "stock"
        else:
            field, name = SCORE_FIELD, "score"
    elif key[0] == c"o":
        field, name = OUT_FIELD, "out"
    elif key[0] == c"d":
        field, name = DECLARED_FIELD, "declared"
    if field < 0:
        return -1
    for i in range(length):
        if name[i] != key[i]:            # the name's own end differs too
            return -1
    return field if name[length] == 0 else -1


cdef int split_fields(const char* text, Py_ssize_t length, Span* fields) except -1:
    """Split a line into its fields; a missing field has start NULL."""
    cdef const char* place = text
    cdef const char* end = text + length
    cdef const char* start
    cdef const char* sign
    cdef int field
    for field in range(FIELDS):
        fields[field].start = NULL
    while True:
        while place < end and (place[0] == c" " or c"\t" <= place[0] <= c"\r"):
            place += 1
        if place == end:
            return 0
        start = place
        sign = NULL
        while place < end and not (place[0] == c" " or c"\t" <= place[0] <= c"\r"):
            if sign == NULL and place[0] == c"=":
                sign = place
            place += 1
        if sign == NULL:
            found = quoted(span_text(Span(start, place)))
            raise NotationError(f"{found} is not a field of a position: key=value")
        field = field_of(start, sign - start)
        if field < 0:
            found = quoted(span_text(Span(start, sign)))
            raise NotationError(f"{found} is not a field of a position; the fields are "
                                f"{', '.join(FIELD_NAMES)}")
        if fields[field].start != NULL:
            refuse(field, "the field is there twice")
        fields[field].start = sign + 1
        fields[field].end = place


cdef CompiledRules compiled_rules(Span span):
    """Find or compile the rules named by a text."""
    cdef str text
    cdef CompiledRules compiled
    if span.start == NULL:
        return COMPILED_PRESETS["standard"]
    text = span_text(span)
    compiled = COMPILED_PRESETS.get(text)
    return CompiledRules(Rules.parse(text)) if compiled is None else compiled


cdef CompiledRules parse_layout(str text, Layout* layout, list warnings):
    """Read a position line.

    Args:
        text: the line.
        layout: receives the position.
        warnings: receives a line for each oddity.

    Raises:
        NotationError: the line cannot be read.
        RulesError: there are no such rules.
    """
    cdef Py_ssize_t length
    cdef const char* start
    cdef Span fields[FIELDS]
    cdef Pieces pieces
    cdef State* state = &layout.state
    cdef const Ruleset* rules
    cdef CompiledRules compiled
    cdef cards_t seen = 0
    cdef int i
    try:
        start = PyUnicode_AsUTF8AndSize(text, &length)
        if length != len(text):          # not all ASCII
            text = plain(text)
            start = PyUnicode_AsUTF8AndSize(text, &length)
    except UnicodeEncodeError:
        raise NotationError(
            "the position is not text that can be written down (lone surrogates)") from None
    memset(layout, 0, sizeof(Layout))
    state.last = NOBODY
    split_fields(start, length, fields)
    compiled = compiled_rules(fields[RULES_FIELD])
    rules = &compiled.ruleset
    if fields[TABLE_FIELD].start != NULL:
        read_cards(TABLE_FIELD, fields[TABLE_FIELD], &state.table, NULL)
        seen = state.table
    if fields[BUILDS_FIELD].start != NULL:
        read_builds(fields[BUILDS_FIELD], rules, state, &seen)
    if fields[HANDS_FIELD].start == NULL:
        refuse(HANDS_FIELD, "the field is required")
    cut_as(HANDS_FIELD, fields[HANDS_FIELD], rules.seats, "hands", &pieces)
    for i in range(rules.seats):
        read_cards(HANDS_FIELD, pieces.piece[i], &state.hands[i], &state.hidden[i])
        take_cards(HANDS_FIELD, state.hands[i], &seen)
        if hand_size(state, i) > MAX_HAND:
            refuse(HANDS_FIELD,
                   f"seat {'abcd'[i]} has {hand_size(state, i)} cards, more than {MAX_HAND}")
    if fields[PILES_FIELD].start != NULL:
        cut_as(PILES_FIELD, fields[PILES_FIELD], rules.sides, "piles", &pieces)
        for i in range(rules.sides):
            read_cards(PILES_FIELD, pieces.piece[i], &state.piles[i], &state.forgotten[i])
            take_cards(PILES_FIELD, state.piles[i], &seen)
    if fields[TURN_FIELD].start != NULL:
        state.turn = <uint8_t>read_seat(TURN_FIELD, fields[TURN_FIELD], rules.seats, False)
    if fields[LAST_FIELD].start != NULL:
        state.last = <uint8_t>read_seat(LAST_FIELD, fields[LAST_FIELD], rules.seats, True)
    if fields[SWEEPS_FIELD].start != NULL:
        cut_as(SWEEPS_FIELD, fields[SWEEPS_FIELD], rules.sides, "numbers of sweeps", &pieces)
        for i in range(rules.sides):
            state.sweeps[i] = <uint8_t>read_number(SWEEPS_FIELD, pieces.piece[i], DECK)
    if fields[OUT_FIELD].start != NULL:
        read_cards(OUT_FIELD, fields[OUT_FIELD], &layout.out, NULL)
        take_cards(OUT_FIELD, layout.out, &seen)
    if fields[STOCK_FIELD].start != NULL:
        read_stock(fields[STOCK_FIELD], layout, &seen)
    if fields[DECLARED_FIELD].start != NULL:
        read_declared(fields[DECLARED_FIELD], rules, state)
    if fields[SCORE_FIELD].start != NULL:
        cut_as(SCORE_FIELD, fields[SCORE_FIELD], rules.sides, "scores", &pieces)
        for i in range(rules.sides):
            layout.score[i] = read_number(SCORE_FIELD, pieces.piece[i], MAX_SCORE)
    count_stock(layout, rules, seen, fields[STOCK_FIELD].start != NULL,
                fields[OUT_FIELD].start != NULL, warnings)
    check_turn(state, rules)
    if state.build_count:
        warn_of_owners(state, rules, warnings)
        sort_builds(state)
    return compiled
