"""The quick reference of Argad! for printed rosters: shots, blows, lengths, movement.

Amounts come from the functions that resolve shots and blows; the data file has the words.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from rulebook.book.reference import filled_tables
from rulebook.systems.argad.book import GONE, HouseRules, book, read_data
from rulebook.systems.argad.fighters import Fighter
from rulebook.systems.argad.melee import Contender, Melee, blow_modifiers
from rulebook.systems.argad.shooting import Shot, shot_modifiers
from rulebook.values.answers import ReasonLine
from rulebook.values.reference import TableSection

MAN = Fighter()
RIDER = Fighter(mount="cavalry")
HALBERDIER = Fighter(weapon="halberd", trained=True)
MELEES = (
    (Contender(Fighter(class_=2)), Contender(MAN)),
    (Contender(Fighter(weapon="tool")), Contender(MAN)),
    (Contender(Fighter(weapon="two-handed")), Contender(MAN)),
    (Contender(MAN, stances=("behind-obstacle",)), Contender(MAN)),
    (Contender(MAN, stances=("uphill",)), Contender(MAN)),
    (Contender(RIDER), Contender(MAN)),
    (Contender(MAN), Contender(RIDER)),
    (Contender(HALBERDIER), Contender(RIDER)),
    (Contender(replace(RIDER, weapon="lance"), stances=("charging",)), Contender(RIDER)),
    (Contender(HALBERDIER, stances=("immobile",)), Contender(RIDER, stances=("charging",))),
)
"""Pairs of opponents: together they show every modifier of a blow."""
SHOTS = (
    Shot(Fighter(firearm="arquebus"), MAN, 5, moving=True),
    Shot(Fighter(firearm="arquebus", mount="mounted-infantry"), MAN, 5),
    Shot(Fighter(firearm="arquebus", class_=2), MAN, 5),
    Shot(Fighter(firearm="arquebus"), Fighter(clothing="breastplate"), 30),
    Shot(Fighter(firearm="musket"), MAN, 5, group_die=True),
)
"""Shots that together show every modifier that nobody ticks."""


def quick_reference(settings: HouseRules) -> tuple[TableSection, ...]:
    """Return the tables that are looked up during a game, on these house rules."""
    tables, written = book(), read_data("quick_reference")
    places = {
        "cap": tables.cap,
        "shot_effect": GONE[settings.shot_effect],
        "triple": 8 if settings.triple_six_shooting else 7,
        "dice": tables.mount["foot"].dice,
        "mounted_dice": tables.mount["cavalry"].dice,
        "formation": {key: cm for key, (_, cm) in tables.formation.items()},
    }
    fixed = {table.anchor: table for table in filled_tables(written["table"], places)}
    shots = (line for shot in SHOTS for line in shot_modifiers(shot))
    blows = (
        line
        for first, second in MELEES
        for line in blow_modifiers(Melee(first, second, settings=settings))
    )
    ticked = (
        (each.label, "no shot" if each.forbids else f"{each.amount:+d}")
        for each in tables.circumstance.values()
    )
    return (
        fixed["shot"],
        TableSection(
            "shooting", "Shooting modifiers", (), (*ticked, *_modifiers(shots, written["shot"]))
        ),
        fixed["blow"],
        TableSection("melee", "Melee modifiers", (), tuple(_modifiers(blows, written["blow"]))),
        TableSection("lengths", "Who strikes first", (), tuple(_lengths(settings))),
        fixed["same-moment"],
        fixed["movement"],
        fixed["agreed"],
    )


def _modifiers(lines: Iterable[ReasonLine], labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each modifier once, by what a sum calls it, with the words for paper."""
    amounts = {line.reason: line.amount for line in lines}
    for reason, label in labels.items():
        yield label, f"{amounts[reason]:+d}"


def _lengths(settings: HouseRules) -> Iterator[tuple[str, str]]:
    """Yield the lengths, the longest first, each with its weapons. Ruling A-M1."""
    weapons: dict[int, list[str]] = {}
    for key, weapon in book().weapon.items():
        place = Contender(Fighter(weapon=key)).length(settings)
        weapons.setdefault(place, []).append(weapon.name)
    for place, (_, name) in enumerate(book().lengths):
        if place in weapons:
            yield f"{place + 1}. {name}", "; ".join(weapons[place])
