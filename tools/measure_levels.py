"""Measures what each level of play is worth against the one below, over duplicate decks.

    python tools/measure_levels.py --decks 1500 standard
    python tools/measure_levels.py --table

The first measures neighbours under the rule sets named and keeps the results in
`benchmarks/data/levels.json`, the second writes the tables of `docs/levels.md` from them. The same
version, seed and decks give the same results.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from folders import ROOT

from casino_core.play.arena import ArenaResult, play_arena
from casino_core.play.levels import LEVELS, SKILLS, Skill

DATA = ROOT / "benchmarks" / "data" / "levels.json"
PAGE = ROOT / "docs" / "levels.md"
SEED = 1

SKILL_HEADER = ("level", "sum of two", "two sums at once", "builds", "caution", "remembers", "hint")
STEP_HEADER = ("level", "against", "points a round", "95 % interval", "decks")


def measured(upper: str, lower: str, rules: str, decks: int, sides: int) -> dict[str, Any]:
    """The result of a level against the one below."""
    found = play_arena(upper, lower, rounds=decks * sides, rules=rules, seed=SEED)
    return step_of(found)


def step_of(found: ArenaResult) -> dict[str, Any]:
    """A result as the file has it."""
    low, high = found.interval or (0.0, 0.0)
    return {
        "level": found.agents[0],
        "against": found.agents[1],
        "points": round(found.points, 2),
        "low": round(low, 2),
        "high": round(high, 2),
        "decks": found.decks,
    }


def measure(rules: str, decks: int, first: int, last: int) -> None:
    """Measure neighbours and keep each result at once."""
    names = list(LEVELS)
    sides = play_arena("greedy", "greedy", rounds=1, rules=rules).rules.sides
    for lower, upper in zip(names[first - 1 :], names[first:last], strict=False):
        found = measured(upper, lower, rules, decks, sides)
        print(rules, found, flush=True)
        keep(rules, found)


def keep(rules: str, found: dict[str, Any]) -> None:
    """Put a result into the file, in place of an earlier one."""
    kept: dict[str, list[dict[str, Any]]] = json.loads(DATA.read_text()) if DATA.exists() else {}
    steps = {one["level"]: one for one in [*kept.get(rules, []), found]}
    kept[rules] = [steps[name] for name in LEVELS if name in steps]
    DATA.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def rows(header: tuple[str, ...], cells: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [header, tuple("---" for _ in header), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def skill_row(level: int, skill: Skill) -> tuple[str, ...]:
    """What a level can do, in words and shares."""
    eye = skill.eye
    shares = [f"{share:.0%}" for share in (eye.sums, eye.several, eye.builds, skill.caution)]
    remembers = {"all": "all cards", "deal": "this deal, scoring cards", "points": "scoring cards"}
    hint = "–"
    if skill.thinking:
        hint = f"{skill.samples} worlds{', history' if skill.infers else ''}"
        shares[3] = "–"
    return (f"`level-{level}`", *shares, remembers[skill.memory], hint)


def skill_table() -> str:
    """The table of what each level can do."""
    return rows(SKILL_HEADER, [skill_row(*one) for one in enumerate(SKILLS, 1)])


def step_table(steps: list[dict[str, Any]]) -> str:
    """The table of neighbours under one rule set."""
    return rows(
        STEP_HEADER,
        [
            (
                f"`{one['level']}`",
                f"`{one['against']}`",
                f"{one['points']:+.2f}",
                f"{one['low']:+.2f} to {one['high']:+.2f}",
                f"{one['decks']}",
            )
            for one in steps
        ],
    )


def tables() -> dict[str, str]:
    """All tables of the page, by the word that marks their place."""
    kept = json.loads(DATA.read_text(encoding="utf-8"))
    return {"skills": skill_table(), **{rules: step_table(steps) for rules, steps in kept.items()}}


def page_with_tables(page: str) -> str:
    """The page with each table between its marks.

    Raises:
        ValueError: the page has no place for a table.
    """
    for name, table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = page.partition(begin)
        after = rest.partition(end)[2]
        if not found or end not in rest:
            raise ValueError(f"docs/levels.md has no place for {name}")
        page = f"{before}{begin}{table}{end}{after}"
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--decks", type=int, default=1500)
    parser.add_argument("--first", type=int, default=1, help="the lowest level")
    parser.add_argument("--last", type=int, default=len(SKILLS), help="the highest level")
    parser.add_argument("--table", action="store_true", help="write the tables of the page")
    given = parser.parse_args()
    for rules in given.rules:
        measure(rules, given.decks, given.first, given.last)
    if given.table:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(page_with_tables(page), encoding="utf-8")


if __name__ == "__main__":
    main()
