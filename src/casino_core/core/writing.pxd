# Positions and moves as text. Layer 4.
from casino_core.core.cardtext cimport Writer
from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.types cimport Layout, Move, State


cdef str layout_text(const Layout* layout, CompiledRules compiled)
cdef void write_move(Writer* writer, const State* state, const Move* move) noexcept nogil
