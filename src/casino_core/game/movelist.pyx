"""Legal moves as Python objects: a sorted list, an iterator, and a membership test."""
cimport cython
from cpython.exc cimport PyErr_CheckSignals, PyErr_Occurred
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from casino_core.game.move cimport Move, new_move
from casino_core.game.writing cimport write_move
from casino_core.moves.movegen cimport list_segments, pick_of_segment
from casino_core.moves.segments cimport Generator, Segment
from casino_core.moves.state cimport is_over
from casino_core.moves.workspace cimport (
    Arena, close_generator, list_growing, open_generator, push_moves, push_some,
)
from casino_core.rules.cardtext cimport Writer
from casino_core.rules.types cimport STATUS_OK, TRAIL, cards_t

from casino_core.errors import CasinoError, TooManyMovesError, not_copied

cdef enum:
    LIST_LIMIT = 1 << 20                 # moves that a list may hold
    CHUNK = 4096                         # segments that the lazy list makes at once
    LOOK_EVERY = 1 << 12                 # moves between looks for signals


cdef extern from "Python.h" nogil:
    int check_signals "PyErr_CheckSignals" ()   # -1 with an exception that the caller finds set


cdef struct Sorter:                      # the texts of many moves, and their order
    char* text
    int32_t* start                       # [i], [i + 1]: where text i begins and ends
    int32_t* order
    int32_t* spare
    int64_t count


cdef int open_sorter(Sorter* sorter, int64_t count, int64_t longest) except -1:
    sorter.count = count
    sorter.text = <char*>malloc(<size_t>(count * longest + 1))
    sorter.start = <int32_t*>malloc(<size_t>(3 * count + 2) * sizeof(int32_t))
    if sorter.text == NULL or sorter.start == NULL:
        raise MemoryError
    sorter.order = sorter.start + count + 1
    sorter.spare = sorter.order + count
    sorter.start[0] = 0
    return 0


cdef inline bint before(const Sorter* sorter, int32_t one, int32_t other) noexcept nogil:
    cdef int32_t a = sorter.start[one + 1] - sorter.start[one]
    cdef int32_t b = sorter.start[other + 1] - sorter.start[other]
    cdef int compared = memcmp(sorter.text + sorter.start[one], sorter.text + sorter.start[other],
                               <size_t>min(a, b))
    return compared < 0 or (compared == 0 and a <= b)


cdef bint has_signal() noexcept nogil:
    """Whether a signal has come whose handler raises, as Ctrl-C does; the exception stays set."""
    with gil:
        return check_signals() != 0


cdef int raise_signal(const Generator* generator) except -1:
    """Raise what has stopped a generator."""
    if generator.stopped and PyErr_Occurred() != NULL:
        return -1
    return 0


cdef int open_listener(Generator* generator) except -1:
    """A generator that hears Ctrl-C on crowded tables."""
    if open_generator(generator) != STATUS_OK:
        raise MemoryError
    generator.look = has_signal
    return 0


cdef int sort(Sorter* sorter) except -1 nogil:
    """Fill `order`: runs of eight by insertion, then merged."""
    cdef int64_t i, j, k, low = 0, middle, high, width = 8, n = sorter.count
    cdef int32_t held
    cdef int32_t* source = sorter.order
    cdef int32_t* target = sorter.spare
    for i in range(n):
        held = <int32_t>i
        j = i
        while j & 7 and not before(sorter, source[j - 1], held):
            source[j] = source[j - 1]
            j -= 1
        source[j] = held
    while width < n:
        low = 0
        while low < n:
            middle = min(low + width, n)
            high = min(low + 2 * width, n)
            i = low
            j = middle
            for k in range(low, high):
                if not k & (16 * LOOK_EVERY - 1):
                    with gil:
                        PyErr_CheckSignals()
                if j == high or (i < middle and before(sorter, source[i], source[j])):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
            low = high
        source, target = target, source
        width *= 2
    sorter.order = source
    return 0


cdef list sorted_moves(const State* state, const Ruleset* rules, bint some=False):
    """List the legal moves of a state that is not over, sorted by text.

    With `some` those of `push_some`.
    """
    cdef Generator generator
    cdef Arena arena
    cdef int64_t count, i
    cdef Writer writer
    cdef Sorter sorter
    cdef Move move
    cdef list moves
    memset(&arena, 0, sizeof(Arena))
    memset(&sorter, 0, sizeof(Sorter))
    open_listener(&generator)
    try:
        with nogil:
            if some:
                count = push_some(&arena, &generator, state, rules)
            else:
                count = push_moves(&arena, &generator, state, rules, LIST_LIMIT)
        raise_signal(&generator)
        if count < 0:
            raise TooManyMovesError(
                "more than a million moves are legal; iter_legal_moves() gives them one by one")
        open_sorter(&sorter, count, 2 * 52 + 16 * state.build_count + 8)
        with nogil:
            for i in range(count):
                if not i & (LOOK_EVERY - 1):
                    with gil:
                        PyErr_CheckSignals()
                writer.length = 0
                write_move(&writer, state, &arena.moves[i])
                memcpy(sorter.text + sorter.start[i], writer.text, <size_t>writer.length)
                sorter.start[i + 1] = sorter.start[i] + writer.length
            sort(&sorter)
        moves = PyList_New(count)
        for i in range(count):
            if not i & (LOOK_EVERY - 1):
                PyErr_CheckSignals()
            move = new_move(state, &arena.moves[sorter.order[i]])
            Py_INCREF(move)
            PyList_SET_ITEM(moves, i, move)
        return moves
    finally:
        close_generator(&generator)
        free(arena.moves)
        free(sorter.text)
        free(sorter.start)


cdef int64_t count_moves(const State* state, const Ruleset* rules) except -1:
    """Count the legal moves of a state that is not over."""
    cdef Generator generator
    open_listener(&generator)
    generator.counting = True
    with nogil:
        list_segments(&generator, state, rules)
        close_generator(&generator)
    raise_signal(&generator)
    return generator.total


cdef bint is_listed(const State* state, const Ruleset* rules, const MoveData* move) except -1:
    """Whether the move is legal."""
    cdef Generator generator
    cdef const Segment* segment
    cdef int64_t i
    cdef uint64_t index
    cdef cards_t rest
    cdef int k, low_count
    cdef bint found = False
    if not state.hands[state.turn] >> move.card & 1:
        return False
    open_listener(&generator)
    generator.probe.active = True
    generator.probe.rank = move.card >> 2
    generator.probe.kind = move.kind
    generator.probe.value = move.value
    generator.probe.loose = move.loose
    with nogil:
        if list_growing(&generator, state, rules, LIST_LIMIT) != STATUS_OK:
            close_generator(&generator)
            with gil:
                raise_signal(&generator)
                raise TooManyMovesError("too many moves are legal here to look one up")
        low_count = 0 if generator.sums.crowded else min(generator.sums.count, 6)
        for i in range(generator.count):
            segment = &generator.segments[i]
            if (segment.rank != move.card >> 2 or segment.kind != move.kind
                    or segment.value != move.value or segment.fixed & ~move.builds
                    or move.builds & ~(segment.fixed | segment.free) or segment.high & ~move.loose):
                continue
            rest = move.loose ^ segment.high
            index = 0
            for k in range(low_count):
                if rest & generator.sums.card[k]:
                    index |= <uint64_t>1 << k
                    rest ^= generator.sums.card[k]
            if (rest == 0 and segment.subsets >> index & 1
                    and (move.kind == TRAIL or move.loose or move.builds)):
                found = True
                break
        close_generator(&generator)
    return found


@cython.final
cdef class LazyMoves:
    """Iterator over the legal moves, which holds a chunk of segments and makes each move when it is
    needed."""
    cdef State state
    cdef CompiledRules compiled
    cdef Generator generator
    cdef int64_t done                    # segments of earlier chunks
    cdef int64_t segment                 # in this chunk
    cdef int64_t place                   # in this segment
    cdef bint ended                      # no chunk follows
    cdef bint busy                       # a call is under way

    def __cinit__(self):
        self.ended = True                # until lazy_moves() gives it a state
        open_listener(&self.generator)
        self.generator.capacity = CHUNK

    def __dealloc__(self):
        close_generator(&self.generator)

    def __reduce__(self):
        raise not_copied(self)

    def __iter__(self):
        return self

    def __next__(self):
        with cython.critical_section(self):      # released with the GIL, thus `busy`
            if self.busy:
                raise CasinoError("an iterator over moves is for one thread at a time")
            self.busy = True
            try:
                return self.next_move()
            finally:
                self.busy = False

    cdef Move next_move(self):
        """The next move. It generates a chunk of them when there is none left."""
        cdef MoveData data
        cdef const Segment* segment
        while self.segment == self.generator.count:
            if self.ended:
                raise StopIteration
            self.next_chunk()
        segment = &self.generator.segments[self.segment]
        pick_of_segment(&self.generator, segment, self.place, &data)
        self.place += 1
        if self.place == segment.moves:
            self.segment += 1
            self.place = 0
        return new_move(&self.state, &data)

    cdef int next_chunk(self) except -1:
        """Generate the next chunk: generation starts anew and skips the segments already done."""
        self.done += self.generator.count
        self.segment = 0
        self.generator.skip = self.done
        self.generator.stopped = False
        with nogil:
            self.ended = list_segments(&self.generator, &self.state,
                                       &self.compiled.ruleset) == STATUS_OK
        raise_signal(&self.generator)
        return 0


cdef object lazy_moves(const State* state, CompiledRules compiled):
    """An iterator over the legal moves of a state."""
    cdef LazyMoves moves = LazyMoves.__new__(LazyMoves)
    moves.state = state[0]
    moves.compiled = compiled
    moves.ended = bool(is_over(state))
    return moves
