# Limits of a search: deadline, nodes, caller and signals.
from libc.stdint cimport int64_t


ctypedef int (*watch_t)(void* owner) noexcept   # with the GIL; 0, or why the search ends


cdef enum:                               # why a search has ended early
    STOPPED_NODES = 1
    STOPPED_TIME = 2                     # the deadline
    STOPPED_SIGNAL = 3                   # Ctrl-C, or an exception of the caller's report
    STOPPED_FULL = 4                     # a position has too many moves to list
    STOPPED_CALLER = 5                   # the report said so, or another thread


cdef struct Limits:
    int64_t until_look                   # nodes until the next look at clock, caller and signals
    int64_t node_limit                   # 0: none
    double deadline                      # on the clock of time.perf_counter; 0: none
    int stopped                          # 0, or why the search has ended early
    watch_t watch                        # NULL, or what is called at each look
    void* owner                          # what it is called with


cdef double deadline_after(object seconds) except? -1
cdef void set_limits(Limits* limits, int64_t nodes, double deadline) noexcept nogil
cdef int look_outside(Limits* limits) noexcept nogil
cdef int raise_stopped(int stopped) except -1


cdef class Watched:                      # base of searches that other threads and a caller may end
    cdef bint halted
    cdef object ask                      # None, or called at each look: True ends the search
    cdef object raised                   # what it has raised

    cdef void watch_from(self, Limits* limits) noexcept
    cdef int raise_of(self, const Limits* limits) except -1
