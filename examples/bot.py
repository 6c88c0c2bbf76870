"""A bot for `exec:`: it captures as much as it can.

    casino-core arena "exec:python3 examples/bot.py" greedy

docs/agents.md describes what a bot is asked, and what it answers.
"""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    captures = [move for move in request["moves"] if "x" in move]
    move = max(captures or request["moves"], key=len)
    print(json.dumps({"id": request["id"], "move": move}), flush=True)
