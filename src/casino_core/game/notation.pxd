# Reading a position line.
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout


cdef CompiledRules parse_layout(str text, Layout* layout, list warnings)
