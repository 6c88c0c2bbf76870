"""Limits of a search: deadline, nodes, caller and signals."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from time import perf_counter

from casino_core.errors import TooManyMovesError, not_copied


cdef double deadline_after(object seconds) except? -1:
    """The deadline of a search that starts now with a time limit in seconds; None is no limit."""
    return 0 if seconds is None else perf_counter() + seconds


cdef void set_limits(Limits* limits, int64_t nodes, double deadline) noexcept nogil:
    """Set the limits of a search that starts now; 0 nodes and deadline 0 are no limit. The watch
    stays."""
    limits.until_look = 0
    limits.node_limit = nodes
    limits.deadline = deadline
    limits.stopped = 0


cdef int look_outside(Limits* limits) noexcept nogil:
    """Check signals, the clock and the caller. Returns why the search has ended, 0 if it goes on.
    """
    with gil:
        try:
            PyErr_CheckSignals()
            if limits.deadline and perf_counter() >= limits.deadline:
                limits.stopped = STOPPED_TIME
            elif limits.watch != NULL:
                limits.stopped = limits.watch(limits.owner)
        except BaseException:  # raised again where the search was called
            limits.stopped = STOPPED_SIGNAL
    return limits.stopped


cdef int raise_stopped(int stopped) except -1:
    """Raise the error that has stopped a search, unless it was a limit or the caller."""
    if stopped == STOPPED_SIGNAL:
        raise KeyboardInterrupt
    if stopped == STOPPED_FULL:
        raise TooManyMovesError("a position of this search has too many legal moves to list")
    return 0


cdef class Watched:
    """A search that another thread may end, and its caller at each look.

    >>> Watched().halt()
    """

    def __reduce__(self):
        raise not_copied(self)

    def halt(self):
        """End the search of another thread, and all later searches."""
        self.halted = True

    def watch_by(self, ask):
        """Call `ask` at each look: True from it ends the search, and what it raises is raised
        again."""
        self.ask = ask

    cdef void watch_from(self, Limits* limits) noexcept:
        """Make the limits check this object."""
        self.raised = None
        limits.watch = ask_caller
        limits.owner = <void*>self

    cdef int raise_of(self, const Limits* limits) except -1:
        """Raise what the caller's function has raised, or another error that has stopped the
        search."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
        return raise_stopped(limits.stopped)


cdef int ask_caller(void* owner) noexcept:
    cdef Watched search = <Watched>owner
    if search.halted:
        return STOPPED_CALLER
    if search.ask is None:
        return 0
    try:
        return STOPPED_CALLER if search.ask() is True else 0
    except BaseException as error:
        search.raised = error
        return STOPPED_SIGNAL
