"""Loops over arrays of positions without the GIL.

An item that cannot be answered gets a status, and the loop goes on. An answer depends on its item
alone: the table is empty for each item, so that the order of items, their number and the worker
make no difference.
"""
cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from casino_core.batch.records cimport MOST_RULES, UNREADABLE_RULES, Record, is_sound
from casino_core.game.writing cimport write_move
from casino_core.moves.state cimport (
    copy_state, is_over, play_move, points_ahead, score_round, sort_builds,
)
from casino_core.moves.workspace cimport push_moves
from casino_core.rules.cardtext cimport Writer
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport (
    MAX_SEATS, Move, Ruleset, STATUS_OK, State, Stock, cards_t, popcount, side_of,
)
from casino_core.search.alphabeta cimport move_bounds, move_value, root_moves
from casino_core.search.context cimport (
    LARGE, LIST_LIMIT, Search, canonical_cards, close_search, open_search, set_search,
)
from casino_core.search.limits cimport STOPPED_FULL, STOPPED_SIGNAL
from casino_core.search.root cimport best_value, narrow_bounds
from casino_core.search.table cimport close_table, fitting_mib, forget_entries, open_table

from time import perf_counter

from casino_core.batch.statuses import Status
from casino_core.errors import CasinoError, not_copied

cdef enum:
    NO_CARD = 255                        # the card of a move that is none
    LOOK_EVERY = 8192                    # nodes between looks at signals, over items

cdef enum:
    TASK_VALUE = 0
    TASK_SOLVE = 1
    TASK_MOVES = 2
    TASK_SCORE = 3

TASKS = {"value": TASK_VALUE, "solve": TASK_SOLVE, "moves": TASK_MOVES, "score": TASK_SCORE}

# Statuses of items.
cdef int DONE = Status.DONE
cdef int LIMIT = Status.LIMIT
cdef int UNREADABLE = Status.UNREADABLE
cdef int INVALID = Status.INVALID
cdef int HIDDEN_HAND = Status.HIDDEN_HAND
cdef int HIDDEN_PILE = Status.HIDDEN_PILE
cdef int HIDDEN_STOCK = Status.HIDDEN_STOCK
cdef int MANY_SIDES = Status.MANY_SIDES
cdef int MANY_MOVES = Status.MANY_MOVES
cdef int UNFINISHED = Status.UNFINISHED
cdef int LARGE_VALUES = Status.LARGE_VALUES
cdef int NO_MEMORY = Status.NO_MEMORY


cdef struct Answer:                      # 64 bytes
    Move best                            # its card is NO_CARD where there is none
    int32_t lower                        # proven bounds of the value, equal where it is exact
    int32_t upper
    int64_t nodes
    int32_t points[MAX_SEATS]            # of a finished round, per side
    int32_t moves                        # of the item's list
    int32_t line                         # plays of its best line
    int32_t status
    int32_t unused


cdef struct Listed:                      # 24 bytes: a move of a list
    Move move
    int32_t lower
    int32_t upper


cdef struct Ranked:                      # a move to be sorted
    Listed listed
    const char* text
    int64_t length                       # while the text may still move its
                                         # place in the buffer is kept in `start`
    int64_t start


cdef struct Bytes:                       # memory that grows
    char* data
    int64_t used
    int64_t capacity


cdef bint add_bytes(Bytes* buffer, const void* data, int64_t size) noexcept nogil:
    """Append to a buffer. False if memory runs out."""
    cdef char* larger
    cdef int64_t capacity
    if buffer.used + size > buffer.capacity:
        capacity = 2 * (buffer.used + size) + 4096
        larger = <char*>realloc(buffer.data, <size_t>capacity)
        if larger == NULL:
            return False
        buffer.data = larger
        buffer.capacity = capacity
    memcpy(buffer.data + buffer.used, data, <size_t>size)
    buffer.used += size
    return True


cdef int compare_ranked(const void* one, const void* other) noexcept nogil:
    """Better bounds first, then by text."""
    cdef const Ranked* a = <const Ranked*>one
    cdef const Ranked* b = <const Ranked*>other
    cdef int order
    if a.listed.lower != b.listed.lower:
        return -1 if a.listed.lower > b.listed.lower else 1
    if a.listed.upper != b.listed.upper:
        return -1 if a.listed.upper > b.listed.upper else 1
    order = memcmp(a.text, b.text, <size_t>min(a.length, b.length))
    if order:
        return order
    return -1 if a.length < b.length else 1


@cython.auto_pickle(False)
@cython.final
cdef class StopSign:
    """A sign that ends loops in other threads.

    Example:
        >>> StopSign().raised
        False
    """
    cdef int up

    def __reduce__(self):
        raise not_copied(self)

    def raise_it(self):
        """End the loops that watch this sign."""
        self.up = True

    @property
    def raised(self):
        """Whether the sign has been raised."""
        return bool(self.up)


cdef int look_at_sign(void* owner) noexcept:
    return STOPPED_SIGNAL if (<StopSign>owner).up else 0


@cython.final
cdef class BatchSearch:
    """A search with its table and buffers, for one thread to answer items.

    Args:
        largest_mib: the largest size of the table in MiB.
        stop: a StopSign.

    Raises:
        CasinoError: the size is not valid.

    Example:
        >>> BatchSearch(32, StopSign()).table_mib
        0.25
    """
    cdef Search search
    cdef double largest_mib
    cdef readonly double table_mib
    cdef StopSign stop
    cdef int task
    cdef int64_t node_limit
    cdef double seconds
    cdef Bytes moves                     # Listed, item after item
    cdef Bytes lines                     # Move, item after item
    cdef Bytes ranked
    cdef Bytes texts
    cdef Bytes bounds

    def __cinit__(self, double largest_mib, StopSign stop not None):
        if not 0 < largest_mib <= 65536:
            raise CasinoError(f"table_mib is a size in MiB from 0 to 65536, not {largest_mib:g}")
        self.largest_mib = largest_mib
        self.table_mib = min(largest_mib, 0.25)
        self.stop = stop
        if open_search(&self.search, self.table_mib) != STATUS_OK:
            raise MemoryError
        self.search.limits.until_look = LOOK_EVERY

    def __dealloc__(self):
        close_search(&self.search)
        free(self.moves.data)
        free(self.lines.data)
        free(self.ranked.data)
        free(self.texts.data)
        free(self.bounds.data)

    def __reduce__(self):
        raise not_copied(self)

    def answer(self, int task, const uint8_t[:, ::1] records not None, list compiled not None,
               uint8_t[:, ::1] answers not None, int64_t nodes=0, seconds=None):
        """Answer every item of an array.

        Args:
            task: one of TASKS.
            records: the bytes of a position array, one row for each item.
            compiled: the rule sets of the array.
            answers: the bytes of the answers, one row for each item, to be filled in.
            nodes: node limit of each item, 0 for none.
            seconds: time limit of each item, None for none.

        Returns:
            The bytes of all lists of moves and of all principal variations, item after item.

        Raises:
            CasinoError: the arrays do not have the right shape.
            KeyboardInterrupt: the stop sign was raised.
        """
        cdef const Ruleset* rules[MOST_RULES]
        cdef CompiledRules one
        cdef Py_ssize_t i, count = records.shape[0]
        cdef const Record* record
        cdef Answer* answer
        cdef int index, sets = len(compiled)
        if (records.shape[1] != sizeof(Record) or answers.shape[1] != sizeof(Answer)
                or answers.shape[0] != count):
            raise CasinoError("the arrays do not have the shape of positions and answers")
        if sets > MOST_RULES:
            raise CasinoError(f"a position array holds {MOST_RULES} rule sets at most")
        for index in range(sets):
            one = compiled[index]
            rules[index] = &one.ruleset
        self.task = task
        self.node_limit = nodes
        self.seconds = 0 if seconds is None else seconds
        self.moves.used = self.lines.used = 0
        self.search.limits.stopped = 0
        self.search.limits.watch = look_at_sign
        self.search.limits.owner = <void*>self.stop
        self.search.limits.deadline = 0
        if count == 0:
            return b"", b""
        with nogil:
            for i in range(count):
                record = <const Record*>&records[i, 0]
                answer = <Answer*>&answers[i, 0]
                memset(answer, 0, sizeof(Answer))
                answer.best.card = NO_CARD
                if record.rules == UNREADABLE_RULES:
                    answer.status = UNREADABLE
                elif record.rules >= sets:
                    answer.status = INVALID
                else:
                    if seconds is not None:
                        self.search.limits.deadline = self.clock() + self.seconds
                    answer.status = self.answer_item(record, rules[record.rules], answer)
                if self.stop.up or self.search.limits.stopped == STOPPED_SIGNAL:
                    break
        if self.stop.up or self.search.limits.stopped == STOPPED_SIGNAL:
            self.search.limits.stopped = 0
            raise KeyboardInterrupt
        return (PyBytes_FromStringAndSize(self.moves.data, self.moves.used),
                PyBytes_FromStringAndSize(self.lines.data, self.lines.used))

    cdef double clock(self) noexcept nogil:
        with gil:
            return perf_counter()

    cdef int answer_item(self, const Record* record, const Ruleset* rules,
                         Answer* answer) noexcept nogil:
        """Fill in the answer of an item. Returns its status."""
        cdef State state
        cdef const Stock* stock = &record.layout.stock if record.layout.stock.count else NULL
        cdef int side
        if not is_sound(&record.layout, rules):
            return INVALID
        copy_state(&state, &record.layout.state)
        sort_builds(&state)
        if self.task == TASK_MOVES:
            return self.list_moves(&state, rules, answer)
        if self.task == TASK_SCORE and not is_over(&state):
            return UNFINISHED
        if self.task != TASK_SCORE and rules.sides != 2:
            return MANY_SIDES
        for side in range(rules.sides):
            if state.forgotten[side]:
                return HIDDEN_PILE
        if is_over(&state):
            score_round(&state, rules, answer.points)
            if self.task != TASK_SCORE:
                side = side_of(rules, state.turn)
                answer.lower = answer.upper = answer.points[side] - answer.points[side ^ 1]
            return DONE
        if state.hidden[0] or state.hidden[1] or state.hidden[2] or state.hidden[3]:
            return HIDDEN_HAND
        if state.stock and stock == NULL:
            return HIDDEN_STOCK
        return self.search_item(&state, rules, stock, answer)

    cdef int fit_table(self, int plays) noexcept nogil:
        """Make the table large enough for `plays` plays, and empty it."""
        cdef double mib = min(fitting_mib(plays), self.largest_mib)
        if mib > self.table_mib:
            close_table(&self.search.table)
            if open_table(&self.search.table, mib) != STATUS_OK:
                if open_table(&self.search.table, self.table_mib) != STATUS_OK:
                    self.stop.up = True  # nothing is left to go on with
                return NO_MEMORY
            self.table_mib = mib
        forget_entries(&self.search.table)
        return DONE

    cdef int begin(self, const State* state, const Ruleset* rules,
                   const Stock* stock) noexcept nogil:
        """Prepare a search of a state. Returns its number of moves, negative on failure."""
        set_search(&self.search, rules, state, stock, 1, False, 0)
        self.search.nodes = 0
        self.search.limits.node_limit = self.node_limit
        self.search.limits.stopped = 0
        if self.node_limit and self.search.limits.until_look > self.node_limit:
            self.search.limits.until_look = self.node_limit
        self.search.arena.used = 0
        return <int>root_moves(&self.search, state)

    cdef int search_item(self, const State* state, const Ruleset* rules, const Stock* stock,
                         Answer* answer) noexcept nogil:
        cdef int count, lower = 0, upper = 0, status
        cdef int fixed = points_ahead(rules, state, side_of(rules, state.turn))
        status = self.fit_table(state.stock
                                + popcount(state.hands[0] | state.hands[1] | state.hands[2]
                                           | state.hands[3]))
        if status != DONE:
            return status
        count = self.begin(state, rules, stock)
        if count < 0:
            return MANY_MOVES
        move_bounds(&self.search, state, &lower, &upper)
        if upper >= LARGE or lower <= -LARGE:
            return LARGE_VALUES
        if self.task == TASK_SOLVE:
            return self.solve_item(state, rules, stock, count, fixed, answer)
        best_value(&self.search, state, count, &lower, &upper, &answer.best)
        answer.best.unused = 0
        answer.nodes = self.search.nodes
        answer.lower = lower + fixed
        answer.upper = upper + fixed
        if self.search.limits.stopped == STOPPED_FULL:
            return MANY_MOVES
        return DONE if lower == upper else LIMIT

    cdef int solve_item(self, const State* state, const Ruleset* rules, const Stock* stock,
                        int count, int fixed, Answer* answer) noexcept nogil:
        """Bounds of every move, best first, and the principal variation to the end of the round."""
        cdef int64_t i, _i, listed
        cdef int* bounds
        cdef Move* roots
        cdef Ranked* ranked
        cdef Listed item
        self.bounds.used = 0
        memset(&item, 0, sizeof(Listed))
        for i in range(count):           # moves, then their bounds: room for both at once
            if not add_bytes(&self.bounds, &self.search.arena.moves[i], sizeof(Move)):
                return NO_MEMORY
        for _i in range(count):
            if not add_bytes(&self.bounds, &item, 2 * sizeof(int)):
                return NO_MEMORY
        roots = <Move*>self.bounds.data
        bounds = <int*>(self.bounds.data + count * <int64_t>sizeof(Move))
        for i in range(count):
            move_bounds(&self.search, state, &bounds[2 * i], &bounds[2 * i + 1])
        if self.node_limit or self.search.limits.deadline:
            narrow_bounds(&self.search, state, roots, bounds, count)
        else:
            for i in range(count):
                if self.search.limits.stopped:
                    break
                move_value(&self.search, state, &roots[i], &bounds[2 * i], &bounds[2 * i + 1])
        if self.search.limits.stopped == STOPPED_FULL:
            return MANY_MOVES
        answer.nodes = self.search.nodes
        listed = self.rank_moves(state, rules)
        if listed < 0:
            return NO_MEMORY
        ranked = <Ranked*>self.ranked.data
        for i in range(listed):
            self.take_bounds(&ranked[i].listed, roots, bounds, count, fixed)
        qsort(ranked, <size_t>listed, sizeof(Ranked), compare_ranked)
        if not self.keep_moves(listed):
            return NO_MEMORY
        answer.moves = <int32_t>listed
        answer.best = ranked[0].listed.move
        answer.lower = ranked[0].listed.lower
        answer.upper = ranked[0].listed.upper
        for i in range(listed):
            answer.upper = max(answer.upper, ranked[i].listed.upper)
        if answer.lower < answer.upper:
            return LIMIT
        if not self.keep_line(state, rules, stock, answer):
            return NO_MEMORY
        for i in range(listed):
            if ranked[i].listed.lower < ranked[i].listed.upper:
                return LIMIT
        return DONE

    cdef void take_bounds(self, Listed* item, const Move* roots, const int* bounds, int64_t count,
                          int fixed) noexcept nogil:
        """Give a move the bounds of the root move that it is like."""
        cdef int64_t i
        cdef const uint8_t* alike = self.search.likeness.alike
        cdef cards_t loose = canonical_cards(&self.search, item.move.loose)
        for i in range(count):
            if (alike[roots[i].card] == alike[item.move.card] and roots[i].kind == item.move.kind
                    and roots[i].value == item.move.value and roots[i].builds == item.move.builds
                    and canonical_cards(&self.search, roots[i].loose) == loose):
                item.lower = bounds[2 * i] + fixed
                item.upper = bounds[2 * i + 1] + fixed
                return

    cdef bint keep_line(self, const State* root, const Ruleset* rules, const Stock* stock,
                        Answer* answer) noexcept nogil:
        """Best play to the end of the round, as far as the limits allow."""
        cdef State state
        cdef Move move = answer.best
        cdef int count, lower = 0, upper = 0
        copy_state(&state, root)
        while True:
            move.unused = 0
            if not add_bytes(&self.lines, &move, sizeof(Move)):
                return False
            answer.line += 1
            play_move(&state, rules, stock, &move)
            sort_builds(&state)
            if is_over(&state):
                return True
            count = self.begin(&state, rules, stock)
            if count < 0:
                return True
            best_value(&self.search, &state, count, &lower, &upper, &move)
            if lower < upper:
                return True

    cdef int list_moves(self, const State* state, const Ruleset* rules,
                        Answer* answer) noexcept nogil:
        """All legal moves, sorted by text."""
        cdef int64_t count
        if is_over(state):
            return DONE
        if state.hidden[state.turn]:
            return HIDDEN_HAND
        count = self.rank_moves(state, rules)
        if count < 0:
            return MANY_MOVES
        qsort(self.ranked.data, <size_t>count, sizeof(Ranked), compare_ranked)
        if not self.keep_moves(count):
            return NO_MEMORY
        answer.moves = <int32_t>count
        return DONE

    cdef int64_t rank_moves(self, const State* state, const Ruleset* rules) noexcept nogil:
        """Put every legal move with its text where they are sorted; how many, or -1 for too
        many."""
        cdef int64_t i, count
        cdef Ranked item
        cdef Ranked* ranked
        cdef Writer writer
        self.search.arena.used = 0
        self.search.generator.alike = NULL
        count = push_moves(&self.search.arena, &self.search.generator, state, rules, LIST_LIMIT)
        self.search.arena.used = 0
        if count < 0:
            return -1
        memset(&item, 0, sizeof(Ranked))
        self.ranked.used = self.texts.used = 0
        for i in range(count):
            item.listed.move = self.search.arena.moves[i]
            item.listed.move.unused = 0
            writer.length = 0
            write_move(&writer, state, &item.listed.move)
            item.start = self.texts.used
            item.length = writer.length
            if not (add_bytes(&self.texts, writer.text, writer.length)
                    and add_bytes(&self.ranked, &item, sizeof(Ranked))):
                return -1
        ranked = <Ranked*>self.ranked.data
        for i in range(count):
            ranked[i].text = self.texts.data + ranked[i].start
        return count

    cdef bint keep_moves(self, int64_t count) noexcept nogil:
        cdef int64_t i
        cdef const Ranked* ranked = <const Ranked*>self.ranked.data
        for i in range(count):
            if not add_bytes(&self.moves, &ranked[i].listed, sizeof(Listed)):
                return False
        return True
