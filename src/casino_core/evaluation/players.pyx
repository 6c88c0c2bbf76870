"""Two quick players, greedy and careful: scores of moves, the best-looking move, whole rounds."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from casino_core.evaluation.material cimport WORTH_POINT, captured_worth
from casino_core.game.move cimport Move as PublicMove, resolve_move
from casino_core.game.position cimport Position
from casino_core.moves.movegen cimport pick_move
from casino_core.moves.state cimport (
    copy_state, hand_size, is_over, play_move, score_round, start_round,
)
from casino_core.moves.sums cimport reachable_sums
from casino_core.moves.workspace cimport close_generator, list_growing, open_generator, push_moves
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport (
    CAPTURE, DECK, MAX_SEATS, MAX_VALUE, RAISE_BUILD, Rng, STATUS_FULL, STATUS_OK, TRAIL,
    build_cards, build_owner, build_value, cards_in_builds, lowest, popcount, rng_below, rng_seed,
    side_of, values_of,
)

from casino_core.errors import CasinoError, TooManyMovesError, quoted

# Integers throughout, so that every platform plays the same.
cdef enum:
    LIST_LIMIT = 1 << 20                 # moves of one position that a search lists
    STEP = WORTH_POINT // POINT          # worth of one unit of the scores of moves
    CARD = 26                            # a card towards most cards: about a fifth of a point
    SPADE = 20                           # a spade towards most spades
    OWN_VIEW = 2                         # divides the careful score in a score with a reply
    LAST_OF_ALL = 64 * 128               # puts a score below every trail
    HIGHER = 2                           # cost of trailing a card one rank higher
    COURT = 2                            # rank for that cost of a card without a value

# A safe build of its own is worth somewhat more to the mover than the cards in it, because it gives
# the card that takes it a use. Of the factors 7/8, 1, 9/8 and more, 9/8 won most in rounds against
# each other, 0.2 to 0.4 points a round more than 7/8.
cdef enum:
    PROMISE = 9
    OF = 8


cdef tuple SEATS = ("a", "b", "c", "d")


cdef inline int32_t worth(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Worth of captured cards in the unit of scores, which divides it without remainder."""
    return captured_worth(rules, cards, STEP * CARD, STEP * SPADE) // STEP


cdef inline int32_t free_of(const Outlook* outlook, cards_t cards) noexcept nogil:
    """Chance that the other sides hold none of the unseen cards among these."""
    return outlook.absent[popcount(cards & outlook.unseen)]


cdef int32_t promise(const Outlook* outlook, cards_t cards, int value, int owner) noexcept nogil:
    """The expected worth of a build to the mover: of its own side's build less what another side
    may take, the whole of another side's build against it."""
    cdef int32_t whole = worth(outlook.rules, cards)
    cdef int32_t safe
    if side_of(outlook.rules, owner) != side_of(outlook.rules, outlook.state.turn):
        return -whole
    safe = free_of(outlook, outlook.rules.by_value[value])
    return whole * (2 * safe - CERTAIN) * PROMISE // (CERTAIN * OF)


cdef void look_around(Outlook* outlook, const Ruleset* rules, const State* state) noexcept nogil:
    """Prepare the scores of the moves of the seat to play, whose hand is known."""
    cdef cards_t seen = state.table | state.hands[state.turn]
    cdef int seat, i, unseen, side = side_of(rules, state.turn)
    outlook.state = state
    outlook.rules = rules
    outlook.hand = state.hands[state.turn]
    outlook.others = 0
    for seat in range(rules.seats):
        if side_of(rules, seat) != side:
            outlook.others += hand_size(state, seat)
    for i in range(rules.sides):
        seen |= state.piles[i]
    for i in range(state.build_count):
        seen |= build_cards(state.builds[i])
    outlook.unseen = ((<cards_t>1 << DECK) - 1) & ~seen
    outlook.reach = reachable_sums(rules, state.table)
    outlook.plays_last_card = not state.stock and popcount(outlook.hand) == 1
    unseen = popcount(outlook.unseen)
    outlook.absent[0] = CERTAIN
    for i in range(MOST_COUNTED - 1):    # drawn without replacement
        if i >= 4 and popcount(rules.by_value[10]) <= 4:
            break                        # no value has more cards than a rank
        outlook.absent[i + 1] = 0
        if unseen - outlook.others > i:
            outlook.absent[i + 1] = outlook.absent[i] * (unseen - outlook.others - i) // (unseen
                                                                                          - i)
    for i in range(state.build_count):
        outlook.standing[i] = promise(outlook, build_cards(state.builds[i]),
                                      build_value(state.builds[i]), build_owner(state.builds[i]))


cdef inline int32_t exposed_sweep(const Outlook* outlook, cards_t table,
                                  bint no_builds) noexcept nogil:
    """Expected cost of a sweep of these loose cards by one card of another side."""
    cdef const Ruleset* rules = outlook.rules
    cdef cards_t takers
    cdef int total = 0
    if not rules.sweep or not no_builds or not table:
        return 0
    if table & ~rules.valued:
        takers = <cards_t>15 << (lowest(table) & ~3)
        if table & ~takers or popcount(table) > 1:
            return 0
    else:
        while table:
            total += rules.sum_value[lowest(table) >> 2]
            table &= table - 1
        if total > MAX_VALUE:
            return 0
        takers = rules.by_value[total]
    return POINT * rules.sweep * (CERTAIN - free_of(outlook, takers)) // CERTAIN


cdef inline int32_t capture_score(const Outlook* outlook, const Move* move) noexcept nogil:
    cdef const State* state = outlook.state
    cdef const Ruleset* rules = outlook.rules
    cdef cards_t taken = move.loose | <cards_t>1 << move.card
    cdef cards_t left = state.table ^ move.loose
    cdef uint32_t builds = move.builds
    cdef int32_t score = 0
    cdef int i
    while builds:
        i = lowest(builds)
        builds &= builds - 1
        taken |= build_cards(state.builds[i])
        score -= outlook.standing[i]
    score += worth(rules, taken)
    if popcount(move.builds) == state.build_count:
        if not left:
            score += POINT * rules.sweep
        else:
            score -= exposed_sweep(outlook, left, True)
    if outlook.plays_last_card:          # the last capturer gets the cards on the table
        for i in range(state.build_count):
            if not move.builds >> i & 1:
                left |= build_cards(state.builds[i])
        score += worth(rules, left) // (1 + outlook.others)
    return score


cdef inline int32_t build_score(const Outlook* outlook, const Move* move) noexcept nogil:
    cdef const State* state = outlook.state
    cdef const Ruleset* rules = outlook.rules
    cdef cards_t cards = move.loose | <cards_t>1 << move.card
    cdef int32_t score = 0
    cdef int i
    if move.builds:
        i = lowest(move.builds)
        cards |= build_cards(state.builds[i])
        score -= outlook.standing[i]
    if move.kind == RAISE_BUILD and rules.merge:
        for i in range(state.build_count):
            if build_value(state.builds[i]) == move.value:
                cards |= build_cards(state.builds[i])
                score -= outlook.standing[i]
    score += promise(outlook, cards, move.value, state.turn)
    return score


cdef inline int32_t trail_score(const Outlook* outlook, const Move* move) noexcept nogil:
    """What the mover may take back with the card, less what others may take with it."""
    cdef const State* state = outlook.state
    cdef const Ruleset* rules = outlook.rules
    cdef cards_t card = <cards_t>1 << move.card
    cdef cards_t rest = outlook.hand ^ card
    cdef int rank = move.card >> 2, value
    cdef unsigned int takes              # bit V: a card of value V takes it
    cdef unsigned int left
    cdef int32_t safe = CERTAIN, back = 0
    if rules.sum_value[rank]:
        takes = (outlook.reach << rules.sum_value[rank] | rules.values_of_rank[rank]) & 0x7FFE
        left = takes
        while left:
            value = lowest(left)
            left &= left - 1
            safe = safe * free_of(outlook, rules.by_value[value]) // CERTAIN
        if values_of(rules, rest) & takes:
            back = worth(rules, card) // 2
    else:
        safe = free_of(outlook, <cards_t>15 << 4 * rank)
        if rest >> 4 * rank & 15:
            back = worth(rules, card) // 2
    return ((safe * back - (CERTAIN - safe) * worth(rules, card)) // CERTAIN
            - HIGHER * (rules.sum_value[rank] if rules.sum_value[rank] else COURT)
            - exposed_sweep(outlook, state.table | card, not state.build_count))


cdef int32_t greedy_score(const Outlook* outlook, const Move* move) noexcept nogil:
    """Points and cards that a legal move takes, in units of 1 / POINT of a point; trails score
    below zero, low and worthless cards best; builds lowest of all."""
    cdef const State* state = outlook.state
    cdef const Ruleset* rules = outlook.rules
    cdef cards_t cards = move.loose | <cards_t>1 << move.card | cards_in_builds(state, move.builds)
    cdef int32_t score
    if move.kind == CAPTURE:
        score = worth(rules, cards)
        if move.loose == state.table and popcount(move.builds) == state.build_count:
            score += POINT * rules.sweep
        return score
    if move.kind == TRAIL:
        return -(2 * (worth(rules, cards) - CARD) + (move.card >> 2) + 1)
    return worth(rules, cards) - LAST_OF_ALL


cdef int32_t careful_score(const Outlook* outlook, const Move* move) noexcept nogil:
    """A score of a legal move that weighs what it promises and gives away, in units of 1 / POINT of
    a point."""
    if move.kind == CAPTURE:
        return capture_score(outlook, move)
    if move.kind == TRAIL:
        return trail_score(outlook, move)
    return build_score(outlook, move)


cdef inline int32_t quick_score(const Outlook* outlook, const Move* move,
                                bint careful) noexcept nogil:
    return careful_score(outlook, move) if careful else greedy_score(outlook, move)


cdef bint stands_before(const State* state, const Move* one, const Move* other) noexcept nogil:
    """A fixed order of moves of equal score, independent of the order of the list and of the
    builds."""
    cdef cards_t a, b
    if one.card != other.card:
        return one.card < other.card
    if one.kind != other.kind:
        return one.kind < other.kind
    if one.value != other.value:
        return one.value < other.value
    if one.loose != other.loose:
        return one.loose < other.loose
    a = cards_in_builds(state, one.builds)
    b = cards_in_builds(state, other.builds)
    return a < b


cdef int pick_greedy(Arena* arena, Generator* generator, const State* state, const Ruleset* rules,
                     bint careful, Move* best, int32_t* score) noexcept nogil:
    """The move of the best score, and that score; STATUS_FULL if there are too many moves to list.
    """
    cdef Outlook outlook
    cdef int64_t i, first = arena.used
    cdef int64_t count = push_moves(arena, generator, state, rules, LIST_LIMIT)
    cdef const Move* moves
    cdef int64_t chosen = 0
    cdef int32_t found
    if count < 0:
        return STATUS_FULL
    look_around(&outlook, rules, state)
    moves = &arena.moves[first]
    score[0] = quick_score(&outlook, moves, careful)
    for i in range(1, count):
        found = quick_score(&outlook, &moves[i], careful)
        if (found > score[0]
                or (found == score[0] and stands_before(state, &moves[i], &moves[chosen]))):
            score[0] = found
            chosen = i
    best[0] = moves[chosen]
    arena.used = first
    return STATUS_OK


cdef int play_greedily(Arena* arena, Generator* generator, State* state, const Ruleset* rules,
                       const Stock* stock, bint careful, int plays) noexcept nogil:
    """Let every seat play its best-looking move, `plays` times or to the end of the round."""
    cdef Move move
    cdef int32_t score
    cdef int _i
    for _i in range(plays):
        if is_over(state):
            break
        if pick_greedy(arena, generator, state, rules, careful, &move, &score) == STATUS_FULL:
            return STATUS_FULL
        play_move(state, rules, stock, &move)
    return STATUS_OK


cdef int play_rounds(Arena* arena, Generator* generator, const Ruleset* rules, int64_t rounds,
                     uint64_t seed, int greedy_seats, bint careful, int64_t* points,
                     int64_t* plays) noexcept nogil:
    """Play whole rounds in which some seats play by score and the others at random; add up points
    and plays."""
    cdef State state
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef int64_t _i
    cdef int32_t score
    cdef int32_t scored[MAX_SEATS]
    cdef int side
    rng_seed(&rng, seed)
    for _i in range(rounds):
        start_round(&state, rules, &stock, &rng)
        while not is_over(&state):
            if greedy_seats >> state.turn & 1:
                if pick_greedy(arena, generator, &state, rules, careful, &move,
                               &score) == STATUS_FULL:
                    return STATUS_FULL
            else:
                if list_growing(generator, &state, rules, LIST_LIMIT) == STATUS_FULL:
                    return STATUS_FULL
                pick_move(generator, <int64_t>rng_below(&rng, generator.total), &move)
            play_move(&state, rules, &stock, &move)
            plays[0] += 1
        score_round(&state, rules, scored)
        for side in range(rules.sides):
            points[side] += scored[side]
    return STATUS_OK


cdef int open_memory(Arena* arena, Generator* generator) except -1:
    memset(arena, 0, sizeof(Arena))
    if open_generator(generator) != STATUS_OK:
        raise MemoryError
    return 0


def greedy_rounds(CompiledRules compiled not None, int64_t rounds, uint64_t seed, *,
                  str greedy_seats="abcd", bint careful=False):
    """Play whole rounds with greedy seats, in the core alone.

    Args:
        compiled: the rule set.
        rounds: the number of rounds.
        seed: of the packs and of random plays.
        greedy_seats: the letters of the greedy seats; the others play a random legal move.
        careful: whether the seats are careful instead of greedy.

    Returns:
        A dictionary of the `plays` made and the `points` of each side over all rounds.

    Raises:
        CasinoError: a letter that is not a seat.
        TooManyMovesError: a position has too many legal moves to list.

    Example:
        >>> from casino_core import Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> greedy_rounds(CompiledRules(Rules()), 10, 1)["plays"]
        480
    """
    cdef Arena arena
    cdef Generator generator
    cdef int64_t points[MAX_SEATS]
    cdef int64_t plays = 0
    cdef int status, seat, seats = 0
    for letter in list(greedy_seats):
        if letter not in SEATS:
            raise CasinoError(f"greedy_seats: {quoted(letter)} is not a seat; the seats are "
                              f"{', '.join(SEATS)}")
    for seat in range(MAX_SEATS):
        seats |= (SEATS[seat] in greedy_seats) << seat
        points[seat] = 0
    open_memory(&arena, &generator)
    with nogil:
        status = play_rounds(&arena, &generator, &compiled.ruleset, rounds, seed, seats, careful,
                             points, &plays)
        close_generator(&generator)
        free(arena.moves)
    if status != STATUS_OK:
        raise TooManyMovesError("a position of these rounds has too many legal moves to list")
    return {"plays": plays, "points": [points[i] for i in range(compiled.ruleset.sides)]}


def greedy_scores(Position position not None, *, bint careful=False, moves=None):
    """Scores of moves by the greedy player, in points.

    Args:
        position: the hand of the seat to play is known; other hands and the stock have no
            influence.
        careful: whether to ask the careful player instead.
        moves: legal moves, each a `Move`; None for all, in the order of `legal_moves()`.

    Raises:
        HiddenCardError: the hand of the seat to play is not known.
        IllegalMoveError: a move captures a build that is not on the table.
        TooManyMovesError: there are too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> scores = greedy_scores(position)
        >>> str(position.legal_moves()[scores.index(max(scores))])
        'TsxTd'
    """
    cdef Outlook outlook
    cdef Move move
    cdef list scores = []
    if moves is None:
        moves = position.legal_moves()
    position.need_hand()
    look_around(&outlook, &position.compiled.ruleset, &position.layout.state)
    for given in moves:
        resolve_move(&position.layout.state, given, &move)
        scores.append(quick_score(&outlook, &move, careful) / <double>POINT)
    return scores


def greedy_move(Position position not None, *, bint careful=False):
    """The move that looks best to the greedy player.

    Args:
        position: not finished, with the hand of the seat to play known; other hands and the stock
            have no influence.
        careful: whether to ask the careful player instead.

    Raises:
        CasinoError: the round is finished.
        HiddenCardError: the hand of the seat to play is not known.
        TooManyMovesError: there are too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> str(greedy_move(Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")))
        'TsxTd'
    """
    cdef Arena arena
    cdef Generator generator
    cdef Move move
    cdef int32_t score
    cdef int status
    cdef const State* state = &position.layout.state
    if is_over(state):
        raise CasinoError("the round is finished, so there is no play")
    position.need_hand()
    open_memory(&arena, &generator)
    with nogil:
        status = pick_greedy(&arena, &generator, state, &position.compiled.ruleset, careful, &move,
                             &score)
        close_generator(&generator)
        free(arena.moves)
    if status != STATUS_OK:
        raise TooManyMovesError("the position has too many legal moves to list")
    return position.wrap(&move)


cdef int32_t taken_worth(const Outlook* outlook, const Move* move) noexcept nogil:
    """Worth of the cards that a capture takes; 0 for any other move."""
    return greedy_score(outlook, move) if move.kind == CAPTURE else 0


cdef int32_t builds_worth(const State* state, const Ruleset* rules, int seat) noexcept nogil:
    """Worth of the builds on the table to a seat: plus those of its side and those that it can
    take, minus the others."""
    cdef int32_t total = 0, whole
    cdef int i
    for i in range(state.build_count):
        whole = worth(rules, build_cards(state.builds[i]))
        if (side_of(rules, build_owner(state.builds[i])) == side_of(rules, seat)
                or state.hands[seat] & rules.by_value[build_value(state.builds[i])]):
            total += whole
        else:
            total -= whole
    return total


cdef int score_reply(Arena* arena, Generator* generator, Position position, const Outlook* outlook,
                     const Move* move, int32_t* score) noexcept nogil:
    """The value of a move with the next seat's reply to it; STATUS_FULL if there are too many
    replies."""
    cdef const Ruleset* rules = outlook.rules
    cdef int seat = outlook.state.turn
    cdef Outlook replier
    cdef Move reply
    cdef State after
    cdef int32_t best
    score[0] = taken_worth(outlook, move) + careful_score(outlook, move) // OWN_VIEW
    copy_state(&after, outlook.state)
    play_move(&after, rules, position.stock_order(), move)
    if not is_over(&after) and not after.hidden[after.turn]:
        if pick_greedy(arena, generator, &after, rules, True, &reply, &best) != STATUS_OK:
            return STATUS_FULL
        look_around(&replier, rules, &after)
        best = taken_worth(&replier, &reply)
        score[0] += best if side_of(rules, after.turn) == side_of(rules, seat) else -best
        play_move(&after, rules, position.stock_order(), &reply)
    score[0] += builds_worth(&after, rules, seat)
    return STATUS_OK


def reply_scores(Position position not None):
    """Scores of the legal moves with the next seat's careful reply, in points, in the order of
    `legal_moves()`.

    A score is the worth of what the move takes, minus that of what the reply takes (plus, if a
    partner replies), plus that of the builds left. Half the careful score of the move is added. If
    the next hand is hidden, as after a deal from an unknown stock, no reply counts.

    Args:
        position: the hand of the seat to play is known, and as a rule the others.

    Raises:
        HiddenCardError: the hand of the seat to play is not known.
        TooManyMovesError: the position or a reply has too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> position = Position.start(seed=1)
        >>> len(reply_scores(position)) == len(position.legal_moves())
        True
    """
    cdef Arena arena
    cdef Generator generator
    cdef Outlook outlook
    cdef PublicMove move
    cdef int32_t score
    cdef int status = STATUS_OK
    cdef list scores = []
    moves = position.legal_moves()
    look_around(&outlook, &position.compiled.ruleset, &position.layout.state)
    open_memory(&arena, &generator)
    for move in moves:
        status = score_reply(&arena, &generator, position, &outlook, &move.data, &score)
        if status != STATUS_OK:
            break
        scores.append(score / <double>POINT)
    close_generator(&generator)
    free(arena.moves)
    if status != STATUS_OK:
        raise TooManyMovesError("a reply has too many legal moves to list")
    return scores
