"""What can be wrong with a fighter from the calculator. Rule book: "New warbands"; Rulings P27 to P29, D9."""

from collections.abc import Iterable, Iterator

import msgspec

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.builds import Build, plain, weapon_of
from rulebook.systems.en_garde.rosters.loadouts import Loadout, slot_of, slots
from rulebook.systems.en_garde.rosters.terms import HouseTerms, is_base_hire

CUSTOM_FIELDS = ("name", "characteristics", "move", "equipment")
MOST = 10
"""No characteristic is higher than this, whatever a club fancies."""


def custom_problems(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    """What is wrong with what only a custom fighter may say."""
    if not build.custom:
        yield from _not_custom(build)
        return
    if build.equipment and terms.army.kind != "custom" and not is_base_hire(build, terms):
        sentence = f"{terms.army.name} sells arms by its options alone: leave the equipment out."
        yield Problem(code="arms-not-in-list", sentence=sentence, field="equipment", source="Ruling X11")
    yield from _characteristics(build)
    yield from _slots(build)
    for key in build.equipment:
        yield from _item(key, build, terms)
    yield from _companions(build, outfit)


def _not_custom(build: Build) -> Iterator[Problem]:
    empty = Build(profile=build.profile)
    for field in CUSTOM_FIELDS:
        if getattr(build, field) != getattr(empty, field):
            sentence = f"“{field}” is for custom fighters alone: leave it out."
            yield Problem(code="custom-only", sentence=sentence, field=field)


def _characteristics(build: Build) -> Iterator[Problem]:
    for key, value in msgspec.structs.asdict(build.characteristics).items():
        if value is not None and not 0 <= value <= MOST:
            sentence = f"A characteristic is a number from 0 to {MOST}, not {value}."
            yield Problem(code="out-of-range", sentence=sentence, field=f"characteristics.{key}", value=str(value))


def _slots(build: Build) -> Iterator[Problem]:
    for slot in slots():
        filled = [key for key in build.equipment if slot_of(key) == slot]
        if len(filled) > 1:
            sentence = f"One {slot} is enough: choose between {catalogue.listed(filled)}."
            yield Problem(code="slot-taken", sentence=sentence, field="equipment", value=", ".join(filled))


def _item(key: str, build: Build, terms: HouseTerms) -> Iterator[Problem]:
    if not buyable(key):
        yield _problem("not-for-sale", f"Nobody can buy {catalogue.item_name(key).lower()}: leave it out.", key)
    if plain(key) in catalogue.catalogue().arms.magic_items and not terms.rules.fantastical:
        yield _problem("fantastical-not-allowed", "This campaign plays without magic items: leave it out.", key)
    if plain(key) == "poison" and not terms.rules.poison:
        yield _problem("poison-not-allowed", "This campaign sells no poison: leave it out.", key)
    if key != "pistol" and build.equipment.count(key) > 1:
        yield _problem("already-carried", f"One {catalogue.item_name(key).lower()} is enough.", key)


def buyable(key: str) -> bool:
    """Whether a custom fighter can buy such a thing at all, whatever the house rules."""
    arms = catalogue.catalogue().arms
    natural = plain(key) in arms.armour and arms.armour[plain(key)].natural
    reserved = plain(key) in arms.magic_items and arms.magic_items[plain(key)].reserved
    included = plain(key) in arms.close_combat and bool(arms.close_combat[plain(key)].comes_with)
    return not (natural or reserved or included)


def _companions(build: Build, outfit: Loadout) -> Iterator[Problem]:
    """Things that need another thing: a bayonet its musket, barding a mount, poison a weapon to be on."""
    arms = catalogue.catalogue().arms
    if any(slot_of(key) == "barding" for key in build.equipment) and not outfit.mounted:
        yield _problem("not-mounted", "Barding needs a mount: buy one.", "barding")
    for key in build.equipment:
        needed = arms.close_combat[key].needs if key in arms.close_combat else ""
        if needed and not outfit.carries(needed):
            yield _problem("weapon-missing", f"{catalogue.item_name(key)} needs a {needed}: buy one.", key)
        yield from _on_weapon(key, outfit, [*arms.close_combat, *arms.missiles])


def _on_weapon(key: str, outfit: Loadout, weapons: Iterable[str]) -> Iterator[Problem]:
    goes_on, weapon = goes_on_weapon(key), weapon_of(key)
    carried = [each for each in weapons if outfit.carries(each)]
    if goes_on and weapon not in carried:
        sentence = f"{catalogue.item_name(plain(key))} goes on a weapon that the fighter has: {plain(key)}: and one of "
        yield _problem("weapon-missing", sentence + f"{catalogue.listed(carried, 'or')}.", key)
    elif weapon and not goes_on:
        yield _problem("no-weapon-needed", f"{catalogue.item_name(plain(key))} goes on no weapon.", key)


def goes_on_weapon(key: str) -> bool:
    """Whether such a thing is bought for a weapon: poison, and magic on a blade."""
    return bool(getattr(catalogue.catalogue().arms.items[plain(key)], "on_weapon", False))


def _problem(code: str, sentence: str, value: str) -> Problem:
    return Problem(code=code, sentence=sentence, field="equipment", value=value, source="Customisation")
