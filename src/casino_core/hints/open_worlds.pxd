# Values of a position's moves in many worlds: the ways in which the hidden cards may lie.
from libc.stdint cimport int64_t

from casino_core.game.position cimport Position
from casino_core.rules.types cimport MAX_SEATS, Move, cards_t
from casino_core.search.context cimport Search


cdef struct World:                       # 64 bytes: what is not known in the position as seen
    cards_t hands[MAX_SEATS]             # cards that each seat holds beside the known ones
    cards_t piles[MAX_SEATS]             # the same of each side's captured cards


cdef int list_rows(Search* search, Position position, int unit, Move** moves, int64_t* count, list classes) except -1
