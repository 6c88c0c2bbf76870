"""Calls of the command `batch`, and its records."""

import json
import re

from click.testing import CliRunner

from casino_core.cli import main


def run(*arguments, text=None, status=None):
    """One call; without a status it is the one that says whether positions have failed."""
    answer = CliRunner().invoke(main, [str(part) for part in arguments], input=text)
    failed = re.search(r"([\d,]+) failed", answer.stderr)
    wanted = {status} if status is not None else {1} if failed and failed[1] != "0" else {0}
    if status is None and "--resume" in arguments:
        wanted.add(1)  # some may have failed before
    assert answer.exit_code in wanted, answer.output
    assert "Traceback" not in answer.output
    return answer


def records(text):
    return [json.loads(line) for line in text.splitlines()]
