# The public classes Position and Move. Layer 6.
from casino_core.core.notation cimport Layout
from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.segments cimport Generator
from casino_core.core.types cimport Move as MoveData, State, Stock, cards_t


cdef class Move:
    cdef MoveData data                   # `builds` are indices of the position that it was made in
    cdef cards_t built                   # all cards of those builds
    cdef readonly str text


cdef class Position:
    cdef Layout layout
    cdef CompiledRules compiled
    cdef readonly tuple warnings

    cdef const Stock* stock_order(self) noexcept nogil
    cdef int resolve(self, object move, MoveData* data) except -1
    cdef bint legal(self, const MoveData* move) except -1
    cdef int check(self, object move, const MoveData* data) except -1
    cdef int need_hand(self) except -1
    cdef Move wrap(self, const MoveData* data)


cdef Position new_position(CompiledRules compiled, const Layout* layout)
