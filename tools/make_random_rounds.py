"""Make `random_rounds.txt`: what random rounds come to under every preset, at every table.

Run it from anywhere with the package installed, and look at what has changed before keeping it:

    python tools/make_random_rounds.py

The numbers change when the rules, the order in which the core makes its moves, the generator of
random numbers or the hash change, and at no other time.
"""

from folders import TEST_DATA

from casino_core import PRESETS, Rules
from casino_core.moves.perft import random_rounds
from casino_core.rules.ruleset import CompiledRules

SEATINGS = ("", ",players=3", ",players=4", ",players=4,partners=yes")
#: Rule sets in which most options differ from every preset's.
OTHERS = (
    "standard,court=ten,court_capture=any,capture=maximal,raise_table_cards=yes,scoring=spade26",
    "royal,capture=maximal,same_value=separate,owner_turn=free,raise_table_cards=yes",
    "pagat,multiple=no,court_capture=one_or_three,max_builds=2,scoring=spade27,draw=yes",
)
ROUNDS = 4000
SEED = 1911
HEADING = "# rules\trounds\tseed\tplays\tmoves\tchecksum"


def rule_texts() -> list[str]:
    return [name + seating for name in PRESETS for seating in SEATINGS] + list(OTHERS)


def line_of(rules: str, rounds: int, seed: int) -> str:
    """One line of the file."""
    result = random_rounds(CompiledRules(Rules.parse(rules)), rounds, seed)
    counts = (rounds, seed, result["plays"], result["moves"])
    return "\t".join([rules, *map(str, counts), f"{result['checksum']:016x}"])


def main() -> None:
    lines = [HEADING, *(line_of(rules, ROUNDS, SEED) for rules in rule_texts())]
    target = TEST_DATA / "random_rounds.txt"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
