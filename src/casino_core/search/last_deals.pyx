"""The exact mean of the last deal over its splits, for searches that stop before it.

The searches of one position share the values of last deals, which are the same in whatever way they
are reached.
"""
cimport cython

from casino_core.game.position cimport Position
from casino_core.rules.types cimport STATUS_OK, State
from casino_core.search.alphabeta cimport expect_last_deal, expected_deal
from casino_core.search.context cimport (
    CARDS_DEALT, LARGE, Search, close_search, open_search, search_hash, set_search, unknown_cards,
)
from casino_core.search.limits cimport Limits

from math import comb

from casino_core.errors import CasinoError, not_copied

cdef int last_deal_mean(DealMeans* data, const State* dealt, int side,
                        Limits* limits) noexcept nogil:
    """Sum of the value to go for a side over all splits of the last deal, both sides playing
    perfectly with open cards.

    Args:
        dealt: the state after the deal, both hands hidden.
        limits: of the search that asks; they count here too.
    """
    cdef Search* means = &data.means
    cdef int value
    means.salt = data.salt
    expect_last_deal(means, &data.deals, unknown_cards(means, dealt))
    means.limits = limits[0]
    value = expected_deal(means, dealt, side, search_hash(means, dealt), -LARGE, LARGE)
    limits.until_look = means.limits.until_look
    limits.stopped = means.limits.stopped
    return value


@cython.final
cdef class LastDeals:
    """Means of last deals that follow a position, with the memory of their search; not for two
    threads at once.

    Args:
        position: two players before the last deal, the order of the stock unknown, all captured
            cards known.
        table_mib: size of the table of last deals in MiB.

    Attributes:
        splits: number of ways to split the cards of the last deal between both hands.

    Raises:
        CasinoError: another kind of position.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse(
        ...     "table=5dQd hands=6dKh/?? piles=AsAc3s3h7s7dQsQc/Ah2s2h2d2c3d3c4s4h4d5s5h5c6s6h6c7c"
        ...     "8s8h8c9s9h9dTsThTdJsJhKsKc last=b"
        ... )
        >>> LastDeals(position).splits
        70
    """

    def __cinit__(self, Position position not None, *, double table_mib=2):
        cdef const State* state = &position.layout.state
        if not LastDeals.fits(position):
            raise CasinoError("last deals are averaged before the last deal of two players")
        if (open_search(&self.data.means, 0.25) != STATUS_OK
                or open_search(&self.data.deals, table_mib) != STATUS_OK):
            raise MemoryError
        self.splits = comb(state.stock, CARDS_DEALT)
        self.data.means.out = self.data.deals.out = position.layout.out
        set_search(&self.data.means, &position.compiled.ruleset, state, NULL, self.splits, True, 0)
        self.data.salt = self.data.means.salt

    def __dealloc__(self):
        close_search(&self.data.means)
        close_search(&self.data.deals)

    def __reduce__(self):
        raise not_copied(self)

    @staticmethod
    def fits(Position position not None):
        """Whether the last deal of two players comes next, with nothing else to be known.

        Args:
            position: a position.
        """
        cdef const State* state = &position.layout.state
        return (position.compiled.ruleset.seats == 2 and not position.compiled.ruleset.draw
                and state.stock == 2 * CARDS_DEALT and not position.layout.stock.count
                and not state.forgotten[0] and not state.forgotten[1])
