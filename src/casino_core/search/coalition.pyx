"""Search for more than two sides: one side against all others together (the paranoid assumption).

This is not best play of sides that play for themselves: the others play as one against the side
that searches. The value is its points minus those of the best other side.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from casino_core.evaluation.material cimport WORTH_POINT, material_lead
from casino_core.game.position cimport Position
from casino_core.moves.segments cimport Generator
from casino_core.moves.state cimport card_points, copy_state, is_over, play_move
from casino_core.moves.workspace cimport Arena, close_generator, open_generator, push_moves
from casino_core.rules.types cimport (
    CAPTURE, Move, Ruleset, STATUS_OK, State, Stock, TRAIL, cards_t, popcount, side_of,
)
from casino_core.search.context cimport LIST_LIMIT, score_move, sort_moves
from casino_core.search.limits cimport (
    STOPPED_FULL, Limits, Watched, deadline_after, look_outside, raise_stopped, set_limits,
)

cdef enum:
    LOOK_EVERY = 65536                   # moves between checks of limits and signals
    LARGE = 1 << 28


cdef struct Coalition:
    Generator generator
    Arena arena
    const Ruleset* rules
    const Stock* stock
    int side                             # the side that maximizes
    Limits limits


cdef inline int promise(const Coalition* coalition, const Move* move) noexcept nogil:
    """Move ordering, 0 to 254, larger first: captures by what they take, builds, trails."""
    cdef cards_t card = <cards_t>1 << move.card
    if move.kind == CAPTURE:
        return 120 + 8 * card_points(coalition.rules, card | move.loose) + popcount(move.loose)
    return 50 - 10 * card_points(coalition.rules, card) if move.kind == TRAIL else 100


cdef int search(Coalition* coalition, const State* state, int plays, int alpha,
                int beta) noexcept nogil:
    """Value for the side, at most `plays` plays deep and no further than the next deal."""
    cdef int64_t first = coalition.arena.used, count, i
    cdef int value, best
    cdef bint ours = side_of(coalition.rules, state.turn) == coalition.side
    cdef State child
    cdef Move move
    if plays == 0 or is_over(state):
        return material_lead(coalition.rules, state, coalition.side)
    count = push_moves(&coalition.arena, &coalition.generator, state, coalition.rules, LIST_LIMIT)
    if count < 0:
        coalition.limits.stopped = STOPPED_FULL
        return 0
    coalition.limits.until_look -= 1 + count
    if coalition.limits.until_look < 0:
        coalition.limits.until_look = LOOK_EVERY
        if look_outside(&coalition.limits):
            return 0
    for i in range(first, first + count):
        score_move(&coalition.arena.moves[i], promise(coalition, &coalition.arena.moves[i]))
    sort_moves(&coalition.arena.moves[first], count)
    best = -LARGE if ours else LARGE
    for i in range(first, first + count):
        move = coalition.arena.moves[i]
        copy_state(&child, state)
        play_move(&child, coalition.rules, coalition.stock, &move)
        if child.stock != state.stock and not coalition.rules.draw:
            value = material_lead(coalition.rules, &child, coalition.side)
        else:
            value = search(coalition, &child, plays - 1, alpha, beta)
        if ours:
            best = value if value > best else best
            alpha = value if value > alpha else alpha
        else:
            best = value if value < best else best
            beta = value if value < beta else beta
        if alpha >= beta or coalition.limits.stopped:
            break
    coalition.arena.used = first
    return best


def coalition_values(Position position not None, int plays, seconds=None, Watched watched=None):
    """Values of the legal moves for the side to play, in hundredths of a point, in the order of
    their texts.

    Args:
        position: all hands known.
        plays: the depth of the search, 1 or more.
        seconds: a time limit, None for none.

    Returns:
        The values; None if the time limit was met.

    Raises:
        TooManyMovesError: a position of the search has too many legal moves to list.

    Example:
        >>> from casino_core import Position
        >>> coalition_values(Position.start("standard,players=3", seed=1), 1) != []
        True
    """
    cdef Coalition coalition
    cdef State child
    cdef Move move
    cdef list moves = position.some_legal_moves()
    cdef list values = []
    cdef int64_t value
    memset(&coalition, 0, sizeof(Coalition))
    if open_generator(&coalition.generator) != STATUS_OK:
        raise MemoryError
    coalition.rules = &position.compiled.ruleset
    coalition.stock = position.stock_order()
    coalition.side = side_of(coalition.rules, position.layout.state.turn)
    set_limits(&coalition.limits, 0, deadline_after(seconds))
    if watched is not None:
        watched.watch_from(&coalition.limits)
    try:
        for text in moves:
            position.resolve(text, &move)
            with nogil:
                copy_state(&child, &position.layout.state)
                play_move(&child, coalition.rules, coalition.stock, &move)
                if child.stock != position.layout.state.stock and not coalition.rules.draw:
                    value = material_lead(coalition.rules, &child, coalition.side)
                else:
                    value = search(&coalition, &child, plays - 1, -LARGE, LARGE)
            if watched is not None:
                watched.raise_of(&coalition.limits)
            raise_stopped(coalition.limits.stopped)
            if coalition.limits.stopped:
                return None
            values.append(100 * value // WORTH_POINT)
        return values
    finally:
        close_generator(&coalition.generator)
        free(coalition.arena.moves)
