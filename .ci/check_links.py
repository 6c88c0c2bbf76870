"""Check a built site: check_links.py SITE.

Every link inside it leads to a page and a place in it, and no page fetches from the network.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Made by the theme, without content of the project.
LEFT_OUT = {"genindex.html", "search.html", "py-modindex.html"}
LINKS = {"a": "href", "link": "href", "img": "src", "script": "src"}


class Page(HTMLParser):
    """The links of a page and the places that others may link to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.shown: set[str] = set()
        self.places: set[str] = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.places |= {name for name in (given.get("id"), given.get("name")) if name}
        if target := given.get(LINKS.get(tag, "")):
            self.links.add(target)
            if tag != "a":
                self.shown.add(target)


def broken(site: Path) -> list[str]:
    """The links that lead nowhere, and what a page would fetch from the network."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name in LEFT_OUT:
            continue
        for link in sorted(page.links):
            target = urlsplit(link)
            if target.scheme or target.netloc:
                if target.netloc and link in page.shown:
                    found.append(f"{path.relative_to(site)}: {link} is fetched from the network")
                continue
            place = (path.parent / unquote(target.path)).resolve() if target.path else path
            if place.is_dir():
                place /= "index.html"
            known = pages.get(place)
            is_there = place.exists() if known is None else unquote(target.fragment) in known.places
            if not is_there:
                found.append(f"{path.relative_to(site)}: {link}")
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    assert list(folder.rglob("*.html")), "there is no site"
    found = broken(folder)
    print("\n".join(found) or "every link leads somewhere")
    sys.exit(bool(found))
