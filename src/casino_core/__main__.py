"""`python -m casino_core` is the command line."""

from casino_core.cli import main

if __name__ == "__main__":
    main(prog_name="casino-core")
