"""Everything that can be wrong with one fighter's build, whatever stands beside it in the roster."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from rulebook.en_garde import catalogue
from rulebook.en_garde.attribute_problems import attribute_problems, spell_problems
from rulebook.en_garde.builds import Build, Picks, plain, weapon_of
from rulebook.en_garde.custom_problems import custom_problems
from rulebook.en_garde.lists import Option
from rulebook.en_garde.loadouts import Loadout, kept_options, loadout, options_of
from rulebook.en_garde.terms import HouseTerms
from rulebook.ruleset import Problem


@lru_cache(maxsize=65536)
def build_problems(build: Build, terms: HouseTerms) -> tuple[Problem, ...]:
    """Everything that is wrong with a build on these terms; the empty tuple is good."""
    strange = tuple(_unknown_things(build, terms))
    sound = _without_unknown(build) if strange else build
    outfit = loadout(sound)
    return (
        *strange,
        *_belonging(sound, terms),
        *_choice(sound, outfit),
        *_options(sound, outfit, terms),
        *_doubles(sound, outfit),
        *attribute_problems(sound, outfit, terms),
        *spell_problems(sound, outfit, terms),
        *custom_problems(sound, outfit, terms),
    )


def _unknown_things(build: Build, terms: HouseTerms) -> Iterator[Problem]:
    lines = {line.key: line for line in options_of(catalogue.profile(build.profile), barding=True)}
    for key, picks in build.options:
        if key not in lines:
            yield catalogue.unknown(lines, key, f"options.{key}", "option of this profile")
        else:
            unknown = (pick for pick in picks if pick not in _known(picks, _table(lines[key])))
            yield from (_not_offered(lines[key], pick, terms) for pick in unknown)
    yield from _unknown_items(build.equipment, "equipment")
    yield from _unknown_items(build.kept.equipment, "kept.equipment")
    yield from _unknown_attributes(build.kept.attributes, "kept.attributes")


def _unknown_items(keys: Iterable[str], field: str) -> Iterator[Problem]:
    arms = catalogue.catalogue().arms
    for key in keys:
        if plain(key) not in arms.items:
            yield catalogue.unknown(arms.items, key, field, "item")
        elif weapon_of(key) and weapon_of(key) not in {**arms.close_combat, **arms.missiles}:
            yield catalogue.unknown({**arms.close_combat, **arms.missiles}, weapon_of(key), field, "weapon")


def _unknown_attributes(keys: Picks, field: str) -> Iterator[Problem]:
    known = catalogue.catalogue().attributes
    return (catalogue.unknown(known, key, field, "Attribute") for key in keys if key not in _known(keys, known))


def _without_unknown(build: Build) -> Build:
    lines = {line.key: line for line in options_of(catalogue.profile(build.profile), barding=True)}
    items, attributes = catalogue.catalogue().arms.items, catalogue.catalogue().attributes
    kept = msgspec.structs.replace(
        build.kept,
        equipment=_known(build.kept.equipment, items),
        attributes=_known(build.kept.attributes, attributes),
    )
    sound = tuple((key, _known(picks, _table(lines[key]))) for key, picks in build.options if key in lines)
    return msgspec.structs.replace(build, options=sound, equipment=_known(build.equipment, items), kept=kept)


def _table(line: Option) -> Mapping[str, Any]:
    return catalogue.catalogue().attributes if line.kind == "attributes" else catalogue.catalogue().arms.items


def _known(keys: Picks, table: Mapping[str, Any]) -> Picks:
    return tuple(key for key in keys if plain(key) in table and _no_strange_weapon(key))


def _no_strange_weapon(key: str) -> bool:
    arms = catalogue.catalogue().arms
    return weapon_of(key) in ("", *arms.close_combat, *arms.missiles)


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
    elif not (build.custom and build.promoted):
        keys = catalogue.listed((each.key for each in terms.army.profiles), "or")
        sentence = f"{terms.army.name} cannot have {build.profile}; take {keys}."
        yield Problem(code="profile-not-in-list", sentence=sentence, field="profile", value=build.profile)


def _choice(build: Build, outfit: Loadout) -> Iterator[Problem]:
    offered = outfit.profile.choice
    if build.choice and build.choice not in offered:
        sentence = f"{outfit.profile.name} has no free choice of “{build.choice}”"
        way_out = f": take {catalogue.listed(offered, 'or')}." if offered else ": leave it out."
        yield Problem(code="choice-not-offered", sentence=sentence + way_out, field="choice", value=build.choice)


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
    yield from (_not_offered(line, pick, terms) for pick in picks if plain(pick) not in offered)
    if len(picks) > line.most:
        sentence = f"Take at most {line.most} of this option, not {len(picks)}."
        yield Problem(
            code="too-many-picks", sentence=sentence, field=field, value=", ".join(picks), source="Ruling P14"
        )


def _not_offered(line: Option, pick: str, terms: HouseTerms) -> Problem:
    offered = catalogue.listed(offered_by(line, terms.rules.fantastical), "or")
    sentence = f"“{pick}” is not offered here: take {offered}."
    return Problem(code="not-offered", sentence=sentence, field=f"options.{line.key}", value=pick)


def offered_by(line: Option, fantastical: bool) -> tuple[str, ...]:
    """What an option line offers: items, or Attributes without their weapons (Ruling P18)."""
    if line.kind != "attributes":
        return tuple(line.items)
    known = catalogue.catalogue().attributes.values()
    general = (each.key for each in known if fantastical or not each.fantastical)
    return tuple(key for key in (line.attributes or general) if key not in line.excluded)


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
