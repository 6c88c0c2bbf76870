"""`casino-core docs`: the pages of the documentation that are installed."""

from __future__ import annotations

import re
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

import click
from rich.markdown import Markdown

from casino_core.errors import CasinoError, quoted
from casino_core.render.text import print_line, screen

__all__ = ["docs", "page_text", "pages", "section_of"]

_PACKAGE = Path(__file__).resolve().parents[1]
#: Pages in an installed package, and in the project's folder.
_FOLDERS = (_PACKAGE / "pages", _PACKAGE.parents[1] / "docs")
#: The built site, installed beside Python or built in the project's folder.
_SITES = (
    Path(sys.prefix, "share", "doc", "casino-core", "html", "index.html"),
    _PACKAGE.parents[1] / "build" / "site" / "index.html",
)
_FOR_THE_SITE = re.compile(r"^```\{(?:toctree|include|eval-rst)\}", re.MULTILINE)
_PICTURE = re.compile(r"^```\{position\}\n(?::play: (.*)\n)?(.*)\n```$", re.MULTILINE)
_HEADING = re.compile(r"^(#+) +(.*)$")


def pages() -> Mapping[str, Path]:
    """The pages by name; those that only the built site can show are left out.

    Example:
        >>> "rules" in pages(), "index" in pages()
        (True, False)
    """
    folder = next((one for one in _FOLDERS if one.is_dir()), None)
    found = sorted(folder.glob("*.md")) if folder else []
    return {
        path.stem: path
        for path in found
        if not _FOR_THE_SITE.search(path.read_text(encoding="utf-8"))
    }


def page_text(name: str) -> str:
    """The Markdown of a page, with positions as text instead of pictures.

    Args:
        name: of the page, such as `rules`.

    Raises:
        CasinoError: there is no such page.
    """
    known = pages()
    if name.removesuffix(".md") not in known:
        raise CasinoError(
            f"docs: there is no page {quoted(name)}; the pages are {', '.join(known) or 'missing'}"
        )
    text = known[name.removesuffix(".md")].read_text(encoding="utf-8")
    return _PICTURE.sub(_as_text, text)


def _as_text(picture: re.Match[str]) -> str:
    """A position line, and the play made in it, in place of a picture."""
    play = f"\nplay: {picture[1]}" if picture[1] else ""
    return f"```text\n{picture[2]}{play}\n```"


def section_of(text: str, heading: str) -> str:
    """A section of a page, with the sections inside it.

    Args:
        text: the page.
        heading: its heading; capitals do not matter.

    Raises:
        CasinoError: there is no such section.

    Example:
        >>> print(section_of("# A\\n\\n## B\\n\\nb\\n\\n## C\\n", "b"))
        ## B
        <BLANKLINE>
        b
    """
    lines, headings = text.splitlines(), []
    is_code = False
    for number, line in enumerate(lines):
        is_code ^= line.startswith("```")
        if not is_code and (found := _HEADING.match(line)):
            headings.append((number, len(found[1]), found[2].replace("`", "")))
    for place, (start, depth, title) in enumerate(headings):
        if title.lower() == heading.lower():
            later = [number for number, level, _ in headings[place + 1 :] if level <= depth]
            end = later[0] if later else len(lines)
            return "\n".join(lines[start:end]).strip()
    titles = ", ".join(title for _, _, title in headings)
    raise CasinoError(f"docs: there is no section {quoted(heading)}; the sections are {titles}")


@click.command()
@click.argument("page", required=False)
@click.option("--section", help="Print one section, by its heading.")
@click.option("--open", "is_opened", is_flag=True, help="Open the built site in the browser.")
def docs(page: str | None, section: str | None, is_opened: bool) -> None:
    """Print a PAGE of the documentation, or the names of all pages.

    Not to a terminal, it prints the page's Markdown.
    """
    if is_opened:
        _open_site()
    elif page is not None:
        text = page_text(page)
        _print(text if section is None else section_of(text, section))
    elif section is not None:
        raise CasinoError("docs: --section needs a page")
    else:
        _list()


def _print(text: str) -> None:
    """Print Markdown, drawn on a terminal."""
    console = screen()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        click.echo(text.strip())


def _list() -> None:
    """Print the pages with their titles."""
    console, known = screen(), pages()
    width = max(map(len, known), default=0)
    for name, path in known.items():
        title = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        print_line(console, f"{name:{width}}  {title}")


def _open_site() -> None:
    """Open the built site.

    Raises:
        CasinoError: it is not there.
    """
    for site in _SITES:
        if site.is_file():
            webbrowser.open(site.as_uri())
            return
    raise CasinoError(
        "docs: the site is not installed; in the project's folder, "
        "`pip install 'casino-core[docs]'` and `python -m sphinx docs build/site` build it"
    )
