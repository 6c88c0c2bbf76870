"""The page in a real browser."""

import time
from typing import Any

import pytest

from helpers.browser import PATIENCE, until

pytestmark = pytest.mark.browser


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


def test_a_whole_round_by_keyboard(table: Table) -> None:
    """Digits choose from the hand, arrows lead to a play, Enter makes it; no mouse."""
    table.begin(seed=11)
    for _ in range(24):
        before = table.plays()
        for key in "1234":
            table.browser.press(key)
            if table.browser.all("#game .choices .chip"):
                break
            table.browser.press(key)
        table.browser.press("ENTER")  # lays the card, if it may be laid
        time.sleep(0.05)
        if table.plays() == before and table.browser.all("#game .choices .chip:not(.ready)"):
            chips = len(table.browser.all("#game .choices .chip"))
            for _ in range(40):
                if table.browser.run("return document.activeElement.matches('.chip')"):
                    break
                table.browser.press("ARROW_RIGHT")
            assert chips
            table.browser.press("ENTER")
        until(lambda now=before: table.plays() > now)
        table.ready()
    assert table.is_over
    table.browser.press("n")
    until(lambda: not table.is_over)
    assert table.browser.errors() == []


def test_the_keys_of_the_table(table: Table) -> None:
    name = table.begin(seed=5)
    table.browser.press("2")
    assert table.browser.run("return document.activeElement.dataset.hand") == "2"
    assert table.browser.one(".hand .chosen").get_attribute("aria-pressed") == "true"
    table.browser.press("ESCAPE")
    assert table.browser.all(".chosen") == []
    table.play_last()
    assert table.plays() == 2
    table.browser.press("u")
    until(lambda: table.plays() == 0)
    table.browser.press("h")
    until(lambda: table.browser.all(".hint .bars li"))
    assert table.client.get(f"/api/games/{name}")["log"] == []


def test_plays_are_typed(table: Table) -> None:
    """A wrong one gets the reason, and stays to be mended; letters in the field are no keys."""
    name = table.begin(seed=11)
    moves = table.client.get(f"/api/games/{name}")["moves"]
    right = next(move["text"] for move in moves if move["kind"] == "capture")
    field = "#game [data-act=typed]"
    table.browser.one(field).send_keys("uh7cx\n")
    toast = until(lambda: table.browser.one("#toast").text)
    assert "'uh7cx'" in toast
    assert "\n" not in toast
    assert table.browser.one(field).get_attribute("value") == "uh7cx"
    assert table.browser.run("return document.activeElement.id") == "typed"
    assert not table.browser.all(".hint:not([hidden])")
    for _ in range(5):
        table.browser.press("BACK_SPACE")
    table.browser.one(field).send_keys(f"{right}\n")
    until(lambda: table.plays() == 2)
    table.ready()
    assert table.browser.one(field).get_attribute("value") == ""
    assert table.client.get(f"/api/games/{name}")["log"][0]["text"] == right
    assert [one for one in table.browser.errors() if "400" not in one] == []


def test_hints_to_win_the_match(table: Table) -> None:
    def best() -> str:
        return table.browser.all(".hint .value")[0].text

    table.begin(seed=11)
    table.press("#game [data-act=hint]")
    until(lambda: table.browser.all(".hint .bars li"))
    assert "%" not in best()
    table.press("#game [data-act=for-match]")
    until(lambda: table.browser.all(".hint .value") and "%" in best())
    assert "Chance to win the match" in table.browser.one(".hint").text
    table.browser.run("location.reload()")
    until(lambda: table.browser.all("#game [data-act=for-match]:checked"))
    table.begin(seed=11, target="none")
    assert not table.browser.all("#game [data-act=for-match]")
    assert table.browser.errors() == []


def test_a_refused_press_says_why(table: Table) -> None:
    table.begin(seed=5)
    game = table.client.get(
        f"/api/games/{table.browser.run('return location.hash').split('/')[-1]}"
    )
    card, other = next(
        (card, other)
        for card in game["hands"]["a"]
        for other in game["table"]
        if not any(m["card"] == card and other in m["loose"] for m in game["moves"])
    )
    table.press(f".hand [data-card='{card}']")
    table.press(f".felt [data-card='{other}']")
    until(lambda: table.browser.one("#toast").is_displayed())
    assert "To take: " in table.browser.one("#toast").text
    assert table.browser.one("#toast").get_attribute("role") == "alert"
    assert [one.get_attribute("data-card") for one in table.browser.all(".chosen")] == [card]


def test_a_hint_is_measured_in_bars(table: Table) -> None:
    name = table.begin(seed=5)
    table.press("[data-act=hint]")
    until(lambda: len(table.browser.all(".hint .bars li")) > 2)
    until(lambda: "Thinking" not in table.browser.one(".hint").text)
    widths = table.browser.run(
        "return [...document.querySelectorAll('.hint .fill')].map((one) => one.offsetWidth)"
    )
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1]
    best = table.browser.all(".hint [data-hint]")[0].get_attribute("data-hint")
    table.press(".hint [data-hint]")
    assert table.browser.one(".chip.ready").get_attribute("data-move") == best
    table.press(".chip.ready")
    until(lambda: table.plays() >= 1)
    assert table.client.get(f"/api/games/{name}")["log"][0]["text"] == best
    assert not table.browser.one(".hint").is_displayed()


def test_a_reload_in_the_middle_and_two_tabs(table: Table) -> None:
    name = table.begin(seed=5)
    for _ in range(3):
        table.play_last()
    hand = [card.get_attribute("data-card") for card in table.hand()]
    table.browser.driver.refresh()
    table.ready()
    assert table.plays() == 6
    assert [card.get_attribute("data-card") for card in table.hand()] == hand
    driver, first = table.browser.driver, table.browser.driver.current_window_handle
    driver.switch_to.new_window("tab")
    table.open(f"#/game/{name}")
    table.ready()
    table.play_last()
    assert table.plays() == 8
    driver.switch_to.window(first)
    until(lambda: table.plays() == 8)  # the first tab has heard of it
    table.play_last()
    assert table.plays() == 10
    table.open("#/new")
    until(lambda: table.browser.all("#new button.main"))
    table.press("nav a[data-part=play]")  # leads back to the game
    table.ready()
    assert table.plays() == 10
    assert table.browser.errors() == []


def test_another_plays_first_and_is_shown(table: Table) -> None:
    table.begin(seed=5, seat="b")
    assert table.plays() == 1
    table.browser.run("localStorage.setItem('casino.slow', 'yes')")
    before = table.plays()
    table.press("#game .hand .card:enabled:not(.idle)")
    table.press("#game .choices .chip:last-of-type")
    until(lambda: table.browser.all("#game .felt .played"))
    until(lambda: table.plays() == before + 2)


def test_a_review_is_opened(table: Table) -> None:
    table.begin(seed=11)
    for _ in range(24):
        table.play_last()
    table.press("[data-act=review]")
    end = time.monotonic() + 4 * PATIENCE
    while not table.browser.all("[data-act=report]"):
        assert time.monotonic() < end
        time.sleep(0.1)
    table.open(table.browser.one("[data-act=report]").get_attribute("href").split("/", 3)[3])
    assert table.browser.all("main table")
    assert "review" in table.browser.driver.title
    assert table.browser.errors() == []


def test_a_game_goes_on_from_a_record(table: Table) -> None:
    browser = table.browser
    table.open("#/analysis")
    until(lambda: browser.all(".hint .bars li"))
    browser.run("localStorage.setItem('casino.slow', 'no')")
    text = "document.querySelector('[data-key=text]')"
    browser.run(f"{text}.value = '[A Anna] [B Ben] [Seed 17] 7dx7c 9h 2s'")
    table.press("[data-key=read]")
    until(lambda: browser.all("[data-key='step 1.2']"))
    table.press("[data-key='step 1.2']")
    until(lambda: browser.all("[data-key='step 1.2'][aria-current=true]"))
    assert browser.one("[data-key=go-on]").text == "Play on as seat b"
    browser.run("document.querySelector('[data-key=opponent]').value = 'careful'")
    browser.run("document.querySelector('[data-key=opponent]').dispatchEvent(new Event('change'))")
    table.press("[data-key=go-on]")
    table.ready()
    assert table.plays() == 1
    table.play_last()
    assert table.plays() >= 2
    assert browser.errors() == []


def test_a_position_is_set_up(table: Table) -> None:
    table.open("#/analysis")
    until(lambda: table.browser.all(".hint .bars li"))
    table.press("[data-key=empty]")
    until(lambda: not table.browser.all(".zone .card"))
    for card in ("As", "7c", "9h", "Td"):
        table.press(f"[data-pack='{card}']")
    table.press("[data-key='zone table']")
    for card in ("2s", "5h", "8d", "Kc"):
        table.press(f"[data-pack='{card}']")
    line = "rules=standard table=2s5h8dKc hands=As7c9hTd/???? turn=a"
    until(lambda: table.browser.one("textarea").get_attribute("value") == line)
    until(lambda: len(table.browser.all(".hint .bars li")) == 8)
    until(lambda: table.browser.all(".holds"))
    table.browser.run(
        "const data = new DataTransfer();"
        "const fire = (selector, kind) => document.querySelector(selector).dispatchEvent("
        "new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));"
        "fire('[data-zone=table] [data-card=Kc]', 'dragstart');"
        "fire('[data-zone=\"hand 1\"]', 'drop');"
    )
    until(lambda: table.browser.all("[data-zone='hand 1'] [data-card=Kc]"))
    until(lambda: "hands=As7c9hTd/Kc???" in table.browser.one("textarea").get_attribute("value"))
    for card in ("As", "7c", "9h", "Td"):
        table.press(f"[data-zone='hand 0'] [data-card='{card}']")
    until(lambda: table.browser.all(".problem"))  # nobody is to play
    assert all(" 400 " in error for error in table.browser.errors())  # the board without a card


def test_a_record_is_read_and_played_on(table: Table) -> None:
    table.open("#/analysis")
    until(lambda: table.browser.all("textarea"))
    table.browser.run(
        "document.querySelector('textarea').value = arguments[0]",
        '[PlayerA "<img src=x onerror=alert(1)>"] [PlayerB "Ben"] [Seed 17] 1. 7dx7c 2. 9h',
    )
    table.press("[data-key=read]")
    until(lambda: len(table.browser.all(".steps button")) == 3)
    assert table.browser.all(".steps img") == []
    assert "<img src=x" in table.browser.all(".steps button")[0].text
    table.press("[data-key='step 1.1']")
    until(lambda: table.browser.all("[data-zone=table] [data-card='7c']"))
    table.press("[data-key=on]")
    until(lambda: not table.browser.all("[data-zone=table] [data-card='7c']"))
    until(lambda: table.browser.all(".hint [data-hint]"))
    table.press(".hint [data-hint]")
    until(lambda: len(table.browser.all(".steps button")) == 3)
    assert table.browser.errors() == []


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("dark", [False, True])
def test_every_width_and_colour(table: Table, width: int, dark: bool) -> None:
    """No side scroll, names for all controls, and text that stands out."""
    table.browser.show(width, dark=dark, still=True)
    table.open("")
    until(lambda: table.browser.all("#new button.main"))
    assert table.browser.overhang() == 0
    check_controls(table)
    table.begin(seed=5, rules="pagat")
    for _ in range(5):
        table.play_last()
    table.press("#game .hand .card:enabled:not(.idle)")
    table.press("[data-act=hint]")
    until(lambda: table.browser.all(".hint .bars li"))
    assert table.browser.overhang() == 0
    check_controls(table)
    table.open("#/analysis")
    until(lambda: table.browser.all(".holds"))
    assert table.browser.overhang() == 0
    check_controls(table)
    assert table.browser.errors() == []


def check_controls(table: Table) -> None:
    """Controls have names and are large enough; texts have the contrast of level AA."""
    until(lambda: table.browser.run("return document.readyState") == "complete")
    assert table.browser.errors() == []
    assert table.browser.run("return document.styleSheets.length") == 3
    assert table.browser.run(CONTROLS) == []
    assert table.browser.run(CONTRAST) == []


CONTROLS = """
const named = (one) => one.getAttribute('aria-label') || one.innerText.trim()
  || one.closest('label') || one.getAttribute('title');
return [...document.querySelectorAll('button, a, input, select, textarea')]
  .filter((one) => one.checkVisibility() && !one.closest('.for-ears, .skip'))
  .filter((one) => !named(one)
    || (one.matches('button, select') && (one.offsetWidth < 24 || one.offsetHeight < 24)))
  .map((one) => one.outerHTML.slice(0, 200));
"""

CONTRAST = """
const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const channels = (colour, under) => {
  paint.fillStyle = `rgb(${under.join(' ')})`; paint.fillRect(0, 0, 1, 1);
  paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
  return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (rgb) => rgb.map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (one) => {
  const chain = [];
  for (let at = one; at; at = at.parentElement) chain.unshift(getComputedStyle(at).backgroundColor);
  return chain.reduce((under, colour) => channels(colour, under), [255, 255, 255]);
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const one = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !one.checkVisibility()) continue;
  if (one.closest('.for-ears, .skip, button:disabled, dialog, option, script')) continue;
  const under = ground(one);
  const [a, b] = [light(channels(getComputedStyle(one).color, under)), light(under)];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < 4.5) found.push([one.className, one.innerText.slice(0, 40), contrast.toFixed(2)]);
}
return found;
"""
