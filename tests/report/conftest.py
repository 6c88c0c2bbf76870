"""Reviews of a round and of a match, and the files of their reports."""

from pathlib import Path

import pytest

import casino_core as cc
from casino_core.report.page import report_html
from helpers.reports import FEW, match_of, round_of


@pytest.fixture(scope="session")
def review():
    """The review of a round."""
    return cc.review_game(round_of(), **FEW)


@pytest.fixture(scope="session")
def match_review():
    """The review of a match of several rounds."""
    return cc.review_game(match_of(), **FEW)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def page(review, folder) -> Path:
    """The report of the round."""
    path = folder / "round.html"
    path.write_text(report_html(review), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def match_page(match_review, folder) -> Path:
    """The report of the match."""
    path = folder / "match.html"
    path.write_text(report_html(match_review), encoding="utf-8")
    return path
