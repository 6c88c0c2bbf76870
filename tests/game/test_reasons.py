"""Why a move is not legal: the reason in words."""

import pytest

from casino_core import IllegalMoveError, Position
from helpers.side_by_side import last_deal, texts

LOOSE = last_deal("table=2s5hTdJdKc hands=7cTsAs9h/8s")
BUILDS = last_deal("table=2s5h builds=9a:4d5c,7b:3c4h hands=9h7cAs2d/7h8s")

# Reasons: a position, a move, and the phrase that tells why not

OWNER = "table=2s5h builds=9a:4d5c hands=9h7cAs/Th9d"
PARTNERS = "players=4,partners=yes"
REASONS = [
    (LOOSE, "8c", "seat a does not hold 8c"),
    (LOOSE, "7cx2h5h", "2h is not loose on the table"),
    (LOOSE, "7c+3s4s=7", "3s4s is not loose on the table"),
    # trailing
    (last_deal(OWNER), "7c", "owns the build of 9, so it may not trail"),
    (last_deal(f"rules=royal-1911 {OWNER}"), "7c", "owns the build of 9, so it must capture"),
    (last_deal("rules=ramapo table=7s7d hands=7c/8c"), "7c", "7s7d of the same rank is loose"),
    (last_deal("rules=britannica table=2s5h hands=7c/8c"), "7c", "as it can capture (7cx2s5h)"),
    (
        last_deal("rules=standard,trail=last_resort table=2s5h hands=7c8c/8h"),
        "8c",
        "no card may be trailed while a capture or build is possible",
    ),
    # capturing
    (BUILDS, "9hx[7b]", "9h cannot capture a build of 7"),
    (
        last_deal("rules=royal builds=14b:7d7s,1b*:AhAd hands=As/Ac8s"),
        "Asx[1b][14b]",
        "one card cannot capture builds of different values",
    ),
    (LOOSE, "7cxJd", "Jd has no value, so it is captured only by a card of its rank"),
    (LOOSE, "9hx5h", "5h cannot be captured with 9h"),
    (LOOSE, "9hx2s5h", "do not split into groups that each sum to 9"),
    (last_deal("rules=royal table=2s5h hands=As/8s"), "Asx2s", "each sum to 1 or 14"),
    (last_deal("rules=ramapo table=9s4h5h hands=9h/8s"), "9hx4h5h", "must be captured too: 9s"),
    (
        last_deal("rules=standard,capture=maximal table=9s4h5h hands=9h/8s"),
        "9hx4h5h",
        "this card can capture more",
    ),
    (last_deal("builds=9b:4d5c hands=Jh/9h"), "Jhx[9b]", "Jh has no value, so it cannot capture"),
    (last_deal("table=JsQs hands=Jh/9h"), "JhxJsQs", "captures only other jacks, not Qs"),
    (last_deal("table=5s hands=Kh/9h"), "Khx5s", "captures only other kings, not 5s"),
    (last_deal("table=JsJd hands=Jh/9h"), "JhxJsJd", "Jh captures one of its rank"),
    (
        last_deal("rules=standard,court_capture=one_or_three table=QsQd hands=Qh/9h"),
        "QhxQsQd",
        "one or three of its rank",
    ),
    (last_deal("rules=britannica table=JsJd hands=Jh/9h"), "JhxJs", "all loose cards of its rank"),
    # building
    (LOOSE, "Jd+2s=2", "does not hold Jd"),
    (last_deal("table=2s hands=Jd9h/8s"), "Jd+2s=9", "Jd has no value, so it cannot build"),
    (
        last_deal("table=JsKs hands=2d9h/8s"),
        "2d+Js=9",
        "Js has no value, so it cannot be part of a build",
    ),
    (
        last_deal("rules=royal-1911 table=2s5h builds=9a:4d5c hands=9h7c2c/Th9d"),
        "2c+5h=7",
        "owns the build of 9, so it must capture",
    ),
    (LOOSE, "9h+2s=11", "no card has the value 11 under these rules"),
    (LOOSE, "As+2s=3", "no card of value 3 left to capture it"),
    (LOOSE, "7c+5h=12", "no card has the value 12"),
    (last_deal("rules=royal table=5h hands=7c8c/8s"), "7c+5h=12", "no card of value 12 left"),
    (last_deal("table=2s5h hands=7c8d/9h"), "7c+2s5h=7", "no card of value 7 left to capture it"),
    (
        last_deal("rules=standard,max_builds=1 table=2s6h builds=9a:4d5c hands=9h8c2c/Th9d"),
        "2c+6h=8",
        "owns 1 build already (max_builds=1)",
    ),
    (
        last_deal("rules=pagat,max_builds=2 table=6h builds=9a:4d5c,9a:2d7d hands=9h8c2c/8d"),
        "2c+6h=8",
        "owns 2 builds already (max_builds=2)",
    ),
    (
        last_deal("rules=pagat,max_builds=1 builds=9a:4d5c,8b:2d6d hands=9h8c8s/8d"),
        "8c+[8b]=8",
        "may not touch or make another",
    ),
    (LOOSE, "7c+2s=10", "7c and 2s are not a build of 10"),
    (
        last_deal("table=2s5h builds=9b:4d5c hands=9h7cAs/Th9d"),
        "7c+2s=9",
        "a build of 9 is on the table already; add to it instead",
    ),
    (
        last_deal("rules=standard,multiple=no table=2s3s4s hands=5s7c/Th"),
        "5s+2s3s4s=7",
        "multiple=no allows no build of more than one group",
    ),
    # adding
    (
        last_deal("rules=standard,multiple=no table=2s builds=9b:4d5c hands=9h7c/Th"),
        "7c+2s+[9b]=9",
        "multiple=no allows no build of more than one group",
    ),
    (
        last_deal("rules=ramapo table=2s builds=9b:4d5c hands=9h7c/Th"),
        "7c+2s+[9b]=9",
        "a player may add only to their own builds, and this one is seat b's",
    ),
    (
        last_deal("table=3s builds=9b:4d5c hands=9h7c/Th"),
        "7c+3s+[9b]=9",
        "7c and 3s are not a build of 9",
    ),
    (last_deal("builds=9b:4d5c hands=9h7c/Th"), "7c+[9b]=9", "7c is not a build of 9"),
    # raising
    (
        last_deal("builds=7b*:3d4d7s hands=2s9h/Th"),
        "2s+[7b]=9",
        "a multiple build cannot be raised",
    ),
    (
        last_deal("rules=standard,raising=none builds=7b:3d4d hands=2s9h/Th"),
        "2s+[7b]=9",
        "raising=none allows no raise",
    ),
    (
        last_deal("rules=standard,raising=others builds=7a:3d4d hands=2s9h7c/Th"),
        "2s+[7a]=9",
        "a player may not raise their own build",
    ),
    (
        last_deal("rules=ramapo builds=7a:3d4d hands=2s9h7c/Th"),
        "2s+[7a]=9",
        "a player may not raise their own build",
    ),
    (
        last_deal(f"rules=ramapo,{PARTNERS} builds=7c:3d4d hands=2s9h/Th/8h/8d"),
        "2s+[7c]=9",
        "only an opponent's build may be raised, not the partner's",
    ),
    (
        last_deal("rules=hoyle builds=7a:3d4d hands=2s9h/Th"),
        "2s+[7a]=9",
        "whoever raises their own build must still hold a card of value 7 too",
    ),
    (
        last_deal("rules=standard,multiple=no builds=7b:3d4d,9b:4h5h hands=2s9h/Th"),
        "2s+[7b]=9",
        "multiple=no allows no other",
    ),
    (
        last_deal("rules=standard,add_to=own builds=7b:3d4d,9b:4h5h hands=2s9h/Th"),
        "2s+[7b]=9",
        "it would join seat b's build of 9, which it may not add to",
    ),
    (
        last_deal("rules=standard,max_builds=1 builds=7a:3d4d,9b:4h5h hands=2s9h7c/9c"),
        "2s+[7a]=9",
        "it would join seat b's build of 9, which it may not add to",
    ),
    (
        last_deal("builds=7b:3d4d hands=3s9h/Th"),
        "3s+[7b]=9",
        "3s does not raise 7 to 9",
    ),
    (
        last_deal("table=As builds=7b:3d4d hands=Ad9h/Th"),
        "Ad+As+[7b]=9",
        "Ad does not raise 7 to 9",
    ),
    (
        last_deal("rules=ramapo table=9s builds=7b:3d4d hands=2s9h/Th"),
        "2s+9s+[7b]=9",
        "raise_absorb=no allows no further cards in a raise",
    ),
    (
        last_deal("table=8s builds=7b:3d4d hands=2s9h/Th"),
        "2s+8s+[7b]=9",
        "2s and 8s do not raise 7 to 9 with whole groups of 9 left over",
    ),
    # keeping a card
    (
        last_deal("table=9s builds=9a:4d5c hands=9h7c/Th"),
        "9hx9s",
        "must keep a card to capture its",
    ),
    (
        last_deal("table=2s builds=7a:3d4d,9b:4h5h hands=9h7c/Th"),
        "7c+2s+[9b]=9",
        "seat a must keep a card to capture its build of 7",
    ),
    (
        last_deal("rules=standard,owner_turn=free builds=9a:4d5c hands=9h7c/Th"),
        "9h",
        "seat a must keep a card to capture its build of 9",
    ),
    (
        last_deal("rules=royal table=7s builds=1a*:AhAd hands=7cAs7h/Th"),
        "7c+7s=14",
        "one ace cannot be kept for both a build of 1 and a build of 14",
    ),
    (last_deal("table=Js builds=9a:4d5c hands=9h/Th"), "9hxJs", "Js has no value"),
]


@pytest.mark.parametrize(("line", "text", "phrase"), REASONS)
def test_the_reason_is_given(line, text, phrase):
    position = Position.parse(line)
    assert text not in texts(position.legal_moves())
    reason = position.why_illegal(text)
    assert phrase in reason
    assert "\n" not in reason
    assert not position.is_legal(text)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(text)
    assert caught.value.reason == reason
    assert str(caught.value).endswith(f" is not legal: {reason}")


def test_a_legal_move_has_no_reason():
    for line in {case[0] for case in REASONS}:
        position = Position.parse(line)
        moves = position.legal_moves()
        assert moves
        for move in moves:
            assert position.why_illegal(move) is None
