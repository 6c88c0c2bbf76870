"""`casino-core review --html`: the report as a file."""

import json

import pytest
from click.testing import CliRunner

from casino_core.cli import main
from helpers.reports import round_of


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "round.txt"
    path.write_text(str(round_of().up_to(6)), encoding="utf-8")
    return path


def run(*args):
    given = [str(arg) for arg in args]
    return CliRunner().invoke(main, ["review", *given, "--samples", "4"])


def test_the_report_is_a_file(record, tmp_path):
    page = tmp_path / "report.html"
    result = run(record, "--html", page)
    assert result.exit_code == 0
    assert result.stdout == f"The report is in {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert page.read_text(encoding="utf-8").endswith("</html>\n")
    assert sorted(tmp_path.iterdir()) == sorted([record, page])


def test_json_goes_with_it(record, tmp_path):
    result = run(record, "--html", tmp_path / "report.html", "--json")
    assert len(json.loads(result.stdout)["plays"]) == 5
    assert (tmp_path / "report.html").exists()


def test_a_file_is_not_overwritten(record, tmp_path):
    page = tmp_path / "report.html"
    page.write_text("mine")
    result = run(record, "--html", page)
    assert result.exit_code != 0
    assert "exists already; remove it, or choose another" in result.output
    assert page.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_named_at_once(record, tmp_path):
    result = run(record, "--html", tmp_path / "no" / "report.html")
    assert "--html" in result.output
    assert "there is no directory" in result.output


def test_no_half_file_is_left(record, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    result = run(record, "--html", tmp_path / "report.html")
    assert result.exit_code != 0
    assert list(tmp_path.iterdir()) == [record]


def test_it_is_not_for_exact_values_only(record, tmp_path):
    args = ["review", str(record), "--hindsight", "--html", str(tmp_path / "x.html")]
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 2
    assert "--html" in result.output
