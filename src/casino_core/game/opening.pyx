"""The deal that begins a round, from a seed or from a pack in order."""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from casino_core.moves.state cimport deal_round, start_round
from casino_core.rules.types cimport DECK, Rng, rng_seed

from collections.abc import Sequence

from casino_core._arguments import SEED, shown, whole
from casino_core.errors import CasinoError, NotationError
from casino_core.rules.cards import cards_of_pack

cdef object SCORE = whole(0, 10**9)      # of a match, per side


cdef int deal_opening(CompiledRules compiled, seed, deck, score, Layout* layout) except -1:
    """Deal a round into `layout`; the arguments are those of `Position.start`."""
    cdef Rng rng
    cdef uint8_t pack[DECK]
    cdef int i
    memset(layout, 0, sizeof(Layout))
    if deck is not None and seed is not None:
        raise CasinoError("a round is dealt from a seed or from a deck, not from both")
    if deck is not None:
        for i, card in enumerate(cards_of_pack(deck)):
            pack[i] = card
        deal_round(&layout.state, &compiled.ruleset, &layout.stock, pack)
    else:
        rng_seed(&rng, 0 if seed is None else SEED("seed", seed))
        start_round(&layout.state, &compiled.ruleset, &layout.stock, &rng)
    if score is not None:
        read_score(score, compiled, layout)
    return 0


cdef int read_score(score, CompiledRules compiled, Layout* layout) except -1:
    """Copy the match score of each side into `layout`."""
    cdef int side
    if (isinstance(score, (str, bytes)) or not isinstance(score, Sequence)
            or len(score) != compiled.ruleset.sides):
        raise NotationError(f"score is a list of {compiled.ruleset.sides} whole numbers under "
                            f"these rules, not {shown(score)}")
    for side in range(compiled.ruleset.sides):
        layout.score[side] = SCORE(f"score of side {side}", score[side])
    return 0
