# The hash table of a tree search: statistics of each play of each information set, by a 64-bit key.
#
# Nodes have no entries of their own. The key of a play is a hash of its node and the move, so that
# one lookup finds it, and only plays that have been tried take memory.
from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef struct Play:                        # 32 bytes
    uint64_t key                         # of the node mixed with the play; 0: an empty place
    double total                         # sum of its values, for the side that makes it
    uint32_t visits
    uint32_t available                   # times that it could have been chosen
    uint32_t stamp                       # of the last visit to its node, so that equivalent
                                         # moves count once
    uint32_t unused                      # for a size of 32 bytes


cdef struct Tree:
    Play* plays                          # an open hash table
    uint64_t mask                        # places - 1
    uint64_t window                      # the mask in use, smaller for a short search
    int64_t count                        # plays kept
    int64_t limit                        # the most plays, for a moderate load factor


cdef int open_tree(Tree* tree, double mib) noexcept nogil
cdef void close_tree(Tree* tree) noexcept nogil
cdef void clear_tree(Tree* tree, int64_t plays) noexcept nogil


cdef inline Play* find_play(const Tree* tree, uint64_t key) noexcept nogil:
    """The statistics of a play, or NULL; they stay in place until the tree is cleared."""
    cdef uint64_t place = key & tree.window
    while tree.plays[place].key:
        if tree.plays[place].key == key:
            return &tree.plays[place]
        place = (place + 1) & tree.window
    return NULL


cdef inline Play* add_play(Tree* tree, uint64_t key) noexcept nogil:
    """A place for a new play, or NULL if the memory is full."""
    cdef uint64_t place = key & tree.window
    if tree.count >= tree.limit:
        return NULL
    while tree.plays[place].key:
        place = (place + 1) & tree.window
    tree.count += 1
    tree.plays[place].key = key
    return &tree.plays[place]
