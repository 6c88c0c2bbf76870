"""The command line: `casino-core`, also `python -m casino_core`.

Each command has a module of its own that reads its arguments, makes one call and prints the
answer, as a table or with `--json`.
"""

from casino_core.cli.arena import arena
from casino_core.cli.batch import batch
from casino_core.cli.convert import convert
from casino_core.cli.engine import engine
from casino_core.cli.hint import hint
from casino_core.cli.moves import moves
from casino_core.cli.perft import perft
from casino_core.cli.program import main
from casino_core.cli.review import review
from casino_core.cli.sample import sample
from casino_core.cli.show import show
from casino_core.cli.solve import solve

__all__ = ["main"]

for command in (
    moves,
    perft,
    show,
    solve,
    review,
    hint,
    convert,
    arena,
    engine,
    batch,
    sample,
):
    main.add_command(command)
