"""`casino-core convert`: a position in another form."""

from __future__ import annotations

import click

from casino_core.cli.common import (
    json_option,
    load_position,
    position_argument,
    print_json,
)
from casino_core.formats.answers import position_fields
from casino_core.formats.reading import to_saved_game

__all__ = ["convert"]


@click.command()
@position_argument
@click.option(
    "--to",
    "form",
    type=click.Choice(["line", "json", "saved"]),
    help="A position line (as if left out), JSON, or a saved game.",
)
@json_option
def convert(position: str, form: str | None, as_json: bool) -> None:
    """Write POSITION in another form.

    --json is short for --to json.
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json does not go with --to {form}")
    p = load_position(position)
    if as_json or form == "json":
        print_json(position_fields(p))
    elif form == "saved":
        click.echo(to_saved_game(p), nl=False)
    else:
        click.echo(str(p))
