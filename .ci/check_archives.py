"""Check what an sdist and a wheel hold: check_archives.py ROOT SDIST WHEEL."""

import email
import json
import sys
import tarfile
import zipfile
from pathlib import Path

JUNK = {".so", ".pyd", ".pyc", ".c", ".o", ".html"}
DOCUMENTS = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml"}
PAGE = "src/casino_core/web/static/"  # its HTML is written, not built
PACKED = (
    "*.py",
    "*.pyi",
    "py.typed",
    "data/*.txt.gz",
    "data/*.json",
    "data/*.mjs",
    "static/*",
)
FOLDERS = ("src", "tests", "benchmarks", "tools", "docs", "examples", ".ci")


def is_junk(name: str) -> bool:
    """Whether a file is made by a build."""
    return Path(name).suffix in JUNK and not name.startswith(PAGE)


def sources(root: Path) -> set[str]:
    """The files of the checkout that belong to the project."""
    found = {name for name in DOCUMENTS if (root / name).exists()}
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            hidden = any(part.startswith(".") and part != ".ci" for part in name.split("/"))
            if path.is_file() and not is_junk(name) and not hidden and "egg-info" not in name:
                found.add(name)
    return found


def check_sdist(root: Path, sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert sources(root) >= DOCUMENTS, f"not in the checkout: {DOCUMENTS - sources(root)}"
    missing = sources(root) - held
    assert not missing, f"not in the sdist: {sorted(missing)}"
    junk = {name for name in held if is_junk(name)}
    assert not junk, f"built files in the sdist: {sorted(junk)}"


def check_wheel(root: Path, wheel: Path) -> None:
    package = root / "src"
    expected = {
        path.relative_to(package).as_posix()
        for pattern in PACKED
        for path in package.rglob(pattern)
    }
    expected |= {f"casino_core/pages/{page.name}" for page in (root / "docs").glob("*.md")}
    modules = {
        path.relative_to(package).with_suffix("").as_posix() for path in package.rglob("*.pyx")
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        facts = email.message_from_bytes(archive.read(metadata))
        (points,) = (name for name in names if name.endswith("/entry_points.txt"))
        assert b"casino-core = casino_core.__main__:main" in archive.read(points)
        (bill,) = (name for name in names if ".dist-info/sboms/" in name)
        contents = json.loads(archive.read(bill))
    held = {name for name in names if ".dist-info/" not in name}
    compiled = {name for name in held if Path(name).suffix in (".so", ".pyd")}
    assert {name.partition(".")[0] for name in compiled} == modules, sorted(compiled)
    difference = (held - compiled) ^ expected
    assert not difference, f"wheel and checkout differ: {sorted(difference)}"

    licence = {name for name in names if name.endswith("/licenses/LICENSE")}
    assert licence, "no licence in the wheel"
    assert facts["Name"] == "casino-core"
    assert facts["License-Expression"] == "MIT"
    assert facts["Requires-Python"] == ">=3.11"
    assert facts["Version"] in wheel.name
    assert contents["bomFormat"] == "CycloneDX"
    assert contents["metadata"]["component"]["version"] == facts["Version"]
    assert [part["name"] for part in contents["components"]] == ["cython"]
    assert not wheel.name.endswith("none-any.whl"), "a compiled wheel must name its platform"


def main() -> None:
    root, sdist, wheel = map(Path, sys.argv[1:])
    check_sdist(root, sdist)
    check_wheel(root, wheel)
    for archive in (sdist, wheel):
        print(f"{archive.name}, {archive.stat().st_size >> 10} KiB, holds what it should")


if __name__ == "__main__":
    main()
