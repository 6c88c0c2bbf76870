"""Loops over arrays of positions, with one release of the GIL for many of them.

An item that cannot be answered gets a status, and the loop goes on. An answer depends on its item alone: the table is
as new for each, so that neither the order of items nor their number nor the worker matters.
"""
cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t, uint8_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from casino_core.core.cardtext cimport Writer
from casino_core.core.movegen cimport pick_move
from casino_core.core.moves cimport new_move
from casino_core.core.notation cimport parse_layout
from casino_core.core.playout cimport close_generator, list_growing, open_generator, push_moves, start_round
from casino_core.core.position cimport Position, new_position
from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.search cimport (
    LARGE, LIST_LIMIT, STOPPED_FULL, STOPPED_SIGNAL, Search, canonical_cards, close_search, open_search, set_search,
)
from casino_core.core.segments cimport Generator
from casino_core.core.solver cimport move_bounds, move_value, root_moves
from casino_core.core.solving cimport best_value, narrow_bounds
from casino_core.core.state cimport (
    copy_state, hand_size, inconsistency, is_over, play_move, points_ahead, score_round, sort_builds,
)
from casino_core.core.sums cimport count_values, splits
from casino_core.core.table cimport close_table, fitting_mib, forget_entries, open_table
from casino_core.core.types cimport (
    DECK, MAX_HAND, MAX_SEATS, Layout, Move, Rng, Ruleset, STATUS_OK, State, Stock, build_cards, build_value, cards_t,
    mix, popcount, rng_below, rng_seed, side_of,
)
from casino_core.core.writing cimport layout_text, write_move

from time import perf_counter

from casino_core.errors import CasinoError

cdef enum:
    UNREADABLE_RULES = 0xFFFF            # the rules' index of an item that could not be read
    NO_CARD = 255                        # the card of a move that is none
    LOOK_EVERY = 8192                    # nodes between looks at signals, over items

cdef enum:                               # status of an item; casino_core.arrays.Status has them for Python
    DONE = 0
    LIMIT = 1
    UNREADABLE = 2
    INVALID = 3
    HIDDEN_HAND = 4
    HIDDEN_PILE = 5
    HIDDEN_STOCK = 6
    MANY_SIDES = 7
    MANY_MOVES = 8
    UNFINISHED = 9
    LARGE_VALUES = 10
    NO_MEMORY = 11

cdef enum:
    TASK_VALUE = 0
    TASK_SOLVE = 1
    TASK_MOVES = 2
    TASK_SCORE = 3

TASKS = {"value": TASK_VALUE, "solve": TASK_SOLVE, "moves": TASK_MOVES, "score": TASK_SCORE}


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
    int64_t length                       # while the text may still move its place in the buffer is kept in `start`
    int64_t start


cdef struct Bytes:                       # memory that grows
    char* data
    int64_t used
    int64_t capacity


cdef bint add_bytes(Bytes* buffer, const void* data, int64_t size) noexcept nogil:
    """Whether there was memory to add to the buffer."""
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
    """What tells loops in other threads to end.

    >>> StopSign().raised
    False
    """
    cdef int up

    def raise_it(self):
        """End the loops that look at it."""
        self.up = True

    @property
    def raised(self):
        """Whether it is up."""
        return bool(self.up)


cdef int look_at_sign(void* owner) noexcept:
    return STOPPED_SIGNAL if (<StopSign>owner).up else 0


@cython.final
cdef class BatchSearch:
    """What one thread needs to answer items: a search, its table, buffers. Not for two threads at once.

    Arguments: largest_mib, what the table grows to at most; stop, a StopSign.

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
        self.search.until_look = LOOK_EVERY

    def __dealloc__(self):
        close_search(&self.search)
        free(self.moves.data)
        free(self.lines.data)
        free(self.ranked.data)
        free(self.texts.data)
        free(self.bounds.data)

    def answer(self, int task, const uint8_t[:, ::1] records not None, list compiled not None,
               uint8_t[:, ::1] answers not None, int64_t nodes=0, seconds=None):
        """Answer every item of an array.

        Arguments: task, of TASKS; records, the bytes of a position array, a row an item; compiled, its rule sets;
        answers, rows of as many bytes as an answer, to be filled; nodes, seconds, limits of each item (0 and None for
        none). Returns the bytes of all lists of moves and of all best lines, each item after item. A KeyboardInterrupt
        is raised where the stop sign was seen.
        """
        cdef const Ruleset* rules[256]
        cdef CompiledRules one
        cdef Py_ssize_t i, count = records.shape[0]
        cdef const Record* record
        cdef Answer* answer
        cdef int index, sets = len(compiled)
        if records.shape[1] != sizeof(Record) or answers.shape[1] != sizeof(Answer) or answers.shape[0] != count:
            raise CasinoError("the arrays do not have the shape of positions and answers")
        if sets > 256:
            raise CasinoError("a position array holds 256 rule sets at most")
        for index in range(sets):
            one = compiled[index]
            rules[index] = &one.ruleset
        self.task = task
        self.node_limit = nodes
        self.seconds = 0 if seconds is None else seconds
        self.moves.used = self.lines.used = 0
        self.search.stopped = 0
        self.search.watch = look_at_sign
        self.search.owner = <void*>self.stop
        self.search.deadline = 0
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
                        self.search.deadline = self.clock() + self.seconds
                    answer.status = self.answer_item(record, rules[record.rules], answer)
                if self.stop.up or self.search.stopped == STOPPED_SIGNAL:
                    break
        if self.stop.up or self.search.stopped == STOPPED_SIGNAL:
            self.search.stopped = 0
            raise KeyboardInterrupt
        return (PyBytes_FromStringAndSize(self.moves.data, self.moves.used),
                PyBytes_FromStringAndSize(self.lines.data, self.lines.used))

    cdef double clock(self) noexcept nogil:
        with gil:
            return perf_counter()

    cdef int answer_item(self, const Record* record, const Ruleset* rules, Answer* answer) noexcept nogil:
        """The status of an item, whose answer is filled in."""
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
        """Make the table large enough for so many plays, and forget what it holds."""
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

    cdef int begin(self, const State* state, const Ruleset* rules, const Stock* stock) noexcept nogil:
        """Make the search ready for one of the item's states; how many moves it has, or less than none."""
        set_search(&self.search, rules, state, stock, 1, False, 0)
        self.search.nodes = 0
        self.search.node_limit = self.node_limit
        self.search.stopped = 0
        if self.node_limit and self.search.until_look > self.node_limit:
            self.search.until_look = self.node_limit
        self.search.arena.used = 0
        return <int>root_moves(&self.search, state)

    cdef int search_item(self, const State* state, const Ruleset* rules, const Stock* stock,
                         Answer* answer) noexcept nogil:
        cdef int count, lower = 0, upper = 0, status
        cdef int fixed = points_ahead(rules, state, side_of(rules, state.turn))
        status = self.fit_table(state.stock + popcount(state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]))
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
        if self.search.stopped == STOPPED_FULL:
            return MANY_MOVES
        return DONE if lower == upper else LIMIT

    cdef int solve_item(self, const State* state, const Ruleset* rules, const Stock* stock, int count, int fixed,
                        Answer* answer) noexcept nogil:
        """Bounds of every move, best first, and best play to the end of the round."""
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
        if self.node_limit or self.search.deadline:
            narrow_bounds(&self.search, state, roots, bounds, count)
        else:
            for i in range(count):
                if self.search.stopped:
                    break
                move_value(&self.search, state, &roots[i], &bounds[2 * i], &bounds[2 * i + 1])
        if self.search.stopped == STOPPED_FULL:
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

    cdef int list_moves(self, const State* state, const Ruleset* rules, Answer* answer) noexcept nogil:
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
        """Put every legal move with its text where they are sorted; how many, or -1 for too many."""
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


cdef bint is_sound(const Layout* layout, const Ruleset* rules) noexcept nogil:
    """Whether the core may work on a layout that came from outside."""
    cdef const State* state = &layout.state
    cdef uint8_t counts[16]
    cdef cards_t cards, seen = state.table | layout.out
    cdef int i
    if inconsistency(state, rules) != NULL or layout.out >> DECK:
        return False
    for i in range(MAX_SEATS):
        if hand_size(state, i) > MAX_HAND or state.declared[i] >> 15 or state.sweeps[i] > DECK:
            return False
        seen |= state.hands[i] | state.piles[i]
    for i in range(state.build_count):
        cards = build_cards(state.builds[i])
        if state.builds[i] >> 59 or cards & ~rules.valued or not rules.by_value[build_value(state.builds[i])]:
            return False
        count_values(rules, cards, counts)
        if not splits(counts, build_value(state.builds[i]), rules.aces_high):
            return False
        seen |= cards
    if layout.stock.count and layout.stock.count != state.stock:
        return False
    for i in range(layout.stock.count):
        if layout.stock.cards[i] >= DECK or seen >> layout.stock.cards[i] & 1:
            return False
        seen |= <cards_t>1 << layout.stock.cards[i]
    return True


# Records from texts and positions, and back

cdef void keep_layout(Layout* out, const Layout* layout) noexcept nogil:
    """Copy a layout into zeros, without the cards that have been dealt and builds that are gone: equal positions are
    equal bytes."""
    copy_state(&out.state, &layout.state)
    keep_stock(&out.stock, &layout.stock, layout.state.stock)
    out.out = layout.out
    memcpy(out.score, layout.score, sizeof(out.score))


cdef void keep_stock(Stock* out, const Stock* stock, int left) noexcept nogil:
    """Copy what is left of a stock, if its order is known."""
    cdef int i
    if stock.count:
        out.count = <uint8_t>left
        for i in range(left):
            out.cards[i] = stock.cards[stock.count - left + i]


cdef CompiledRules fill_record(Record* record, object item, list warnings):
    """Fill a record, but for the rules' index, from a text or a Position; the rules."""
    if isinstance(item, str):
        return parse_layout(item, &record.layout, warnings)
    if isinstance(item, CasinoError):
        raise item
    if not isinstance(item, Position):
        raise CasinoError(f"a position is a Position or its text, not {type(item).__name__}")
    keep_layout(&record.layout, &(<Position>item).layout)
    return (<Position>item).compiled


def fill_records(items, uint8_t[:, ::1] records not None, list compiled not None):
    """Write items into the rows of a position array.

    Arguments: items, as many texts, Positions, or errors that stand for what could not be read; records, zeros;
    compiled, the list of rule sets, which grows. Returns a dictionary of the errors by row; the rules of such a row
    are marked as not readable.
    """
    cdef Record* record
    cdef CompiledRules rules = None, last = None
    cdef Py_ssize_t row = 0
    cdef int index = -1
    cdef list warnings = []
    cdef dict errors = {}
    cdef dict known = {one.rules: place for place, one in enumerate(compiled)}
    if records.shape[1] != sizeof(Record):
        raise CasinoError("the array does not have the shape of positions")
    for item in items:
        record = <Record*>&records[row, 0]
        try:
            rules = fill_record(record, item, warnings)
            if rules is not last:
                last = None              # only once it is among the others
                found = known.get(rules.rules)
                if found is None:
                    if len(compiled) == 256:
                        raise CasinoError("rules: a position array holds 256 rule sets at most")
                    found = known[rules.rules] = len(compiled)
                    compiled.append(rules)
                index = found
                last = rules
            record.rules = <uint16_t>index
        except CasinoError as error:
            memset(record, 0, sizeof(Record))
            record.rules = UNREADABLE_RULES
            errors[row] = str(error)
        row += 1
    return errors


cdef Position position_of(const Record* record, list compiled):
    """The position of a record; refused where there is none."""
    cdef CompiledRules rules
    if record.rules >= len(compiled):
        raise CasinoError("the item holds no position: it could not be read")
    rules = compiled[record.rules]
    if not is_sound(&record.layout, &rules.ruleset):
        raise CasinoError("the item of the array is not a position that can be")
    return new_position(rules, &record.layout)


def positions_of(const uint8_t[:, ::1] records not None, list compiled not None, bint as_text):
    """The Positions of the rows of an array, or their texts."""
    cdef Py_ssize_t i
    cdef Position position
    cdef list result = []
    for i in range(records.shape[0]):
        position = position_of(<const Record*>&records[i, 0], compiled)
        result.append(layout_text(&position.layout, position.compiled) if as_text else position)
    return result


def moves_of(const uint8_t[:, ::1] records not None, list compiled not None, const uint8_t[:, ::1] moves not None,
             const int32_t[::1] counts, bint in_line, bint as_text):
    """A list for each row: its moves, or their texts.

    Arguments: records, compiled, of the array; moves, packed, row after row; counts, how many each row has; in_line,
    whether they follow one another, else all are moves of the row's position; as_text. A move of no card is None.
    """
    cdef Py_ssize_t i, place = 0
    cdef int _k
    cdef Position position
    cdef State state
    cdef const Move* move
    cdef const Stock* stock
    cdef list result = [], part
    for i in range(records.shape[0]):
        part = []
        if counts[i]:
            if place + counts[i] > moves.shape[0] or moves.shape[1] < <Py_ssize_t>sizeof(Move):
                raise CasinoError("fewer moves than the counts say")
            position = position_of(<const Record*>&records[i, 0], compiled)
            copy_state(&state, &position.layout.state)
            stock = position.stock_order()
            for _k in range(counts[i]):
                move = <const Move*>&moves[place, 0]
                place += 1
                if move.card >= DECK:
                    part.append(None)
                    continue
                one = new_move(&state, move)
                part.append(one.text if as_text else one)
                if in_line:
                    play_move(&state, &position.compiled.ruleset, stock, move)
                    sort_builds(&state)
        result.append(part)
    return result


# Rounds of random play

cdef enum:
    KEEP_ALL = 0                         # every position in which a card is to be played
    KEEP_LAST_DEAL = 1                   # those of the last deal
    KEEP_DEAL_END = 2                    # the one that follows the last play of a deal


cdef inline void keep_state(Record* record, const State* state, const Stock* stock) noexcept nogil:
    memset(record, 0, sizeof(Record))
    copy_state(&record.layout.state, state)
    sort_builds(&record.layout.state)
    keep_stock(&record.layout.stock, stock, state.stock)


def random_records(CompiledRules compiled not None, uint8_t[:, ::1] records not None, int64_t first, int64_t rounds,
                   uint64_t seed, int keep, int deal):
    """Positions of rounds in which each legal move is equally likely; how many rows were filled.

    Arguments: compiled, the rule set; records, with room for them; first, number of the first round, from 0; rounds,
    how many; seed: round n begins as `Position.start(rules, seed=round_seed(seed, n))`; keep, 0 for all positions, 1
    for those of the last deal, 2 for the one that follows the last play of a deal; deal, which, from 1.
    """
    cdef Generator generator
    cdef State state
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef const Ruleset* rules = &compiled.ruleset
    cdef Py_ssize_t row = 0, room = records.shape[0]
    cdef int64_t number
    cdef int before, deals
    cdef bint full = False
    if records.shape[1] != sizeof(Record):
        raise CasinoError("the array does not have the shape of positions")
    if room == 0:
        return 0
    if open_generator(&generator) != STATUS_OK:
        raise MemoryError
    with nogil:
        for number in range(first, first + rounds):
            rng_seed(&rng, mix(seed, <uint64_t>number))
            start_round(&state, rules, &stock, &rng)
            deals = 1
            while not full:
                if keep == KEEP_ALL and not is_over(&state) or keep == KEEP_LAST_DEAL and not state.stock \
                        and not is_over(&state) or keep == KEEP_DEAL_END and deals == deal + 1:
                    full = row == room
                    if full:
                        break
                    keep_state(<Record*>&records[row, 0], &state, &stock)
                    row += 1
                if is_over(&state) or keep == KEEP_DEAL_END and deals > deal:
                    break
                full = list_growing(&generator, &state, rules, LIST_LIMIT) != STATUS_OK
                if full:
                    break
                pick_move(&generator, <int64_t>rng_below(&rng, generator.total), &move)
                before = state.stock
                play_move(&state, rules, &stock, &move)
                if (before != state.stock and not rules.draw) or is_over(&state):
                    deals += 1
        close_generator(&generator)
    if full:
        raise CasinoError("the positions of the random rounds do not fit")
    return row


def round_seed(uint64_t seed, uint64_t number):
    """The seed of a round among many.

    >>> round_seed(1, 0) == round_seed(1, 1)
    False
    """
    return mix(seed, number)
