# Rules as the core reads them. Layer 2.
from casino_core.core.types cimport Ruleset


cdef class CompiledRules:
    cdef Ruleset ruleset
    cdef readonly object rules           # the Rules that it was made from
