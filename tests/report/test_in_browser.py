"""Reports in a real browser: plots, keys, narrow screens, colours, paper."""

import itertools

import pytest

from casino_core.report.course import course
from helpers.browser import WIDTHS, until

pytestmark = pytest.mark.browser

#: Contrast of each element with text of its own, by the formula of WCAG 2.
CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (c) => c.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const element of document.body.querySelectorAll("*")) {
  const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const aside = element.closest("svg, script, .spoken, .skip");
  if (!own || aside || !element.checkVisibility()) continue;
  const a = light(rgb(getComputedStyle(element).color)), b = light(ground(element));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) found.push([element.outerHTML.slice(0, 80), ratio]);
}
return found;
"""


def opened(browser):
    """The numbers of the plays that are open."""
    script = (
        "return [...document.querySelectorAll('li.play')].filter(p => "
        "p.querySelector('details').open).map(p => Number(p.dataset.at))"
    )
    return browser.run(script)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
def test_no_side_scroll_and_no_error(browser, page, match_page, width, dark):
    for path in (page, match_page):
        browser.show(width, dark=dark)
        browser.open(path)
        assert browser.overhang() == 0
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        assert browser.overhang() == 0
        assert browser.errors() == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1440])
def test_text_has_contrast(browser, page, dark, width):
    browser.show(width, dark=dark)
    browser.open(page)
    assert browser.run(CONTRAST) == []


def test_plots_have_the_points_of_the_review(browser, page, review):
    """Heights of the drawn lines, measured at each play and read by the scale of the picture."""
    browser.open(page)
    (one,) = review.rounds
    points = course(one, 0)
    script = """
      const plot = document.querySelector('.wide .plot'), data = plot.dataset, found = {};
      for (const path of plot.querySelectorAll('.line')) {
        const places = [];
        for (let at = 0, end = path.getTotalLength(); at <= end + 1; at += 0.5) {
          const p = path.getPointAtLength(at);
          places.push([(p.x - data.left) / data.step, (data.zero - p.y) / data.unit]);
        }
        found[path.dataset.line] = places;
      }
      return found;"""
    drawn = browser.run(script)
    assert set(drawn) == {"luck", "mistakes", "rest", "total"}
    for key, places in drawn.items():
        for play, group in itertools.groupby(points, key=lambda point: point.play):
            value = getattr(list(group)[-1], key)
            assert any(abs(x - play) < 0.06 and abs(y - value) < 0.06 for x, y in places), (
                key,
                play,
                value,
            )
    ticks = browser.run(
        "const plot = document.querySelector('.wide .plot');"
        "return [...plot.querySelectorAll('[text-anchor=end]')].map(t => [t.textContent, "
        "(plot.dataset.zero - t.previousSibling.getAttribute('y1')) / plot.dataset.unit])"
    )
    for text, value in ticks:
        assert float(text.replace("−", "-")) == pytest.approx(value, abs=0.01)


def test_marks_lead_to_the_costliest_plays(browser, page, review):
    browser.open(page)
    marks = browser.all(".wide .mark")
    assert len(marks) == len(review.costliest)
    for mark, play in zip(marks, review.costliest, strict=True):
        assert mark.get_dom_attribute("href").endswith(f"#r1-p{play.number}")
        browser.run("arguments[0].focus()", mark)
        browser.press("ENTER")
        # the browser follows the link after the key, and then the page opens the play
        focused = f"return document.activeElement.matches('#r1-p{play.number} summary')"
        until(lambda: browser.run(focused))  # noqa: B023 - called at once
        assert opened(browser) == [play.number]


def test_arrow_keys_move_from_play_to_play(browser, page):
    browser.open(page)
    browser.run("document.querySelector('#r1-p1 summary').focus()")
    browser.press("ENTER")
    assert opened(browser) == [1]
    for key, wanted in (
        ("ARROW_DOWN", 2),
        ("ARROW_RIGHT", 3),
        ("ARROW_UP", 2),
        ("END", 48),
        ("ARROW_DOWN", 48),
        ("ARROW_LEFT", 47),
        ("HOME", 1),
    ):
        browser.press(key)
        assert opened(browser) == [wanted]
        at = "return Number(document.activeElement.closest('li').dataset.at)"
        assert browser.run(at) == wanted
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.run(outline) == "solid"
    cursor = browser.run(
        "const plot = document.querySelector('.wide .plot'), c = plot.querySelector('.cursor');"
        "return (c.getAttribute('x1') - plot.dataset.left) / plot.dataset.step"
    )
    assert cursor == pytest.approx(1)


def test_every_play_is_reached_by_the_keyboard_alone(browser, match_page, match_review):
    browser.open(match_page)
    number = len(match_review.rounds[-1].plays)
    key = f"r{match_review.rounds[-1].number}"
    browser.run(f"document.querySelector('#{key}-p1 summary').focus()")
    for place in range(2, number + 1):
        browser.press("ARROW_DOWN")
        focused = browser.run("return document.activeElement.closest('li').id")
        assert focused == f"{key}-p{place}"
        assert browser.run("return document.activeElement.checkVisibility()")


@pytest.mark.parametrize("width", [360, 1440])
def test_buttons_and_hands(browser, page, review, width):
    browser.show(width)
    browser.open(page)
    browser.run("document.querySelector('#r1-p1 details').open = true")
    until(lambda: opened(browser) == [1])
    browser.run("document.querySelector('[data-go=\"1\"]').click()")
    until(lambda: opened(browser) == [2])
    faults = [play.number for play in review.plays if play.grade != "good"]
    browser.run("document.querySelector('[data-go=fault]').click()")
    until(lambda: opened(browser) == [next((n for n in faults if n > 2), faults[0])])
    hidden = "return getComputedStyle(document.querySelector('#r1-p2 .cc-open')).display"
    browser.run("document.querySelector('#r1-p2 details').open = true")
    assert browser.run(hidden) == "none"
    browser.run("document.querySelector('[data-veil]').click()")
    assert browser.run(hidden) == "inline"


@pytest.mark.parametrize("width", [360, 1440])
def test_the_open_play_shows_its_table_and_reasons(browser, page, review, width):
    browser.show(width)
    browser.open(page)
    worst = review.costliest[0]
    panel = browser.one(f"#r1-p{worst.number} .panel")
    assert panel.is_displayed()
    for reason in worst.known.best_reasons[:1]:
        assert reason in panel.text
    picture = browser.one(f"#r1-p{worst.number} .panel figure svg")
    assert picture.size["width"] >= 200
    assert picture.size["height"] >= 150


def test_best_play_is_shown_on_hover_and_focus(browser, page, review):
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(page)
    worst = review.costliest[0]
    (tip,) = browser.all(f"#r1-p{worst.number} .tip")
    assert not tip.is_displayed()
    row = browser.one(f"#r1-p{worst.number} summary")
    ActionChains(browser.driver).move_to_element(row).perform()
    assert tip.is_displayed()
    assert tip.text.startswith("better ")


def test_it_is_read_without_the_script(browser, page, tmp_path):
    text = page.read_text(encoding="utf-8")
    plain = tmp_path / "plain.html"
    plain.write_text(text[: text.rindex("<script>")] + "</body></html>", encoding="utf-8")
    browser.show(still=True)
    browser.open(plain)
    assert opened(browser)
    browser.one("#r1-p1 summary").click()
    assert 1 in opened(browser)
    assert not browser.one(".toolbar").is_displayed()


def test_names_with_tags_run_nothing(browser, tmp_path):
    import casino_core as cc
    from casino_core.report.page import report_html
    from helpers.reports import FEW, round_of

    bad = "<script>document.title='caught'</script><img src=x onerror=\"document.title='caught'\">"
    game = round_of(
        tags={"PlayerA": bad, "PlayerB": "'\"><svg onload=\"document.title='caught'\">"}
    )
    path = tmp_path / "bad.html"
    path.write_text(report_html(cc.review_game(game, **FEW)), encoding="utf-8")
    browser.show(360)
    browser.open(path)
    assert browser.driver.title.endswith(": review")
    assert browser.overhang() == 0
    assert browser.errors() == []


def test_paper_has_all_plays_and_no_buttons(browser, page, tmp_path, review):
    browser.show(794, media="print")
    browser.open(page)
    assert not browser.one(".toolbar").is_displayed()
    rows = browser.all("li.play summary")
    assert len(rows) == len(review.plays)
    assert all(row.is_displayed() for row in rows)
    assert browser.overhang() == 0
    browser.show()
    browser.paper(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
