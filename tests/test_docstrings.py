"""Every example in a docstring runs. pytest collects none from a compiled module by itself."""

import doctest
import importlib
import pkgutil

import pytest

import casino_core

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(casino_core.__path__, "casino_core.")
)
#: Modules that need an extra to be imported, or for their example.
LIBRARIES = {
    "casino_core.adapters.aec": ("pettingzoo",),
    "casino_core.adapters.openspiel": ("pyspiel",),
    "casino_core.adapters.pettingzoo": ("pettingzoo",),
    "casino_core.adapters.spiel_bot": ("pyspiel",),
    "casino_core.adapters.spiel_game": ("pyspiel",),
    "casino_core.adapters.spiel_observer": ("pyspiel",),
}


@pytest.mark.parametrize("name", ["casino_core", *MODULES])
def test_examples_run(name: str) -> None:
    for library in LIBRARIES.get(name, ()):
        pytest.importorskip(library)
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        runner.run(test)
    assert not runner.failures


def test_compiled_modules_are_looked_into() -> None:
    """A guard on the test above: the finder must see functions and classes of Cython."""
    module = importlib.import_module("casino_core._build_facts")
    tests = doctest.DocTestFinder().find(module, module.__name__)
    assert [test.name for test in tests if test.examples] == ["casino_core._build_facts.facts"]
