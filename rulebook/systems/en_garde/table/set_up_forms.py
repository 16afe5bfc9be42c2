"""A set-up between Muster and people: what a table may type in, what it typed, and each part of it
as text.

Rule book: "Setting up the game".
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import to_builtins

from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup, Field, Problem, RulesError, SetUpLine
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario, minor_objective
from rulebook.systems.en_garde.table.setting_up import (
    STREAMS,
    Row,
    figures,
    placement_order,
    set_up,
)
from rulebook.values.fields import read_fields

KEPT = frozenset({"wounds", "secrets_drawn"})
"""Parts of a set-up that are neither rolled nor typed for the table."""
USUAL = {"fair": "Fair", "day": "Full daylight"}
"""Values that play no part where nothing else is rolled."""
DEPLOYMENTS = {
    "edges": "Up to {edge_inches}″ in from opposite edges",
    "corners": "Up to {corner_inches}″ in from opposite corners",
    "duel": (
        "The duellists at the edge of a duelling ground {duelling_ground_inches}″ across, the "
        "others within "
        "{beside_duellist_inches}″ of their own duellist and outside it"
    ),
    "defence": (
        "The Defender within {deploy_within_inches}″ of the objective, which has no other terrain "
        "within "
        "{clear_of_terrain_inches}″; the Attacker along the edge that the Defender chooses"
    ),
    "escort": (
        "The Attacker up to {attacker_within_inches}″ in from a long edge, the escort within "
        "{escort_within_inches}″ of the opposite one"
    ),
    "bridge": "The Defender anywhere; the Attacker moves on along the edge that the Defender "
    "chooses",
    "occupy": "Each side moves on along its own edge, not within {clear_of_corner_inches}″ of a "
    "corner",
    "raid": "The Defender anywhere; the Attacker up to {edge_inches}″ in from the edge opposite "
    "the Defender's",
}
"""The placing of forces by each deployment, with figures of the rule book and of the scenario."""
RESERVES = {
    "none": "No reserves",
    "agreed": "Reserves if both agree",
    "attacker": "The Attacker keeps reserves",
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "area": ("Playing area", "Playing area"),
    "locations": ("Location", "Random terrain placement", "location", "mixed location"),
    "terrain": ("Terrain pieces", "Random terrain placement", "terrain pieces"),
    "weather": ("Weather", "Weather", "does the weather matter?", "weather"),
    "hour": ("Time of day", "Time of day", "does the hour matter?", "hour"),
    "turns": ("Length", "Scenarios", "length"),
    "deployment": ("Deployment", "Deployment"),
    "reserves": ("Reserves", "Deployment"),
    "placing": ("Terrain is placed by", "Random terrain placement", "who places terrain first"),
    "decides": ("Edges or corners, chosen by", "Deployment", "who chooses edges or corners"),
    "chooses": ("Places are chosen by", "Deployment", "who chooses where first"),
    "downstream": ("The river flows", "Hold the Bridge", "downstream"),
}
"""Each part of a set-up: what people call it, its heading in the rule book, and the throws behind
it."""


def laid_table(setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
    """Return everything that is rolled before deployment as JSON.

    What the set-up says already stays as it was typed in.

    Raises RulesError for an unknown scenario and for what cannot be typed in.
    """
    points = setup.points_limit or max(
        (sum(each.points for each in side.fighters) for side in setup.sides), default=0
    )
    sides = tuple(side.key for side in setup.sides)
    roles = {side.key: side.role for side in setup.sides if side.role}
    return with_typed(
        to_builtins(set_up(setup.scenario, points, sides, roles, generator)), setup.set_up
    )


def set_up_fields(setup: BattleSetup) -> tuple[Field, ...]:
    """Return what a table may have rolled or agreed upon itself.

    Whatever is left empty Muster rolls or takes from the rules.

    Raises RulesError for an unknown scenario.
    """
    facts, rows = find_scenario(setup.scenario), figures()
    sizes = (rows.playing_area.small, rows.playing_area.large, rows.playing_area.square)
    areas = tuple((f"{wide},{deep}", f"{wide}″ by {deep}″") for wide, deep in sizes)
    fields = [
        _choice("weather", (("fair", "Fair, no effect"), *_named(rows.weather))),
        _choice("hour", (("day", USUAL["day"]), *_named(rows.hour))),
        Field(
            "locations",
            "Location",
            "list",
            False,
            _named(row for row in rows.location if row.key != "mixed"),
        ),
        Field("terrain.large", "Large pieces of terrain", "number", False, least=0, most=20),
        Field("terrain.small", "Small pieces of terrain", "number", False, least=0, most=20),
        Field("area", "Playing area", "numbers", False, areas, help="Inches."),
    ]
    if facts.dice:
        fields.append(
            Field("turns", "Turns", "number", False, help=f"By {facts.dice}.", least=1, most=30)
        )
    if len(facts.deployment) > 1:
        fields.append(
            _choice(
                "deployment",
                tuple((key, deployment_in_words(facts, key)) for key in facts.deployment),
            )
        )
    if facts.river:
        fields.append(_choice("downstream", tuple((key, f"To the {key}") for key in STREAMS)))
    if facts.reserves == "agreed":
        fields.append(_choice("reserves", (("none", "No reserves"), ("agreed", "With reserves"))))
    return tuple(fields)


def deployment_in_words(facts: ScenarioFacts, key: str) -> str:
    """Return how the forces of a scenario are placed. Rule book: "Deployment", and that of the
    scenario."""
    return DEPLOYMENTS.get(key, key).format(**figures().deployment, **facts.special)


def _choice(key: str, choices: tuple[tuple[str, str], ...]) -> Field:
    return Field(key, PARTS[key][0], "choice", False, choices)


def _named(rows: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    return tuple((row.key, row.name) for row in rows)


def typed_fields(scenario: str, sides: Iterable[str]) -> Iterable[Field]:
    """Return every part of a set-up that may be typed in, asked by a form or not.

    Each side of a table is 12″ to 120″.

    Raises RulesError for an unknown scenario.
    """
    facts = find_scenario(scenario)
    own = tuple((side, side) for side in sides)
    roles = tuple((role.key, role.name) for role in facts.roles)
    more = (
        Field("scenario", "Scenario", "choice", False, ((facts.key, facts.name),)),
        Field("area", "Playing area", "numbers", False, least=12, most=120),
        Field("turns", "Turns", "number", False, least=1, most=30),
        Field("terrain.total", "Terrain pieces", "number", False, least=0, most=40),
        _choice("deployment", tuple((key, key) for key in facts.deployment)),
        _choice("reserves", tuple((key, key) for key in dict.fromkeys(("none", facts.reserves)))),
        Field("placing", PARTS["placing"][0], "picks", False),
        _choice("decides", own),
        Field("chooses", PARTS["chooses"][0], "list", False, own),
        *(
            Field(f"roles.{side}", f"Role of side {side}", "choice", False, roles)
            for side, _ in own
        ),
    )
    return {each.key: each for each in (*set_up_fields(BattleSetup(scenario, ())), *more)}.values()


def with_typed(rolled: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a set-up with what was rolled or agreed at the table in place of Muster's.

    Typed terrain is placed again.

    Raises RulesError naming each field that there is not, and each value that it cannot have.
    """
    # The typed values as fields of the form, those of a part under a key with a dot.
    flat: dict[str, Any] = {}
    for key in typed.keys() - KEPT:
        inner = typed[key] if isinstance(typed[key], Mapping) else {"": typed[key]}
        flat |= {f"{key}.{part}".rstrip("."): value for part, value in inner.items()}
    read = read_fields(typed_fields(rolled["scenario"], rolled["roles"]), flat, "A set-up")
    given = {key: value for key, value in read.items() if value not in (None, "", ())}
    whole = {**rolled, **{key: typed[key] for key in typed if key in KEPT}, **given}
    whole["roles"] = {
        side: whole.pop(f"roles.{side}", role) for side, role in rolled["roles"].items()
    }
    # Typed terrain replaces all of what was rolled, and is placed anew.
    counts = {size: whole.pop(f"terrain.{size}", None) for size in ("total", "large", "small")}
    if any(count is not None for count in counts.values()):
        large, small = counts["large"] or 0, counts["small"] or 0
        whole["terrain"] = {"large": large, "small": small, "total": large + small}
        sides = list(dict.fromkeys(side for side, _ in rolled["placing"]))
        whole["placing"] = (
            placement_order(sides[0], sides[1], large + small) if len(sides) > 1 else ()
        )
    if problems := tuple(_at_odds(whole, counts["total"], given)):
        raise RulesError(*problems)
    if "placing" in given:
        # A side and the number of its pieces, by turns.
        sides = given["placing"][::2]
        pieces = map(int, given["placing"][1::2])
        whole["placing"] = tuple(zip(sides, pieces, strict=True))
    return whole


def _at_odds(
    whole: Mapping[str, Any], counted: int | None, given: Mapping[str, Any]
) -> Iterator[Problem]:
    """Yield what does not go together in a set-up of which each part alone is possible."""
    facts = find_scenario(whole["scenario"])
    total = whole["terrain"]["total"]
    roles = whole["roles"]
    locations = whole["locations"]
    placed = given.get("placing", ())
    # Terrain: pairs of a side and its pieces.
    sides, pieces = placed[::2], placed[1::2]
    pairs = len(placed) % 2 == 0 and {*sides} <= {*roles} and all(map(str.isdecimal, pieces))
    badly_placed = bool(placed) and not (pairs and sum(map(int, pieces)) == total)
    choosing = "chooses" in given and sorted(given["chooses"]) != sorted(roles)
    # A role that was typed may be that of too many sides; those by lot never are.
    typed = [role for side, role in roles.items() if f"roles.{side}" in given]
    taken = [*roles.values()]
    crowded = any(role.key in typed and taken.count(role.key) > role.most for role in facts.roles)
    checks = (
        (len(whole["area"]) != 2, "area", "the two sides of a table."),
        (
            len(locations) > 2 or len({*locations}) < len(locations),
            "locations",
            "one or two of them.",
        ),
        (counted not in (None, total), "terrain", "large and small pieces make up the total."),
        (badly_placed, "placing", f"pairs of a side and its pieces, {total} in all."),
        (choosing, "chooses", f"every side once: {', '.join(roles)}."),
        (crowded, "roles", f"as many of each as {facts.name} has room for."),
    )
    for wrong, field, sentence in checks:
        if wrong:
            value = str(given.get(field, ""))
            yield problem(
                "wrong-set-up", field=field, value=value, sentence=sentence, source=facts.source
            )


def given_lines(scenario: str) -> tuple[SetUpLine, ...]:
    """Return how a scenario places its forces, and the minor objectives of each roll.

    Raises RulesError for an unknown scenario.
    """
    facts, by_the_rules = find_scenario(scenario), "by the rules"
    lines = [
        SetUpLine(PARTS["deployment"][0], deployment_in_words(facts, key), by_the_rules)
        for key in facts.deployment
    ]
    if facts.reserves in RESERVES:
        lines.append(SetUpLine(PARTS["reserves"][0], RESERVES[facts.reserves], by_the_rules))
    if "minor_objective" in facts.event_kinds:
        lines += [
            SetUpLine("Minor objective", minor_objective(rolled).sentence, "1D6")
            for rolled in range(1, 7)
        ]
    return tuple(lines)


def set_up_lines(setup: BattleSetup) -> tuple[SetUpLine, ...]:
    """Return the set-up as it was rolled or typed in, line by line; nothing before it is
    settled."""
    set_up = setup.set_up
    if "area" not in set_up:
        return ()
    names = {side.key: side.name for side in setup.sides}
    if "deployment" in set_up:
        set_up = {
            **set_up,
            "deployment": deployment_in_words(find_scenario(setup.scenario), set_up["deployment"]),
        }
    return tuple(
        _line(set_up, key, names) for key in PARTS if set_up.get(key) not in (None, "", [], ())
    )


def _line(set_up: Mapping[str, Any], key: str, names: Mapping[str, str]) -> SetUpLine:
    label, heading, *throws = PARTS[key]
    dice: list[str] = []
    for roll in set_up.get("rolls", ()):
        if roll["what"] in throws:
            dice += map(str, roll["dice"])
    how = f"rolled {', '.join(dice)}" if dice else "by the rules"
    if key in set_up.get("typed", ()):
        how = "typed in"
    return SetUpLine(label, _value(key, set_up[key], names), how, f'Rule book: "{heading}"')


def _value(key: str, value: Any, names: Mapping[str, str]) -> str:
    """Return a part of the set-up as people say it, sides by their names."""
    match key:
        case "area":
            return f"{value[0]}″ by {value[1]}″"
        case "locations":
            return " and ".join(_row_name("location", each) for each in value)
        case "terrain":
            return f"{value['large']} large, {value['small']} small"
        case "weather" | "hour":
            return USUAL.get(value) or _row_name(key, value)
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
    return RESERVES.get(value, str(value))


def _row_name(table: str, key: str) -> str:
    rows: tuple[Row, ...] = getattr(figures(), table)
    names = {row.key: row.name for row in rows}
    return names.get(key, key)
