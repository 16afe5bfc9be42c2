"""What a custom fighter costs, line by line. Rule book: "New warbands", "Customisation", "Warband Morale"."""

from typing import Any

from msgspec.structs import replace

from rulebook.calculators.questions import (
    PREPARATION,
    Question,
    Values,
    choice,
    grouped,
    number,
    several,
)
from rulebook.ruleset import Calculator, Problem, RulesError, Sheet, Terms
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.calculators.people import OPEN_HOUSE
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import sheet
from rulebook.values.answers import Answer, Figure, ReasonedSum, ReasonLine

SOURCE = 'Rule book: "Customisation"'
NUMBERS = ("combat_pool", "initiative", "fight", "shoot")
BASE = "Left open: the base profile's."
ASSUMPTIONS = (
    "Fantastical Attributes, magic items and poison are priced whether or not a campaign allows them.",
    "The Morale surcharge is that of a custom warband; lists hold theirs in their prices (Ruling P4).",
)


def _price(values: Values) -> Answer:
    terms = Terms("custom", {"morale": int(values["morale"])}, OPEN_HOUSE)
    try:
        found = sheet(clean_build(_build(values), terms), terms)
    except RulesError as error:
        raise RulesError(*(_placed(problem, values) for problem in error.problems)) from error
    lines = tuple(ReasonLine(line.points, line.label, _rule(line.source)) for line in found.price.lines)
    return Answer(
        headline=f"The fighter costs {found.points} points.",
        figures=(Figure("points", "Points", str(found.points), SOURCE), *_numbers(found)),
        sums=(ReasonedSum("Points", lines, found.points),),
        assumptions=ASSUMPTIONS,
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


def _numbers(found: Sheet) -> tuple[Figure, ...]:
    return tuple(Figure(each.key, each.label, each.value, SOURCE) for each in found.characteristics)


def _goods() -> tuple[tuple[str, str], ...]:
    """Everything that can be bought for itself."""
    arms = catalogue().arms
    not_sold = {row.key for row in arms.close_combat.values() if row.comes_with}
    not_sold |= {suit.key for suit in arms.armour.values() if suit.natural}
    not_sold |= {item.key for item in arms.magic_items.values() if item.reserved}
    return tuple(
        (key, f"{item.name}, {item.points}")
        for key, item in arms.items.items()
        if key not in not_sold and not getattr(item, "on_weapon", False)
    )


def _attributes() -> tuple[tuple[str, str], ...]:
    return tuple(
        (key, found.name + (f", {found.points}" if found.points else ", 4 a Rank"))
        for key, found in catalogue().attributes.items()
        if not found.weapon
    )


def _weapons(*, missile: bool) -> tuple[tuple[str, str], ...]:
    arms = catalogue().arms
    rows = arms.missiles.values() if missile else arms.close_combat.values()
    return ("", "Not"), *((row.key, row.name) for row in rows)


def _moves() -> tuple[tuple[str, str], ...]:
    rates = catalogue().rates.values()
    return ("", "As its kind moves"), *((rate.key, rate.name) for rate in rates)


def _morales() -> tuple[tuple[str, str], ...]:
    surcharges = catalogue().calculator.morale.surcharge
    return tuple((str(rating), f"{rating} ({surcharge:+} a fighter)") for rating, surcharge in surcharges.items())


CUSTOM_FIGHTER = Calculator(
    key="custom-fighter",
    name="Points of a custom fighter",
    help="What a fighter of one's own making costs, line by line.",
    fields=(
        *grouped(
            "The fighter",
            number("rank", "Rank", 2, least=1, most=5),
            *(number(key, key.replace("_", " ").title(), most=10, help=BASE) for key in NUMBERS),
            choice("move", "Movement", _moves()),
            choice("morale", "Morale of the warband", _morales(), "7"),
        ),
        *grouped(
            "What it has",
            several("equipment", "Equipment", _goods()),
            several("attributes", "Attributes", _attributes()),
            choice("weapon_master", "Weapon Master with", _weapons(missile=False)),
            choice("sharpshooter", "Sharpshooter with", _weapons(missile=True)),
            several("on_weapons", "On weapons", (), "Such as poison:dagger or weapon-of-wounding:sword."),
            several("spells", "Spells", tuple((key, spell.name) for key, spell in catalogue().spells.items())),
        ),
    ),
    group=PREPARATION,
    examples=(
        {"rank": "3", "equipment": "sword,light-armour", "attributes": "powerful", "weapon_master": "sword"},
        {"rank": "2", "shoot": "1", "equipment": "musket,dagger", "morale": "8"},
    ),
    source=SOURCE,
)

QUESTIONS = (Question(CUSTOM_FIGHTER, _price),)
