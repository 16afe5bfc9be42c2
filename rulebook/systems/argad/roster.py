"""A company's roster: builds in their one form, what is wrong with them, and what a card shows.

The sheet has no points: two companies are compared by heads and by the total of their classes (Ruling A-G3).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulebook.ruleset import (
    BuildData,
    Characteristic,
    EventField,
    Item,
    Problem,
    RulesError,
    Settings,
)
from rulebook.systems.argad.book import NO_FIREARM, Firearm, book, setting
from rulebook.systems.argad.dice import SIX
from rulebook.systems.argad.fighters import Fighter, weapon_length
from rulebook.systems.argad.movement import MOVEMENT, base_cm
from rulebook.systems.argad.shooting import FIREARMS

LONGEST_TEXT = 60
NO_CHOICE = ("", "As suggested")


def build_fields(settings: Settings) -> tuple[EventField, ...]:
    """What a character is asked for, enough to draw a form."""
    known = book()
    highest = setting(settings, "highest_class")
    guns = ((NO_FIREARM, "None"), *_choices(known.firearm.values()))
    lengths = (NO_CHOICE, *known.lengths.items())
    return (
        EventField("class", "Class", "number", least=1, most=highest, default="3"),
        EventField("clothing", "Clothing", "choice", False, _choices(known.clothing.values()), default="light"),
        EventField("mount", "Mount", "choice", False, _choices(known.mount.values()), default="foot"),
        EventField("firearm", "Firearm", "choice", False, guns, default=NO_FIREARM),
        EventField("weapon", "Melee weapon", "choice", False, _choices(known.weapon.values()), default="sword"),
        EventField("length", "Its length", "choice", False, lengths, "Only where it is not as suggested (A-M1)."),
        EventField("trained", "Trained to receive cavalry with a pole weapon", "flag", False),
        EventField("close_order", "In a close order formation", "flag", False),
        EventField("group", "Group", "text", False, help="Those whom he stands with."),
        EventField("role", "Role", "text", False, help="Who he is, in a few words."),
    )


def _choices(entries: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((each.key, each.name) for each in entries)


def read_build(raw: BuildData, settings: Settings) -> Fighter:
    """The build as a fighter. Raises RulesError with everything that is wrong with it, each with its field."""
    fields = {field.key: field for field in build_fields(settings)}
    problems = [_unknown(key, raw[key], fields) for key in raw if key not in fields]
    problems += [
        _wrong(field, raw[key]) for key, field in fields.items() if key in raw and not _allows(field, raw[key])
    ]
    if problems:
        raise RulesError(*problems)
    told = {key: value.strip() if isinstance(value, str) else value for key, value in raw.items()}
    fighter = msgspec.convert(told, type=Fighter)
    if problems := list(_at_odds(fighter)):
        raise RulesError(*problems)
    return fighter


def canonical(fighter: Fighter) -> dict[str, Any]:
    """The build in its one form; ``read_build`` reads it back."""
    found: dict[str, Any] = msgspec.to_builtins(fighter)
    return found


def _allows(field: EventField, value: object) -> bool:
    if field.kind == "flag":
        return isinstance(value, bool)
    if field.kind == "choice":
        return value in [key for key, _ in field.choices]
    if field.kind == "text":
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and (field.least or 0) <= int(value) <= (field.most or 0)  # type: ignore[call-overload]


def _wrong(field: EventField, value: object) -> Problem:
    wanted = {
        "flag": "true or false",
        "choice": f"one of {', '.join(key or 'an empty text' for key, _ in field.choices)}",
        "text": f"a text of up to {LONGEST_TEXT} letters",
        "number": f"a whole number from {field.least} to {field.most}",
    }[field.kind]
    return Problem(
        "wrong-value", f"{field.label} cannot be {value!r}; give {wanted}.", field=field.key, value=str(value)
    )


def _unknown(key: str, value: object, fields: Mapping[str, EventField]) -> Problem:
    sentence = f"A character has no {key!r}. Leave it out; there are {', '.join(fields)}."
    return Problem("unknown-field", sentence, field=key, value=str(value))


def _at_odds(fighter: Fighter) -> Iterator[Problem]:
    """What does not go together. Ruling A-V7; a matchlock is fired on foot."""
    if fighter.clothing not in book().mount[fighter.mount].move:
        name = book().clothing[fighter.clothing].name
        sentence = f"Mounted infantry does not wear this: {name}. Choose lighter clothing, or make him cavalry."
        yield Problem("clothing-not-mounted", sentence, field="clothing", value=fighter.clothing, source="Ruling A-V7")
    if fighter.firearm == "musket" and not fighter.on_foot:
        sentence = "A matchlock musket is for somebody on foot. Give him an arquebus, or set him on his feet."
        yield Problem("musket-mounted", sentence, field="firearm", value="musket", source=FIREARMS)
    if fighter.close_order and not fighter.on_foot:
        sentence = "Close order is for foot. Take him out of it, or set him on his feet."
        yield Problem("mounted-close-order", sentence, field="close_order", value="true", source='Sheet: "Close order"')


# Cards.


def characteristics(fighter: Fighter, settings: Settings) -> tuple[Characteristic, ...]:
    """The figures of a card: class, armour, the total that kills, centimetres by ground, turns of reloading."""
    armour = book().clothing[fighter.clothing].mark or str(fighter.armour)
    weak = "-1 when shooting" * (fighter.class_ <= 2) + " and in melee" * (
        fighter.class_ == 2 or (fighter.class_ == 1 and setting(settings, "class_one_in_melee"))
    )
    above = "armour above class" * (fighter.armour > fighter.class_)
    cm, dice = base_cm(fighter), book().mount[fighter.mount].dice
    figures = [
        Characteristic("class", "Class", "Cl", str(fighter.class_), weak, 'Sheet: "Melee"'),
        Characteristic("armour", "Armour", "Ar", armour if fighter.armour else "none", "", "Ruling A-V1"),
        Characteristic(
            "killed-by", "Killed by", "Kill", f"{max(fighter.class_, fighter.armour) + 1}+", above, 'Sheet: "Melee"'
        ),
        Characteristic("open", "Move in the open", "Open", f"{cm} cm", "", MOVEMENT),
        Characteristic("difficult", "Move in difficult ground", "Diff", f"{cm} - {dice}D6 cm", "", MOVEMENT),
        Characteristic("very-difficult", "Very difficult ground", "Very", f"{cm // 2} - {dice}D6 cm", "", MOVEMENT),
    ]
    if fighter.firearm != NO_FIREARM:
        turns = book().firearm[fighter.firearm].reload
        figures.append(Characteristic("reload", "Reloading", "Load", f"{turns}", "turns, immobile", "Ruling A-S13"))
    return tuple(figures)


def equipment(fighter: Fighter, settings: Settings) -> tuple[Item, ...]:
    """What he wears, rides and carries, each with what it does in a few words."""
    known = book()
    found = [Item(fighter.clothing, known.clothing[fighter.clothing].name, "clothing")]
    if not fighter.on_foot:
        found.append(Item(fighter.mount, known.mount[fighter.mount].name, "mount"))
    if fighter.firearm != NO_FIREARM:
        gun = known.firearm[fighter.firearm]
        found.append(Item(gun.key, gun.name, "firearm", "; ".join(to_hit(gun)), FIREARMS))
    weapon = known.weapon[fighter.weapon]
    found.append(Item(weapon.key, weapon.name, "weapon", weapon_note(fighter, settings), "Ruling A-M1"))
    if fighter.trained:
        found.append(Item("trained", "Trained to receive cavalry", "training"))
    return tuple(found)


def weapon_note(fighter: Fighter, settings: Settings) -> str:
    """How long his melee weapon is, and what becomes of a pike. Ruling A-M13."""
    length = book().lengths[weapon_length(fighter.weapon, settings, fighter.length)].lower()
    if fighter.weapon == "pike" and not fighter.close_order:
        return "first strike, then a sword (short) after the first turn"
    return f"length: {length}"


def to_hit(gun: Firearm, *, volley: bool = False) -> Iterator[str]:
    """What each band needs, for a card: "0-10 cm 5+ (-1 at armour 5)"."""
    nearest = 0
    for band in gun.volley if volley else gun.bands:
        armour = {0: "", 4: " (-1 at armour 4, 5)", 5: " (-1 at armour 5)"}[band.armour_from]
        beyond = f"({band.need})" if band.need > SIX + 1 else f"{band.need}+"
        yield f"{nearest}-{band.upto} cm {beyond}{armour}"
        nearest = band.upto


def profile_name(fighter: Fighter) -> str:
    """Who he is: his role, or how he is armed."""
    if fighter.role:
        return fighter.role
    arms = fighter.firearm if fighter.firearm != NO_FIREARM else fighter.weapon
    named = book().firearm.get(arms) or book().weapon[arms]
    return named.name if fighter.on_foot else f"{book().mount[fighter.mount].name}: {named.name.lower()}"


def class_total(fighters: Iterable[Fighter]) -> int:
    """The sum of classes: a plain count, no points value. Ruling A-G3."""
    return sum(each.class_ for each in fighters)
