# The public class Move.
from casino_core.rules.types cimport Move as MoveData, State, cards_t


cdef class Move:
    cdef MoveData data                   # `builds` are indices of the position that it was made in
    cdef cards_t built                   # all cards of those builds
    cdef readonly str text


cdef Move new_move(const State* state, const MoveData* data)
cdef int resolve_move(const State* state, object move, MoveData* data) except -1
