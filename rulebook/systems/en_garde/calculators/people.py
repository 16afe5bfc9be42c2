"""Fighters for calculators: by numbers, as a profile of the lists, or as a build; and how they fight."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from rulebook.calculators.questions import Values, choice, data, flag, number
from rulebook.ruleset import Problem, RulesError, Terms
from rulebook.systems.en_garde.book.catalogue import base_profile, catalogue
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.table.arms_in_hand import BARE_HANDS, Grip
from rulebook.systems.en_garde.table.combatant import Combatant, Steed
from rulebook.systems.en_garde.table.wounds import Wound, WoundState, WoundTable
from rulebook.systems.en_garde.turns.fighters import combatant_of, primary_weapon
from rulebook.values.fields import Field

OPEN_HOUSE: Mapping[str, Any] = {"fantastical": True, "poison": True, "legality": "warn"}
"""House rules for reading builds: whoever only asks may ask about anybody."""
STUNNED = number("stunned", "Stunned counters", 0, most=2)
BODY = choice(
    "table",
    "Body",
    (("standard", "As any other"), ("large", "Large"), ("huge", "Huge")),
    "standard",
    "Which Wound Table it answers to.",
)
WOUND = choice("wound", "Wound", (("none", "None"), ("light", "Light"), ("grievous", "Grievous")), "none")
MOUNT = choice("mount", "Rides", (("none", "Nothing"), ("horse", "A horse"), ("warhorse", "A warhorse")), "none")


@cache
def profiles() -> tuple[tuple[str, str], ...]:
    """Every profile as a choice: "list/profile" and its name with that of its list."""
    return tuple(
        (f"{army.key}/{profile.key}", f"{profile.name} ({army.name})")
        for army in catalogue().factions.values()
        for profile in army.profiles
    )


def profile_field() -> Field:
    """Choosing a fighter out of the lists."""
    found = (("", "By numbers"), *profiles())
    return choice("profile", "Fighter", found, help="What is left open below is this profile's.")


BUILD = data("build", "Build", "A build as the API has it, in place of a profile.")


def close_combat_weapons() -> tuple[tuple[str, str], ...]:
    """Every close combat weapon as a choice, pistols by their missile name."""
    rows = catalogue().arms.close_combat.values()
    return tuple((row.comes_with or row.key, row.name) for row in rows)


def weapon_field() -> Field:
    """The weapon in hand."""
    found = (("", "The best it has"), *close_combat_weapons())
    return choice("weapon", "Weapon in hand", found)


def fighter_of(values: Values, prefix: str = "", name: str = "The fighter") -> Combatant:
    """The fighter that some fields describe; numbers that are left open are those of its profile, or of the base
    profile of its Rank. Raises RulesError for a build that makes no sense."""
    told = {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}
    fighter = _from_lists(told, prefix) if is_listed(values, prefix) else _of_rank(told.get("rank"))
    said = {place: told[key] for key, place in PLACES.items() if told.get(key) not in (None, False)}
    fighter = _with_body(replace(fighter, name=name, **said), told)
    return replace(fighter, wounds=wounds_of(told))


PLACES = {
    "rank": "rank",
    "combat_pool": "combat_pool",
    "initiative": "initiative",
    "fight": "fight",
    "shoot": "shoot",
    "armour": "worn",
    "buckler": "buckler",
    "shield": "shield",
}
"""Fields of a fighter, and what they are called at the table."""


def is_listed(values: Values, prefix: str = "") -> bool:
    """Is the fighter one of the lists, or a build?"""
    return bool(values.get(f"{prefix}profile") or values.get(f"{prefix}build"))


def _of_rank(rank: int | None) -> Combatant:
    if rank == 0:
        return Combatant(id="", name="", rank=0, fight=0)
    base = base_profile(rank or 2)
    numbers = {key: getattr(base, key) for key in ("rank", "combat_pool", "initiative", "fight", "shoot")}
    return Combatant(id="", name="", **numbers)


def _from_lists(told: Values, prefix: str) -> Combatant:
    raw = told.get("build") or {"profile": told["profile"]}
    reference = str(raw.get("profile", ""))
    terms = Terms(reference.partition("/")[0] or "custom", {}, OPEN_HOUSE)
    try:
        return combatant_of(clean_build(raw, terms), terms)
    except RulesError as error:
        raise RulesError(*(_placed(problem, prefix) for problem in error.problems)) from error


def _placed(problem: Problem, prefix: str) -> Problem:
    return replace(problem, field=f"{prefix}build.{problem.field}".rstrip("."))


def _with_body(fighter: Combatant, told: Values) -> Combatant:
    if told.get("table", "standard") != "standard":
        fighter = replace(fighter, table=WoundTable(told["table"]))
    if told.get("mount", "none") != "none":
        fighter = replace(fighter, steed=Steed(told["mount"], told.get("barding") or 0))
    return fighter


def wounds_of(told: Values) -> WoundState:
    """The wounds that fields tell of."""
    wound = told.get("wound", "none")
    return WoundState(told.get("stunned") or 0, Wound.NONE if wound == "none" else Wound(wound))


def armed(fighter: Combatant, weapon: str, *, by_numbers: bool) -> tuple[Combatant, str]:
    """The fighter with a weapon in hand, and that weapon: the one that was named, or the best it has.

    Somebody made of numbers carries whatever is named, a sword if nothing is.
    """
    if not by_numbers:
        return fighter, weapon or primary_weapon(fighter)
    chosen = weapon or "sword"
    carried = fighter.weapons if chosen == BARE_HANDS else (*fighter.weapons, chosen)
    return replace(fighter, weapons=carried or ("sword",)), chosen


def skilled(fighter: Combatant, values: Values, prefix: str, weapon: str) -> Combatant:
    """The fighter with the Attributes that were ticked, those for a weapon for the one in its hand."""
    known = dict(fighter.attributes)
    for key in SKILLS:
        if values.get(prefix + key.replace("-", "_")):
            known[key] = (*known.get(key, ()), weapon) if key in FOR_A_WEAPON else known.get(key, ())
    return replace(fighter, attributes=known)


FOR_A_WEAPON = frozenset({"weapon-master", "sharpshooter"})
SKILLS = (
    "weapon-master",
    "sharpshooter",
    "archer",
    "powerful",
    "tough",
    "fast",
    "agile",
    "dodge",
    "horse-master",
    "beguiling",
)


def skill(key: str) -> Field:
    """An Attribute to tick."""
    found = catalogue().attributes[key]
    return flag(key.replace("-", "_"), found.name, help=found.note)


def grip_of(fighter: Combatant, weapon: str, *, indoors: bool = False, first_round: bool = True) -> Grip:
    """How a fighter holds its weapon: weapons for one or two hands are swung with both if nothing else is held."""
    row = catalogue().arms.close_combat.get(weapon)
    free = not (fighter.mounted or fighter.buckler or fighter.shield)
    both = row is not None and row.hands == "either" and free
    return Grip(weapon=weapon, two_handed=both, first_round=first_round, indoors=indoors)
