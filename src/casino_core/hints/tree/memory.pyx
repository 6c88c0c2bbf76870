"""The hash table of a tree search."""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from casino_core.rules.types cimport STATUS_FULL, STATUS_OK

cdef enum:
    LEAST_PLACES = 1024


cdef int open_tree(Tree* tree, double mib) noexcept nogil:
    """Allocate a table of at most `mib` MiB, but at least the smallest one; STATUS_FULL without
    memory."""
    cdef uint64_t places = LEAST_PLACES
    memset(tree, 0, sizeof(Tree))
    while <double>(2 * places) * sizeof(Play) <= mib * 1048576:
        places *= 2
    tree.plays = <Play*>malloc(<size_t>places * sizeof(Play))
    if tree.plays == NULL:
        return STATUS_FULL
    tree.mask = places - 1
    clear_tree(tree, 0)
    return STATUS_OK


cdef void close_tree(Tree* tree) noexcept nogil:
    free(tree.plays)
    tree.plays = NULL


cdef void clear_tree(Tree* tree, int64_t plays) noexcept nogil:
    """Empty the table, and use as much of it as `plays` plays need, or all of it for 0."""
    cdef uint64_t places = LEAST_PLACES
    while places <= tree.mask and (not plays or <int64_t>places < 2 * plays):
        places *= 2
    tree.window = places - 1
    tree.count = 0
    tree.limit = <int64_t>(places - places // 4)
    memset(tree.plays, 0, <size_t>places * sizeof(Play))
