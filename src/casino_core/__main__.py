"""The command `casino-core`, also `python -m casino_core`.

Little is imported before Ctrl-C is prepared for.
"""

try:
    from casino_core._interrupts import end_at_once

    if __name__ == "__main__":
        end_at_once()
except KeyboardInterrupt:  # the import above takes a moment
    import os

    os.write(2, b"casino-core: interrupted\n")
    os._exit(130)


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
