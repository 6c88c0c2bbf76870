"""A match between a bot of your own and a level, through the engine.

    python examples/bot_match.py --level 3 --target 21 --seed 1

The bot sees what its seat sees and picks a legal move: change `bot`. docs/engine.md explains the
requests; bot_match.mjs is the same program in JavaScript.
"""

import argparse
from typing import Any

from casino_core.engine.client import EngineClient

Answer = dict[str, Any]


def bot(view: Answer, moves: list[Answer]) -> str:
    """The move of the bot: the one that takes the most cards."""
    best = max(moves, key=lambda move: len(move["loose"]) + 2 * len(move["builds"]))
    return str(best["move"])


def play_match(engine: EngineClient, *, level: int, target: int, seed: int) -> Answer:
    """The state of the match at its end. The bot is player a, the level player b."""
    record = ""
    while True:
        match = {"position": record} if record else {"rules": f"standard,target={target}"}
        dealt = engine.ask("deal", seed=seed, **match)
        record, over = dealt["record"], False
        while not over:
            player = dealt["seating"]["ab".index(dealt["turn"])]
            if player == "a":
                view = engine.ask("view", position=record)
                moves = engine.ask("moves", position=view["record"])["moves"]
                move = bot(view, moves)
            else:
                move = engine.ask("agent", position=record, level=level, seed=seed)["move"]
            played = engine.ask("play", position=record, move=move)
            record, over = played["record"], played["over"]
            dealt["turn"] = played["turn"]
        match = engine.ask("match", position=record)
        print(f"round {dealt['number']}: {match['score']['a']} to {match['score']['b']}")
        if match["over"]:
            return match
        seed += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--target", type=int, default=21)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with EngineClient() as engine:
        match = play_match(engine, level=given.level, target=given.target, seed=given.seed)
    print("the bot wins" if match["winner"] == "a" else f"level {given.level} wins")


if __name__ == "__main__":
    main()
