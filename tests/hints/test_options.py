"""The table of a hint's options, and every place that shows them."""

import inspect
import re
import warnings

import click
import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.batch.analysis import Worker
from casino_core.cli import main
from casino_core.engine.requests import COMMANDS
from casino_core.hints.options import METHODS, OPTIONS, checked, options_of
from casino_core.play.agents import HintAgent, parse_agent

MIDDLE = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
LINE = str(MIDDLE)


def flags(command):
    """The options of a command by flag."""
    return {param.opts[0]: param for param in main.commands[command].params if param.opts}


def test_the_arguments_of_hint_are_the_table():
    given = inspect.signature(cc.hint).parameters
    assert set(given) - {"position"} == {option.name for option in options_of("python")}
    assert {option.name: option.default for option in options_of("python")} == {
        name: given[name].default for name in given if name != "position"
    }
    described = re.findall(r"^        (\w+): ", cc.hint.__doc__.split("Raises:")[0], re.M)
    assert described == list(given)


def test_the_command_line_has_the_options_of_the_table():
    known = flags("hint")
    for option in options_of("command"):
        assert known.pop(option.flag).help.startswith(option.help)
    assert set(known) == {"position", "--at", "--game", "--all", "--json"}
    shown = " ".join(CliRunner().invoke(main, ["hint", "--help"]).stdout.split())
    assert all(f"{option.flag} " in shown for option in options_of("command"))


def test_the_engine_has_the_options_of_the_table():
    fields = {option.field for option in options_of("engine")}
    assert fields == set(COMMANDS["hint"]) - {"position", "at", "interim"}


def test_a_batch_has_the_options_of_the_table():
    values = {"method": "pimc", "belief": "b:lacks=A", "open": True, "measure_all": True}
    values |= {"objective": "match", "score": "18/20", "history": cc.Round(MIDDLE)}
    budget = {option.name: values.get(option.name, 1) for option in options_of("batch")}
    assert set(Worker("hint", budget).budget) == set(budget)
    with pytest.raises(cc.CasinoError) as refused:
        Worker("hint", {"nodes": 1})
    assert all(option.name in str(refused.value) for option in options_of("batch"))
    known = flags("batch")
    assert all(option.flag in known for option in options_of("batch"))


def test_the_agent_has_the_options_of_the_table():
    names = [option.name for option in options_of("agent")]
    assert list(inspect.signature(HintAgent).parameters) == [*names, "history"]
    assert [getattr(HintAgent(), name) for name in names] == [
        option.default for option in options_of("agent")
    ]


def test_every_option_is_shown_somewhere_and_read_alike():
    for option in OPTIONS:
        assert option.faces
        assert option.help.endswith(".")
        assert option.default is None or option.kind.accepts(option.default)
    with pytest.raises(cc.CasinoError, match="seconds is a number of seconds"):
        checked({"seconds": "1"})


@pytest.mark.parametrize("method", [name for name in METHODS if name != "auto"])
def test_the_method_asked_for_is_the_method_of_the_answer(method):
    found = cc.hint(MIDDLE, samples=2, seed=1, method=method)
    assert found.method == method
    assert found.coverage == ("tree" if method == "mcts" else "samples")


def test_old_words_are_read_with_a_warning():
    with pytest.warns(DeprecationWarning, match="expectimax is called pimc now") as warned:
        found = cc.hint(MIDDLE, samples=2, seed=1, method="expectimax")
    assert warned[0].filename == __file__
    assert found.method == "pimc"
    with pytest.warns(DeprecationWarning, match="called method now") as warned:
        assert found.search == "pimc"
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert parse_agent("hint:method=expectimax").method == "pimc"
        assert Worker("hint", {"method": "expectimax"}).settings["method"] == "pimc"


def test_an_old_word_on_the_command_line_is_told():
    arguments = ["hint", LINE, "--samples=2", "--method=expectimax", "--json"]
    answer = CliRunner().invoke(main, arguments)
    assert answer.stderr.startswith("warning: method expectimax is called pimc now; the old name")
    assert answer.stderr.count("\n") == 1
    assert '"method": "pimc"' in answer.stdout
    bad = CliRunner().invoke(main, ["hint", LINE, "--method=best"])
    assert bad.exit_code == 2
    assert "'best' is not one of auto, blend, response, playouts, pimc, mcts" in bad.stderr


def test_a_bad_belief_keeps_its_own_message():
    with pytest.raises(cc.NotationError, match="does not begin with a seat"):
        cc.hint(MIDDLE, belief="nonsense")
    answer = CliRunner().invoke(main, ["hint", LINE, "--belief", "nonsense"])
    assert "does not begin with a seat" in answer.stderr


def test_click_knows_each_option_once():
    for name in ("hint", "batch"):
        known = [opt for param in main.commands[name].params for opt in param.opts]
        assert len(known) == len(set(known))
        assert isinstance(main.commands[name], click.Command)
