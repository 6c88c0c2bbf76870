"""Make `streams.txt`: the first draws of every purpose's streams of chance.

Run it from anywhere with the package installed, and look at what has changed before keeping it:

    python tools/make_streams.py

The numbers change when the generator of random numbers or the hash change, and at no other time;
a new purpose adds lines.
"""

import numpy as np
from folders import TEST_DATA

from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

STREAMS = (
    (0, ()),
    (1, (7,)),
    (2**64 - 1, (3, 2**64 - 1)),
    (2**128 - 1, (0, 0, 1)),
)


def drawn(stream: Stream) -> str:
    """The first draws of each kind, one kind after the other from the same stream."""
    fractions, normals = np.empty((1, 2)), np.empty((1, 6))
    order, times = np.empty(5, dtype=np.int64), np.empty((1, 4))
    found: list[object] = [stream.bits(), stream.below(52), stream.below(2**63 + 1)]
    found += [stream.random().hex(), stream.choice("abcdefgh")]
    stream.fill_random(fractions)
    stream.fill_normal(normals)
    stream.fill_permutation(order)
    stream.fill_resampled(times)
    cards = list("abcde")
    stream.shuffle(cards)
    found += [number.hex() for number in (*fractions[0].tolist(), *normals[0].tolist())]
    found += [*order.tolist(), *map(int, times[0].tolist()), "".join(cards)]
    return " ".join(map(str, found))


def lines() -> list[str]:
    """The lines of the file."""
    return [
        "\t".join(
            (
                str(seed),
                purpose,
                " ".join(map(str, numbers)),
                drawn(Stream(seed, purpose, *numbers)),
            )
        )
        for purpose in Purpose
        for seed, numbers in STREAMS
    ]


if __name__ == "__main__":
    text = "# seed, purpose, numbers, draws; made by tools/make_streams.py\n"
    path = TEST_DATA / "streams.txt"
    path.write_text(text + "\n".join(lines()) + "\n", encoding="utf-8")
