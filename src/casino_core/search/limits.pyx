"""What ends a search early, for every search alike: its deadline, its nodes, its caller, a signal."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from time import perf_counter

from casino_core.errors import TooManyMovesError, not_copied


cdef double deadline_after(object seconds) except? -1:
    """The deadline of a search that begins now and may take `seconds`, None for any time."""
    return 0 if seconds is None else perf_counter() + seconds


cdef void set_limits(Limits* limits, int64_t nodes, double deadline) noexcept nogil:
    """Make ready for a search: nodes, 0 for any number; deadline, 0 for none. The watch stays."""
    limits.until_look = 0
    limits.node_limit = nodes
    limits.deadline = deadline
    limits.stopped = 0


cdef int look_outside(Limits* limits) noexcept nogil:
    """Look for signals, at the clock and to the caller; why the search has ended, 0 where it goes on."""
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
    """Raise what has stopped a search, but for a limit or the caller."""
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
        """End what another thread searches, and all later searches."""
        self.halted = True

    def watch_by(self, ask):
        """Call `ask` at each look: True from it ends the search, and what it raises is raised again."""
        self.ask = ask

    cdef void watch_from(self, Limits* limits) noexcept:
        """Let the limits look here."""
        self.raised = None
        limits.watch = ask_caller
        limits.owner = <void*>self

    cdef int raise_of(self, const Limits* limits) except -1:
        """Raise what the caller has raised, or what else has stopped the search."""
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
