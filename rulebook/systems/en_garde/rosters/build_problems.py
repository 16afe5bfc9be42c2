"""Everything that can be wrong with one fighter's build, whatever stands beside it in the roster.

Rule book: "Attributes", "Magicians", "New warbands"; Rulings P14, P16, P18, P27 to P29, D9.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Attribute
from rulebook.systems.en_garde.book.lists import Option
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseTerms,
    Picks,
    is_base_hire,
    not_offered,
    offered_by,
    plain,
    unknown_things,
    weapon_of,
    without_unknown,
)
from rulebook.systems.en_garde.rosters.loadouts import (
    Loadout,
    armour_rating,
    kept_options,
    loadout,
    options_of,
    slot_of,
    slots,
)
from rulebook.systems.en_garde.rosters.prices import buyable, goes_on_weapon


@lru_cache(maxsize=65536)
def build_problems(build: Build, terms: HouseTerms) -> tuple[Problem, ...]:
    """Everything that is wrong with a build on these terms; the empty tuple is good."""
    lines = options_of(catalogue.profile(build.profile), barding=True)
    strange = tuple(unknown_things(build, lines, fantastical=terms.rules.fantastical))
    sound = without_unknown(build, lines) if strange else build
    outfit = loadout(sound)
    return (
        *strange,
        *_belonging(sound, terms),
        *_options(sound, outfit, terms),
        *_doubles(sound, outfit),
        *attribute_problems(sound, outfit, terms),
        *spell_problems(sound, outfit, terms),
        *custom_problems(sound, outfit, terms),
    )


def _belonging(build: Build, terms: HouseTerms) -> Iterator[Problem]:
    if build.list_key in (terms.faction, terms.army.composition.allies):
        return
    if build.list_key == "fantastical":
        if not terms.rules.fantastical:
            yield Problem(
                code="fantastical-not-allowed",
                sentence="This campaign plays without the fantastical: take a profile of the list.",
                field="profile",
                value=build.profile,
                source="Appendix B: The fantastical",
            )
    elif not (build.custom and build.promoted) and not is_base_hire(build, terms):
        keys = catalogue.listed((each.key for each in terms.army.profiles), "or")
        sentence = f"{terms.army.name} cannot have {build.profile}; take {keys}."
        yield Problem(code="profile-not-in-list", sentence=sentence, field="profile", value=build.profile)


def _options(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    lines = {line.key: line for line in options_of(outfit.profile, terms.rules.barding_for_lists)}
    for key, picks in build.options:
        if key not in lines:
            yield catalogue.unknown(lines, key, f"options.{key}", "option of this profile")
            continue
        yield from _pick_problems(lines[key], picks, terms)
        yield from _conditions(lines[key], build, outfit)


def _pick_problems(line: Option, picks: Picks, terms: HouseTerms) -> Iterator[Problem]:
    field = f"options.{line.key}"
    if line.kind == "crew":
        sentence = "A gun is bought by the warband, not by a fighter: name its crew with the warband's ordnance."
        yield Problem(code="crew-is-not-picked", sentence=sentence, field=field)
        return
    offered = offered_by(line, terms.rules.fantastical)
    yield from (not_offered(line, pick, terms.rules.fantastical) for pick in picks if plain(pick) not in offered)
    if len(picks) > line.most:
        sentence = f"Take at most {line.most} of this option, not {len(picks)}."
        yield Problem(
            code="too-many-picks", sentence=sentence, field=field, value=", ".join(picks), source="Ruling P14"
        )


def _conditions(line: Option, build: Build, outfit: Loadout) -> Iterator[Problem]:
    field = f"options.{line.key}"
    if line.if_mounted and not outfit.mounted:
        yield Problem(code="not-mounted", sentence="This option is for a mounted fighter: mount it.", field=field)
    if line.if_attribute and not outfit.has(line.if_attribute):
        name = catalogue.attribute_name(line.if_attribute)
        yield Problem(code="attribute-missing", sentence=f"This option needs {name}: take that first.", field=field)
    if line.alone and (len(build.options) > 1 or kept_options(build)):
        sentence = "This option cannot stand beside another: drop it or the others."
        yield Problem(code="not-alone", sentence=sentence, field=field, source="Ruling P16")


def _doubles(build: Build, outfit: Loadout) -> Iterator[Problem]:
    """A thing taken though the fighter has it already. Two pistols make sense, a second sword does not."""
    for line in options_of(outfit.profile, barding=True):
        for pick in build.picks(line.key) if line.kind != "attributes" else ():
            had = (*outfit.profile.listed_equipment, *build.kept.equipment)
            if pick in had and line.most == 1 and pick != "pistol":
                sentence = f"It has {catalogue.item_name(pick).lower()} already: take something else."
                yield Problem(code="already-carried", sentence=sentence, field=f"options.{line.key}", value=pick)


def attribute_problems(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    """What is wrong with the Attributes that were chosen; those of the profile itself are taken as they are."""
    for option in outfit.profile.options:
        if option.kind == "attributes":
            for key in build.picks(option.key):
                yield from _one(key, f"options.{option.key}", build, outfit)
            yield from _allowance(build, option.key, option.most, terms)
    for key in build.kept.attributes:
        yield from _armour(key, "kept.attributes", build)
    for key, count in Counter(outfit.attributes).items():
        if count > 1:
            sentence = f"It has {catalogue.attribute_name(key)} twice: take it once."
            yield Problem(code="attribute-twice", sentence=sentence, field="options", value=key, source="Ruling P18")


def _one(key: str, field: str, build: Build, outfit: Loadout) -> Iterator[Problem]:
    attribute = catalogue.catalogue().attributes[plain(key)]
    yield from _weapon(key, attribute, field)
    if attribute.ranks and outfit.rank not in attribute.ranks:
        ranks = catalogue.listed(map(str, attribute.ranks), "or")
        sentence = f"{attribute.name} is for Rank {ranks}, and this fighter has Rank {outfit.rank}."
        yield Problem(code="wrong-rank", sentence=sentence, field=field, value=key, source=attribute.name)
    yield from _armour(key, field, build)
    for needed in attribute.needs:
        if not outfit.has(needed):
            sentence = f"{attribute.name} needs {catalogue.attribute_name(needed)}: take that first."
            yield Problem(code="attribute-missing", sentence=sentence, field=field, value=key, source="Ruling D21")


def _armour(key: str, field: str, build: Build) -> Iterator[Problem]:
    attribute = catalogue.catalogue().attributes[plain(key)]
    if attribute.most_armour is not None and armour_rating(build).printed > attribute.most_armour:
        sentence = f"{attribute.name} goes with an Armour Rating of {attribute.most_armour} at most: wear less."
        yield Problem(code="too-much-armour", sentence=sentence, field=field, value=key, source=attribute.name)


def _weapon(key: str, attribute: Attribute, field: str) -> Iterator[Problem]:
    weapon = weapon_of(key)
    arms = catalogue.catalogue().arms
    weapons = {"close-combat": [*arms.close_combat], "missile": [*arms.missiles], "": []}[attribute.weapon]
    if weapon and not weapons:
        sentence = f"{attribute.name} goes with no weapon: write it without."
        yield Problem(code="no-weapon-needed", sentence=sentence, field=field, value=key)
    elif weapons and weapon not in weapons:
        way_out = f"say {attribute.key}: and one of {catalogue.listed(weapons, 'or')}"
        code = "unknown-weapon" if weapon else "weapon-missing"
        sentence = f"{attribute.name} is taken for one weapon: {way_out}."
        yield Problem(code=code, sentence=sentence, field=field, value=key, source=attribute.name)


def _allowance(build: Build, option: str, most: int, terms: HouseTerms) -> Iterator[Problem]:
    """Where kept Attributes count against the new allowance, there may be no room for more (Ruling X13)."""
    picks = len(build.picks(option))
    if terms.rules.promotion_allowance == "inside" and picks and picks + len(build.kept.attributes) > most:
        room = max(most - len(build.kept.attributes), 0)
        sentence = f"Kept Attributes count against the allowance: take at most {room} here."
        yield Problem(code="too-many-picks", sentence=sentence, field=f"options.{option}", source="Ruling X13")


def spell_problems(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    """What is wrong with the spells that were chosen. Rule book: "Magicians"."""
    if not build.spells:
        return
    if not outfit.has("magician"):
        yield Problem(code="no-magician", sentence="Only a Magician has spells: leave them out.", field="spells")
    elif outfit.profile.spells:
        sentence = f"{outfit.profile.name} has spells of its own: leave them out."
        yield Problem(code="spells-are-fixed", sentence=sentence, field="spells")
    elif len(set(build.spells)) < len(build.spells) or len(build.spells) > outfit.rank:
        sentence = f"A Magician of Rank {outfit.rank} knows {outfit.rank} different spells, not {len(build.spells)}."
        yield Problem(code="too-many-spells", sentence=sentence, field="spells", source="Magicians")


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


def _problem(code: str, sentence: str, value: str) -> Problem:
    return Problem(code=code, sentence=sentence, field="equipment", value=value, source="Customisation")
