"""The rooms of the package: each imports, and cimports, only from those above it."""

import ast
import re
import runpy
from collections import Counter
from collections.abc import Iterator
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
    "learning",
    "play",
    "equilibrium",
    "review",
    "report",
    "engine",
    "web",
    "adapters",
    "cli",
)
#: What stands above all rooms.
TOP = {"__init__.py", "__main__.py"}
#: `from NAME import one, other`, also over several lines, and `import NAME`, in the core.
IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>casino_core[\w.]*)[ \t]+(?P<how>c?import)[ \t]+"
    r"(?P<names>\([^)]*\)|[^\n]*)|(?P<plain>c?import)[ \t]+(?P<modules>casino_core\.[^\n]*))",
    re.MULTILINE,
)
TEXTS = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|#[^\n]*', re.DOTALL)
OUTSIDE = ("tests", "benchmarks", "tools", "examples")
CORE = (".pyx", ".pxd")
PYTHON = (".py", ".pyi")

pytestmark = pytest.mark.skipif(not SOURCES.exists(), reason="needs the sources")


def files(*suffixes: str) -> list[Path]:
    """The sources with these endings."""
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in suffixes)


def module_of(path: Path) -> str:
    """`hints.tree.memory` of its file."""
    return ".".join(path.relative_to(SOURCES).with_suffix("").parts)


def room_of(name: str) -> str:
    """The room of a module, `hints.tree.memory` or `errors`."""
    first = name.split(".")[0]
    return first if (SOURCES / first).is_dir() else "base"


def looks(source: str, suffix: str) -> set[tuple[str, str]]:
    """What a source imports of the package: how, and each name with its module."""
    found = _looks_of_python(source) if suffix in PYTHON else _looks_of_core(source)
    package = "casino_core."
    return {(how, name.removeprefix(package)) for how, name in found if name.startswith(package)}


def _looks_of_python(source: str) -> Iterator[tuple[str, str]]:
    """All imports, those inside functions and for types included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):  # none is relative in the package: ruff sees to it
            yield from (("import", f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (("import", alias.name) for alias in node.names)


def _looks_of_core(source: str) -> Iterator[tuple[str, str]]:
    plain = TEXTS.sub("", source).replace("\\\n", " ")
    for found in IMPORTS.finditer(plain):
        base = f"{found['base']}." if found["base"] else ""
        for part in (found["names"] or found["modules"]).strip("() ").split(","):
            if part.strip():
                yield found["how"] or found["plain"], base + part.split()[0]


def test_imports_of_every_kind_are_read() -> None:
    core = (
        "from casino_core.a cimport (  # why\n    b as c,\n    d,\n)\n"
        "cimport casino_core.e as f, casino_core.g\n"
        "cdef int h():\n    from casino_core.i import j, k\n    from casino_core import l\n"
        '"""\nfrom casino_core.no import \\\n thing\n"""\nfrom libc.math cimport sqrt\n'
    )
    cimports, imports = {"a.b", "a.d", "e", "g"}, {"i.j", "i.k", "l"}
    wanted = {("cimport", name) for name in cimports} | {("import", name) for name in imports}
    assert looks(core, ".pyx") == wanted
    python = (
        "from typing import TYPE_CHECKING\nimport casino_core.a, casino_core.b as c\n"
        "if TYPE_CHECKING:\n    from casino_core.d import (\n        e,\n        f as g,\n    )\n"
        "def h():\n    from casino_core import i\n"
    )
    assert looks(python, ".py") == {("import", name) for name in ("a", "b", "d.e", "d.f", "i")}


#: Objects that draw or write themselves import at that moment what does it.
ON_REQUEST = {
    ("game/match.py", "formats.record.Game"),
    ("game/position.pyx", "render.svg.position_svg"),
    ("game/round.py", "render.svg.position_svg"),
    ("hints/answer.py", "render.html.hint_html"),
    ("search/solver.py", "render.html.solution_html"),
}


def test_rooms_import_from_those_above() -> None:
    upwards = {
        (path.relative_to(SOURCES).as_posix(), name)
        for path in files(*CORE, *PYTHON)
        if path.parent != SOURCES or path.name not in TOP
        for _, name in looks(path.read_text(encoding="utf-8"), path.suffix)
        if ROOMS.index(room_of(name)) > ROOMS.index(room_of(module_of(path)))
    }
    assert upwards == ON_REQUEST


def test_no_room_is_above_a_sixth_of_the_lines() -> None:
    lines: Counter[str] = Counter()
    for path in files(*CORE, *PYTHON, ".h"):
        lines[room_of(module_of(path))] += len(path.read_text(encoding="utf-8").splitlines())
    most, count = lines.most_common(1)[0]
    assert count <= lines.total() / 6, most


def test_a_stub_is_there_exactly_where_python_imports() -> None:
    """The Python of the package, of its tests, tools and benchmarks; and no stub is empty."""
    modules = {module_of(path) for path in files(".pyx")}
    outside = [path for folder in OUTSIDE for path in (ROOT / folder).rglob("*.py")]
    named = {
        name
        for path in [*files(*PYTHON), *outside]
        for _, name in looks(path.read_text(encoding="utf-8"), path.suffix)
    }
    imported = {name for name in modules for other in named if (other + ".").startswith(name + ".")}
    assert {module_of(path) for path in files(".pyi")} == imported
    empty = [path for path in files(".pyi") if not ast.parse(path.read_text("utf-8")).body]
    assert empty == []


def test_no_comment_numbers_layers() -> None:
    layers = re.compile(r"\blayer \d", re.IGNORECASE)
    assert not [
        path for path in files(*CORE, *PYTHON, ".h") if layers.search(path.read_text("utf-8"))
    ]


def test_the_build_finds_each_module_of_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = runpy.run_path("setup.py", run_name="build")["modules"]()
    assert {ext.name for ext in found} == {f"casino_core.{module_of(p)}" for p in files(".pyx")}


def test_every_folder_is_a_room() -> None:
    folders = {path.parent.relative_to(SOURCES).parts[:1] for path in SOURCES.rglob("*.py")}
    assert {name for (name,) in filter(None, folders)} <= set(ROOMS)


def test_no_room_hides_a_public_name() -> None:
    assert not set(ROOMS) & set(casino_core.__all__)


#: Options of the compiled rules that decide which moves are legal.
LEGALITY = re.compile(
    r"\brules\.(court_capture|capture|trail|multiple|raising|raise_\w+|add_to_own_only"
    r"|max_builds|owner_turn)\b"
)


def test_the_core_decides_in_one_room_what_is_legal() -> None:
    readers = {
        room_of(module_of(path))
        for path in files(*CORE)
        if LEGALITY.search(TEXTS.sub("", path.read_text(encoding="utf-8")))
    }
    assert readers == {"moves", "rules"}  # `rules` fills them in
