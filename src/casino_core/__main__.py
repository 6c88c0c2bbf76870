"""The command `casino-core`, also `python -m casino_core`.

Little is imported before Ctrl-C is prepared for.
"""

from casino_core._interrupts import end_at_once


def main() -> None:
    """Run the command line, ready for Ctrl-C from the first instruction to the last."""
    end_at_once()
    try:
        from casino_core.cli import main as program

        program(prog_name="casino-core")
    finally:
        end_at_once()


if __name__ == "__main__":
    main()
