"""Build of the compiled core; everything that is not compiled is in pyproject.toml.

Every ``.pyx`` below ``src/casino_core`` is one extension module. Four variables change the build:

``CASINO_CORE_DEBUG=1``       bounds checks, live asserts, -O1 -g
``CASINO_CORE_SANITIZE=a,b``  sanitizers of gcc and clang: ``address``, ``undefined``, ``thread``
``CASINO_CORE_MARCH=m``       instead of x86-64-v2; empty for the compiler's default
``CASINO_CORE_JOBS=n``        modules built at once; by default one a processor
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

SOURCES = Path("src")
C_DIR = "build/cython"  # the generated C, away from the sources

DEBUG = os.environ.get("CASINO_CORE_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("CASINO_CORE_SANITIZE", "")
MARCH = os.environ.get("CASINO_CORE_MARCH")

# The only place for directives: a .pyx file may not weaken them.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "overflowcheck": False,
    "binding": True,  # real signatures for inspect, help() and stubtest
    "embedsignature": False,
    "autotestdict": False,  # tests/test_docstrings.py finds the examples by itself
    "freethreading_compatible": True,  # no module owns a global that changes
}

# What x86-64-v2 means, for compilers older than the name (gcc 11, clang 12).
X86_64_V2 = ["-msse4.2", "-mpopcnt", "-mcx16", "-msahf"]

# -Wall -Wextra for our code, less what the code that Cython writes cannot avoid.
WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wno-missing-field-initializers",
    "-Wno-cast-function-type",
]


def compiles(compiler, flag: str) -> bool:
    """Whether the compiler takes the flag."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("int probe;\n", encoding="ascii")
        try:
            compiler.compile([str(source)], output_dir=folder, extra_postargs=[flag])
        except Exception:  # each compiler class has its own error
            return False
    return True


def march_flags(compiler) -> list[str]:
    """x86-64-v2 on x86-64, what NumPy asks for; elsewhere the compiler's default."""
    if MARCH is not None:
        return [f"-march={MARCH}"] if MARCH else []
    if not (sysconfig.get_platform().endswith("x86_64") and sys.maxsize > 2**32):
        return []
    return ["-march=x86-64-v2"] if compiles(compiler, "-march=x86-64-v2") else X86_64_V2


def flags(compiler) -> tuple[list[str], list[str]]:
    """Compile and link flags, after and over those of the interpreter."""
    if compiler.compiler_type == "msvc":
        # /O2 and /DNDEBUG are setuptools' own; x64 has no flag below AVX.
        return (["/Od", "/UNDEBUG", "/Zi"], ["/DEBUG"]) if DEBUG else (["/O2"], [])
    # -g0 against the -g that many interpreters hand down: wheels an eighth of the size.
    build = ["-UNDEBUG", "-O1", "-g"] if DEBUG else ["-DNDEBUG", "-O3", "-g0"]
    link = []
    if SANITIZE:
        # A finding must end the test run, not scroll past.
        link = [f"-fsanitize={SANITIZE}"]
        build += [*link, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    return [*build, *march_flags(compiler), *WARNINGS], link


class BuildCore(build_ext):
    """Cython, then C, each over all modules at once."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = int(os.environ.get("CASINO_CORE_JOBS") or os.cpu_count() or 1)

    def run(self) -> None:
        # An editable install gives a temporary folder to build in, where every module is missing:
        # build where `build_ext --inplace` does, and only what has changed.
        given = self.build_lib, self.build_temp
        if self.editable_mode:
            usual = build(self.distribution)
            usual.ensure_finalized()
            self.build_lib, self.build_temp = usual.build_platlib, usual.build_temp
        super().run()
        self.build_lib, self.build_temp = given

    def build_extensions(self) -> None:
        # Imported here: making an sdist or asking for metadata needs no Cython.
        from Cython import __version__ as cython_version
        from Cython.Build import cythonize

        compile_args, link_args = flags(self.compiler)
        facts = {
            "CC_BUILD_CYTHON": cython_version,
            "CC_BUILD_FLAGS": " ".join(compile_args),
            "CC_BUILD_SANITIZE": SANITIZE,
        }
        # Neither Cython nor setuptools looks at anything but times of files, so a change of
        # switches would leave old code in place. The note is written when all is built.
        switches = json.dumps({**facts, "debug": DEBUG, "directives": DIRECTIVES}, indent=1)
        note = Path(C_DIR, "switches.json")
        if not note.exists() or note.read_text(encoding="utf-8") != switches:
            note.unlink(missing_ok=True)
            self.force = True

        for ext in self.extensions:
            ext.extra_compile_args = compile_args
            ext.extra_link_args = link_args
            if not DEBUG:
                # Without it every assert asks the interpreter whether it is wanted.
                ext.define_macros.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
            if ext.name.endswith("._build_facts"):
                ext.define_macros += [(name, json.dumps(text)) for name, text in facts.items()]

        translated = cythonize(
            self.extensions,
            build_dir=C_DIR,
            include_path=["src"],
            compiler_directives=DIRECTIVES,
            force=self.force,
            nthreads=self.parallel if self.parallel > 1 else 0,
        )
        sources = {ext.name: ext.sources for ext in translated}
        for ext in self.extensions:
            ext.sources = sources[ext.name]
        super().build_extensions()
        note.write_text(switches, encoding="utf-8")


def modules() -> list[Extension]:
    headers = sorted(SOURCES.rglob("*.h"))
    return [
        Extension(
            ".".join(path.relative_to(SOURCES).with_suffix("").parts),
            [path.as_posix()],
            include_dirs=sorted({header.parent.as_posix() for header in headers}),
            depends=[header.as_posix() for header in headers],
        )
        for path in sorted(SOURCES.rglob("*.pyx"))
    ]


# Cython's workers may import this file anew, where processes are not forked.
if __name__ == "__main__":
    setup(ext_modules=modules(), cmdclass={"build_ext": BuildCore})
