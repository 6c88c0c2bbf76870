"""A policy that is trained in two minutes, with NumPy alone, and beats the greedy player.

    python examples/learned_policy.py --updates 140 --rounds 2000

A network with one hidden layer chooses the steps of turns (docs/learning.md). It plays both seats
of 512 games at once and learns by policy gradients with a baseline (advantage actor-critic). Its
return is the lead in captured cards that the next plays bring, discounted by each turn; at the end
of a round it is the lead in points. Then it plays duplicate decks against `greedy`, always the most
probable step. README.md has a result.
"""

import argparse
import time

import numpy as np

from casino_core.learning.games import Games
from casino_core.learning.steps import STEP_COUNT, Choice
from casino_core.learning.tensor import information_tensor, tensor_fields
from casino_core.play.agents import Turn
from casino_core.play.arena import ArenaResult, play_arena
from casino_core.rules.cards import CARD_NAMES

RULES = "standard"
WHERE = {name: where for name, (where, _) in tensor_fields(RULES).items()}

GAMES = 512
STEPS = 48  # of each game between updates
BATCHES = 4  # updates of the network for the same steps
HIDDEN = 256
DISCOUNT = 0.7  # for each turn of a seat
ENTROPY = 0.01  # weight of exploration
RATES = (2e-3, 5e-4)  # of learning; the second one for the last third
MOST_LOOSE = 8  # loose cards whose sums are inputs

#: What a captured card is worth: its points, and a share of the points for most cards and spades.
WORTH = np.array(
    [
        (name[0] == "A") + 2 * (name == "Td") + (name == "2s") + 0.12 + 0.12 * (name[1] == "s")
        for name in CARD_NAMES
    ],
    np.float32,
)
RANKS = np.repeat(np.eye(13, dtype=np.float32), 4, axis=0)
#: The value of each card in a sum, 0 for court cards.
VALUES = np.array([card // 4 + 1 if card < 40 else 0 for card in range(52)], np.float32)
SUBSETS = (np.arange(1 << MOST_LOOSE) >> np.arange(MOST_LOOSE)[:, None] & 1).astype(np.float32)


def captures(table: np.ndarray) -> np.ndarray:
    """For each game and rank, the worth of the best loose cards that one card of it captures."""
    loose = table * (VALUES > 0)
    cards = np.argsort(-loose * (1 + WORTH), axis=1, kind="stable")[:, :MOST_LOOSE]
    there = np.take_along_axis(loose, cards, 1)
    sums, worth = (VALUES[cards] * there) @ SUBSETS, (WORTH[cards] * there) @ SUBSETS
    best = [(worth * (sums == value)).max(1) for value in range(1, 11)]
    courts = [slice(first, first + 4) for first in range(40, 52, 4)]
    best += [(table[:, court] * WORTH[court]).max(1) for court in courts]
    return np.stack(best, axis=1)


def inputs(tensor: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What the network sees: cards, builds, what each rank could capture, the turn so far."""
    numbers = tensor.astype(np.float32)
    hand, table, played, what, taken = (
        numbers[:, WHERE[name]] for name in ("hand", "table", "played", "what", "taken")
    )
    own, other = np.split(numbers[:, WHERE["owners"]], 2, axis=1)
    builds = tensor[:, WHERE["values"], None] == np.arange(1, 15)
    best = captures(table)
    best[:, :10] += (builds * WORTH[:, None]).sum(1)[:, :10]
    by_card = best @ RANKS.T
    parts = [
        *(np.where(by_card > 0, by_card + WORTH, 0) * hand, best, best > 0),
        *(hand, table, own, other, (builds * own[:, :, None]).max(1)),
        *((builds * other[:, :, None]).max(1), table @ RANKS, table @ RANKS > 0, hand @ RANKS),
        *(played, played @ RANKS, what, taken, taken @ RANKS, mask),
        *(numbers[:, WHERE["cards"]] / 4, numbers[:, WHERE["stock"]] / 40),
        numbers[:, WHERE["last"]],
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def lead(tensor: np.ndarray) -> np.ndarray:
    """The worth of the own pile minus that of the other one."""
    own, other = np.split(tensor[:, WHERE["piles"]].astype(np.float32), 2, axis=1)
    return own @ WORTH - other @ WORTH


class Network:
    """One hidden layer; the probability of each step, and the expected return."""

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        shapes = ((size, HIDDEN), (HIDDEN,), (HIDDEN, STEP_COUNT + 1), (STEP_COUNT + 1,))
        scales = ((2 / size) ** 0.5, 0, 0.01, 0)
        self.weights = [
            (rng.standard_normal(shape) * scale).astype(np.float32)
            for shape, scale in zip(shapes, scales, strict=True)
        ]
        self.means = [np.zeros_like(one) for one in self.weights]
        self.squares = [np.zeros_like(one) for one in self.weights]
        self.updates = 0

    def forward(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, ...]:
        """The hidden layer, the probabilities of the steps, the expected returns."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(seen @ first + first_bias, 0)
        out = hidden @ second + second_bias
        logits = np.where(mask, out[:, :STEP_COUNT], -1e9)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        return hidden, shares / shares.sum(1, keepdims=True), out[:, STEP_COUNT]

    def learn(self, seen, mask, steps, returns, rate: float) -> None:
        """One update from steps and what followed them."""
        hidden, shares, expected = self.forward(seen, mask)
        count = len(steps)
        surprise = returns - expected
        weight = (surprise - surprise.mean()) / (surprise.std() + 1e-6)
        slopes = shares * weight[:, None]
        slopes[np.arange(count), steps] -= weight
        logs = np.log(shares + 1e-9)
        slopes += ENTROPY * shares * (logs - (shares * logs).sum(1, keepdims=True))
        out = np.concatenate([slopes, -0.5 * surprise[:, None]], axis=1).astype(np.float32) / count
        back = (out @ self.weights[2].T) * (hidden > 0)
        self._move([seen.T @ back, back.sum(0), hidden.T @ out, out.sum(0)], rate)

    def _move(self, slopes: list[np.ndarray], rate: float) -> None:
        """A step of Adam."""
        self.updates += 1
        for weight, mean, square, slope in zip(
            self.weights, self.means, self.squares, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8
            weight -= rate * mean / (1 - 0.9**self.updates) / size


def draw(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A step for each game, by its probability."""
    sums = shares.cumsum(1)
    steps = (sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(1).clip(max=STEP_COUNT - 1)
    impossible = shares[np.arange(len(steps)), steps] == 0  # by rounding
    return np.where(impossible, shares.argmax(1), steps)


def returns_of(games: Games, played: list[dict[str, np.ndarray]]) -> list[np.ndarray]:
    """For each step what it brings its seat: the lead won from turn to turn, discounted."""
    every = np.arange(games.count)
    then = np.zeros((games.count, 2), np.float32)  # lead of each seat at its next turn
    then[every, games.seats] = lead(games.tensor)
    then[every, 1 - games.seats] = -then[every, games.seats]
    later = np.zeros((games.count, 2), np.float32)
    found = []
    for step in reversed(played):
        then[step["done"]] = step["rewards"][step["done"]]
        later[step["done"]] = 0
        seats, begins = step["seats"], step["mask"][:, :52].any(1)
        value = then[every, seats] - step["lead"] + DISCOUNT * later[every, seats]
        found.append(value)
        later[every[begins], seats[begins]] = value[begins]
        then[every[begins], seats[begins]] = step["lead"][begins]
    return found[::-1]


def play(games: Games, network: Network, rng: np.random.Generator) -> list[dict[str, np.ndarray]]:
    """Some steps of every game by the network's probabilities."""
    played = []
    for _ in range(STEPS):
        mask, seen = games.mask.astype(bool), inputs(games.tensor, games.mask)
        steps = draw(network.forward(seen, mask)[1], rng)
        step = {"seen": seen, "mask": mask, "steps": steps, "lead": lead(games.tensor)}
        step["seats"] = games.seats.copy()
        games.step(steps)
        played.append(step | {"done": games.done.copy(), "rewards": games.rewards.copy()})
    return played


def train(updates: int, games: int = GAMES, seed: int = 1) -> Network:
    """A network after a number of updates, in play against itself."""
    rng = np.random.default_rng(seed)
    many = Games(RULES, games)
    many.reset(seed)
    network = Network(inputs(many.tensor, many.mask).shape[1], rng)
    for update in range(updates):
        played = play(many, network, rng)
        returns = np.concatenate(returns_of(many, played))
        seen, mask, steps = (
            np.concatenate([step[name] for step in played]) for name in ("seen", "mask", "steps")
        )
        order = rng.permutation(len(steps))
        for part in np.array_split(order, BATCHES):
            rate = RATES[update >= updates * 2 / 3]
            network.learn(seen[part], mask[part], steps[part], returns[part], rate)
    return network


class LearnedAgent:
    """The player of a network: at each step the most probable one."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def __call__(self, turn: Turn):
        choice = Choice(turn.position)
        while not choice.complete:
            mask = np.zeros((1, STEP_COUNT), bool)
            mask[0, list(choice.legal)] = True
            tensor = information_tensor(turn.position, choice=choice)[None]
            _, shares, _ = self.network.forward(inputs(tensor, mask), mask)
            choice = choice.step(int(shares.argmax()))
        return choice.move


def study(updates: int, rounds: int, opponent: str = "greedy", games: int = GAMES) -> ArenaResult:
    """The result of a trained network against an agent."""
    agent = LearnedAgent(train(updates, games))
    return play_arena(agent, opponent, rules=RULES, rounds=rounds, seed=5)


def main() -> None:
    parser = argparse.ArgumentParser(description="A policy learned with NumPy against greedy.")
    parser.add_argument("--updates", type=int, default=140, help="of the network")
    parser.add_argument("--rounds", type=int, default=2000, help="against each opponent")
    parser.add_argument("--opponents", default="random,greedy,careful")
    chosen = parser.parse_args()
    start = time.perf_counter()
    agent = LearnedAgent(train(chosen.updates))
    print(f"trained in {time.perf_counter() - start:.0f} s")
    print("| opponent | points a round |\n|---|---|")
    for opponent in chosen.opponents.split(","):
        result = play_arena(agent, opponent, rules=RULES, rounds=chosen.rounds, seed=5)
        low, high = result.interval or (result.points, result.points)
        print(f"| `{opponent}` | {result.points:+.2f} ± {(high - low) / 2:.2f} |", flush=True)


if __name__ == "__main__":
    main()
