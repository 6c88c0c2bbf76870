# Exact search with open cards in many worlds (perfect-information Monte Carlo).
from libc.stdint cimport int64_t

from casino_core.evaluation.goal cimport Goal
from casino_core.game.position cimport Position
from casino_core.rules.types cimport MAX_SEATS, Move, cards_t
from casino_core.search.context cimport Likeness, Search


cdef struct World:                       # 64 bytes: the hidden cards
    cards_t hands[MAX_SEATS]             # hidden cards of each seat
    cards_t piles[MAX_SEATS]             # forgotten cards of each side


cdef int list_rows(Search* search, Position position, int unit, Goal goal, Likeness* own,
                   Move** moves, int64_t* count, list classes) except -1
