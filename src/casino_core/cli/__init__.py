"""The command line: `casino-core`, also `python -m casino_core`.

Each command has a module of its own that reads its arguments, makes one call and prints the
answer, as a table or with `--json`. It is imported when the command is asked for.
"""

from casino_core.cli.program import main

__all__ = ["main"]
