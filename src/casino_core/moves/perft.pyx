"""Loops over the generator: perft, random rounds, lists of many positions."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from casino_core.moves.movegen cimport list_segments, pick_move
from casino_core.moves.segments cimport Generator
from casino_core.moves.state cimport (
    copy_state, hash_state, is_over, play_move, score_round, start_round,
)
from casino_core.moves.workspace cimport (
    Arena, close_generator, list_growing, open_generator, push_moves,
)
from casino_core.rules.types cimport (
    MAX_SEATS, Move, Rng, Ruleset, STATUS_FULL, STATUS_OK, mix, rng_below, rng_seed,
)

from casino_core.errors import HiddenCardError, TooManyMovesError


cdef struct Walker:                      # what a perft carries along
    Generator generator
    Arena arena
    const Ruleset* rules
    const Stock* stock
    int64_t visits
    int problem


cdef enum:
    PROBLEM_HIDDEN = 1
    PROBLEM_FULL = 2
    PROBLEM_SIGNAL = 3
    LIST_LIMIT = 1 << 22                 # moves of one position that a walk lists


cdef inline int hidden_cards(const State* state) noexcept nogil:
    return state.hidden[0] + state.hidden[1] + state.hidden[2] + state.hidden[3]


cdef int64_t walk(Walker* walker, const State* state, int depth) noexcept nogil:
    """Number of sequences of `depth` plays, at least 1."""
    cdef int64_t i, first = walker.arena.used, count, nodes = 0
    cdef State child
    if state.hidden[state.turn]:
        walker.problem = PROBLEM_HIDDEN
        return 0
    if depth == 1:
        walker.generator.counting = True
        list_segments(&walker.generator, state, walker.rules)
        walker.generator.counting = False
        return walker.generator.total
    walker.visits += 1
    if walker.visits & 0x3FFF == 0:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException:  # the interrupt is raised again at the boundary
                walker.problem = PROBLEM_SIGNAL
    count = push_moves(&walker.arena, &walker.generator, state, walker.rules, LIST_LIMIT)
    if count < 0:
        walker.problem = PROBLEM_FULL
    for i in range(first, first + count):
        copy_state(&child, state)
        play_move(&child, walker.rules, walker.stock, &walker.arena.moves[i])
        if is_over(&child) or hidden_cards(&child) > hidden_cards(state):
            nodes += 1
        else:
            nodes += walk(walker, &child, depth - 1)
        if walker.problem:
            break
    walker.arena.used = first
    return nodes


cdef int64_t perft_state(const State* state, CompiledRules compiled, const Stock* stock,
                         int depth) except -1:
    """Nodes of a perft of `depth` plays, 1 or more, from a state that is not over."""
    cdef Walker walker
    cdef int64_t nodes
    memset(&walker, 0, sizeof(Walker))
    if open_generator(&walker.generator) != STATUS_OK:
        raise MemoryError
    walker.rules = &compiled.ruleset
    walker.stock = stock
    with nogil:
        nodes = walk(&walker, state, depth)
        close_generator(&walker.generator)
        free(walker.arena.moves)
    if walker.problem == PROBLEM_HIDDEN:
        raise HiddenCardError(
            "perft needs the cards of every hand that comes to play within its depth")
    if walker.problem == PROBLEM_FULL:
        raise TooManyMovesError("a position of this perft has too many legal moves to list")
    if walker.problem == PROBLEM_SIGNAL:
        raise KeyboardInterrupt
    return nodes


cdef struct RoundStatistics:
    int64_t plays
    int64_t moves                        # legal moves, over all positions
    int64_t most                         # legal moves of one position
    int64_t fallbacks                    # positions without a legal play but the last resort
    int64_t points[MAX_SEATS]
    uint64_t checksum                    # over the final states


cdef int play_rounds(Generator* generator, const Ruleset* rules, int64_t rounds, uint64_t seed,
                     RoundStatistics* statistics) noexcept nogil:
    """Rounds in which each legal move is equally likely."""
    cdef State state
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef int64_t _i, count
    cdef int32_t points[MAX_SEATS]
    cdef int side
    rng_seed(&rng, seed)
    for _i in range(rounds):
        start_round(&state, rules, &stock, &rng)
        while not is_over(&state):
            if list_growing(generator, &state, rules, LIST_LIMIT) == STATUS_FULL:
                return STATUS_FULL
            count = generator.total
            statistics.moves += count
            if count > statistics.most:
                statistics.most = count
            statistics.fallbacks += generator.fallback
            statistics.plays += 1
            pick_move(generator, <int64_t>rng_below(&rng, count), &move)
            play_move(&state, rules, &stock, &move)
        score_round(&state, rules, points)
        for side in range(rules.sides):
            statistics.points[side] += points[side]
        statistics.checksum = mix(statistics.checksum ^ hash_state(&state), 1)
    return STATUS_OK


def random_rounds(CompiledRules compiled not None, int64_t rounds, uint64_t seed):
    """Play rounds in which each legal move is equally likely.

    Args:
        compiled: the rule set.
        rounds: number of rounds.
        seed: seed of the random generator.

    Returns:
        A dictionary: `plays` and legal `moves` over all positions, the `most` legal moves of one
        position, `fallbacks` (positions whose only legal play was the last-resort trail), `points`
        of each side over all rounds, and a `checksum` of the final states.

    Raises:
        TooManyMovesError: a position has too many legal moves to list.

    Example:
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> from casino_core import Rules
        >>> random_rounds(CompiledRules(Rules()), 10, 1)["plays"]
        480
    """
    cdef Generator generator
    cdef RoundStatistics statistics
    cdef int status
    memset(&statistics, 0, sizeof(RoundStatistics))
    if open_generator(&generator) != STATUS_OK:
        raise MemoryError
    with nogil:
        status = play_rounds(&generator, &compiled.ruleset, rounds, seed, &statistics)
        close_generator(&generator)
    if status != STATUS_OK:
        raise TooManyMovesError("a position of the random rounds has too many legal moves to list")
    return {
        "plays": statistics.plays,
        "moves": statistics.moves,
        "most": statistics.most,
        "fallbacks": statistics.fallbacks,
        "points": [statistics.points[i] for i in range(compiled.ruleset.sides)],
        "checksum": statistics.checksum,
    }


def count_all(list positions not None, int64_t repeat):
    """List the legal moves of many positions many times, for measurements of the core.

    Args:
        positions: a list of `Position`, with the hand of the seat to play known.
        repeat: how often each list is made.

    Returns:
        The total number of moves.

    Example:
        >>> from casino_core import Position
        >>> count_all([Position.parse("table=QsQh5d8c hands=QdAsThJh/????")], 10)
        60
    """
    cdef Generator generator
    cdef Arena arena
    cdef State* states
    cdef Ruleset** rules
    cdef int64_t i, _k, count = 0, total = 0, number = len(positions)
    cdef CompiledRules compiled
    memset(&arena, 0, sizeof(Arena))
    states = <State*>malloc(<size_t>(number + 1) * sizeof(State))
    rules = <Ruleset**>malloc(<size_t>(number + 1) * sizeof(void*))
    if states == NULL or rules == NULL or open_generator(&generator) != STATUS_OK:
        free(states)
        free(rules)
        raise MemoryError
    kept = []
    for i in range(number):
        data, compiled = positions[i]._state()
        kept.append(compiled)
        memcpy(&states[i], <const char*>(<bytes>data), sizeof(State))
        rules[i] = &compiled.ruleset
    with nogil:
        for _k in range(repeat):
            for i in range(number):
                arena.used = 0
                count = push_moves(&arena, &generator, &states[i], rules[i], LIST_LIMIT)
                if count < 0:
                    break
                total += count
        close_generator(&generator)
        free(arena.moves)
        free(states)
        free(rules)
    if count < 0:
        raise TooManyMovesError("a position has too many legal moves to list")
    return total
