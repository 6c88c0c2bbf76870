"""The command line: `casino-core`, also `python -m casino_core`.

Each command has its own module, which reads the arguments, makes one call and prints the answer as
a table or, with `--json`, as JSON. The module is imported when the command is used.
"""

from casino_core.cli.program import main

__all__ = ["main"]
