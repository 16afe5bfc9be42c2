"""What a build names though neither the catalogue nor its profile knows it: nobody can weigh or draw such a thing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.builds import Build, Picks, plain, weapon_of


def unknown_things(build: Build, lines: tuple[Option, ...], *, fantastical: bool = True) -> Iterator[Problem]:
    """Every unknown thing of a build whose profile has these option lines. Raises RulesError for an unknown profile.

    ``fantastical`` says whether the ways out name fantastical Attributes as well.
    """
    profile = catalogue.profile(build.profile)
    by_key = {line.key: line for line in lines}
    yield from _choice(build, profile)
    for key, picks in build.options:
        if key not in by_key:
            yield catalogue.unknown(by_key, key, f"options.{key}", "option of this profile")
        else:
            strange = (pick for pick in picks if pick not in _known_picks(by_key[key], picks))
            yield from (not_offered(by_key[key], pick, fantastical) for pick in strange)
    yield from _unknown_movement(build)
    yield from _unknown_items(build.equipment, "equipment")
    yield from _unknown_items(build.kept.equipment, "kept.equipment")
    yield from _unknown(build.kept.attributes, catalogue.catalogue().attributes, "kept.attributes", "Attribute")
    yield from _unknown(build.spells, catalogue.catalogue().spells, "spells", "spell")


def without_unknown(build: Build, lines: tuple[Option, ...]) -> Build:
    """The build without its unknown things, so that everything else can be looked at."""
    by_key = {line.key: line for line in lines}
    found = catalogue.catalogue()
    kept = msgspec.structs.replace(
        build.kept,
        equipment=_known(build.kept.equipment, found.arms.items),
        attributes=_known(build.kept.attributes, found.attributes),
    )
    return msgspec.structs.replace(
        build,
        choice=build.choice if build.choice in catalogue.profile(build.profile).choice else "",
        options=tuple((key, _known_picks(by_key[key], picks)) for key, picks in build.options if key in by_key),
        move=build.move if build.move in found.rates else "",
        equipment=_known(build.equipment, found.arms.items),
        spells=_known(build.spells, found.spells),
        kept=kept,
    )


def offered_by(line: Option, fantastical: bool) -> tuple[str, ...]:
    """What an option line offers: items, or Attributes without their weapons (Ruling P18)."""
    if line.kind != "attributes":
        return tuple(line.items)
    known = catalogue.catalogue().attributes.values()
    general = (each.key for each in known if fantastical or not each.fantastical)
    return tuple(key for key in (line.attributes or general) if key not in line.excluded)


def not_offered(line: Option, pick: str, fantastical: bool) -> Problem:
    """The problem of a pick that an option line does not offer, with what it does offer."""
    sentence = f"“{pick}” is not offered here: take {catalogue.listed(offered_by(line, fantastical), 'or')}."
    return Problem(code="not-offered", sentence=sentence, field=f"options.{line.key}", value=pick)


def _choice(build: Build, profile: Profile) -> Iterator[Problem]:
    if build.choice and build.choice not in profile.choice:
        sentence = f"{profile.name} has no free choice of “{build.choice}”"
        way_out = f": take {catalogue.listed(profile.choice, 'or')}." if profile.choice else ": leave it out."
        yield Problem(code="choice-not-offered", sentence=sentence + way_out, field="choice", value=build.choice)


def _unknown_movement(build: Build) -> Iterator[Problem]:
    rates = catalogue.catalogue().rates
    if build.move and build.move not in rates:
        yield catalogue.unknown(rates, build.move, "move", "movement rate")


def _unknown_items(keys: Picks, field: str) -> Iterator[Problem]:
    items = catalogue.catalogue().arms.items
    for key in keys:
        if plain(key) not in items:
            yield catalogue.unknown(items, key, field, "item")
        elif not _no_strange_weapon(key):
            yield catalogue.unknown(_weapons(), weapon_of(key), field, "weapon")


def _unknown(keys: Picks, known: Mapping[str, Any], field: str, kind: str) -> Iterator[Problem]:
    return (catalogue.unknown(known, key, field, kind) for key in keys if key not in _known(keys, known))


def _known_picks(line: Option, picks: Picks) -> Picks:
    """The picks that have a price: an Attribute's is its own, a thing's stands in the option line."""
    if line.kind == "attributes":
        return _known(picks, catalogue.catalogue().attributes)
    return picks if line.kind == "crew" else tuple(pick for pick in picks if pick in line.items)


def _known(keys: Iterable[str], table: Mapping[str, Any]) -> Picks:
    return tuple(key for key in keys if plain(key) in table and _no_strange_weapon(key))


def _no_strange_weapon(key: str) -> bool:
    return weapon_of(key) in ("", *_weapons())


def _weapons() -> tuple[str, ...]:
    arms = catalogue.catalogue().arms
    return (*arms.close_combat, *arms.missiles)
