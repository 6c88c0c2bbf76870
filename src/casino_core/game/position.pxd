# The public class Position.
from casino_core.game.move cimport Move
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout, Move as MoveData, Stock


cdef class Position:
    cdef Layout layout
    cdef CompiledRules compiled
    cdef readonly tuple warnings

    cdef const Stock* stock_order(self) noexcept nogil
    cdef int resolve(self, object move, MoveData* data) except -1
    cdef int check(self, object move, const MoveData* data) except -1
    cdef int need_hand(self) except -1
    cdef Move wrap(self, const MoveData* data)


cdef Position new_position(CompiledRules compiled, const Layout* layout)
