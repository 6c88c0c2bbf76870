# Rules as the core reads them.
from casino_core.rules.types cimport Ruleset


cdef class CompiledRules:
    cdef Ruleset ruleset
    cdef readonly object rules           # the Rules that it was made from
