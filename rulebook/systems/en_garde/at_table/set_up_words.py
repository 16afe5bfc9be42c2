"""The set-up for people: what can be typed in, and what was rolled, rule by rule. Rule book: "Setting up the game"."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulebook.ruleset import BattleSetup, Field, SetUpLine
from rulebook.systems.en_garde.book.scenarios import find_scenario
from rulebook.systems.en_garde.table.roll_offs import STREAMS
from rulebook.systems.en_garde.table.setting_up import Row, figures

DEPLOYMENTS = {
    "edges": "From opposite edges",
    "corners": "From opposite corners",
    "duel": "Round the duelling ground",
    "defence": "The Defender within, the Attacker without",
    "escort": "The escort at one end, the Attacker at the sides",
    "bridge": "On both banks",
    "occupy": "From the edges, the centre free",
    "raid": "The Defender within, the raiders at the edge",
}
RESERVES = {"none": "No reserves", "agreed": "Reserves if both agree", "attacker": "The Attacker keeps reserves"}
LABELS: Mapping[str, tuple[str, str]] = {
    "area": ("Playing area", 'Rule book: "Playing area"'),
    "locations": ("Location", 'Rule book: "Random terrain placement"'),
    "terrain": ("Terrain pieces", 'Rule book: "Random terrain placement"'),
    "weather": ("Weather", 'Rule book: "Weather"'),
    "hour": ("Time of day", 'Rule book: "Time of day"'),
    "turns": ("Length", 'Rule book: "Scenarios"'),
    "deployment": ("Deployment", 'Rule book: "Deployment"'),
    "reserves": ("Reserves", 'Rule book: "Deployment"'),
    "placing": ("Terrain is placed by", 'Rule book: "Random terrain placement"'),
    "decides": ("Edges or corners, says", 'Rule book: "Deployment"'),
    "chooses": ("Places are chosen by", 'Rule book: "Deployment"'),
    "downstream": ("The river flows", 'Rule book: "Hold the Bridge"'),
}
ROLLED_FOR = {
    "locations": ("location", "mixed location"),
    "terrain": ("terrain pieces",),
    "weather": ("does the weather matter?", "weather"),
    "hour": ("does the hour matter?", "hour"),
    "turns": ("length",),
    "placing": ("who places terrain first",),
    "decides": ("who chooses edges or corners",),
    "chooses": ("who chooses where first",),
    "downstream": ("downstream",),
}
"""The throws behind each part of the set-up, by what they were kept for."""


def set_up_fields(setup: BattleSetup) -> tuple[Field, ...]:
    """What a table may have rolled or agreed upon itself; whatever is left empty Muster rolls or takes from the rules.

    Raises RulesError for an unknown scenario.
    """
    facts, rows = find_scenario(setup.scenario), figures()
    fields = [
        _choice("weather", (("fair", "Fair, it plays no part"), *_named(rows.weather))),
        _choice("hour", (("day", "Full daylight"), *_named(rows.hour))),
        Field("locations", "Location", "list", False, _named(row for row in rows.location if row.key != "mixed")),
        Field("terrain.large", "Large pieces of terrain", "number", False, least=0, most=20),
        Field("terrain.small", "Small pieces of terrain", "number", False, least=0, most=20),
        Field("area", "Playing area", "numbers", False, tuple(_areas()), help="Inches."),
    ]
    if facts.dice:
        fields.append(Field("turns", "Turns", "number", False, help=f"By {facts.dice}.", least=1, most=30))
    if len(facts.deployment) > 1:
        fields.append(_choice("deployment", tuple((key, DEPLOYMENTS.get(key, key)) for key in facts.deployment)))
    if facts.river:
        fields.append(_choice("downstream", tuple((key, f"To the {key}") for key in STREAMS)))
    if facts.reserves == "agreed":
        fields.append(_choice("reserves", (("none", "No reserves"), ("agreed", "With reserves"))))
    return tuple(fields)


def _choice(key: str, choices: tuple[tuple[str, str], ...]) -> Field:
    return Field(key, LABELS[key][0], "choice", False, choices)


def _named(rows: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    return tuple((row.key, row.name) for row in rows)


def _areas() -> Iterator[tuple[str, str]]:
    area = figures().playing_area
    for wide, deep in (area.small, area.large, area.square):
        yield f"{wide},{deep}", f"{wide}″ by {deep}″"


def set_up_lines(setup: BattleSetup) -> tuple[SetUpLine, ...]:
    """The set-up as it was rolled or typed in, line by line; nothing before it is settled."""
    told = setup.set_up
    if "area" not in told:
        return ()
    names = {side.key: side.name for side in setup.sides}
    return tuple(_line(told, key, names) for key in LABELS if told.get(key) not in (None, "", [], ()))


def _line(told: Mapping[str, Any], key: str, names: Mapping[str, str]) -> SetUpLine:
    label, rule = LABELS[key]
    value = _value(key, told[key], names)
    if key in told.get("typed", ()):
        return SetUpLine(label, value, "typed in", rule)
    thrown = [each for each in told.get("rolls", ()) if each["what"] in ROLLED_FOR.get(key, ())]
    dice = ", ".join(str(die) for each in thrown for die in each["dice"])
    return SetUpLine(label, value, f"rolled {dice}" if dice else "by the rules", rule)


def _value(key: str, value: Any, names: Mapping[str, str]) -> str:
    """A part of the set-up as people say it, sides by their names."""
    match key:
        case "area":
            return f"{value[0]}″ by {value[1]}″"
        case "locations":
            return " and ".join(_row_name("location", each) for each in value)
        case "terrain":
            return f"{value['large']} large, {value['small']} small"
        case "weather" | "hour":
            return {"fair": "Fair", "day": "Full daylight"}.get(value) or _row_name(key, value)
        case "turns":
            return f"{value} turns"
        case "placing":
            return ", then ".join(f"{names.get(side, side)} {pieces}" for side, pieces in value)
        case "decides":
            return names.get(value, value)
        case "chooses":
            return ", then ".join(names.get(side, side) for side in value)
        case "downstream":
            return f"to the {value}, seen from the Attacker's edge"
    return {**DEPLOYMENTS, **RESERVES}.get(value, str(value))


def _row_name(table: str, key: str) -> str:
    rows: tuple[Row, ...] = getattr(figures(), table)
    names = {row.key: row.name for row in rows}
    return names.get(key, key)
