"""What can be wrong with a fighter's Attributes and spells. Rule book: "Attributes", "Magicians"; Ruling P18."""

from collections import Counter
from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Attribute
from rulebook.systems.en_garde.rosters.armour import armour_rating
from rulebook.systems.en_garde.rosters.builds import Build, plain, weapon_of
from rulebook.systems.en_garde.rosters.loadouts import Loadout
from rulebook.systems.en_garde.rosters.terms import HouseTerms


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
