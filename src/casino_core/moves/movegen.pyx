"""The move generator of all rule sets: segments, and lists, counts and single moves of them."""
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t, uint8_t

from casino_core.moves.crowded cimport write_crowded
from casino_core.moves.segments cimport (
    Family, Generator, Segment, add_segment, low_cards, without_nothing, write_move, write_segment,
)
from casino_core.moves.sums cimport (
    FAST_WORDS, LOW_CARDS, family_word, family_words, find_distinct, prepare_sums, reachable_sums,
)
from casino_core.rules.types cimport (
    ADD_BUILD, CAPTURE, CAPTURE_MATCHING, CAPTURE_MAXIMAL, COURT_CAPTURE_ALL, COURT_CAPTURE_ANY,
    COURT_CAPTURE_ONE, COURT_CAPTURE_ONE_OR_THREE, NEW_BUILD, OWNER_CAPTURE, OWNER_FREE,
    RAISE_BUILD, RAISING_ANY, RAISING_NONE, RAISING_OPPONENTS, STATUS_FULL, STATUS_OK, TRAIL,
    TRAIL_FREE, TRAIL_LAST_RESORT, TRAIL_NOT_CAPTURING, TRAIL_NOT_MATCHING, all_subsets,
    build_multiple, build_owner, build_value, cards_t, containing_family, lowest, popcount,
    side_of, strict_subsets, values_of,
)


cdef struct Turn:                        # what the mover may do, computed once per position
    int seat
    int owned_count
    uint16_t owned                       # values of the builds that the mover owns
    uint16_t held                        # values of the mover's cards
    uint16_t standing                    # values of all builds
    uint16_t partner_owned
    uint16_t promised                    # values that the partner has declared
    int partner_count
    bint owner                           # the mover owns a build
    bint at_limit                        # the mover owns max_builds


cdef void keep_required(const Generator* generator, uint64_t* words,
                        cards_t required) noexcept nogil:
    """Of a family, the sets that hold all of `required`."""
    cdef int i, high, low_index = 0
    cdef cards_t high_required = required
    for i in range(generator.sums.count if generator.sums.count < LOW_CARDS else LOW_CARDS):
        if generator.sums.card[i] & required:
            low_index |= 1 << i
            high_required ^= generator.sums.card[i]
    for high in range(generator.sums.words):
        if high_required & ~generator.sums.high_cards[high]:
            words[high] = 0
        else:
            words[high] &= containing_family(low_index)


cdef void keep_maximal(const Generator* generator, uint64_t* words) noexcept nogil:
    """Of a family, the sets that are in no other set of it."""
    cdef uint64_t above[FAST_WORDS]
    cdef int high, bit
    for high in range(generator.sums.words):
        above[high] = words[high]
    bit = 1
    while bit < generator.sums.words:    # above[h]: what stands at h or at any larger high subset
        for high in range(generator.sums.words):
            if not high & bit:
                above[high] |= above[high | bit]
        bit <<= 1
    for high in range(generator.sums.words):
        words[high] &= ~strict_subsets(above[high])
        bit = 1
        while bit < generator.sums.words:
            if not high & bit:
                words[high] &= ~all_subsets(above[high | bit])
            bit <<= 1


cdef inline uint64_t without_dropped(const Generator* generator, const Family* family,
                                     cards_t table, uint64_t word) noexcept nogil:
    """The low part's word without the sets that are no move: the empty one, or all sets of aces
    alone."""
    if family.drop_aces:                 # aces are the first cards of the low part
        return word & ~((<uint64_t>1 << (1 << popcount(table & 15))) - 1)
    return word if family.empty else word & ~<uint64_t>1


cdef void add_many_words(Generator* generator, const State* state, const Family* family,
                         Segment* play) noexcept nogil:
    """`add_family` where the loose cards with a value are more than the low part, or a filter is
    on."""
    cdef uint64_t words[FAST_WORDS]
    cdef int high
    for high in range(generator.sums.words):
        words[high] = 0
    family_words(&generator.sums, family.value, family.need, family.absorb, words)
    if family.also_alone:
        family_words(&generator.sums, family.value, 0, True, words)
    if family.required:
        keep_required(generator, words, family.required)
    if family.maximal:
        keep_maximal(generator, words)
    words[0] = without_dropped(generator, family, state.table, words[0])
    for high in range(generator.sums.words):
        if generator.alike != NULL:
            words[high] &= generator.sums.distinct[high]
        if words[high]:
            add_segment(generator, play, words[high], generator.sums.high_cards[high])


cdef inline void add_family(Generator* generator, const State* state, const Ruleset* rules,
                            const Family* family, Segment* play) noexcept nogil:
    """Segments of a play for every set of loose cards of the family."""
    cdef uint64_t word
    if not generator.sums.ready:
        prepare_sums(&generator.sums, rules, state.table)
        if generator.alike != NULL and not generator.sums.crowded:
            find_distinct(&generator.sums, generator.alike, state.table)
    if generator.sums.crowded:
        write_crowded(generator, state, rules, family, play)
        return
    if generator.sums.words > 1 or family.required or family.maximal:
        add_many_words(generator, state, family, play)
        return
    word = family_word(&generator.sums, family.value, family.need, family.absorb)
    if family.also_alone:
        word |= family_word(&generator.sums, family.value, 0, True)
    word = without_dropped(generator, family, state.table, word)
    if generator.alike != NULL:
        word &= generator.sums.distinct[0]
    if word:
        add_segment(generator, play, word, 0)


cdef inline bint guarded(const Ruleset* rules, const Turn* turn, cards_t after,
                         uint16_t after_values, uint16_t owned) noexcept nogil:
    """Whether the hand left holds a different card for each value owned, of those it had a card for
    before."""
    owned &= turn.held
    if owned & ~after_values:
        return False
    return owned & 0x4002 != 0x4002 or popcount(after & rules.by_value[14]) >= 2


cdef void look_at_builds(const State* state, const Ruleset* rules, Turn* turn) noexcept nogil:
    """Fill in what a turn starts from."""
    cdef int i, owner
    cdef uint16_t value
    cdef int partner = turn.seat ^ 2
    turn.owned = turn.standing = turn.partner_owned = 0
    turn.owned_count = turn.partner_count = 0
    for i in range(state.build_count):
        value = <uint16_t>(1 << build_value(state.builds[i]))
        owner = build_owner(state.builds[i])
        turn.standing |= value
        if owner == turn.seat:
            turn.owned |= value
            turn.owned_count += 1
        elif owner == partner:
            turn.partner_owned |= value
            turn.partner_count += 1
    turn.promised = 0
    if rules.partner_builds and rules.partners:
        turn.promised = state.declared[partner] | turn.partner_owned
    turn.owner = turn.owned_count > 0
    turn.at_limit = rules.max_builds and turn.owned_count >= rules.max_builds


cdef inline uint16_t owned_without(const State* state, const Turn* turn,
                                   uint32_t gone) noexcept nogil:
    """Values of the builds that the mover owns without those in `gone`."""
    cdef int i
    cdef uint16_t owned = 0
    if not turn.owner:
        return 0
    for i in range(state.build_count):
        if not gone >> i & 1 and build_owner(state.builds[i]) == turn.seat:
            owned |= <uint16_t>(1 << build_value(state.builds[i]))
    return owned


cdef inline bint takes_loose(const Generator* generator, const Ruleset* rules, cards_t table,
                             int value) noexcept nogil:
    """Whether some loose cards are a group of the value."""
    return generator.sums.reach >> value & 1 or (value == 14 and rules.aces_high and table & 15)


cdef bint add_captures(Generator* generator, const State* state, const Ruleset* rules,
                       const Turn* turn, Segment* play, cards_t after, uint16_t after_values,
                       int value, bint drop_aces) noexcept nogil:
    """Captures with a card of a value; whether loose cards alone may be captured."""
    cdef uint32_t matching = 0, own = 0, free
    cdef int i
    cdef Family family
    for i in range(state.build_count):
        if build_value(state.builds[i]) == value:
            matching |= <uint32_t>1 << i
            if build_owner(state.builds[i]) == turn.seat:
                own |= <uint32_t>1 << i
    if not matching and not takes_loose(generator, rules, state.table, value):
        return False
    play.kind = CAPTURE
    play.value = 0
    play.fixed = 0
    if turn.owner and not guarded(rules, turn, after, after_values, turn.owned):
        if (not own
                or not guarded(rules, turn, after, after_values,
                               turn.owned & <uint16_t>~(1 << value))):
            return False
        play.fixed = own                 # no card is left for this value, so
                                         # the own builds must be captured
    play.free = matching & ~play.fixed
    family.value = value
    family.need = 0
    family.also_alone = False
    family.absorb = True
    family.empty = matching != 0
    family.drop_aces = False
    family.required = 0
    family.maximal = False
    if rules.capture == CAPTURE_MATCHING:
        family.required = state.table & (<cards_t>15 << 4 * play.rank)
    elif rules.capture == CAPTURE_MAXIMAL:
        family.maximal = True
        play.fixed = matching
        play.free = 0
    if not drop_aces or play.fixed:
        add_family(generator, state, rules, &family, play)
        return not play.fixed
    # An ace as 14: loose aces alone are taken by the ace as 1 already. First without a build, then
    # with each first one.
    free = play.free
    play.free = 0
    family.drop_aces = True
    add_family(generator, state, rules, &family, play)
    family.drop_aces = False
    while free:
        play.fixed = free & (0 - free)
        free &= free - 1
        play.free = free
        add_family(generator, state, rules, &family, play)
    return True


cdef int first_alike(const uint8_t* alike, int rank, int suits, int subset) noexcept nogil:
    """Of cards of one rank, the suits of `subset` of which all earlier suits alike, out of `suits`,
    are in it too."""
    cdef int suit, earlier, result = subset
    for suit in range(1, 4):
        if subset >> suit & 1:
            for earlier in range(suit):
                if suits >> earlier & 1 and not subset >> earlier & 1 \
                        and alike[4 * rank + earlier] == alike[4 * rank + suit]:
                    result &= ~(1 << suit)
    return result


cdef int different_suits(const uint8_t* alike, int rank, int suits) noexcept nogil:
    """Of cards of one rank, one suit of each kind."""
    cdef int suit, earlier, result = suits
    for suit in range(1, 4):
        if suits >> suit & 1:
            for earlier in range(suit):
                if suits >> earlier & 1 and alike[4 * rank + earlier] == alike[4 * rank + suit]:
                    result &= ~(1 << suit)
    return result


cdef void add_pairs(Generator* generator, const State* state, const Ruleset* rules,
                    const Turn* turn, Segment* play, cards_t after,
                    uint16_t after_values) noexcept nogil:
    """Captures with a court card without a value: loose cards of its rank."""
    cdef int suits = <int>(state.table >> 4 * play.rank) & 15
    cdef int subset, size, count = popcount(suits)
    if not suits or (turn.owner and not guarded(rules, turn, after, after_values, turn.owned)):
        return
    play.kind = CAPTURE
    play.value = 0
    play.fixed = play.free = 0
    if rules.court_capture == COURT_CAPTURE_ONE:
        if generator.alike != NULL and count > 1:
            suits = different_suits(generator.alike, play.rank, suits)
        while suits:
            add_segment(generator, play, 1, <cards_t>(suits & (0 - suits)) << 4 * play.rank)
            suits &= suits - 1
        return
    for subset in range(1, 16):
        if subset & ~suits:
            continue
        if (generator.alike != NULL
                and first_alike(generator.alike, play.rank, suits, subset) != subset):
            continue
        size = popcount(subset)
        if rules.court_capture == COURT_CAPTURE_ALL:
            if size != count:
                continue
        elif rules.court_capture != COURT_CAPTURE_ANY and size != 1:
            if size != 3 or rules.court_capture != COURT_CAPTURE_ONE_OR_THREE:
                continue
        add_segment(generator, play, 1, <cards_t>subset << 4 * play.rank)


cdef bint may_own(const State* state, const Ruleset* rules, const Turn* turn, cards_t after,
                  uint16_t after_values, int value, uint32_t gone) noexcept nogil:
    """Whether a build of a value may be made from the builds in `gone`: the mover keeps a card for
    it and for every build owned, or the partner has declared the value and may own it."""
    cdef uint16_t bit = <uint16_t>(1 << value)
    cdef int i, count
    cdef uint16_t owned
    if after_values & bit:
        return (not turn.owner
                or guarded(rules, turn, after, after_values,
                           owned_without(state, turn, gone) | bit))
    if not turn.promised & bit:
        return False
    if not guarded(rules, turn, after, after_values, owned_without(state, turn, gone)):
        return False
    count = 1
    owned = bit
    for i in range(state.build_count):
        if not gone >> i & 1 and build_owner(state.builds[i]) == (turn.seat ^ 2):
            count += 1
            owned |= <uint16_t>(1 << build_value(state.builds[i]))
    return (not rules.max_builds or count <= rules.max_builds) and owned & 0x4002 != 0x4002


cdef void add_raises(Generator* generator, const State* state, const Ruleset* rules,
                     const Turn* turn, Segment* play, Family* family, cards_t after,
                     uint16_t after_values) noexcept nogil:
    """Raises of the builds on the table to the family's value."""
    cdef int value = family.value
    cdef int i, owner, old, need, joined = -1
    cdef uint32_t gone = 0
    if rules.merge and turn.standing >> value & 1:
        # A build of the value stands: the raise joins it, under the conditions of adding to it.
        for i in range(state.build_count):
            if build_value(state.builds[i]) == value:
                joined = i
        owner = build_owner(state.builds[joined])
        if not rules.multiple or (owner != turn.seat and (rules.add_to_own_only or turn.at_limit)):
            return
        gone = <uint32_t>1 << joined
    play.kind = RAISE_BUILD
    family.also_alone = False
    family.absorb = rules.raise_absorb and rules.multiple
    family.empty = True
    for i in range(state.build_count):
        old = build_value(state.builds[i])
        need = value - old - rules.sum_value[play.rank]
        if build_multiple(state.builds[i]) or need < 0 or (need and not rules.raise_table_cards):
            continue
        if not generator.sums.reach >> need & 1:
            continue
        owner = build_owner(state.builds[i])
        if owner == turn.seat:
            if (rules.raising != RAISING_ANY
                    or (rules.raise_own_needs_both and not after_values >> old & 1)):
                continue
        elif turn.at_limit:
            continue
        elif (rules.raising == RAISING_OPPONENTS
                and side_of(rules, owner) == side_of(rules, turn.seat)):
            continue
        play.fixed = <uint32_t>1 << i
        if may_own(state, rules, turn, after, after_values, value, gone | play.fixed):
            family.need = need
            add_family(generator, state, rules, family, play)


cdef void add_builds(Generator* generator, const State* state, const Ruleset* rules,
                     const Turn* turn, Segment* play, cards_t after,
                     uint16_t after_values) noexcept nogil:
    """New builds, additions and raises with a card."""
    cdef uint16_t values = after_values | turn.promised
    cdef int card_value = rules.sum_value[play.rank]
    cdef int value, i
    cdef bint alone, joins
    cdef Family family
    family.required = 0
    family.maximal = False
    family.drop_aces = False
    play.free = 0
    values &= <uint16_t>(0xFFFF << card_value)
    while values:
        value = lowest(values)
        values &= values - 1
        alone = rules.values_of_rank[play.rank] >> value & 1
        play.value = <uint8_t>value
        family.value = value
        family.need = value - card_value
        family.also_alone = rules.multiple and family.need and alone
        family.absorb = rules.multiple
        joins = generator.sums.reach >> (family.need if family.need else value) & 1
        if family.also_alone and takes_loose(generator, rules, state.table, value):
            joins = True
        if joins and not turn.at_limit and not (rules.merge and turn.standing >> value & 1):
            if may_own(state, rules, turn, after, after_values, value, 0):
                play.kind = NEW_BUILD
                play.fixed = 0
                family.empty = False
                add_family(generator, state, rules, &family, play)
        if not state.build_count:
            continue
        if rules.multiple and turn.standing >> value & 1 and (joins or alone):
            play.kind = ADD_BUILD
            family.empty = True
            for i in range(state.build_count):
                if build_value(state.builds[i]) != value:
                    continue
                if (build_owner(state.builds[i]) != turn.seat
                        and (rules.add_to_own_only or turn.at_limit)):
                    continue
                play.fixed = <uint32_t>1 << i
                if may_own(state, rules, turn, after, after_values, value, play.fixed):
                    add_family(generator, state, rules, &family, play)
        if rules.raising != RAISING_NONE:
            add_raises(generator, state, rules, turn, play, &family, after, after_values)


cdef inline void add_trail(Generator* generator, Segment* play) noexcept nogil:
    play.kind = TRAIL
    play.value = 0
    play.fixed = play.free = 0
    add_segment(generator, play, 1, 0)


cdef void add_trails(Generator* generator, const State* state, const Ruleset* rules,
                     const Turn* turn, uint16_t capturing) noexcept nogil:
    """Trails under the rules' restrictions; `capturing` has a bit for each rank of the hand with a
    legal capture."""
    cdef cards_t left = state.hands[turn.seat], after
    cdef Segment play
    if turn.owner and rules.owner_turn != OWNER_FREE:
        return
    if rules.trail == TRAIL_LAST_RESORT and generator.found:
        return
    while left:
        play.rank = <uint8_t>(lowest(left) >> 2)
        play.suits = <uint8_t>(left >> 4 * play.rank & 15)
        left &= ~(<cards_t>15 << 4 * play.rank)
        if rules.trail == TRAIL_NOT_MATCHING and state.table >> 4 * play.rank & 15:
            continue
        if rules.trail == TRAIL_NOT_CAPTURING and capturing >> play.rank & 1:
            continue
        if turn.owner:
            after = state.hands[turn.seat]
            after &= ~(<cards_t>(play.suits & (0 - play.suits)) << 4 * play.rank)
            if not guarded(rules, turn, after, values_of(rules, after), turn.owned):
                continue
        if generator.alike != NULL and play.suits & (play.suits - 1):
            play.suits = <uint8_t>different_suits(generator.alike, play.rank, play.suits)
        add_trail(generator, &play)


cdef int list_segments(Generator* generator, const State* state,
                       const Ruleset* rules) noexcept nogil:
    """Write all legal moves of the seat to play, as segments or at once; STATUS_FULL if the buffer
    is too small.

    The mover's hand must be known. With `counting` set nothing is written. `total` is the number of
    moves, unless they are written at once.
    """
    cdef cards_t hand = state.hands[state.turn]
    cdef cards_t left = hand, after
    cdef uint16_t after_values, capturing = 0, values
    cdef uint16_t twice = 0              # values of more than one card of the hand
    cdef int64_t found
    cdef bint drop_aces, free_trails
    cdef Turn turn
    cdef Segment play
    generator.count = generator.found = generator.total = 0
    generator.full = generator.fallback = False
    if generator.stride:
        generator.skip = 0
    turn.seat = state.turn
    turn.held = 0
    while left:
        values = rules.values_of_rank[lowest(left) >> 2]
        twice |= turn.held & values
        turn.held |= values
        left &= left - 1
    left = hand
    if state.build_count or rules.partner_builds:
        look_at_builds(state, rules, &turn)
    else:
        turn.owned = turn.standing = turn.partner_owned = turn.promised = 0
        turn.owner = turn.at_limit = False
    free_trails = rules.trail == TRAIL_FREE and not turn.owner
    values = turn.held | turn.promised
    generator.sums.ready = False
    generator.sums.crowded = False
    generator.sums.reach = reachable_sums(rules, state.table) if values else 1
    while left:
        play.rank = <uint8_t>(lowest(left) >> 2)
        play.suits = <uint8_t>(left >> 4 * play.rank & 15)
        left &= ~(<cards_t>15 << 4 * play.rank)
        if (generator.probe.active and generator.probe.kind != TRAIL
                and generator.probe.rank != play.rank):
            continue
        after = hand & ~(<cards_t>(play.suits & (0 - play.suits)) << 4 * play.rank)
        values = rules.values_of_rank[play.rank]
        after_values = turn.held & <uint16_t>(~values | twice)
        if generator.alike != NULL and play.suits & (play.suits - 1):
            play.suits = <uint8_t>different_suits(generator.alike, play.rank, play.suits)
        found = generator.found
        if not values:
            add_pairs(generator, state, rules, &turn, &play, after, after_values)
        else:
            drop_aces = False
            while values:
                drop_aces = add_captures(generator, state, rules, &turn, &play, after, after_values,
                                         lowest(values), drop_aces)
                values &= values - 1
        if generator.found != found:
            capturing |= <uint16_t>(1 << play.rank)
        if rules.sum_value[play.rank] and not (turn.owner and rules.owner_turn == OWNER_CAPTURE):
            add_builds(generator, state, rules, &turn, &play, after, after_values)
        if free_trails:
            add_trail(generator, &play)
    if not free_trails:
        add_trails(generator, state, rules, &turn, capturing)
    if not generator.found and not (generator.probe.active and generator.probe.kind != TRAIL):
        generator.fallback = True
        left = hand
        while left:
            play.rank = <uint8_t>(lowest(left) >> 2)
            play.suits = <uint8_t>(left >> 4 * play.rank & 15)
            left &= ~(<cards_t>15 << 4 * play.rank)
            add_trail(generator, &play)
    return STATUS_FULL if generator.full else STATUS_OK


cdef void write_moves(const Generator* generator, Move* moves) noexcept nogil:
    """Write the segments' moves out, in their order; there is room for `total`."""
    cdef int64_t i
    for i in range(generator.count):
        moves = write_segment(generator, &generator.segments[i], moves)


cdef void pick_of_segment(const Generator* generator, const Segment* segment, int64_t index,
                          Move* move) noexcept nogil:
    """Move number `index` of a segment; it is less than their count."""
    cdef int64_t size, each
    cdef uint64_t subsets
    cdef uint32_t free, taken = 0
    cdef int suits
    suits = segment.suits
    if suits & (suits - 1):              # several cards of the rank
        each = segment.moves // popcount(suits)
        while index >= each:
            index -= each
            suits &= suits - 1
    subsets = segment.subsets
    if segment.free:
        if without_nothing(segment):
            index += 1
        each = popcount(subsets)
        free = segment.free
        size = index // each
        index -= size * each
        while size:
            if size & 1:
                taken |= free & (0 - free)
            free &= free - 1
            size >>= 1
    while index:
        subsets &= subsets - 1
        index -= 1
    write_move(move, segment, segment.high | low_cards(generator, lowest(subsets)),
               segment.fixed | taken, lowest(suits))


cdef void pick_move(const Generator* generator, int64_t index, Move* move) noexcept nogil:
    """Move number `index` in the order of the segments; it is less than their count of moves."""
    cdef const Segment* segment = generator.segments
    while index >= segment.moves:
        index -= segment.moves
        segment += 1
    pick_of_segment(generator, segment, index, move)
