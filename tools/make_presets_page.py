"""Make `docs/presets.md`: what each preset changes, from the table of rule options.

python tools/make_presets_page.py
"""

from __future__ import annotations

from folders import ROOT

from casino_core.rules.options import OPTIONS, PRESETS, Rules

PAGE = ROOT / "docs" / "presets.md"

HEAD = """# Rules by preset

A rule set is a preset, with options changed if you like: `royal,sweep=0,players=4,partners=yes`.
This page lists what each preset changes in the defaults, which are those of `standard`;
[rules.md](rules.md) explains the terms. It is made from the table of options by
`python tools/make_presets_page.py`.
"""


def written(value: object) -> str:
    """A value as rule sets are written."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def row(option: str, *values: str) -> str:
    """An option with its values and its meaning."""
    cells = (f"`{option}`", *(f"`{value}`" for value in values), OPTIONS[option].meaning)
    return f"| {' | '.join(cells)} |"


def section(name: str, rules: Rules) -> str:
    """All options of the defaults, or what another preset changes in them."""
    values = {option: written(getattr(rules, option)) for option in OPTIONS}
    usual = {option: written(getattr(Rules(), option)) for option in OPTIONS}
    changed = [option for option in OPTIONS if values[option] != usual[option]]
    if changed:
        head = "| option | value | in `standard` | meaning |\n|---|---|---|---|"
        rows = [row(option, values[option], usual[option]) for option in changed]
    else:
        head = "| option | value | meaning |\n|---|---|---|"
        rows = [row(option, values[option]) for option in OPTIONS]
    return "\n".join((f"\n## {name}\n", head, *rows, ""))


def page() -> str:
    """The whole page."""
    return HEAD + "".join(section(name, rules) for name, rules in PRESETS.items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
