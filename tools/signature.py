"""The signature: nodes of a fixed suite, which change only when search or generation do.

    python tools/signature.py            print it
    python tools/signature.py --write    restate it in tests/data/signature.txt

A change that is meant to alter the search states the new signature; any other leaves it alone.
"""

from __future__ import annotations

import argparse

from folders import TEST_DATA, common

from casino_core import PRESETS, Position, Solver, perft

RECORDED = TEST_DATA / "signature.txt"

SEEDS = (1, 2)  # of the first positions whose sequences are counted
DEPTH = 6
LAST_DEALS = 100  # of each preset
TWO_DEALS = 8


def perft_nodes() -> int:
    """Leaves from first positions under every preset: these hold for any right generator."""
    return sum(
        perft(Position.start(rules, seed=seed), DEPTH) for rules in PRESETS for seed in SEEDS
    )


def solver_nodes(name: str, number: int, *, all_moves: bool) -> int:
    """Nodes of a new solver for each of the first recorded positions of each solved preset."""
    total = 0
    for preset in common.SOLVED_PRESETS:
        for position in common.positions(name, preset)[:number]:
            solver = Solver(table_mib=1)
            answer = solver.solve(position) if all_moves else solver.value(position)
            total += answer.nodes
    return total


def signature() -> str:
    """The parts and their total, a line each."""
    parts = {
        "perft": perft_nodes(),
        "last_deal_value": solver_nodes("last_deal", LAST_DEALS, all_moves=False),
        "last_deal_all_moves": solver_nodes("last_deal", LAST_DEALS, all_moves=True),
        "two_deals_value": solver_nodes("two_deals", TWO_DEALS, all_moves=False),
    }
    parts["total"] = sum(parts.values())
    return "".join(f"{name} {nodes}\n" for name, nodes in parts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Nodes of a fixed suite.")
    parser.add_argument("--write", action="store_true", help=f"restate {RECORDED.name}")
    write = parser.parse_args().write
    found = signature()
    print(found, end="")
    if write:
        RECORDED.write_text(found, encoding="ascii")


if __name__ == "__main__":
    main()
