"""Everything that can be wrong with one fighter's build, whatever stands beside it in the roster.

Rule book: "Attributes", "Magicians", "New warbands"; Rulings P14, P16, P18, P27 to P29, D9.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseTerms,
    is_base_hire,
    known_part,
    not_offered,
    offered_by,
    options_of,
    plain,
    weapon_of,
)
from rulebook.systems.en_garde.rosters.loadouts import Loadout, armour_rating, kept_options, loadout, slot_of, slots
from rulebook.systems.en_garde.rosters.prices import buyable, goes_on_weapon
from rulebook.values.problems import listed, unknown

MOST = 10
"""No characteristic is higher than this, whatever a club fancies."""


@lru_cache(maxsize=65536)
def build_problems(build: Build, terms: HouseTerms) -> tuple[Problem, ...]:
    """Everything that is wrong with a build on these terms; the empty tuple is good."""
    sound, strange = known_part(build, fantastical=terms.rules.fantastical)
    outfit = loadout(sound)
    return (
        *strange,
        *_belonging(sound, terms),
        *_options(sound, outfit, terms),
        *_doubles(sound, outfit),
        *attribute_problems(sound, outfit, terms),
        *spell_problems(sound, outfit),
        *custom_problems(sound, outfit, terms),
    )


def _belonging(build: Build, terms: HouseTerms) -> Iterator[Problem]:
    if build.list_key in (terms.faction, terms.army.composition.allies):
        return
    named = build.profile
    if build.list_key == "fantastical":
        if not terms.rules.fantastical:
            sentence = "This campaign plays without the fantastical: take a profile of the list."
            source = "Appendix B: The fantastical"
            yield Problem("fantastical-not-allowed", sentence, field="profile", value=named, source=source)
    elif not (build.custom and build.promoted) and not is_base_hire(build, terms):
        keys = listed((each.key for each in terms.army.profiles), "or")
        sentence = f"{terms.army.name} cannot have {named}; take {keys}."
        yield Problem("profile-not-in-list", sentence, field="profile", value=named)


def _options(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    lines = {line.key: line for line in options_of(outfit.profile, terms.rules.barding_for_lists)}
    for key, picks in build.options:
        field, line = f"options.{key}", lines.get(key)
        if line is None:
            yield unknown(lines, key, field, "option of this profile")
            continue
        offered = offered_by(line, terms.rules.fantastical)
        if line.kind == "crew":
            sentence = "A gun is bought by the warband, not by a fighter: name its crew with the warband's ordnance."
            yield Problem("crew-is-not-picked", sentence, field=field)
        else:
            strange = (pick for pick in picks if plain(pick) not in offered)
            yield from (not_offered(line, pick, terms.rules.fantastical) for pick in strange)
        if line.kind != "crew" and len(picks) > line.most:
            sentence, taken = f"Take at most {line.most} of this option, not {len(picks)}.", ", ".join(picks)
            yield Problem("too-many-picks", sentence, field=field, value=taken, source="Ruling P14")
        if line.if_mounted and not outfit.mounted:
            yield Problem("not-mounted", "This option is for a mounted fighter: mount it.", field=field)
        if line.if_attribute and not outfit.has(line.if_attribute):
            name = catalogue.attribute_name(line.if_attribute)
            yield Problem("attribute-missing", f"This option needs {name}: take that first.", field=field)
        if line.alone and (len(build.options) > 1 or kept_options(build)):
            sentence = "This option cannot stand beside another: drop it or the others."
            yield Problem("not-alone", sentence, field=field, source="Ruling P16")


def _doubles(build: Build, outfit: Loadout) -> Iterator[Problem]:
    """A thing taken though the fighter has it already. Two pistols make sense, a second sword does not."""
    for line in options_of(outfit.profile, barding=True):
        for pick in build.picks(line.key) if line.kind != "attributes" else ():
            had = (*outfit.profile.listed_equipment, *build.kept.equipment)
            if pick in had and line.most == 1 and pick != "pistol":
                sentence = f"It has {catalogue.item_name(pick).lower()} already: take something else."
                yield Problem("already-carried", sentence, field=f"options.{line.key}", value=pick)


def attribute_problems(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    """What is wrong with the Attributes that were chosen; those of the profile itself are taken as they are."""
    kept = len(build.kept.attributes)
    for option in outfit.profile.options if build.options else ():
        picks = build.picks(option.key) if option.kind == "attributes" else ()
        for key in picks:
            yield from _chosen(key, f"options.{option.key}", build, outfit)
        if terms.rules.promotion_allowance == "inside" and picks and len(picks) + kept > option.most:
            room = max(option.most - kept, 0)
            sentence = f"Kept Attributes count against the allowance: take at most {room} here."
            yield Problem("too-many-picks", sentence, field=f"options.{option.key}", source="Ruling X13")
    for key in build.kept.attributes:
        yield from _armour(key, "kept.attributes", build)
    for key, count in Counter(outfit.attributes).items():
        if count > 1:
            sentence = f"It has {catalogue.attribute_name(key)} twice: take it once."
            yield Problem("attribute-twice", sentence, field="options", value=key, source="Ruling P18")


def _chosen(key: str, field: str, build: Build, outfit: Loadout) -> Iterator[Problem]:
    attribute, arms, weapon = catalogue.catalogue().attributes[plain(key)], catalogue.catalogue().arms, weapon_of(key)
    weapons = {"close-combat": [*arms.close_combat], "missile": [*arms.missiles], "": []}[attribute.weapon]
    if weapon and not weapons:
        sentence = f"{attribute.name} goes with no weapon: write it without."
        yield Problem("no-weapon-needed", sentence, field=field, value=key)
    elif weapons and weapon not in weapons:
        code, known = "unknown-weapon" if weapon else "weapon-missing", listed(weapons, "or")
        sentence = f"{attribute.name} is taken for one weapon: say {attribute.key}: and one of {known}."
        yield Problem(code, sentence, field=field, value=key, source=attribute.name)
    if attribute.ranks and outfit.rank not in attribute.ranks:
        ranks = listed(map(str, attribute.ranks), "or")
        sentence = f"{attribute.name} is for Rank {ranks}, and this fighter has Rank {outfit.rank}."
        yield Problem("wrong-rank", sentence, field=field, value=key, source=attribute.name)
    yield from _armour(key, field, build)
    for needed in attribute.needs:
        if not outfit.has(needed):
            sentence = f"{attribute.name} needs {catalogue.attribute_name(needed)}: take that first."
            yield Problem("attribute-missing", sentence, field=field, value=key, source="Ruling D21")


def _armour(key: str, field: str, build: Build) -> Iterator[Problem]:
    attribute = catalogue.catalogue().attributes[plain(key)]
    if attribute.most_armour is not None and armour_rating(build).printed > attribute.most_armour:
        sentence = f"{attribute.name} goes with an Armour Rating of {attribute.most_armour} at most: wear less."
        yield Problem("too-much-armour", sentence, field=field, value=key, source=attribute.name)


def spell_problems(build: Build, outfit: Loadout) -> Iterator[Problem]:
    """What is wrong with the spells that were chosen. Rule book: "Magicians"."""
    if not build.spells:
        return
    if not outfit.has("magician"):
        yield Problem("no-magician", "Only a Magician has spells: leave them out.", field="spells")
    elif outfit.profile.spells:
        sentence = f"{outfit.profile.name} has spells of its own: leave them out."
        yield Problem("spells-are-fixed", sentence, field="spells")
    elif len(set(build.spells)) < len(build.spells) or len(build.spells) > outfit.rank:
        sentence = f"A Magician of Rank {outfit.rank} knows {outfit.rank} different spells, not {len(build.spells)}."
        yield Problem("too-many-spells", sentence, field="spells", source="Magicians")


def custom_problems(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    """What is wrong with what only a custom fighter may say."""
    if not build.custom:
        for field in ("name", "characteristics", "move", "equipment"):
            if getattr(build, field) != getattr(Build(profile=build.profile), field):
                yield Problem("custom-only", f"“{field}” is for custom fighters alone: leave it out.", field=field)
        return
    if build.equipment and terms.army.kind != "custom" and not is_base_hire(build, terms):
        sentence = f"{terms.army.name} sells arms by its options alone: leave the equipment out."
        yield Problem("arms-not-in-list", sentence, field="equipment", source="Ruling X11")
    for key, value in msgspec.structs.asdict(build.characteristics).items():
        if value is not None and not 0 <= value <= MOST:
            sentence = f"A characteristic is a number from 0 to {MOST}, not {value}."
            yield Problem("out-of-range", sentence, field=f"characteristics.{key}", value=str(value))
    yield from _rivals(build)
    for key in build.equipment:
        yield from _item(key, build, terms)
    if any(slot_of(key) == "barding" for key in build.equipment) and not outfit.mounted:
        yield _unfit("not-mounted", "Barding needs a mount: buy one.", "barding")
    for key in build.equipment:
        yield from _companions(key, outfit)


def _rivals(build: Build) -> Iterator[Problem]:
    """More than one thing where there is room for one only."""
    for slot in slots():
        rivals = [key for key in build.equipment if slot_of(key) == slot]
        if len(rivals) > 1:
            sentence = f"One {slot} is enough: choose between {listed(rivals)}."
            yield Problem("slot-taken", sentence, field="equipment", value=", ".join(rivals))


def _item(key: str, build: Build, terms: HouseTerms) -> Iterator[Problem]:
    arms, name = catalogue.catalogue().arms, catalogue.item_name(key)
    if not buyable(key):
        yield _unfit("not-for-sale", f"Nobody can buy {name.lower()}: leave it out.", key)
    if plain(key) in arms.magic_items and not terms.rules.fantastical:
        yield _unfit("fantastical-not-allowed", "This campaign plays without magic items: leave it out.", key)
    if plain(key) == "poison" and not terms.rules.poison:
        yield _unfit("poison-not-allowed", "This campaign sells no poison: leave it out.", key)
    if key != "pistol" and build.equipment.count(key) > 1:
        yield _unfit("already-carried", f"One {name.lower()} is enough.", key)


def _companions(key: str, outfit: Loadout) -> Iterator[Problem]:
    """What a thing needs beside it: a bayonet its musket, poison a weapon to be on."""
    arms, weapon = catalogue.catalogue().arms, weapon_of(key)
    needed = arms.close_combat[key].needs if key in arms.close_combat else ""
    if needed and not outfit.carries(needed):
        yield _unfit("weapon-missing", f"{catalogue.item_name(key)} needs a {needed}: buy one.", key)
    carried = [each for each in (*arms.close_combat, *arms.missiles) if outfit.carries(each)]
    name = catalogue.item_name(plain(key))
    if goes_on_weapon(key) and weapon not in carried:
        way_out = f"{plain(key)}: and one of {listed(carried, 'or')}"
        yield _unfit("weapon-missing", f"{name} goes on a weapon that the fighter has: {way_out}.", key)
    elif weapon and not goes_on_weapon(key):
        yield _unfit("no-weapon-needed", f"{name} goes on no weapon.", key)


def _unfit(code: str, sentence: str, item: str) -> Problem:
    return Problem(code, sentence, field="equipment", value=item, source="Customisation")
