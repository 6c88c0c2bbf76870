"""The page of a report: one file, every play, everything from outside escaped."""

import itertools
import re
from html.parser import HTMLParser

import pytest

import casino_core as cc
from casino_core.report.page import report_html
from helpers.reports import FEW, round_of

VOID = {"meta", "link", "input", "br"}


class Tree(HTMLParser):
    """Elements with their attributes and texts; notes what is not closed as it should be."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.faults = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append({"tag": tag, "text": "", **dict(attrs)})

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()["tag"] != tag:
            self.faults.append((tag, self.getpos()))

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag, **attributes):
        return [
            element
            for element in self.elements
            if element["tag"] == tag and attributes.items() <= element.items()
        ]


def checked(text):
    tree = Tree(text)
    assert tree.faults == []
    assert tree.open == []
    places = [element["id"] for element in tree.elements if "id" in element]
    assert len(places) == len(set(places))
    for element in tree.elements:
        for name in ("href", "aria-labelledby", "aria-describedby"):
            value = element.get(name, "")
            if name == "href" and not value.startswith("#"):
                continue
            for place in value.removeprefix("#").split():
                assert place in places, element
    return tree


def test_it_is_one_file_without_network(review):
    text = report_html(review)
    tree = checked(text)
    assert {element["tag"] for element in tree.elements if "src" in element} == set()
    assert {el["href"] for el in tree.all("link")} == {"data:,"}
    assert set(re.findall(r"https?://[^\s\"<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert "url(" not in text
    assert len(text.encode()) < 600_000


def test_structure_for_readers_of_screens(match_review):
    tree = checked(report_html(match_review))
    assert [len(tree.all(tag)) for tag in ("header", "main", "footer", "h1")] == [1, 1, 1, 1]
    assert tree.all("html")[0]["lang"] == "en"
    levels = [int(el["tag"][1]) for el in tree.elements if re.fullmatch(r"h[1-6]", el["tag"])]
    for before, after in itertools.pairwise(levels):
        assert after <= before + 1
    assert all("aria-labelledby" in element for element in tree.all("section"))
    for head in tree.all("th"):
        assert head["scope"] in ("col", "row")
    assert len(tree.all("caption")) == len(tree.all("table"))
    for picture in tree.all("svg"):
        named = {"aria-label", "aria-labelledby", "aria-hidden"} & picture.keys()
        assert named, picture
    for plot in tree.all("svg", role="group"):
        assert plot["aria-describedby"]


def test_every_play_is_there(match_review):
    tree = checked(report_html(match_review))
    plays = [el for el in tree.all("li") if "play" in el.get("class", "").split()]
    assert len(plays) == len(match_review.plays)
    wanted = [(one, play) for one in match_review.rounds for play in one.plays]
    for element, (one, play) in zip(plays, wanted, strict=True):
        assert element["id"] == f"r{one.number}-p{play.number}"
        assert element["class"].split()[1:] == [play.grade]
    pictures = [el for el in tree.all("svg") if el.get("aria-label", "").startswith("Casino.")]
    assert len(pictures) == len(plays) + len(match_review.costliest)


NASTY = "\"><script>alert(1)</script>&amp;'<img src=x onerror=alert(2)>"


def test_what_people_typed_is_escaped():
    game = round_of(tags={"PlayerA": NASTY, "PlayerB": "</title>" + NASTY, "Event": NASTY})
    text = str(game).replace("1. ", f"{{{NASTY}}} 1. ", 1)
    text = re.sub(r"(\n3\. \S+)|( 3\. \S+)", lambda m: m[0] + f"?? {{{NASTY}}}", text, count=1)
    review = cc.review_game(text, **FEW)
    page = report_html(review)
    tree = checked(page)
    assert len(tree.all("script")) == 1
    assert tree.all("img") == []
    assert not [el for el in tree.elements if any(name.startswith("on") for name in el)]
    assert NASTY in tree.all("h1")[0]["text"]
    assert NASTY in tree.all("p", **{"class": "note"})[0]["text"]


@pytest.mark.parametrize(
    "rules",
    ["standard,players=3", "standard,players=4,partners=yes", "draw", "royal", "spade-royal"],
)
def test_other_rules_have_a_report(rules):
    game = round_of(rules, tags={})
    tree = checked(report_html(cc.review_game(game, samples=4, deals=2)))
    assert tree.all("svg", role="group")


def test_a_round_in_the_middle_and_without_plays():
    whole = round_of().rounds[0].round
    part = cc.Round(whole.positions[30], whole.plays[30:40])
    assert "Not finished" in checked(report_html(cc.review_game(part, **FEW))).all("p")[0]["text"]
    checked(report_html(cc.review_game(cc.Round(whole.start), **FEW)))
    checked(report_html(cc.review_game(cc.Match(), **FEW)))


def test_hidden_hands_stay_hidden():
    game = round_of()
    seen = game.rounds[0].round.seen_by("b")
    tree = checked(report_html(cc.review_game(seen, **FEW)))
    assert "not judged: the hand of the seat is hidden" in tree.all("main")[0]["text"]


def test_the_same_review_gives_the_same_page(review):
    again = cc.review_game(round_of(), **FEW)
    assert report_html(again) == report_html(review)


def test_what_is_not_a_review_is_refused():
    with pytest.raises(cc.CasinoError, match="review"):
        report_html("a game")


def test_a_record_without_plays_shows_its_position():
    tree = checked(report_html(cc.review_game(cc.Round(cc.Position.start(seed=1)))))
    (section,) = tree.all("section")
    assert "The record has no play to review." in section["text"]
    assert len(tree.all("svg", role="img")) == 1
    assert tree.all("table") == []
