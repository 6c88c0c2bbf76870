# The memory of a tree search: what is known of each play of each information set, by a 64-bit key.
#
# There is no record of a node: a node is the plays that its key is mixed with, so that one search for a play finds it,
# and memory is only taken by plays that have been tried.
from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef struct Play:                        # 32 bytes
    uint64_t key                         # of the node mixed with the play; 0: an empty place
    double total                         # sum of the values that came of it, for the side that makes it
    uint32_t visits
    uint32_t available                   # times that it could have been chosen
    uint32_t stamp                       # of the last visit to its node: moves that are alike are counted once
    uint32_t unused                      # a power of two in all


cdef struct Tree:
    Play* plays                          # an open hash table
    uint64_t mask                        # places - 1
    uint64_t window                      # the mask in use: a short search clears no more than it needs
    int64_t count                        # plays kept
    int64_t limit                        # plays that may be kept: the table stays loose


cdef int open_tree(Tree* tree, double mib) noexcept nogil
cdef void close_tree(Tree* tree) noexcept nogil
cdef void clear_tree(Tree* tree, int64_t plays) noexcept nogil


cdef inline Play* find_play(const Tree* tree, uint64_t key) noexcept nogil:
    """What is known of a play, or NULL; it stays where it is until the tree is cleared."""
    cdef uint64_t place = key & tree.window
    while tree.plays[place].key:
        if tree.plays[place].key == key:
            return &tree.plays[place]
        place = (place + 1) & tree.window
    return NULL


cdef inline Play* add_play(Tree* tree, uint64_t key) noexcept nogil:
    """A place for a play that is not there yet, or NULL when the memory is full."""
    cdef uint64_t place = key & tree.window
    if tree.count >= tree.limit:
        return NULL
    while tree.plays[place].key:
        place = (place + 1) & tree.window
    tree.count += 1
    tree.plays[place].key = key
    return &tree.plays[place]
