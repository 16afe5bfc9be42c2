"""Before the battle: the set-up of a scenario, how many points each side may bring, what a custom fighter costs.

Rule book: "Setting up the game", "Scenarios", "New warbands", "Customisation", "Warband Morale".
Rulings P31, S1, S10, S14.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from rulebook.calculators.asking import wrong_dice
from rulebook.calculators.questions import Values
from rulebook.ruleset import Problem, RulesError, Terms
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario
from rulebook.systems.en_garde.calculators.fighters import OPEN_HOUSE
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import sheet
from rulebook.systems.en_garde.table.setting_up import (
    SetUp,
    figures,
    force_points,
    placement_order,
    playing_area,
    reserve_waves,
    rising_end,
    set_up,
    table_row,
)
from rulebook.values.answers import Answer, ChanceTable, Figure, Grid, GridRow, ReasonedSum, ReasonLine, chance_table

SOURCE = 'Rule book: "Setting up the game"'
KEYS = ("first", "second", "third", "fourth")


class TypedDice:
    """Dice that were thrown at the table, handed out one after the other."""

    def __init__(self, dice: tuple[int, ...]) -> None:
        self.dice = list(dice)

    def randint(self, a: int, b: int, /) -> int:
        """The next die. Raises RulesError if there is none left, or if it shows too much for this roll."""
        if not self.dice:
            raise wrong_dice("dice", f"One more die is needed, from {a} to {b}: add it at the end.")
        die = self.dice.pop(0)
        if not a <= die <= b:
            raise wrong_dice("dice", f"A die from {a} to {b} is wanted where there is a {die}.")
        return die


def set_up_of(values: Values) -> Answer:
    """Table, ground, weather, hour and length of a game."""
    facts = find_scenario(values["scenario"])
    sides = KEYS[: _sides(facts, values["sides"])]
    table = _table(values, facts, sides)
    return Answer(
        headline=f"{facts.name} on a table of {_size(table.area)} inches. {_length(facts, table)}.",
        tables=_lengths(facts, table),
        figures=tuple(_figures(facts, table)),
        grids=(_forces_grid(facts, values["points"], None), *_terrain_grid(table, sides)),
        rolled=tuple(
            Figure(f"roll-{place}", roll.what.capitalize(), _thrown(roll.notation, roll.dice, roll.total), SOURCE)
            for place, roll in enumerate(table.rolls, start=1)
        ),
        assumptions=(_where_from(values), f"The roles: {_roles(facts, table)}."),
    )


def _lengths(facts: ScenarioFacts, table: SetUp) -> tuple[ChanceTable, ...]:
    if facts.rising is None or table.turns is not None:
        return ()
    chances = {str(turn): chance for turn, chance in last_turns(facts.rising).items()}
    return (chance_table("last-turn", "The last turn", chances, rule="Ruling S15"),)


def last_turns(rising: int) -> dict[int, Fraction]:
    """The chance of each turn to be the last one, where the end is rolled for from this turn on. Ruling S15."""
    found: dict[int, Fraction] = {}
    going_on, turn = Fraction(1), rising
    while going_on:
        ends = Fraction(sum(rising_end(turn, rising, die) for die in range(1, 7)), 6)
        found[turn + 1] = going_on * ends
        going_on, turn = going_on * (1 - ends), turn + 1
    return found


def _sides(facts: ScenarioFacts, wanted: int) -> int:
    most = sum(role.most for role in facts.roles)
    if wanted > most:
        sentence = f"{facts.name} is for at most {most} sides: give 'sides' as that or less."
        raise RulesError(Problem("out-of-range", sentence, field="sides", value=str(wanted)))
    return wanted


def _table(values: Values, facts: ScenarioFacts, sides: tuple[str, ...]) -> SetUp:
    roles = _told_roles(facts, sides, values["roles"])
    if not values["dice"]:
        luck = random.Random(values["seed"])  # noqa: S311 - the same seed gives the same table
        return set_up(facts.key, values["points"], sides, roles, luck)
    if values["roles"] == "lot":
        raise wrong_dice("roles", "With typed dice say who attacks: 'first' or 'second'.")
    typed = TypedDice(values["dice"])
    table = set_up(facts.key, values["points"], sides, roles, typed)
    if typed.dice:
        raise wrong_dice("dice", f"{len(typed.dice)} dice are left over: this set-up takes {len(table.rolls)}.")
    return table


def _told_roles(facts: ScenarioFacts, sides: tuple[str, ...], how: str) -> dict[str, str]:
    if how == "lot":
        return {}
    places = [role.key for role in facts.roles for _ in range(role.most)]
    order = sides if how == "first" else tuple(reversed(sides))
    return dict(zip(order, places, strict=False))


def _figures(facts: ScenarioFacts, table: SetUp) -> Iterator[Figure]:
    yield Figure("table", "Table in inches", _size(table.area), 'Rule book: "Playing area"')
    locations = ", ".join(name for name, _ in map(_location, table.locations))
    examples = "; ".join(ground for _, ground in map(_location, table.locations))
    yield Figure("location", "Location", f"{locations} ({examples})", 'Rule book: "Random terrain placement"')
    pieces = f"{table.terrain.total}: {table.terrain.large} large, {table.terrain.small} small"
    yield Figure("terrain", "Terrain pieces", pieces, 'Rule book: "Random terrain placement"')
    yield Figure("weather", "Weather", _named("weather", table.weather, "fair"), 'Rule book: "Weather"')
    yield Figure("hour", "Time of day", _named("hour", table.hour, "day"), 'Rule book: "Time of day"')
    yield Figure("length", "Length", _length(facts, table), f'Rule book: "{facts.name}"')
    yield Figure("deployment", "Deployment", _deployment(facts), 'Rule book: "Deployment"')
    for key, label, said in _firsts(table):
        yield Figure(key, label, said, 'Rule book: "Deployment"')
    if table.reserves != "none":
        yield Figure("reserves", "Reserves", table.reserves.replace("-", " "), 'Rule book: "Deployment"')


def _firsts(table: SetUp) -> Iterator[tuple[str, str, str]]:
    """Who goes first in what; nothing where the scenario rolls for none of it."""
    placing = ", then ".join(f"the {side} side {pieces}" for side, pieces in table.placing)
    told = (
        ("placing", "Terrain is placed by", placing),
        ("decides", "Edges or corners, says", f"the {table.decides} side" if table.decides else ""),
        ("chooses", "Places are chosen by", ", then ".join(f"the {side} side" for side in table.chooses)),
        ("downstream", "The river flows to the", table.downstream),
    )
    yield from (each for each in told if each[2])


def _deployment(facts: ScenarioFacts) -> str:
    usual = [each for each in facts.deployment if each in ("edges", "corners")]
    return " or ".join(usual) or "as the scenario has it"


def _location(key: str) -> tuple[str, str]:
    row = next(row for row in figures().location if row.key == key)
    return row.name, row.terrain


def _named(table: str, key: str, usual: str) -> str:
    if key == usual:
        return {"fair": "plays no part", "day": "full daylight"}[usual]
    faces = range(1, 7)
    return next(table_row(table, die).name for die in faces if table_row(table, die).key == key)


def _length(facts: ScenarioFacts, table: SetUp) -> str:
    return f"{table.turns} turns" if table.turns is not None else facts.length


def _size(area: tuple[int, int]) -> str:
    return f"{area[0]} × {area[1]}"


def _roles(facts: ScenarioFacts, table: SetUp) -> str:
    names = {role.key: role.name for role in facts.roles}
    return ", ".join(f"the {side} side is {names[role]}" for side, role in table.roles.items())


def _thrown(notation: str, thrown: tuple[int, ...], total: int) -> str:
    return f"{', '.join(map(str, thrown))} on {notation}: {total}"


def _where_from(values: Values) -> str:
    if values["dice"]:
        return "The dice are those that were typed in, in the order in which the rolls are listed."
    return f"The dice come from the seed {values['seed']!r}: the same seed gives the same table."


def _terrain_grid(table: SetUp, sides: tuple[str, ...]) -> Iterator[Grid]:
    if len(sides) != 2:
        return
    order = placement_order("the winner of the roll", "the other", table.terrain.total)
    rows = tuple(GridRow(str(place), (who, str(count))) for place, (who, count) in enumerate(order, start=1))
    rule = 'Rule book: "Random terrain placement"'
    yield Grid("Who places terrain; after each turn the other may move two pieces", ("Who", "Pieces"), rows, rule)


# Forces.


def forces(values: Values) -> Answer:
    """How many points each side may spend, the Civilians, and the waves of Reserves."""
    facts, points, spent = find_scenario(values["scenario"]), values["points"], values["spent"]
    size = _size(playing_area(facts.key, points))
    return Answer(
        headline=f"{facts.name} at {points} points: {_limits(facts, points, spent)}.",
        figures=tuple(_force_figures(facts, values, size)),
        grids=(_forces_grid(facts, points, spent),),
        assumptions=(
            "The agreed points are those of the side with the full share; the others follow, rounded down (P31).",
            "Muster shows how far real forces are from the ratio and never blocks a battle for it (S1).",
        ),
    )


def _limits(facts: ScenarioFacts, points: int, spent: int | None) -> str:
    return ", ".join(f"{role.name} {force_points(facts, role.key, points, spent)}" for role in facts.roles)


def _force_figures(facts: ScenarioFacts, values: Values, size: str) -> Iterator[Figure]:
    yield Figure("table", "Table in inches", size, 'Rule book: "Playing area"')
    civilians = facts.civilians
    if civilians is not None:
        spent = values["points"] if values["spent"] is None else values["spent"]
        count = civilians.number if civilians.points_each is None else spent // civilians.points_each
        yield Figure("civilians", "Civilians", str(count), "Ruling S10")
    if values["fighters"]:
        waves = " / ".join(map(str, reserve_waves(values["fighters"])))
        yield Figure("reserves", "With Reserves: at the start / turn 2 / turn 3", waves, "Ruling S14")


def _forces_grid(facts: ScenarioFacts, points: int, spent: int | None) -> Grid:
    rows = tuple(
        GridRow(
            role.name,
            (f"{role.force[0]}/{role.force[1]}", str(force_points(facts, role.key, points, spent))),
        )
        for role in facts.roles
    )
    return Grid("Points that each role may spend", ("Share", "Points"), rows, "Rulings P31, S1")


# Custom fighters.

CUSTOMISATION = 'Rule book: "Customisation"'
NUMBERS = ("combat_pool", "initiative", "fight", "shoot")
PRICE_ASSUMPTIONS = (
    "Fantastical Attributes, magic items and poison are priced whether or not a campaign allows them.",
    "The Morale surcharge is that of a custom warband; lists hold theirs in their prices (Ruling P4).",
)


def custom_fighter(values: Values) -> Answer:
    """What a fighter of one's own making costs, line by line."""
    terms = Terms("custom", {"morale": int(values["morale"])}, OPEN_HOUSE)
    try:
        found = sheet(clean_build(_build(values), terms), terms)
    except RulesError as error:
        raise RulesError(*(_placed(problem, values) for problem in error.problems)) from error
    lines = tuple(ReasonLine(line.points, line.label, _rule(line.source)) for line in found.price.lines)
    return Answer(
        headline=f"The fighter costs {found.points} points.",
        figures=(
            Figure("points", "Points", str(found.points), CUSTOMISATION),
            *(Figure(each.key, each.label, each.value, CUSTOMISATION) for each in found.characteristics),
        ),
        sums=(ReasonedSum("Points", lines, found.points),),
        assumptions=PRICE_ASSUMPTIONS,
    )


def _build(values: Values) -> dict[str, Any]:
    attributes = [*values["attributes"]]
    attributes += [f"{key}:{values[field]}" for field, key in FOR_A_WEAPON.items() if values[field]]
    build: dict[str, Any] = {
        "profile": f"custom/rank-{values['rank']}",
        "characteristics": {key: values[key] for key in NUMBERS if values[key] is not None},
        "equipment": [*values["equipment"], *values["on_weapons"]],
        "options": {"attributes": attributes},
        "spells": [*values["spells"]],
    }
    return build | ({"move": values["move"]} if values["move"] else {})


FOR_A_WEAPON = {"weapon_master": "weapon-master", "sharpshooter": "sharpshooter"}


def _placed(problem: Problem, values: Values) -> Problem:
    """The problem with the field of this calculator that it concerns."""
    field = problem.field.removeprefix("options.").removeprefix("characteristics.")
    field = "attributes" if field == "options" else field
    if field == "equipment" and any(problem.value in key for key in values["on_weapons"]):
        field = "on_weapons"
    return replace(problem, field=field)


def _rule(source: str) -> str:
    return source if source.startswith(("Ruling", "Rule book")) else f'Rule book: "{source}"'
