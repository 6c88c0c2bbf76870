# Reading a move's text.
from casino_core.rules.types cimport Move, State


cdef int parse_move(str text, const State* state, Move* move) except -1
