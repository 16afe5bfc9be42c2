"""Before the battle: the set-up of a scenario, how many points each side may bring, what a custom
fighter costs.

Rule book: "Setting up the game", "Scenarios", "New warbands", "Customisation", "Warband Morale".
Rulings P31, S1, S10, S14.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from rulebook.calculators.asking import wrong_dice
from rulebook.calculators.questions import Values
from rulebook.ruleset import CampaignTerms, Problem, RulesError
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario
from rulebook.systems.en_garde.calculators.fighters import OPEN_HOUSE
from rulebook.systems.en_garde.odds.chances import chance_that
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import sheet
from rulebook.systems.en_garde.table import setting_up
from rulebook.values.answers import (
    Answer,
    ChanceTable,
    Figure,
    Grid,
    GridRow,
    ReasonedSum,
    ReasonLine,
    chance_table,
)
from rulebook.values.rosters import PriceLine

SOURCE = 'Rule book: "Setting up the game"'
PLACEMENT = 'Rule book: "Random terrain placement"'
DEPLOYMENT = 'Rule book: "Deployment"'
KEYS = ("first", "second", "third", "fourth")


class TypedDice:
    """Dice that were thrown at the table, handed out one after the other."""

    def __init__(self, dice: tuple[int, ...]) -> None:
        self.dice = list(dice)

    def randint(self, a: int, b: int, /) -> int:
        """Return the next die.

        Raises RulesError if there is none left, or if it shows too much for this roll.
        """
        if not self.dice:
            raise wrong_dice("dice", f"Add one more die from {a} to {b} at the end.")
        die = self.dice.pop(0)
        if not a <= die <= b:
            raise wrong_dice("dice", f"Give a die from {a} to {b} instead of {die}.")
        return die


def set_up_of(values: Values) -> Answer:
    """Return table, ground, weather, hour and length of a game."""
    facts = find_scenario(values["scenario"])
    most = sum(role.most for role in facts.roles)
    if values["sides"] > most:
        raise RulesError(
            problem("too-many-sides", value=values["sides"], name=facts.name, most=most)
        )
    sides = KEYS[: values["sides"]]
    # Everything is rolled at once, in the order in which the rolls are listed.
    table = _table(values, facts, sides)
    length = f"{table.turns} turns" if table.turns is not None else facts.length
    named = {role.key: role.name for role in facts.roles}
    roles = ", ".join(f"the {side} side is {named[role]}" for side, role in table.roles.items())
    where_from = (
        f"The dice come from the seed {values['seed']!r}. The same seed gives the same table."
    )
    if values["dice"]:
        where_from = "The dice are those you entered, in the order of the rolls."
    return Answer(
        headline=f"{facts.name} on a table of {_size(table.area)} inches. {length}.",
        tables=()
        if facts.rising is None or table.turns is not None
        else (_last_turn_table(facts.rising),),
        figures=tuple(_figures(facts, table, length)),
        grids=(_forces_grid(facts, values["points"], None), *_terrain_grid(table, sides)),
        rolled=tuple(
            Figure(
                f"roll-{place}",
                roll.what.capitalize(),
                f"{', '.join(map(str, roll.dice))} on {roll.notation}: {roll.total}",
                SOURCE,
            )
            for place, roll in enumerate(table.rolls, start=1)
        ),
        assumptions=(where_from, f"The roles: {roles}."),
    )


def _last_turn_table(rising: int) -> ChanceTable:
    chances = {str(turn): chance for turn, chance in last_turns(rising).items()}
    return chance_table("last-turn", "The last turn", chances, rule="Ruling S15")


def last_turns(rising: int) -> dict[int, Fraction]:
    """Return the chance of each turn to be the last one, where the end is rolled for from this turn
    on.

    Ruling S15.
    """
    odds: dict[int, Fraction] = {}
    going_on, turn = Fraction(1), rising
    while going_on:
        ends = chance_that(partial(setting_up.rising_end, turn, rising), 1)
        odds[turn + 1] = going_on * ends
        going_on, turn = going_on * (1 - ends), turn + 1
    return odds


def _table(values: Values, facts: ScenarioFacts, sides: tuple[str, ...]) -> setting_up.SetUp:
    """Return the set-up by the seed, or by typed dice, of which none may be missing or left
    over."""
    places: list[str] = []
    for role in facts.roles:
        places += [role.key] * role.most
    order = sides if values["roles"] == "first" else reversed(sides)
    roles = {} if values["roles"] == "lot" else dict(zip(order, places, strict=False))
    if not values["dice"]:
        luck = random.Random(values["seed"])  # noqa: S311 - the same seed gives the same table
        return setting_up.set_up(facts.key, values["points"], sides, roles, luck)
    if values["roles"] == "lot":
        raise wrong_dice("roles", "With your own dice, choose who attacks: 'first' or 'second'.")
    typed = TypedDice(values["dice"])
    table = setting_up.set_up(facts.key, values["points"], sides, roles, typed)
    if typed.dice:
        raise wrong_dice(
            "dice", f"{len(typed.dice)} dice too many. This setup uses {len(table.rolls)}."
        )
    return table


def _figures(facts: ScenarioFacts, table: setting_up.SetUp, length: str) -> Iterator[Figure]:
    rows = setting_up.figures()
    locations = {row.key: row for row in rows.location}
    names = ", ".join(locations[each].name for each in table.locations)
    ground = "; ".join(locations[each].terrain for each in table.locations)
    pieces = f"{table.terrain.total}: {table.terrain.large} large, {table.terrain.small} small"
    weathers = {"fair": "plays no part", **{row.key: row.name for row in rows.weather}}
    hours = {"day": "full daylight", **{row.key: row.name for row in rows.hour}}
    usual = " or ".join(each for each in facts.deployment if each in ("edges", "corners"))
    yield Figure("table", "Table in inches", _size(table.area), 'Rule book: "Playing area"')
    yield Figure("location", "Location", f"{names} ({ground})", PLACEMENT)
    yield Figure("terrain", "Terrain pieces", pieces, PLACEMENT)
    yield Figure("weather", "Weather", weathers[table.weather], 'Rule book: "Weather"')
    yield Figure("hour", "Time of day", hours[table.hour], 'Rule book: "Time of day"')
    yield Figure("length", "Length", length, f'Rule book: "{facts.name}"')
    yield Figure("deployment", "Deployment", usual or "according to the scenario", DEPLOYMENT)
    placing = ", then ".join(f"the {side} side {number}" for side, number in table.placing)
    sentences = (
        ("placing", "Terrain is placed by", placing),
        (
            "decides",
            "Edges or corners, chosen by",
            f"the {table.decides} side" if table.decides else "",
        ),
        (
            "chooses",
            "Places are chosen by",
            ", then ".join(f"the {side} side" for side in table.chooses),
        ),
        ("downstream", "The river flows to the", table.downstream),
        (
            "reserves",
            "Reserves",
            table.reserves.replace("-", " ") if table.reserves != "none" else "",
        ),
    )
    yield from (
        Figure(key, label, sentence, DEPLOYMENT) for key, label, sentence in sentences if sentence
    )


def _size(area: tuple[int, int]) -> str:
    return f"{area[0]} × {area[1]}"


def _terrain_grid(table: setting_up.SetUp, sides: tuple[str, ...]) -> Iterator[Grid]:
    if len(sides) == 2:
        order = setting_up.placement_order(
            "the winner of the roll", "the other", table.terrain.total
        )
        rows = tuple(
            GridRow(str(place), (who, str(count)))
            for place, (who, count) in enumerate(order, start=1)
        )
        title = "Terrain placement (the other side can move two pieces after each turn)"
        yield Grid(title, ("Who", "Pieces"), rows, PLACEMENT)


# Forces.


def forces(values: Values) -> Answer:
    """Return how many points each side may spend, the Civilians, and the waves of Reserves."""
    facts = find_scenario(values["scenario"])
    points = values["points"]
    spent = values["spent"]
    limits = ", ".join(
        f"{role.name} {setting_up.force_points(facts, role.key, points, spent)}"
        for role in facts.roles
    )
    size = _size(setting_up.playing_area(facts.key, points))
    figures = [Figure("table", "Table in inches", size, 'Rule book: "Playing area"')]
    if facts.civilians is not None:
        count = facts.civilians.number_for(points if spent is None else spent)
        figures.append(Figure("civilians", "Civilians", str(count), "Ruling S10"))
    if values["fighters"]:
        waves = " / ".join(map(str, setting_up.reserve_waves(values["fighters"])))
        figures.append(
            Figure("reserves", "With Reserves: at the start / turn 2 / turn 3", waves, "Ruling S14")
        )
    return Answer(
        headline=f"{facts.name} at {points} points: {limits}.",
        figures=tuple(figures),
        grids=(_forces_grid(facts, points, spent),),
        assumptions=(
            "The side with the full share has the agreed points. The others have their share, "
            "rounded down (P31).",
            "Muster warns if forces are far from this ratio but never blocks a battle for it (S1).",
        ),
    )


def _forces_grid(facts: ScenarioFacts, points: int, spent: int | None) -> Grid:
    rows = tuple(
        GridRow(
            role.name,
            (
                f"{role.force[0]}/{role.force[1]}",
                str(setting_up.force_points(facts, role.key, points, spent)),
            ),
        )
        for role in facts.roles
    )
    return Grid("Points for each role", ("Share", "Points"), rows, "Rulings P31, S1")


# Custom fighters.

CUSTOMISATION = 'Rule book: "Customisation"'
NUMBERS = ("combat_pool", "initiative", "fight", "shoot")
FOR_A_WEAPON = {"weapon_master": "weapon-master", "sharpshooter": "sharpshooter"}


def custom_fighter(values: Values) -> Answer:
    """Return the cost of a custom fighter, line by line."""
    terms = CampaignTerms("custom", {"morale": int(values["morale"])}, OPEN_HOUSE)
    # Attributes for one weapon are written with it, as in builds.
    for_weapons = (f"{key}:{values[field]}" for field, key in FOR_A_WEAPON.items() if values[field])
    build = {
        "profile": f"custom/rank-{values['rank']}",
        "characteristics": {key: values[key] for key in NUMBERS if values[key] is not None},
        "equipment": [*values["equipment"], *values["on_weapons"]],
        "options": {"attributes": [*values["attributes"], *for_weapons]},
        "spells": [*values["spells"]],
        **({"move": values["move"]} if values["move"] else {}),
    }
    try:
        roster_sheet = sheet(clean_build(build, terms), terms)
    except RulesError as error:
        raise RulesError(*(_placed(problem, values) for problem in error.problems)) from error
    return Answer(
        headline=f"The fighter costs {roster_sheet.points} points.",
        figures=(
            Figure("points", "Points", str(roster_sheet.points), CUSTOMISATION),
            *(
                Figure(each.key, each.label, each.value, CUSTOMISATION)
                for each in roster_sheet.characteristics
            ),
        ),
        sums=(
            ReasonedSum(
                "Points", tuple(map(_reason, roster_sheet.price.lines)), roster_sheet.points
            ),
        ),
        assumptions=(
            "Prices include fantastical Attributes, magic items and poison, even if a campaign "
            "forbids them.",
            "The Morale surcharge is for a custom warband. List prices already include theirs "
            "(Ruling P4).",
        ),
    )


def _reason(line: PriceLine) -> ReasonLine:
    full = line.source.startswith(("Ruling", "Rule book"))
    return ReasonLine(
        line.points, line.label, line.source if full else f'Rule book: "{line.source}"'
    )


def _placed(problem: Problem, values: Values) -> Problem:
    """Return the problem with the field of this calculator that it concerns."""
    field = problem.field.removeprefix("options.").removeprefix("characteristics.")
    field = "attributes" if field == "options" else field
    if field == "equipment" and any(problem.value in key for key in values["on_weapons"]):
        field = "on_weapons"
    return replace(problem, field=field)
