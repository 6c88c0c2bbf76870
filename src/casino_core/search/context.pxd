# The state of a search, which cards are equivalent to it, and the hash of what is outside the
# piles.
from libc.stdint cimport int64_t, uint64_t, uint8_t

from casino_core.evaluation.estimate cimport Estimate
from casino_core.evaluation.network cimport Network
from casino_core.moves.segments cimport Generator
from casino_core.moves.workspace cimport Arena
from casino_core.rules.types cimport (
    DECK, Move, Ruleset, State, Stock, build_cards, build_t, cards_t, lowest, mix,
)
from casino_core.search.limits cimport Limits
from casino_core.search.table cimport DECIDED, Leads, Table

cdef enum:
    CARDS_DEALT = 4                      # to each seat
    PLACES = 6                           # hands of the seats, the table, builds
    TABLE_PLACE = 4
    BUILD_PLACE = 5


cdef struct Likeness:                    # equivalent cards, and hashes of cards
    bint known                           # the following is made for the rules
    uint8_t alike[DECK]                  # lowest card that is equivalent
    uint64_t place_hash[PLACES][DECK]    # by place and card, equal for equivalent cards


cdef struct Search:                      # everything that a search owns
    Table table
    Generator generator
    Arena arena
    const Ruleset* rules                 # NULL before the first search, else &own_rules
    Ruleset own_rules
    const Stock* stock
    int unit                             # value of one point
    int horizon                          # 0: to the end of the round; else plays
                                         # after which values are estimated
    bint plain                           # two players, to the end of the round
    bint ends_deal                       # two players, to the end of the
                                         # deal, with nothing drawn before it
    bint shares                          # entries of the table hold for many leads
    bint tracks                          # with shares: bounds are proven for as many leads as
                                         # they hold for
    Leads final                          # with tracks: of the last end of a round, for the side
                                         # that it was valued for
    Leads limit                          # with tracks: how far the bound holds that the last node
                                         # has returned; above any or below any by ANY_LEAD
    bint to_deal                         # stop where the next deal comes, and estimate
    Estimate estimate                    # of the rest of the round; its kind is set before
    const Network* network               # with to_deal: what values the last deal, if it comes
                                         # next; NULL: the estimate
    cards_t out                          # cards that are not in the game; set before the search
    bint expects                         # with to_deal: the last deal comes,
                                         # and its expectation is exact
    Search* inner                        # with expects: the search of last deals
    cards_t unseen                       # with expects: the cards of the last deal
    bint spades_alike                    # most spades is decided: spades without points are no
                                         # different from other suits
    Likeness* likeness                   # in use
    Likeness likenesses[2]               # while most spades is open, and once it is decided
    uint64_t rules_salt
    uint64_t salt                        # of rules and kind of search
    uint64_t stock_hash[DECK + 1]        # by size of the stock: its order
    cards_t stock_left[DECK + 1]         # by size of the stock: its cards, if known
    int64_t nodes
    Limits limits


cdef enum:
    LIST_LIMIT = 1 << 20                 # moves of one position that a search lists
    LARGE = 16000                        # above every value that an entry of the table can hold


cdef inline int lead_code(int lead, int left) noexcept nogil:
    """A lead as the table holds it: DECIDED or -DECIDED once its majority is decided."""
    return DECIDED if lead > left else -DECIDED if lead < -left else lead


cdef int open_search(Search* search, double mib) noexcept nogil
cdef void close_search(Search* search) noexcept nogil
cdef void set_search(Search* search, const Ruleset* rules, const State* state, const Stock* stock,
                     int unit, bint to_deal, int horizon) noexcept nogil
cdef uint64_t search_hash(const Search* search, const State* state) noexcept nogil
cdef uint64_t hash_after(const Search* search, const State* before, const State* after,
                         const Move* move, uint64_t hashed) noexcept nogil
cdef cards_t canonical_cards(const Search* search, cards_t cards) noexcept nogil
cdef tuple class_of_move(const Search* search, const Move* move)
cdef uint64_t rules_hash(const Ruleset* rules) noexcept nogil
cdef void sort_moves(Move* moves, int64_t count) noexcept nogil


cdef inline void score_move(Move* move, int score) noexcept nogil:
    """Store a score in a move's spare byte, for `sort_moves`."""
    move.unused = <uint8_t>(0 if score < 0 else 254 if score > 254 else score)


cdef inline cards_t all_in_play(const State* state) noexcept nogil:
    """Known cards outside the piles, without the stock."""
    cdef cards_t cards = state.table | state.hands[0] | state.hands[1]
    cdef int i
    cards |= state.hands[2] | state.hands[3]
    for i in range(state.build_count):
        cards |= build_cards(state.builds[i])
    return cards


cdef inline cards_t unknown_cards(const Search* search, const State* state) noexcept nogil:
    """The cards that are neither in play nor captured: the last deal, where all others are known.
    """
    return ((<cards_t>1 << DECK) - 1) & ~(all_in_play(state) | state.piles[0] | state.piles[1]
                                          | search.out)


cdef inline uint64_t hash_cards(const Search* search, int place, cards_t cards) noexcept nogil:
    cdef uint64_t hashed = 0
    while cards:
        hashed += search.likeness.place_hash[place][lowest(cards)]
        cards &= cards - 1
    return hashed


cdef inline uint64_t hash_build(const Search* search, build_t build) noexcept nogil:
    return mix(hash_cards(search, BUILD_PLACE, build_cards(build)), 200 + (build >> 52))
