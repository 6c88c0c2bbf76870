# Reading a move's text. Layer 4.
from casino_core.core.types cimport Move, State


cdef int parse_move(str text, const State* state, Move* move) except -1
