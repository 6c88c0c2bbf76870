"""The options of the rules, the presets, and the text form ``royal,sweep=0``."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

# Every option in the order in which it is written: its default, then its other values. ``int``
# as the other values means any whole number from ``SMALLEST`` up.
OPTIONS: dict[str, tuple[str, tuple[str, ...] | type[int]]] = {
    "players": ("2", ("3", "4")),
    "partners": ("no", ("yes",)),
    "court": ("pair", ("numbered", "ten")),
    "ace": ("low", ("low_or_high",)),
    "court_capture": ("one", ("one_or_three", "any", "all")),
    "capture": ("any", ("matching", "maximal")),
    "trail": ("free", ("not_matching", "not_capturing", "last_resort")),
    "multiple": ("yes", ("no",)),
    "raising": ("any", ("others", "opponents", "none")),
    "raise_own_needs_both": ("no", ("yes",)),
    "raise_table_cards": ("no", ("yes",)),
    "raise_absorb": ("yes", ("no",)),
    "add_to": ("any", ("own",)),
    "max_builds": ("0", int),
    "same_value": ("merge", ("separate",)),
    "owner_turn": ("no_trail", ("capture", "free")),
    "partner_builds": ("none", ("declared",)),
    "sweep": ("0", int),
    "scoring": ("standard", ("spade", "spade26", "spade27")),
    "draw": ("no", ("yes",)),
    "target": ("21", int),
    "finish": ("highest", ("count_out",)),
    "tie": ("another", ("draw",)),
}

SMALLEST = {"max_builds": 0, "sweep": 0, "target": 1}

# Each preset: its parent, and what it changes in it.
PRESETS: dict[str, tuple[str | None, str]] = {
    "standard": (None, ""),
    "hoyle": ("standard", "raise_own_needs_both=yes,sweep=1"),
    "royal": (
        "standard",
        "court=numbered,ace=low_or_high,raise_own_needs_both=yes,sweep=1",
    ),
    "royal-1911": (
        "standard",
        "court=numbered,ace=low_or_high,raising=others,max_builds=1,owner_turn=capture,"
        "partner_builds=declared",
    ),
    "old-way": (
        "standard",
        "court=ten,raising=others,max_builds=1,owner_turn=capture,partner_builds=declared",
    ),
    "spade": ("hoyle", "scoring=spade,target=61,finish=count_out"),
    "spade-royal": ("royal", "scoring=spade,target=61,finish=count_out"),
    "draw": ("hoyle", "draw=yes"),
    "draw-royal": ("royal", "draw=yes"),
    "pagat": ("standard", "same_value=separate"),
    "pagat-royal": (
        "standard",
        "same_value=separate,court=numbered,ace=low_or_high,finish=count_out",
    ),
    "ramapo": (
        "standard",
        "court=numbered,ace=low_or_high,capture=matching,trail=not_matching,raising=opponents,"
        "raise_absorb=no,add_to=own,same_value=separate,tie=draw",
    ),
    "britannica": (
        "standard",
        "court_capture=all,trail=not_capturing,raising=others,raise_absorb=no,sweep=1",
    ),
}


@dataclass(frozen=True)
class Rules:
    """One set of rules. Switches are bools, numbers ints, all other options text."""

    preset: str = field(default="standard", compare=False)
    players: int = 2
    partners: bool = False
    court: str = "pair"
    ace: str = "low"
    court_capture: str = "one"
    capture: str = "any"
    trail: str = "free"
    multiple: bool = True
    raising: str = "any"
    raise_own_needs_both: bool = False
    raise_table_cards: bool = False
    raise_absorb: bool = True
    add_to: str = "any"
    max_builds: int = 0
    same_value: str = "merge"
    owner_turn: str = "no_trail"
    partner_builds: str = "none"
    sweep: int = 0
    scoring: str = "standard"
    draw: bool = False
    target: int = 21
    finish: str = "highest"
    tie: str = "another"

    @property
    def sides(self) -> int:
        """How many piles and scores there are."""
        return 2 if self.partners else self.players

    def side_of(self, seat: int) -> int:
        """The side to which a seat belongs: in partnership a+c is 0 and b+d is 1."""
        return seat % 2 if self.partners else seat


def read_value(name: str, text: str) -> str | int | bool:
    """The value of one option from its text."""
    default, others = OPTIONS[name]
    if others is int:
        if not text.isdecimal() or int(text) < SMALLEST[name]:
            raise ValueError(f"rules: {name}={text} is not a number that {name} can be")
        return int(text)
    if text not in (default, *others):
        raise ValueError(f"rules: {name}={text} is none of {', '.join((default, *others))}")
    if default in ("yes", "no"):
        return text == "yes"
    return int(text) if default.isdecimal() else text


def write_value(value: str | int | bool) -> str:
    """The text of the value of an option."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def change(rules: Rules, text: str) -> Rules:
    """`rules` with the options of ``sweep=0,players=4`` changed."""
    changes: dict[str, str | int | bool] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or name not in OPTIONS:
            raise ValueError(f"rules: {part} is no option")
        if name in changes:
            raise ValueError(f"rules: {name} is given twice")
        changes[name] = read_value(name, value)
    return replace(rules, **changes)


def preset_rules(name: str) -> Rules:
    """The rules of a preset."""
    if name not in PRESETS:
        raise ValueError(f"rules: {name} is no preset")
    parent, changes = PRESETS[name]
    base = Rules() if parent is None else preset_rules(parent)
    return replace(change(base, changes), preset=name)


def parse_rules(text: str) -> Rules:
    """Rules from a preset and options that change it: ``royal,sweep=0,players=4``."""
    preset, _, changes = text.partition(",")
    rules = change(preset_rules(preset), changes)
    if rules.partners and rules.players != 4:
        raise ValueError(f"rules: partners=yes needs 4 players, not {rules.players}")
    return rules


def rules_to_text(rules: Rules) -> str:
    """The preset, then the options that differ from it, in the order of the table."""
    preset = preset_rules(rules.preset)
    parts = [rules.preset]
    for option in fields(Rules)[1:]:
        value = getattr(rules, option.name)
        if value != getattr(preset, option.name):
            parts.append(f"{option.name}={write_value(value)}")
    return ",".join(parts)
