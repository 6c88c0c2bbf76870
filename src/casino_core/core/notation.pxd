# Reading a position line. Layer 4.
from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.types cimport Layout


cdef CompiledRules parse_layout(str text, Layout* layout, list warnings)
