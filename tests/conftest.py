"""Hypothesis profiles: `dev` looks further each time, `ci` looks at the same cases every time.

`quick` is `ci` with few cases, for builds that are slow (sanitizers) or tried on the side.
"""

import os
import uuid
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from helpers.browser import browser as browser
from helpers.browser import chromium as chromium
from helpers.node import node as node
from helpers.programs import MARK, interrupts_heard, left_behind

# A shared machine is slow at times, and slowness is not a failure here.
settings.register_profile(
    "dev", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci",
    parent=settings.get_profile("dev"),
    derandomize=True,
    database=None,
    print_blob=True,
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=8)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session", autouse=True)
def _nothing_says_how_wide_a_pipe_is() -> None:
    """As for most users; pytest-xdist sets it for its own reports."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session", autouse=True)
def _no_process_is_left() -> Iterator[None]:
    """Receive Ctrl-C, also in the background, and fail if a process outlives the run."""
    os.environ[MARK] = mark = uuid.uuid4().hex
    with interrupts_heard():
        yield
    assert left_behind(mark) == []
