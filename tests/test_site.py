"""The documentation as a site: what is generated is current, and nothing is left out."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.cli.docs import page_text, pages, section_of

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
PICTURE = re.compile(r"^```\{position\}\n(?::play: (.*)\n)?(.*)\n```$", re.M)
PICTURES = [(line, play) for text in TEXTS.values() for play, line in PICTURE.findall(text)]


def test_every_page_is_in_the_table_of_contents() -> None:
    lists = re.findall(r"^```\{toctree\}\n(.*?)^```", TEXTS["index"], re.M | re.S)
    named = {line for one in lists for line in one.splitlines() if line and line[0] != ":"}
    assert named == set(TEXTS) - {"index"}


def test_the_reference_has_every_public_name() -> None:
    shown = re.findall(r"^\.\. auto(?:class|function|exception|data):: (\w+)$", TEXTS["api"], re.M)
    assert sorted(shown) == sorted(cc.__all__)


def test_the_page_of_presets_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    made = runpy.run_path(str(ROOT / "tools" / "make_presets_page.py"))["page"]()
    assert made == TEXTS["presets"]


def test_pictures_are_found() -> None:
    assert len(PICTURES) == sum(text.count("```{position}") for text in TEXTS.values()) >= 4


@pytest.mark.parametrize(("line", "play"), PICTURES)
def test_a_picture_shows_a_position_and_a_legal_play(line: str, play: str) -> None:
    position = cc.Position.parse(line)
    assert not play or position.is_legal(play)


# ---------------------------------------------------------------- casino-core docs


def run(*arguments: str) -> tuple[int, str, str]:
    """The status of the command, what it prints, and its errors."""
    answer = CliRunner().invoke(main, ["docs", *arguments])
    return answer.exit_code, answer.stdout, answer.stderr


def test_the_command_lists_pages_with_their_titles() -> None:
    status, out, _ = run()
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(pages())
    assert "The rules" in out
    assert not {"index", "api", "changes", "studies"} & set(pages())


@pytest.mark.parametrize("name", pages())
def test_a_page_is_printed(name: str) -> None:
    status, out, _ = run(name)
    assert status == 0
    assert out == page_text(name).strip() + "\n"
    assert "```{" not in out
    assert run(f"{name}.md")[1] == out


def test_a_picture_is_printed_as_text() -> None:
    text = page_text("tutorial")
    assert "```text\ntable=2s5h8dKc hands=As7c9hTd/????\nplay: 7cx2s5h\n```" in text


def test_a_section_is_printed_with_its_parts() -> None:
    text = "# A\n\n## `B` c\n\nb\n\n```sh\n# no heading\n```\n\n### D\n\nd\n\n## E\n\ne\n"
    assert section_of(text, "b C") == "## `B` c\n\nb\n\n```sh\n# no heading\n```\n\n### D\n\nd"
    assert section_of(text, "e") == "## E\n\ne"
    assert section_of(text, "A") == text.strip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "docs: there is no page 'nothing'; the pages are agents"),
        (["rules", "--section", "x"], "docs: there is no section 'x'; the sections are The rules"),
        (["--section", "x"], "docs: --section needs a page"),
        (["../README"], "docs: there is no page '../README'"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_site_is_opened_if_it_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    module = sys.modules["casino_core.cli.docs"]
    page = tmp_path / "index.html"
    monkeypatch.setattr(module, "_SITES", (page,))
    status, _, err = run("--open")
    assert (status, opened) == (2, [])
    assert "casino-core[docs]" in err
    page.write_text("<p>", encoding="utf-8")
    assert run("--open")[0] == 0
    assert opened == [page.as_uri()]


# ---------------------------------------------------------------- the built site


def test_broken_links_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">x</a><a href="#here">y</a><a href="c.html">z</a>'
        '<a href="b.html#nowhere">w</a><a href="https://host.example/">v</a>'
        '<script src="https://host.example/s.js"></script>',
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>', encoding="utf-8")
    command = [sys.executable, str(ROOT / ".ci" / "check_links.py"), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 1
    assert answer.stdout.splitlines() == [
        "a.html: b.html#nowhere",
        "a.html: c.html",
        "a.html: https://host.example/s.js is fetched from the network",
    ]


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name)
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(tmp_path)]
    answer = subprocess.run(build, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stderr
    check = [sys.executable, str(ROOT / ".ci" / "check_links.py"), str(tmp_path)]
    assert subprocess.run(check, timeout=60, check=False).returncode == 0
    assert (tmp_path / "tutorial.html").read_text(encoding="utf-8").count("<svg") >= 3
