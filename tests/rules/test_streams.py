"""Random streams: golden draws, the same in plain Python, and moments of the draws."""

import copy
import pickle
import re
import runpy
from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from casino_core import CasinoError
from casino_core.hints.averages import Averages, chances_of_means
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from helpers.side_by_side import DATA

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "casino_core"
TOOLS = ROOT / "tools"
WORD = 2**64 - 1


class PlainStream:
    """The same streams in plain Python, from their description."""

    def __init__(self, seed, purpose, *numbers):
        text = purpose.encode()
        own = [seed & WORD, seed >> 64][: 2 if seed >> 64 else 1]
        words = [len(own), len(text), *own]
        words += [int.from_bytes(text[i : i + 8], "little") for i in range(0, len(text), 8)]
        key = 0
        for word in (*words, *numbers):
            key = mixed(key, word)
        self.words = [splitmix(key + i * 0x9E3779B97F4A7C15) for i in range(1, 5)]

    def bits(self):
        a, b, c, d = self.words
        result = turned(b * 5 & WORD, 7) * 9 & WORD
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17 & WORD), turned(d, 45)]
        return result

    def below(self, bound):
        while True:
            product = self.bits() * bound
            if product & WORD >= 2**64 % bound:
                return product >> 64

    def random(self):
        return (self.bits() >> 11) / 2**53

    def happens(self, exponent):
        last, length = exponent, 0
        while (number := self.random()) < last:
            last, length = number, length + 1
        return length % 2 == 0

    def normal(self):
        while True:
            whole = 0
            while self.happens(0.5):
                whole += 1
            fits = all(self.happens(0.5) for _ in range(whole * (whole - 1)))
            part = self.random()
            fits = fits and all(self.happens(part) for _ in range(whole))
            if fits and self.happens(part * part / 2):
                return (whole + part) * (1 if self.bits() >> 63 else -1)

    def permutation(self, count):
        order = []
        for i in range(count):
            j = self.below(i + 1)
            order.append(i)
            order[i], order[j] = order[j], i
        return order

    def resampled(self, count):
        drawn = Counter(self.below(count) for _ in range(count))
        return [drawn[i] for i in range(count)]

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def draws(self):
        """As `make_streams.py` draws them."""
        found = [self.bits(), self.below(52), self.below(2**63 + 1)]
        found += [self.random().hex(), "abcdefgh"[self.below(8)]]
        found += [self.random().hex() for _ in range(2)] + [self.normal().hex() for _ in range(6)]
        found += self.permutation(5) + self.resampled(4) + ["".join(self.shuffled("abcde"))]
        return " ".join(map(str, found))


def turned(x, by):
    return (x << by | x >> (64 - by)) & WORD


def mixed(x, salt):
    product = (x ^ salt) * ((x * 0x9E3779B97F4A7C15 + salt & WORD) | 1)
    folded = product & WORD ^ product >> 64 ^ x
    folded = (folded ^ folded >> 29) * 0xBF58476D1CE4E5B9 & WORD
    return folded ^ folded >> 32


def splitmix(z):
    z &= WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def golden():
    lines = (DATA / "streams.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("#"):
            seed, purpose, numbers, expected = line.split("\t")
            yield int(seed), purpose, tuple(map(int, numbers.split())), expected


def test_golden_streams(monkeypatch):
    """The core, the version in plain Python and the file agree."""
    monkeypatch.syspath_prepend(TOOLS)
    made = runpy.run_path(str(TOOLS / "make_streams.py"))
    for seed, purpose, numbers, expected in golden():
        assert made["drawn"](Stream(seed, purpose, *numbers)) == expected
        assert PlainStream(seed, purpose, *numbers).draws() == expected


def test_every_purpose_has_golden_streams():
    assert {purpose for _, purpose, _, _ in golden()} == set(Purpose)


def test_streams_differ():
    """No seed, purpose, number or split of words gives the stream of another."""
    made = [
        Stream(seed, purpose, *numbers)
        for seed in (0, 1, 2, 2**64, 2**64 + 1, 2**127)
        for purpose in ("", "a", "b", "deck", "deck\0", "worldsworlds")
        for numbers in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))
    ]
    assert len({stream.bits() for stream in made}) == len(made)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1, "deck"), r"seed is a whole number from 0 to 2\*\*128 - 1, not -1"),
        ((2**128, "deck"), "seed is"),
        ((1, "deck", 2**64), "numbers is|number is"),
        ((1, 5), "purpose is a text, not 5"),
    ],
)
def test_bad_streams_are_refused(arguments, words):
    with pytest.raises(CasinoError, match=words):
        Stream(*arguments)


def test_bounds_are_checked():
    for bound in (0, -1, 2**64, 1.5):
        with pytest.raises(CasinoError, match="bound is"):
            Stream(1, "deck").below(bound)


def test_a_copy_goes_on_by_itself():
    stream = Stream(5, "deck", 1)
    stream.bits()
    for other in (copy.copy(stream), copy.deepcopy(stream), pickle.loads(pickle.dumps(stream))):
        assert other == stream
        follow = other.bits()
        assert other != stream
        assert copy.copy(stream).bits() == follow


def test_normal_numbers():
    """Their first four moments, each within four standard errors."""
    numbers = np.empty((1000, 400))
    Stream(1, "normal").fill_normal(numbers)
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        error = sqrt(variance / numbers.size)
        assert abs((numbers**power).mean() - moment) < 4 * error
    assert abs((numbers > 1.959964).mean() - 0.025) < 4 * sqrt(0.025 / numbers.size)


def test_numbers_below_a_bound_are_equally_likely():
    stream = Stream(2, "below")
    counts = Counter(stream.below(7) for _ in range(70_000))
    assert sum((count - 10_000) ** 2 for count in counts.values()) / 10_000 < 22.5  # p = 0.001


def test_permutations_are_equally_likely():
    stream, order, counts = Stream(3, "permutation"), np.empty(4, dtype=np.int64), Counter()
    for _ in range(24_000):
        stream.fill_permutation(order)
        counts[tuple(order.tolist())] += 1
    assert sum((counts[key] - 1000) ** 2 for key in counts) / 1000 < 49.7  # p = 0.001
    assert len(counts) == 24


def test_resampling_is_multinomial():
    """As many draws in each row; mean 1, variance 1 - 1/n, covariance -1/n of two columns."""
    times = np.empty((40_000, 8))
    Stream(4, "resampled").fill_resampled(times)
    assert (times.sum(axis=1) == 8).all()
    assert np.allclose(times.mean(axis=0), 1, atol=4 * sqrt(7 / 8 / 40_000))
    covariance = np.cov(times.T)
    assert np.allclose(covariance, np.eye(8) - 1 / 8, atol=0.03)


def test_the_chance_of_the_best_is_that_of_a_normal_difference():
    """Two independent means a standard error apart: 76 % for the higher one."""
    errors = np.array([sqrt(0.5), sqrt(0.5)])
    chances = np.mean(
        [chances_of_means(np.array([1.0, 0.0]), errors, seed)[0] for seed in range(100)]
    )
    assert abs(chances - 0.8413) < 4 * sqrt(0.1335 / 25_600)


def test_the_bootstrap_agrees_with_the_errors():
    """Its chance of a move that is a standard error ahead is that of a normal mean, 84 %."""
    ahead = np.empty((100, 1))
    Stream(6, "values").fill_normal(ahead)
    ahead = (ahead - ahead.mean()) / ahead.std() + 1 / sqrt(100)
    averages = Averages(2)
    averages.add(np.hstack([ahead, np.zeros_like(ahead)]))
    chances = np.mean([averages.chances(seed)[0] for seed in range(200)])
    assert abs(chances - (100 * 0.8413 + 0.5) / 101) < 0.015


@pytest.mark.skipif(not SOURCES.exists(), reason="needs the sources")
def test_no_other_generator_is_used():
    """Chance comes from streams alone, whose purposes stand in one place."""
    foreign = re.compile(r"\bfrom random import|\bimport random\b|np\.random|numpy\.random")
    named = re.compile(r"\bStream\([^)\n]*, \"")
    for path in sorted(SOURCES.rglob("*.py*")):
        if path.suffix in (".py", ".pyx", ".pyi"):
            lines = path.read_text(encoding="utf-8").splitlines()
            # examples may call functions of other packages
            text = "\n".join(line for line in lines if ">>>" not in line)
            assert not foreign.search(text), path
            if path.name != "streams.pyx":
                assert not named.search(text), path
