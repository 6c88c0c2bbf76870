"""Records of games for tests: strategies, and rounds of random plays."""

import random

from hypothesis import strategies as st

import casino_core as cc
from casino_core import Game, Note, Position, RecordedRound
from casino_core.formats.record_parts import MARKS, one_line
from helpers.rounds import at_random, play_out
from helpers.side_by_side import PRESET_NAMES, SEATINGS

RULES = [preset + seats for preset in PRESET_NAMES for seats in SEATINGS]

TEXTS = st.text(max_size=30).map(one_line)
COMMENTS = TEXTS.filter(lambda text: text and not text.lstrip("+-")[:1].isdigit())
NOTES = st.builds(
    Note,
    st.sampled_from(("", *MARKS)),
    st.none() | st.integers(-10_000, 10_000).map(lambda number: number / 1000),
    st.lists(COMMENTS, max_size=2).map(tuple),
)
TAGS = st.dictionaries(
    st.sampled_from(("Event", "Date", "PlayerA", "PlayerB", "Site", "Annotator")), TEXTS
)


def random_plays(start, rng, plays=200):
    """A round of random plays, whole unless it is cut."""
    return play_out(start, at_random(rng), plays)


def whole_round(seed):
    """A round of random plays from the start of a match."""
    return random_plays(Position.start(seed=seed), random.Random(seed))


@st.composite
def games(draw):
    """Games of a few rounds, some as one seat has seen them, the last one cut."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    target = draw(st.sampled_from((None, 11, "none")))
    rules = draw(st.sampled_from(RULES)) + draw(st.sampled_from(("", ",target=13")))
    match = cc.Match(rules, target=target)
    rounds, last = [], draw(st.integers(1, 3))
    viewer = draw(st.none() | st.sampled_from(match.rules.seats))
    while len(rounds) < last and not match.is_over:
        seed = rng.randrange(2**64)
        cut = 200 if len(rounds) < last - 1 else draw(st.integers(0, 48))
        played = random_plays(match.next_start(seed), rng, cut)
        if played.is_over:
            match = match.play_round(played)
        kept = played if viewer is None else played.seen_by(viewer)
        place = st.integers(1, max(1, len(kept.plays)))
        notes = draw(st.dictionaries(place, NOTES, max_size=4)) if kept.plays else {}
        notes[0] = Note(comments=tuple(draw(st.lists(COMMENTS, max_size=1))))
        seeded = viewer is None and draw(st.booleans())
        rounds.append(
            RecordedRound(
                kept,
                number=len(rounds) + 1,
                seed=seed if seeded else None,
                notes=notes,
                tags={"Table2": "x"} if seeded else {},
            )
        )
        if not played.is_over:
            break
    tags = draw(TAGS)
    if not rounds[-1].round.is_over and draw(st.booleans()):
        tags |= {"Result": "3/1", "Winner": "a"}
    return Game(rounds, rules=match.rules, target=target, tags=tags)
