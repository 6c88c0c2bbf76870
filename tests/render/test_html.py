"""HTML that a notebook shows for objects."""

import xml.etree.ElementTree as ET

import pytest

import casino_core as cc
from casino_core.render.html import move_html

ENDING = cc.Position.parse(
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
    "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)
MIDDLE = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Ts", "10♠"),
        ("9cx4s5c", "9♣x4♠5♣"),
        ("9cx[9d]", "9♣x[9d]"),
        ("9cx[10c:4s6c]", "9♣x[10c:4♠6♣]"),
        ("2s+5c+[7b]=7", "2♠+5♣+[7b]=7"),
        ("Ah", '<span style="color:#d4232f">A♥</span>'),
    ],
)
def test_a_move_has_signs_of_suits_and_letters_of_seats(text: str, drawn: str) -> None:
    assert move_html(text) == drawn


def test_positions_and_rounds_draw_themselves() -> None:
    assert MIDDLE._repr_svg_().startswith("<svg ")
    followed = cc.Round(MIDDLE)
    assert followed._repr_svg_() == MIDDLE._repr_svg_()
    assert "a played QdxQh" in followed.play("QdxQh")._repr_svg_()


@pytest.mark.parametrize(
    "answer",
    [
        cc.solve(ENDING),
        cc.hint(MIDDLE, samples=5, seed=1),
        cc.hint(ENDING),
        cc.solve(cc.Position.start(seed=3), nodes=100),
    ],
)
def test_answers_are_tables_with_every_move(answer: cc.Solution | cc.Hint) -> None:
    page = ET.fromstring(f"<div>{answer._repr_html_()}</div>")
    rows = page.findall("./table/tr")
    assert len(rows) == 1 + min(len(answer.moves), 30)
    first = "".join(rows[1].itertext())
    assert first.startswith(
        "".join(ET.fromstring(f"<i>{move_html(answer.moves[0].move)}</i>").itertext())
    )
    assert rows[1].find("./td/b") is not None


def test_long_tables_say_how_many_moves_they_leave_out() -> None:
    crowded = cc.Position.parse("table=As2s3s4h5h6h7d8d hands=9sTsJsQs/???? piles=????/-")
    answer = cc.hint(crowded, samples=2, seed=1)
    assert len(answer.moves) > 30
    assert f"and {len(answer.moves) - 30} more" in answer._repr_html_()
