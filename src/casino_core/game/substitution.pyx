"""Positions that differ from a given one in the cards that cannot be seen, and checks of them."""
from libc.stdint cimport uint8_t

from casino_core.game.position cimport Position, new_position
from casino_core.moves.state cimport hash_state, inconsistency
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Layout, cards_t, popcount


def with_hidden_cards(Position position not None, hands, piles, stock,
                      CompiledRules compiled=None):
    """Return a position with all hands and piles known: a world that a seat cannot tell from its
    own. The masks are taken as they are.

    Args:
        position: what the seat sees.
        hands: the mask of each hand.
        piles: the mask of each side's captured cards.
        stock: numbers of the cards to come, last one first, or None for an unknown order.
        compiled: other rules with the same seats and sides; None for those of the position.
    """
    cdef Layout layout = position.layout
    cdef int i
    for i in range(position.compiled.ruleset.seats):
        layout.state.hands[i] = hands[i]
        layout.state.hidden[i] = 0
    for i in range(position.compiled.ruleset.sides):
        layout.state.piles[i] = piles[i]
        layout.state.forgotten[i] = 0
    layout.stock.count = 0
    if stock is not None:
        for card in stock:
            layout.stock.cards[layout.stock.count] = card
            layout.stock.count += 1
    return new_position(position.compiled if compiled is None else compiled, &layout)


def with_hidden_again(Position position not None, seat, cards not None):
    """Return the position with known cards of a hand hidden again.

    Args:
        position: where the hand is known.
        seat: letter of the seat.
        cards: a CardSet of its hand.
    """
    cdef Layout layout = position.layout
    cdef int index = position.seat_index(seat)
    cdef cards_t mask = cards.mask
    layout.state.hands[index] &= ~mask
    layout.state.hidden[index] += <uint8_t>popcount(mask)
    return new_position(position.compiled, &layout)


def with_forgotten_cards(Position position not None, cards not None):
    """Return the position with captured cards forgotten: only their number stays known.

    Args:
        position: what a seat sees (`Position.view`).
        cards: a CardSet; what of it is not captured stays as it is.
    """
    cdef Layout layout = position.layout
    cdef cards_t lost
    cdef int side
    for side in range(position.compiled.ruleset.sides):
        lost = layout.state.piles[side] & <cards_t>cards.mask
        layout.state.piles[side] ^= lost
        layout.state.forgotten[side] += <uint8_t>popcount(lost)
    return new_position(position.compiled, &layout)


def broken_invariant(Position position not None):
    """Return None, or which invariant of the position's state is broken."""
    cdef const char* broken = inconsistency(&position.layout.state, &position.compiled.ruleset)
    return None if broken == NULL else broken.decode()


def state_hash(Position position not None):
    """Return the 64-bit hash of the position's state."""
    return hash_state(&position.layout.state)
