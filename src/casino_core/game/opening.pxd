# The deal that begins a round.
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout

cdef int deal_opening(CompiledRules compiled, seed, deck, score, Layout* layout) except -1
