"""The page in a real browser."""

import time
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PATIENCE = 30


def until(true: Callable[[], Any]) -> Any:
    """The first value of a function that counts as true."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


class Table:
    """A game in a tab of the browser, as a person uses it."""

    def __init__(self, browser: Any, client: Any) -> None:
        self.browser = browser
        self.client = client

    def begin(self, **fields: Any) -> str:
        """Begin a game and open it, without pauses; returns its name."""
        game = self.client.post("/api/games", **fields)
        self.open("")
        self.browser.run("localStorage.setItem('casino.slow', 'no')")
        self.open(f"#/game/{game['id']}")
        self.ready()
        return game["id"]

    def open(self, place: str) -> None:
        self.browser.open(f"http://{self.client.address}/{place}")

    def ready(self) -> None:
        """Wait until it is the player's turn, or the round is over."""
        until(lambda: self.browser.all("#game .hand .card:enabled, #game [data-part=result]"))

    @property
    def is_over(self) -> bool:
        return bool(self.browser.all("#game [data-part=result]"))

    def hand(self) -> list[Any]:
        return self.browser.all("#game .hand .card:enabled")

    def plays(self) -> int:
        return len(self.browser.all("#game .log li"))

    def press(self, selector: str) -> None:
        """Press what a person would, where it may be drawn anew at any moment."""
        assert self.browser.run(
            "const found = document.querySelector(arguments[0]);"
            "found?.scrollIntoView({block: 'center'}); found?.click(); return Boolean(found)",
            selector,
        ), (selector, self.browser.run('return document.querySelector("#game").innerText'))

    def play_last(self) -> None:
        """Choose the first card that can be played, and make the last play listed."""
        before = self.plays()
        self.press("#game .hand .card:enabled:not(.idle)")
        self.press("#game .choices .chip:last-of-type")
        until(lambda: self.plays() > before)
        self.ready()


@pytest.fixture
def table(browser: Any, client: Any) -> Table:
    return Table(browser, client)


def test_a_whole_round_by_clicks(table: Table) -> None:
    table.open("")
    until(lambda: table.browser.all("#new button.main"))
    table.browser.run("localStorage.setItem('casino.slow', 'no')")
    table.browser.one("#new button.main").click()
    until(lambda: table.browser.all("#game .board"))
    table.ready()
    for _ in range(24):
        table.play_last()
    assert table.is_over
    rows = table.browser.all("[data-part=result] tbody tr")
    assert [row.text.split()[0] for row in rows[:2]] == ["Most", "Most"]
    table.press("#game [data-act=next]")
    until(lambda: not table.is_over)
    table.ready()
    assert table.browser.errors() == []
