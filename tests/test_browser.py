"""The browser of the tests itself: sizes, colours, keys, and errors of a page are noticed."""

from pathlib import Path

import pytest

from helpers.browser import WIDTHS, Browser

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
<style>:root{color-scheme:light dark}p{width:500px}</style>
<link rel="icon" href="data:,"><p><input autofocus></p>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", WIDTHS)
def test_width_and_side_scroll(browser: Browser, page: Path, width: int) -> None:
    browser.show(width)
    browser.open(page)
    assert browser.run("return innerWidth") == width
    assert (browser.overhang() > 0) == (width < 500)
    assert browser.errors() == []


def test_colours_and_motion(browser: Browser, page: Path) -> None:
    browser.open(page)
    asked = "return matchMedia('(prefers-color-scheme: dark)').matches"
    assert browser.run(asked) is False
    browser.show(dark=True, still=True)
    assert browser.run(asked) is True
    assert browser.run("return matchMedia('(prefers-reduced-motion: reduce)').matches") is True


def test_keys_reach_the_focus(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.press("a", "b", "ARROW_LEFT", "c")
    assert browser.one("input").get_property("value") == "acb"


def test_an_error_is_noticed(browser: Browser, page: Path) -> None:
    page.write_text(PAGE + "<script>nonsense()</script>", encoding="utf-8")
    browser.open(page)
    (error,) = browser.errors()
    assert "nonsense is not defined" in error
    assert browser.errors() == []


def test_nothing_is_fetched_from_elsewhere(browser: Browser, page: Path) -> None:
    page.write_text(PAGE + '<img src="http://example.com/x.png">', encoding="utf-8")
    browser.open(page)
    (error,) = browser.errors()
    assert "ERR_NAME_NOT_RESOLVED" in error


def test_pictures_and_paper(browser: Browser, page: Path, tmp_path: Path) -> None:
    browser.open(page)
    browser.picture(tmp_path / "page.png")
    browser.paper(tmp_path / "page.pdf")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
