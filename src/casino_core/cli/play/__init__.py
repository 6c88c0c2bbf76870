"""`casino-core play`: a round or a match in the terminal."""

from casino_core.cli.play.command import play

__all__ = ["play"]
