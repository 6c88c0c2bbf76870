"""A real browser for tests: headless Chromium of the distribution, driven by Selenium.

Nothing is fetched: neither the driver by Selenium, nor anything by the browser, which reaches this
machine only. A test has the marker `browser` and takes the fixture of that name. Where no browser
is installed such tests are skipped, but in CI (`CI` in the environment) they fail.
"""

import base64
import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DRIVERS = ("chromedriver", "chromium.chromedriver")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # which needs rights that containers do not give
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--lang=en",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
WIDTHS = (360, 768, 1440)  # of a telephone, a tablet and a large screen
HEIGHT = 900
PATIENCE = 30  # seconds for a page to load, a script to end, or something to happen


def until(true: Callable[[], Any]) -> Any:
    """The first value of a function that counts as true; the page may be drawn anew meanwhile."""
    from selenium.common.exceptions import StaleElementReferenceException

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(StaleElementReferenceException):
            if found := true():
                return found
        time.sleep(0.02)
    raise AssertionError("it has not happened")


class Browser:
    """A tab of the browser.

    Attributes:
        driver: the driver of Selenium, for all that this class does not have.
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: str | Path) -> None:
        """Load a page: a file, or an address on this machine."""
        self.driver.get(page.resolve().as_uri() if isinstance(page, Path) else page)

    def show(
        self,
        width: int = 1440,
        height: int = HEIGHT,
        *,
        dark: bool = False,
        still: bool = False,
        media: str = "",
    ) -> None:
        """Set the size of the page, its colours, less motion, and `print` for paper."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wishes = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if still else "no-preference",
        }
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": media, "features": features}
        )

    def run(self, script: str, *arguments: object) -> Any:
        """The value of a script that ends with `return`."""
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        """The elements of a CSS selector, in the order of the page."""
        return list(self.driver.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        """The only element of a CSS selector."""
        (found,) = self.all(selector)
        return found

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, where the focus is; names are those of Selenium."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(getattr(Keys, key, key))
        chain.perform()

    def errors(self) -> list[str]:
        """Messages of the console, of warnings and errors, since the last call."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE")
        ]

    def overhang(self) -> int:
        """How many pixels the page is wider than its window; 0 without side scroll."""
        return int(
            self.run(
                "const page = document.scrollingElement;"
                "return Math.max(0, page.scrollWidth - page.clientWidth)"
            )
        )

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Write a PNG of the window, or of the whole page."""
        options = {"captureBeyondViewport": whole}
        if whole:
            size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
            options["clip"] = {**size, "x": 0, "y": 0, "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", options)
        path.write_bytes(base64.b64decode(shot["data"]))

    def paper(self, path: Path) -> None:
        """Write a PDF of the page as it is printed."""
        options = {"printBackground": False, "preferCSSPageSize": True}
        printed = self.driver.execute_cdp_cmd("Page.printToPDF", options)
        path.write_bytes(base64.b64decode(printed["data"]))

    def reset(self) -> None:
        """Close other tabs, and show an empty page of the usual size."""
        first, *others = self.driver.window_handles
        for other in others:
            self.driver.switch_to.window(other)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.show()
        self.errors()


def installed(names: tuple[str, ...]) -> str | None:
    """The path of the first of these programs that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


def without_browser(reason: str) -> None:
    """Skip the test; fail it in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The driver of one browser for all tests of a process."""
    program, driver = installed(PROGRAMS), installed(DRIVERS)
    if program is None or driver is None:
        without_browser("chromium and chromedriver are not installed")
    try:
        from selenium import webdriver
    except ImportError:
        without_browser("selenium is not installed (pip install 'casino-core[test]')")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=driver)
    started = webdriver.Chrome(options=options, service=service)
    started.set_page_load_timeout(PATIENCE)
    started.set_script_timeout(PATIENCE)
    try:
        yield started
    finally:
        started.quit()


@pytest.fixture
def browser(chromium: Any) -> Browser:
    """A tab with an empty page, 1440 pixels wide and in light colours."""
    tab = Browser(chromium)
    tab.reset()
    return tab
