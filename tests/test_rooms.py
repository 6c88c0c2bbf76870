"""The rooms of the package: each imports, and cimports, only from those above it."""

import re
from pathlib import Path

import pytest

import casino_core

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "casino_core"

#: From the bottom up. `base` is what lies beside the rooms.
ROOMS = (
    "base",
    "rules",
    "moves",
    "game",
    "evaluation",
    "search",
    "hidden",
    "hints",
    "formats",
    "render",
    "batch",
    "play",
    "review",
    "engine",
    "adapters",
    "cli",
)
#: What stands above all rooms.
TOP = {"__init__.py", "__main__.py"}
LOOKS = re.compile(
    r"^\s*(?:from casino_core\.([\w.]+) (?:c?import)\b"
    r"|from casino_core import (\w+)"
    r"|c?import casino_core\.([\w.]+))",
    re.MULTILINE,
)


def room_of(name: str) -> str:
    """The room of a module, `hints.tree.memory` or `errors`."""
    first = name.split(".")[0]
    return first if (SOURCES / first).is_dir() else "base"


def without_texts(source: str) -> str:
    """A source less its docstrings, whose examples may import what a user imports."""
    return re.sub(r'"""(?:[^"\\]|\\.|"(?!""))*"""', "", source)


@pytest.mark.skipif(not SOURCES.exists(), reason="needs the sources")
def test_rooms_import_from_those_above() -> None:
    upwards = set()
    for path in sorted(SOURCES.rglob("*.p*")):
        if path.suffix not in (".py", ".pyi", ".pyx", ".pxd") or path.name in TOP:
            continue
        place = path.relative_to(SOURCES).as_posix()
        own = ROOMS.index(room_of(place.replace("/", ".").rpartition(".")[0]))
        for names in LOOKS.findall(without_texts(path.read_text(encoding="utf-8"))):
            name = next(filter(None, names))
            if ROOMS.index(room_of(name)) > own:
                upwards.add((place, name))
    assert upwards == set()


@pytest.mark.skipif(not SOURCES.exists(), reason="needs the sources")
def test_every_folder_is_a_room() -> None:
    folders = {path.parent.relative_to(SOURCES).parts[:1] for path in SOURCES.rglob("*.py")}
    assert {name for (name,) in filter(None, folders)} <= set(ROOMS)


def test_no_room_hides_a_public_name() -> None:
    assert not set(ROOMS) & set(casino_core.__all__)
