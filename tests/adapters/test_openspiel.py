"""The game of OpenSpiel, by its own tests and algorithms."""

import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import casino_core as cc
from casino_core.learning.information import information_text
from casino_core.learning.steps import STEP_COUNT
from casino_core.learning.tensor import information_tensor, tensor_fields, tensor_size
from casino_core.rules.cards import ALL_CARDS, CARD_NAMES
from helpers.side_by_side import PRESET_NAMES, SEATINGS

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough  # noqa: E402
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots  # noqa: E402
from open_spiel.python.algorithms.ismcts import ISMCTSBot  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402

from casino_core.adapters.openspiel import AgentBot  # noqa: E402
from casino_core.adapters.spiel_game import Dealt  # noqa: E402

PLAYTHROUGH = Path(__file__).parents[1] / "data" / "playthrough.txt"
SOME = ("standard", "royal-1911,players=4,partners=yes", "pagat-royal,players=3", "draw")
#: The last plays of a round: two cards in each hand, out of four that are not known.
UNKNOWN = cc.CardSet("2s7h9d9c")
TABLE = cc.CardSet("5h2c")
REST = list(cc.CardSet(ALL_CARDS & ~(UNKNOWN | TABLE).mask))
ENDING = f"table={TABLE} hands=??/?? piles={''.join(REST[:23])}/{''.join(REST[23:])} last=a"


def load(rules="standard", **others):
    return pyspiel.load_game("casino_core", {"rules": rules, **others})


def play_out(state, rng, watch=lambda state: None):
    """Random steps and deals to the end of a round."""
    while not state.is_terminal():
        watch(state)
        if state.is_chance_node():
            cards, shares = zip(*state.chance_outcomes(), strict=True)
            assert sum(shares) == pytest.approx(1)
            state.apply_action(rng.choice(cards))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_random_simulations(preset, seating):
    pyspiel.random_sim_test(load(preset + seating), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", SOME)
def test_the_api_test_of_openspiel(rules):
    np.random.seed(1)  # noqa: NPY002 - the test draws from it
    games_sim_test.GamesSimTest().sim_game(load(rules))


def test_the_game_is_registered_and_loads_without_parameters():
    np.random.seed(1)  # noqa: NPY002 - the test draws from it
    assert "casino_core" in pyspiel.registered_names()
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game("casino_core"))


def test_a_playthrough():
    """The last plays of a round as OpenSpiel writes them; see `tests/data/README.md`."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    recorded, now = generate_playthrough.replay(str(PLAYTHROUGH))
    assert now.splitlines() == recorded.splitlines()


@pytest.mark.parametrize("rules", SOME)
def test_states_are_rounds(rules):
    game = load(rules)
    for seed in range(3):
        state = play_out(game.new_initial_state(), np.random.default_rng(seed))
        played = state.round
        assert played.is_over
        assert cc.Round(played.start, []).position == played.start
        assert str(state) == str(played)
        assert sum(state.returns()) == pytest.approx(0)
        points = played.score()
        if len(points) == 2:
            assert state.returns()[:2] == [points[0] - points[1], points[1] - points[0]]
        dealt = [
            CARD_NAMES[item.action]
            for item in state.full_history()
            if item.player == pyspiel.PlayerId.CHANCE
        ]
        assert sorted(dealt) == sorted(CARD_NAMES)


@pytest.mark.parametrize("rules", SOME)
def test_information_states(rules):
    """Those of `learning` with the plays of earlier deals; the observation leaves out all plays."""
    game = load(rules)
    seats = game.new_initial_state().rules.seats

    def watch(state):
        if state.round is None:
            return
        for player, seat in enumerate(seats):
            choice, played = state.dealt.choice, state.round
            text, _, before = state.information_state_string(player).partition(" | before: ")
            assert text == information_text(played, seat, choice)
            assert len(before.split()) == len(played.plays) - len(played.plays_of_deal())
            tensor, size = state.information_state_tensor(player), tensor_size(rules)
            assert np.array_equal(tensor[:size], information_tensor(played, seat, choice))
            earlier = np.reshape(tensor[size:], (-1, 54))
            assert np.count_nonzero(earlier.any(axis=1)) == len(before.split())
            tensor = state.observation_tensor(player)
            assert np.array_equal(tensor, information_tensor(played.position, seat, choice))

    play_out(game.new_initial_state(), np.random.default_rng(3), watch)
    more = game.information_state_tensor_size() - game.observation_tensor_size()
    assert more == 54 * (48 - tensor_fields(rules)["plays"][1][0])


def second_deal(order):
    """A round in its second deal; all cards were trailed, those of seat a in this order."""
    played = cc.Round(cc.Position.start("royal", seed=1))
    hands = [list(hand.cards) for hand in played.start.hands]
    for number, place in enumerate(order):
        played = played.play(hands[0][place]).play(hands[1][number])
    return SimpleNamespace(dealt=Dealt(round=played))


def test_the_order_of_earlier_plays_is_recalled():
    one, other = second_deal((0, 1, 2, 3)), second_deal((1, 0, 2, 3))
    assert one.dealt.round.position == other.dealt.round.position
    for recalls in (False, True):
        kind = pyspiel.IIGObservationType(perfect_recall=recalls)
        observer = load("royal").make_py_observer(kind)
        for player in range(2):
            texts = {observer.string_from(state, player) for state in (one, other)}
            tensors = set()
            for state in (one, other):
                observer.set_from(state, player)
                tensors.add(observer.tensor.tobytes())
            assert len(texts) == len(tensors) == 1 + recalls


def test_hidden_cards_never_leak_while_they_are_dealt():
    """Before its own cards, nothing that chance deals to another seat is seen."""
    game = load()
    one, other = game.new_initial_state(), game.new_initial_state()
    for card in range(4):
        one.apply_action(card)
        other.apply_action(card)
    for card in range(4, 8):
        one.apply_action(card)
        other.apply_action(card + 4)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_tensor(1) == other.information_state_tensor(1)
    assert one.information_state_string(0) != other.information_state_string(0)


@pytest.mark.parametrize("rules", SOME)
def test_resampled_states_are_one_information_set(rules):
    rng = np.random.default_rng(5)
    others = 0

    def watch(state):
        nonlocal others
        if state.is_chance_node() or rng.random() > 0.1:
            return
        player = state.current_player()
        found = state.resample_from_infostate(player, rng.random)
        wanted = state.information_state_string(player)
        assert found.information_state_string(player) == wanted
        assert found.information_state_tensor(player) == state.information_state_tensor(player)
        assert found.legal_actions() == state.legal_actions()
        others += str(found) != str(state)

    for _ in range(3):
        play_out(load(rules).new_initial_state(), rng, watch)
    assert others > 5


def test_cfr_on_a_cut_down_game_approaches_an_equilibrium():
    game = load(position=ENDING)
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.exploitability(game, solver.average_policy())
    for _ in range(4):
        solver.evaluate_and_update_policy()
    after = exploitability.exploitability(game, solver.average_policy())
    assert 0 <= after < before / 2


class Searcher(ISMCTSBot):
    """OpenSpiel's bot, which evaluate_bots can restart."""

    def restart_at(self, state):
        self.reset()


@pytest.mark.parametrize("rules", ["royal", "draw"])
def test_ismcts_plays_against_an_agent(rules):
    game = load(rules)
    chance = np.random.RandomState(1)
    evaluator = RandomRolloutEvaluator(1, chance)
    bots = [Searcher(game, evaluator, 5.0, 4, random_state=chance), AgentBot("greedy", seed=1)]
    returns = evaluate_bots(game.new_initial_state(), bots, np.random.default_rng(1))
    assert sum(returns) == pytest.approx(0)


@pytest.mark.parametrize("agent", ["random", "greedy", "careful", "pimc:samples=2"])
def test_agents_are_bots(agent):
    """In OpenSpiel's loops in Python and in C++."""
    game = load("royal")
    bots = [AgentBot(agent, seed=1), AgentBot("careful", seed=2)]
    first = evaluate_bots(game.new_initial_state(), bots, np.random.default_rng(1))
    again = evaluate_bots(game.new_initial_state(), bots, np.random.default_rng(1))
    assert first == again
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)) == 0


def test_a_bot_refuses_a_turn_that_another_began():
    state = load(position=ENDING).new_initial_state()
    bot = AgentBot("greedy")
    with pytest.raises(cc.CasinoError, match="only where a seat is to play"):
        bot.step(state)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    wanted = bot.step(state)
    other = next(step for step in state.legal_actions() if step != wanted)
    state.apply_action(other)
    with pytest.raises(cc.CasinoError, match="would not take"):
        bot.step(state)


def test_states_are_cloned_and_pickled():
    state = load("royal").new_initial_state()
    rng = np.random.default_rng(2)
    while state.is_chance_node():
        state.apply_action(rng.choice([card for card, _ in state.chance_outcomes()]))
    copy, packed = state.clone(), pickle.loads(pickle.dumps(state))
    state.apply_action(state.legal_actions()[0])
    assert str(copy) == str(packed) != str(state)
    assert copy.legal_actions() == packed.legal_actions() != state.legal_actions()


def test_observers_of_other_kinds_are_refused():
    game = load()
    kind = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(cc.CasinoError, match="of one player, not of all"):
        make_observation(game, kind)
    with pytest.raises(cc.CasinoError, match="takes no parameters"):
        game.make_py_observer(None, {"size": 3})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rules": "casino"}, "casino"),
        ({"position": "table=2s"}, "hands"),
        ({"rules": "royal", "position": "rules=standard " + ENDING}, "the rules are standard"),
    ],
)
def test_wrong_parameters_are_refused_in_words(given, words):
    with pytest.raises((cc.CasinoError, pyspiel.SpielError), match=words):
        pyspiel.load_game("casino_core", given)


def test_what_is_public_and_what_is_private():
    """The public part is one for all players, and with the private one it is the observation."""
    game = load("royal")
    none, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public, private, both = (
        make_observation(game, pyspiel.IIGObservationType(*kind))
        for kind in ((True, False, none), (False, False, single), (True, False, single))
    )
    pairs = set()

    def watch(state):
        assert public.string_from(state, 0) == public.string_from(state, 1)
        for player in range(2):
            parts = (public.string_from(state, player), private.string_from(state, player))
            pairs.add((parts, both.string_from(state, player)))
            for one in (public, private, both):
                one.set_from(state, player)
            assert not np.any((public.tensor != 0) & (private.tensor != 0))
            if player == 0:
                assert np.array_equal(public.tensor + private.tensor, both.tensor)

    for seed in range(2):
        play_out(game.new_initial_state(), np.random.default_rng(seed), watch)
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)


def test_sizes():
    game = load("royal", position="table=2s5h8dKc hands=????/????")
    assert game.num_distinct_actions() == STEP_COUNT
    assert game.max_chance_outcomes() == 52
    lengths = []
    for seed in range(20):
        state = play_out(game.new_initial_state(), np.random.default_rng(seed))
        players = [item for item in state.full_history() if item.player >= 0]
        lengths.append(len(players))
        assert len(state.full_history()) - len(players) <= game.max_chance_nodes_in_history()
    assert max(lengths) <= game.max_game_length()


def test_a_missing_extra_is_named():
    code = "import sys; sys.modules['pyspiel'] = None\nimport casino_core.adapters.openspiel\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    wanted = "pyspiel is needed for this: pip install 'casino-core[openspiel]'"
    assert done.stderr.splitlines()[-1].endswith(wanted)
