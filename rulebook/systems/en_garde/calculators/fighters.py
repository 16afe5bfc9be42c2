"""Fighters for calculators: by numbers, as a profile of the lists, or as a build; and how they are
armed."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.calculators.questions import Values
from rulebook.ruleset import CampaignTerms, Problem, RulesError
from rulebook.systems.en_garde.book.catalogue import base_profile
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.table.combatant import (
    BARE_HANDS,
    Combatant,
    Grip,
    Steed,
    held_with_both,
)
from rulebook.systems.en_garde.table.wounds import Wound, WoundState, WoundTable
from rulebook.systems.en_garde.turns.fighters import combatant_of, primary_weapon

OPEN_HOUSE: Mapping[str, Any] = {"fantastical": True, "poison": True, "legality": "warn"}
"""House rules for reading builds: a question may be about any fighter."""
NUMBERS = ("rank", "combat_pool", "initiative", "fight", "shoot")
PLACES = {**{key: key for key in (*NUMBERS, "buckler", "shield")}, "armour": "worn"}
"""Fields of a fighter, and what they are called at the table."""
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
"""Attributes that may be ticked."""


def fighter_of(values: Values, prefix: str = "", name: str = "The fighter") -> Combatant:
    """Return the fighter that some fields describe.

    Numbers that are left open come from its profile, or from the base profile of its Rank. Raises
    RulesError for a build that makes no sense.
    """
    own_values = {
        key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)
    }
    fighter = (
        _of_rank(own_values.get("rank"))
        if by_numbers(values, prefix)
        else _from_lists(own_values, prefix)
    )
    kwargs: dict[str, Any] = {
        place: own_values[key]
        for key, place in PLACES.items()
        if own_values.get(key) not in (None, False)
    }
    if own_values.get("table", "standard") != "standard":
        kwargs["table"] = WoundTable(own_values["table"])
    if own_values.get("mount", "none") != "none":
        kwargs["steed"] = Steed(own_values["mount"], own_values.get("barding") or 0)
    return replace(fighter, name=name, wounds=wounds_of(own_values), **kwargs)


def by_numbers(values: Values, prefix: str = "") -> bool:
    """Return whether the fighter is neither from a list nor from a build."""
    return not (values.get(f"{prefix}profile") or values.get(f"{prefix}build"))


def _of_rank(rank: int | None) -> Combatant:
    if rank == 0:
        return Combatant(id="", name="", rank=0, fight=0)
    base = base_profile(rank or 2)
    return Combatant(id="", name="", **{key: getattr(base, key) for key in NUMBERS})


def _from_lists(values: Values, prefix: str) -> Combatant:
    raw = values.get("build") or {"profile": values["profile"]}
    terms = CampaignTerms(str(raw.get("profile", "")).partition("/")[0] or "custom", {}, OPEN_HOUSE)

    def placed(problem: Problem) -> Problem:
        return replace(problem, field=f"{prefix}build.{problem.field}".rstrip("."))

    try:
        return combatant_of(clean_build(raw, terms), terms)
    except RulesError as error:
        raise RulesError(*map(placed, error.problems)) from error


def wounds_of(values: Values) -> WoundState:
    """Return the wounds that fields give."""
    wound = values.get("wound", "none")
    return WoundState(values.get("stunned") or 0, Wound.NONE if wound == "none" else Wound(wound))


def skilled(fighter: Combatant, values: Values, prefix: str, weapon: str) -> Combatant:
    """Return the fighter with the Attributes that were ticked, those for a weapon for the one in
    its hand."""
    attributes = dict(fighter.attributes)
    for key in SKILLS:
        if values.get(prefix + key.replace("-", "_")):
            attributes[key] = (
                (*attributes.get(key, ()), weapon)
                if key in FOR_A_WEAPON
                else attributes.get(key, ())
            )
    return replace(fighter, attributes=attributes)


def armed(values: Values, prefix: str, name: str) -> Combatant:
    """Return the fighter that the fields describe, with the weapon that they name in hand.

    Somebody made of numbers carries whatever is named, a sword if nothing is.
    """
    fighter = fighter_of(values, prefix, name)
    weapon = values[f"{prefix}weapon"]
    if by_numbers(values, prefix):
        weapon = weapon or "sword"
        fighter = replace(fighter, weapons=("sword",) if weapon == BARE_HANDS else (weapon,))
    return skilled(fighter, values, prefix, weapon or primary_weapon(fighter))


def grip_of(
    fighter: Combatant, weapon: str, *, indoors: bool = False, first_round: bool = True
) -> Grip:
    """Return how a fighter holds its weapon."""
    both = held_with_both(fighter, weapon)
    return Grip(weapon=weapon, two_handed=both, first_round=first_round, indoors=indoors)
