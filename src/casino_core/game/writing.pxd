# Positions and moves as text.
from casino_core.rules.cardtext cimport Writer
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout, Move, State


cdef str layout_text(const Layout* layout, CompiledRules compiled)
cdef void write_move(Writer* writer, const State* state, const Move* move) noexcept nogil
