# The plain structs of the core and their limits. It imports nothing but C headers.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t cards_t                # set of cards: bit (4 * rank index + suit index), 52 bits


cdef extern from "bits.h" nogil:
    int popcount "cc_popcount" (uint64_t x)
    int lowest "cc_lowest" (uint64_t x)
    int highest "cc_highest" (uint64_t x)
    uint64_t join_family "cc_join" (uint64_t families, int index)
    uint64_t containing_family "cc_containing" (int index)
    uint64_t strict_subsets "cc_strict_subsets" (uint64_t families)
    uint64_t all_subsets "cc_all_subsets" (uint64_t families)
    uint64_t mix "cc_mix" (uint64_t x, uint64_t salt)
    const uint64_t* HAS "CC_HAS"
    const cards_t SPADES "CC_SPADES"


cdef extern from "rng.h" nogil:
    ctypedef struct Rng "cc_rng":
        uint64_t word[4]
    void rng_seed "cc_rng_seed" (Rng* rng, uint64_t seed)
    uint64_t rng_next "cc_rng_next" (Rng* rng)
    uint64_t rng_below "cc_rng_below" (Rng* rng, uint64_t bound)


cdef enum:
    MAX_SEATS = 4
    MAX_BUILDS = 20                      # as fit a state of 256 bytes
    MAX_HAND = 12                        # cards of one hand in a position
    NOBODY = 255                         # no seat or side
    MAX_VALUE = 14
    DECK = 52


cdef enum:
    STATUS_OK = 0
    STATUS_FULL = -1                     # the caller's buffer is too small


cdef enum:                               # kinds of a move
    TRAIL = 0
    CAPTURE = 1
    NEW_BUILD = 2
    ADD_BUILD = 3
    RAISE_BUILD = 4


cdef enum:                               # option values, in the order of the rules' table
    COURT_PAIR = 0
    COURT_NUMBERED = 1
    COURT_TEN = 2
    COURT_CAPTURE_ONE = 0
    COURT_CAPTURE_ONE_OR_THREE = 1
    COURT_CAPTURE_ANY = 2
    COURT_CAPTURE_ALL = 3
    CAPTURE_ANY = 0
    CAPTURE_MATCHING = 1
    CAPTURE_MAXIMAL = 2
    TRAIL_FREE = 0
    TRAIL_NOT_MATCHING = 1
    TRAIL_NOT_CAPTURING = 2
    TRAIL_LAST_RESORT = 3
    RAISING_ANY = 0
    RAISING_OTHERS = 1
    RAISING_OPPONENTS = 2
    RAISING_NONE = 3
    OWNER_NO_TRAIL = 0
    OWNER_CAPTURE = 1
    OWNER_FREE = 2
    SCORING_STANDARD = 0
    SCORING_SPADE = 1
    SCORING_SPADE26 = 2
    SCORING_SPADE27 = 3


cdef struct Ruleset:                     # options as the core reads them; made once for a rule set
    cards_t by_value[16]                 # [V]: the cards of value V (an ace: 1,
                                         # with low_or_high also 14)
    cards_t valued                       # cards that have a value
    cards_t point_cards[3]               # cards worth one point, cards worth one more, and one more
    uint8_t sum_value[16]                # [rank index]: value inside a sum, 0 for none
    uint16_t values_of_rank[16]          # [rank index]: bit V set when the card has value V
    uint8_t seats                        # 2 to 4
    uint8_t sides                        # piles and scores: seats, or 2 for partners
    uint8_t partners                     # switch
    uint8_t aces_high                    # switch: an ace alone is also 14
    uint8_t court_capture
    uint8_t capture
    uint8_t trail
    uint8_t multiple                     # switch
    uint8_t raising
    uint8_t raise_own_needs_both         # switch
    uint8_t raise_table_cards            # switch
    uint8_t raise_absorb                 # switch
    uint8_t add_to_own_only              # switch
    uint8_t max_builds                   # 0: no limit
    uint8_t merge                        # switch: same_value=merge
    uint8_t owner_turn
    uint8_t partner_builds               # switch: declared
    uint8_t draw                         # switch
    uint8_t most_spades                  # points for most spades
    int32_t sweep                        # points a sweep


# A build in one word: bits 0-51 its cards, 52-55 value, 56-57 owner's seat, 58 multiple.
ctypedef uint64_t build_t


# 256 bytes without pointers, assignable; builds come last so that a copy can stop early.
cdef struct State:
    cards_t table                        # loose cards
    cards_t hands[MAX_SEATS]             # known cards of each seat
    cards_t piles[MAX_SEATS]             # known captured cards of each side
    uint16_t declared[MAX_SEATS]         # partnership: bit V, values declared
                                         # beyond those of builds owned
    uint8_t hidden[MAX_SEATS]            # cards of each hand that are not known
    uint8_t forgotten[MAX_SEATS]         # captured cards of each side that are not known
    uint8_t sweeps[MAX_SEATS]            # per side
    uint8_t turn                         # seat to play
    uint8_t last                         # seat that captured last, or NOBODY
    uint8_t stock                        # cards not yet dealt
    uint8_t build_count
    build_t builds[MAX_BUILDS]           # the first build_count, in no order that matters


cdef struct Stock:                       # known order of the stock
    uint8_t count
    uint8_t cards[DECK]                  # cards[count - state.stock] is dealt next


cdef struct Layout:                      # a position beside its rules
    State state
    Stock stock                          # in the order known; count 0 where it is not
    cards_t out                          # cards that are not in the game
    int32_t score[MAX_SEATS]             # match score before the round, per side


cdef struct Move:                        # 16 bytes
    cards_t loose                        # loose cards taken or built with
    uint32_t builds                      # bit i: build i of the state is captured, or is the base
    uint8_t card                         # card number played
    uint8_t kind
    uint8_t value                        # value announced by a build; 0 else
    uint8_t unused


cdef enum:
    BUILD_VALUE_SHIFT = 52
    BUILD_OWNER_SHIFT = 56
    BUILD_MULTIPLE_SHIFT = 58


cdef inline cards_t build_cards(build_t build) noexcept nogil:
    return build & ((<cards_t>1 << 52) - 1)


cdef inline int build_value(build_t build) noexcept nogil:
    return <int>(build >> BUILD_VALUE_SHIFT) & 15


cdef inline int build_owner(build_t build) noexcept nogil:
    return <int>(build >> BUILD_OWNER_SHIFT) & 3


cdef inline bint build_multiple(build_t build) noexcept nogil:
    return <int>(build >> BUILD_MULTIPLE_SHIFT) & 1


cdef inline build_t make_build(cards_t cards, int value, int owner, bint multiple) noexcept nogil:
    return (cards | <build_t>value << BUILD_VALUE_SHIFT | <build_t>owner << BUILD_OWNER_SHIFT
            | <build_t>(1 if multiple else 0) << BUILD_MULTIPLE_SHIFT)


cdef inline cards_t cards_in_builds(const State* state, uint32_t builds) noexcept nogil:
    """The cards of the builds whose numbers are the bits of `builds`."""
    cdef cards_t cards = 0
    while builds:
        cards |= build_cards(state.builds[lowest(builds)])
        builds &= builds - 1
    return cards


cdef inline int side_of(const Ruleset* rules, int seat) noexcept nogil:
    return seat & 1 if rules.partners else seat


cdef inline uint16_t values_of(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Bit V for each value V of the cards."""
    cdef uint16_t values = 0
    while cards:
        values |= rules.values_of_rank[lowest(cards) >> 2]
        cards &= cards - 1
    return values


cdef inline uint32_t next_subset(uint32_t subset) noexcept nogil:
    """The next larger number with as many bits; `subset` is not 0."""
    cdef uint32_t low = subset & (0 - subset)
    cdef uint32_t ripple = subset + low
    return ((ripple ^ subset) >> 2) // low | ripple
