# The public class Position.
from casino_core.game.move cimport Move
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout, Move as MoveData, State, Stock, cards_t


cdef class Position:
    cdef Layout layout
    cdef CompiledRules compiled
    cdef readonly tuple warnings

    cdef const Stock* stock_order(self) noexcept nogil
    cdef int resolve(self, object move, MoveData* data) except -1
    cdef int check(self, object move, const MoveData* data) except -1
    cdef object illegal(self, const MoveData* data, object reason)
    cdef cards_t unseen_cards(self) noexcept nogil
    cdef int seat_index(self, seat) except -1
    cdef Position after(self, const MoveData* data, bint own)
    cdef cards_t card_to_keep(self, const State* state, const MoveData* data) noexcept nogil
    cdef int need_hand(self) except -1
    cdef Move wrap(self, const MoveData* data)


cdef Position new_position(CompiledRules compiled, const Layout* layout)
