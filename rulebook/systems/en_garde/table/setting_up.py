"""Setting up a game: the table, the ground on it, the day, deployment and how long it lasts.

Everything is rolled with a generator that is handed in, and every roll is kept, so that a set-up
can be shown and checked, or typed in as it fell at the table. Rule book: "Setting up the game", and
each scenario's "Set-up".
"""

from collections.abc import Mapping
from functools import cache
from math import ceil
from pathlib import Path

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.dice.rolls import Generator, Roll, roll
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario

DATA = Path(__file__).parent.parent / "data" / "setting_up.toml"
STREAMS = ("left", "right")


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table thrown with one die: the faces that lead to it."""

    faces: tuple[int, ...]
    key: str
    name: str
    terrain: str = ""


class PlayingArea(Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes of the table in inches, and up to how many points the small one will do."""

    small_points: int
    small: tuple[int, int]
    large: tuple[int, int]
    square: tuple[int, int]
    square_scenarios: tuple[str, ...]


class TerrainFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures for the number and placing of terrain pieces."""

    dice: str
    few: int
    many: int
    few_up_to_points: int
    pieces_a_turn: int
    large_pieces: Mapping[str, int]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    playing_area: PlayingArea
    terrain: TerrainFigures
    deployment: Mapping[str, int]
    location: tuple[Row, ...]
    weather: tuple[Row, ...]
    hour: tuple[Row, ...]
    checks: Mapping[str, tuple[int, ...]]


class NamedRoll(Struct, frozen=True):
    """A roll and what it was for; ``by`` is "app" or "table"."""

    what: str
    notation: str
    dice: tuple[int, ...]
    total: int
    by: str = "app"


class Roller:
    """Throws dice and keeps what was thrown."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.kept: list[NamedRoll] = []

    def throw(self, what: str, notation: str = "D6") -> int:
        """Return the total of a throw that is kept under its purpose."""
        thrown: Roll = roll(notation, self.generator)
        self.kept.append(NamedRoll(what, notation, thrown.dice, thrown.total))
        return thrown.total


class TerrainPieces(Struct, frozen=True):
    """Numbers of terrain pieces, by size."""

    total: int
    large: int
    small: int


class SetUp(Struct, frozen=True):
    """A table ready for deployment. ``turns`` is None where the end is rolled for; ``hour`` "day"
    is full daylight.

    ``placing`` says which side places how many pieces of terrain, in turn; ``decides`` which one
    chooses between edges and corners, ``chooses`` who chooses a place, in order; ``downstream`` is
    where the river flows, as seen from the Attacker's edge. Those are empty where the scenario asks
    for none of it.
    """

    scenario: str
    area: tuple[int, int]
    locations: tuple[str, ...]
    terrain: TerrainPieces
    weather: str
    hour: str
    turns: int | None
    deployment: str
    reserves: str
    roles: Mapping[str, str]
    rolls: tuple[NamedRoll, ...]
    placing: tuple[tuple[str, int], ...] = ()
    decides: str = ""
    chooses: tuple[str, ...] = ()
    downstream: str = ""


@cache
def figures() -> _File:
    """Return the figures of ``data/setting_up.toml``, read once."""
    return read_data(DATA, _File)


def table_row(table: str, die: int) -> Row:
    """Return the row of "location", "weather" or "hour" for a die from 1 to 6.

    Raises ValueError for any other number.
    """
    rows: tuple[Row, ...] = getattr(figures(), table)
    for row in rows:
        if die in row.faces:
            return row
    raise ValueError(f"A six-sided die shows 1 to 6, not {die}.")


def playing_area(scenario: str, points: int) -> tuple[int, int]:
    """Return the table's size in inches: square for some scenarios, small up to 100 points a side,
    else large."""
    area = figures().playing_area
    if scenario in area.square_scenarios:
        return area.square
    return area.small if points <= area.small_points else area.large


def terrain_pieces(points: int, d3: int) -> TerrainPieces:
    """Return pieces of terrain for a game of a number of points, by a D3.

    Rule book: "Random terrain placement".
    """
    ground = figures().terrain
    total = d3 + (ground.few if points <= ground.few_up_to_points else ground.many)
    large = ground.large_pieces[str(total)]
    return TerrainPieces(total, large, total - large)


def placement_order(first: str, second: str, pieces: int) -> tuple[tuple[str, int], ...]:
    """Return who places how many pieces, in turn.

    After each turn the other may move two of them by up to 6 inches.
    """
    each = figures().terrain.pieces_a_turn
    return tuple(
        ((first, second)[turn % 2], min(each, pieces - turn * each))
        for turn in range(ceil(pieces / each))
    )


def reserve_waves(fighters: int) -> tuple[int, int, int]:
    """Return Fighters on the table at the start, in turn 2 and in turn 3.

    Ruling S14: 9 come as 5, 2 and 2.
    """
    first = ceil(fighters / 2)
    second = ceil((fighters - first) / 2)
    return first, second, fighters - first - second


def rising_end(turn: int, rising: int, die: int) -> bool:
    """Return whether the die thrown at the end of this turn makes the next one the last.

    ``rising`` is the first such turn.

    A 6 does at first, then a 5 too, and so on. Rule book: "Hold the Bridge". Ruling S15.
    """
    return turn >= rising and die >= 6 - (turn - rising)


def force_points(
    facts: ScenarioFacts, role: str, agreed: int, others_points: int | None = None
) -> int:
    """Return points that a role may spend: its share of the agreed points, rounded down.

    Rulings P31, S1.

    Raises KeyError for a role that the scenario has not. ``others_points`` replaces the agreed
    points where the share is measured against what the other side really spent.
    """
    scenario_role = facts.role(role)
    if scenario_role is None:
        raise KeyError(role)
    numerator, denominator = scenario_role.force
    return (agreed if others_points is None else others_points) * numerator // denominator


def set_up(
    scenario: str,
    points: int,
    sides: tuple[str, ...],
    roles: Mapping[str, str],
    generator: Generator,
) -> SetUp:
    """Roll everything that a game needs before deployment, who goes first included.

    ``roles`` may leave sides out: theirs are drawn. Rule book: "Random terrain placement",
    "Deployment", and each scenario's "Set-up". Raises RulesError for an unknown scenario.
    """
    # The order of the rolls is fixed: the same dice make the same table.
    facts, roller = find_scenario(scenario), Roller(generator)
    drawn = draw_roles(facts, sides, roles, generator)
    locations = roll_locations(roller)
    terrain = TerrainPieces(4, 0, 4) if facts.river else TerrainPieces(1, 1, 0)
    if facts.standard_terrain:
        terrain = terrain_pieces(points, roller.throw("terrain pieces", figures().terrain.dice))
    weather = roll_day("weather", "fair", roller)
    hour = roll_day("hour", "day", roller)
    turns = roller.throw("length", facts.dice) if facts.dice else facts.turns
    places = roll_off("who places terrain first", sides, roller) if facts.standard_terrain else ()
    deciding = (
        roll_off("who chooses edges or corners", sides, roller) if len(facts.deployment) > 1 else ()
    )
    return SetUp(
        scenario=scenario,
        roles=drawn,
        area=playing_area(scenario, points),
        locations=locations,
        terrain=terrain,
        weather=weather,
        hour=hour,
        turns=turns,
        deployment=facts.deployment[0] if facts.deployment else "",
        reserves=facts.reserves,
        placing=placement_order(places[0], places[1], terrain.total) if len(places) > 1 else (),
        decides=deciding[0] if deciding else "",
        chooses=choosers(facts, drawn, sides, roller),
        downstream=STREAMS[roller.throw("downstream") > 3] if facts.river else "",
        rolls=tuple(roller.kept),
    )


def roll_off(what: str, sides: tuple[str, ...], roller: Roller) -> tuple[str, ...]:
    """Return the sides from the highest die to the lowest; who ties throws again, a single one
    throws nothing."""
    if len(sides) < 2:
        return sides
    thrown = {side: roller.throw(what) for side in sides}
    order: list[str] = []
    for score in range(6, 0, -1):
        tied = tuple(side for side in sides if thrown[side] == score)
        order += roll_off(what, tied, roller)
    return tuple(order)


def choosers(
    facts: ScenarioFacts, roles: Mapping[str, str], sides: tuple[str, ...], roller: Roller
) -> tuple[str, ...]:
    """Return who chooses an edge, a corner or a place, in order: the Defender first where the
    scenario says so."""
    if not facts.defender_chooses:
        return roll_off("who chooses where first", sides, roller)
    defender = next((side for side, role in roles.items() if role == "defender"), "")
    return (defender, *(side for side in sides if side != defender)) if defender else ()


def roll_locations(roller: Roller) -> tuple[str, ...]:
    """Return one location, or two different ones for mixed ground. Rule book: "Location Table"."""
    first = table_row("location", roller.throw("location")).key
    if first != "mixed":
        return (first,)
    locations: list[str] = []
    while len(locations) < 2:
        drawn = table_row("location", roller.throw("mixed location")).key
        if drawn != "mixed" and drawn not in locations:
            locations.append(drawn)
    return tuple(locations)


def roll_day(table: str, usual: str, roller: Roller) -> str:
    """Return the key of the "weather" or the "hour"; the usual one where it plays no part.

    Rulings D1, S16.
    """
    if roller.throw(f"does the {table} matter?") not in figures().checks[table]:
        return usual
    return table_row(table, roller.throw(table)).key


def draw_roles(
    facts: ScenarioFacts, sides: tuple[str, ...], requested: Mapping[str, str], generator: Generator
) -> dict[str, str]:
    """Return a role for each side: those requested, the rest by lot among the roles still open."""
    chosen = {side: requested[side] for side in sides if side in requested}
    taken = list(chosen.values())
    still_open: list[str] = []
    for role in facts.roles:
        still_open += [role.key] * (role.most - taken.count(role.key))
    for side in sides:
        if side not in chosen and still_open:
            chosen[side] = still_open.pop(generator.randint(0, len(still_open) - 1))
    return chosen
