"""The installed package: its files, public names, and the examples of the documents."""

import doctest
import importlib
import importlib.metadata
import importlib.resources
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import casino_core

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("src", "tests", "benchmarks", "tools", "docs", "examples", ".ci")
UNREAD = {".so", ".pyd", ".pyc", ".png", ".npz", ".npy"}


def project_files() -> Iterator[Path]:
    """Every file of the project that is there; the installed wheel is tested without src."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix not in UNREAD)
    for part in PARTS:
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and path.suffix not in UNREAD and ".egg-info" not in str(path):
                yield path


def test_build_info() -> None:
    info = casino_core.build_info()
    assert info["version"] == casino_core.__version__
    assert str(info["cython"]).startswith("3.")
    assert info["compiler"] != "unknown"
    assert isinstance(info["flags"], str)
    assert isinstance(info["debug"], bool)
    assert {"python", "platform", "machine", "sanitize", "popcount"} <= info.keys()


def test_release_build_is_optimised() -> None:
    info = casino_core.build_info()
    if info["debug"]:
        pytest.skip("a debug build")
    assert "-O3" in str(info["flags"]) or "/O2" in str(info["flags"])
    assert info["sanitize"] == ""


def test_one_version() -> None:
    assert importlib.metadata.version("casino-core") == casino_core.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {casino_core.__version__}" in changelog


def test_public_names() -> None:
    names = casino_core.__all__
    assert len(set(names)) == len(names)
    for name in names:
        thing = getattr(casino_core, name)
        assert not callable(thing) or thing.__doc__, name


def test_command_is_installed() -> None:
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="casino-core")
    assert callable(script.load())


def test_typed() -> None:
    files = importlib.resources.files("casino_core")
    assert (files / "py.typed").is_file()
    place = Path(str(files))
    built = [*place.rglob("*.so"), *place.rglob("*.pyd")]
    compiled = {path.relative_to(place).parent / path.name.split(".")[0] for path in built}
    assert Path("_build_facts") in compiled
    stubs = {path.relative_to(place).with_suffix("") for path in place.rglob("*.pyi")}
    assert stubs <= compiled
    for path in place.rglob("*.pyi"):
        assert path.read_text(encoding="utf-8"), path
    looks = re.compile(r"^\s*(?:>>> )?from casino_core\.([\w.]+) import", re.MULTILINE)
    imported = {
        Path(*name.split("."))
        for file in place.rglob("*.py")
        for name in looks.findall(file.read_text(encoding="utf-8"))
    }
    assert imported & compiled <= stubs


def test_no_path_leads_out_of_the_project() -> None:
    absolute = re.compile(r"(?<![\w.:/>-])/(?:home|root|work|opt|mnt|srv|tmp|Users)/[\w.-]+")
    upward = re.compile(r"(?<![\w./])(?:\.\./)+[\w./-]*")
    found = []
    for path in project_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.name}: {match}" for match in absolute.findall(text)]
        found += [
            f"{path.name}: {match}"
            for match in upward.findall(text)
            if not (path.parent / match).resolve().is_relative_to(ROOT)
        ]
    assert not found


#: Libraries that the examples of a document need.
OF_DOCUMENTS = {"frames.md": ("pandas", "polars", "pyarrow")}


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_examples_in_documents(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ```python block with a prompt runs, one after the other, from the project's folder."""
    for library in OF_DOCUMENTS.get(path.name, ()):
        pytest.importorskip(library)
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.M | re.S):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, path.name, str(path), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
            assert not runner.failures, path.name
    if path.name == "README.md":
        assert names, "README has no example"


def test_links_in_documents_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
            assert (path.parent / target).exists() or target.startswith("src/"), (path, target)


def test_every_room_is_on_the_map_and_every_module_says_what_it_knows() -> None:
    place = Path(str(importlib.resources.files("casino_core")))
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in place.rglob("*.py"):
        room = path.relative_to(place).parent
        if room.parts:
            assert f"    {room.parts[0]}/ " in text, room
        if path.name != "__main__.py":
            assert path.read_text(encoding="utf-8").startswith('"""'), path
