"""The whole catalogue as JSON, for pages that draw forms from it and for programs.

``points`` of a profile is what a warband pays by default, ``printed_points`` the figure of the book.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from rulebook.ruleset import Settings
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.catalogue_files import Catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction, Option, Profile
from rulebook.systems.en_garde.rosters.composition_words import composition_sentences
from rulebook.systems.en_garde.rosters.loadouts import options_of
from rulebook.systems.en_garde.rosters.offers import goods, option_offers
from rulebook.systems.en_garde.rosters.option_words import option_label
from rulebook.systems.en_garde.rosters.points import profile_points
from rulebook.systems.en_garde.rosters.terms import BASE_HIRE, hires_base
from rulebook.systems.en_garde.rosters.weapon_rows import close_combat_rules, gun_rules, missile_rules

Json = dict[str, Any]


def catalogue_json(settings: Settings) -> Json:
    """The catalogue under these house rules, without the scenarios. Raises RulesError for a setting no rule has."""
    return _catalogue_json(settled(settings))


@lru_cache(maxsize=64)
def _catalogue_json(rules: HouseRules) -> Json:
    whole = catalogue.catalogue()
    return {
        "edition": catalogue.EDITION,
        "factions": [_faction(each, rules) for each in whole.factions.values()],
        **_arms(whole),
        "attributes": _plain(whole.attributes.values()),
        "spells": _plain(whole.spells.values()),
        "movement": [*_plain(whole.rates.values()), {**_entry(whole.floor), "floor": True}],
        "goods": [{"key": each.key, "name": each.name, "points": each.points} for each in goods(rules)],
        "base_profiles": _plain(whole.base_profiles.values()),
        "customisation": _customisation(whole),
        "morale": msgspec.to_builtins(whole.calculator.morale, str_keys=True),
        "progression": {str(rank): cost for rank, cost in whole.costs.items()},
    }


def _arms(whole: Catalogue) -> Json:
    arms = whole.arms
    melee = (
        {**_entry(each), "kind": "close-combat", "rules": close_combat_rules(each)}
        for each in arms.close_combat.values()
    )
    missile = ({**_entry(each), "kind": "missile", "rules": missile_rules(each)} for each in arms.missiles.values())
    suits = ({**_entry(each), "kind": "armour"} for each in arms.armour.values())
    shields = ({**_entry(each), "kind": "shield"} for each in arms.shields.values())
    return {
        "weapons": [*melee, *missile],
        "armour": [*suits, *shields],
        "mounts": _plain(arms.mounts.values()),
        "barding": _plain(arms.barding.values()),
        "ordnance": [{**_entry(each), "rules": gun_rules(each)} for each in arms.guns.values()],
        "grapeshot": _entry(arms.grapeshot),
        "magic_items": _plain(arms.magic_items.values()),
    }


def _customisation(whole: Catalogue) -> Json:
    rates = _entry(whole.calculator)
    rates.pop("morale")
    return rates


def _faction(faction: Faction, rules: HouseRules) -> Json:
    return {
        "key": faction.key,
        "name": faction.name,
        "kind": faction.kind,
        "summary": faction.summary,
        "source": faction.source,
        "variant_of": faction.variant_of,
        "morale": faction.morale,
        "morale_choices": list(faction.morale_choices or (faction.morale,)),
        "banner": faction.banner,
        "ordnance": list(faction.composition.guns),
        "allies": faction.composition.allies,
        "recruits_from": [_recruited_from(*each) for each in _sources(faction, rules)],
        "composition": list(composition_sentences(faction)),
        "profiles": [_profile(each, faction, rules) for each in faction.profiles],
    }


def _sources(faction: Faction, rules: HouseRules) -> Iterator[tuple[Faction, tuple[Profile, ...]]]:
    """The lists that a warband of this one recruits from, each with the profiles that are open to it."""
    hired = [faction.composition.allies] if faction.composition.allies else []
    hired += ["fantastical"] if rules.fantastical and faction.kind != "fantastical" else []
    for each in (faction, *map(catalogue.faction, hired)):
        yield each, each.profiles
    if hires_base(faction, rules):
        yield catalogue.faction(BASE_HIRE.partition("/")[0]), (catalogue.profile(BASE_HIRE),)


def _recruited_from(faction: Faction, profiles: tuple[Profile, ...]) -> Json:
    return {"list": faction.key, "profiles": [each.key for each in profiles]}


def _profile(profile: Profile, faction: Faction, rules: HouseRules) -> Json:
    custom = faction.kind == "custom"
    printed = rules.prices == "printed" or custom
    return {
        "key": profile.key,
        "name": profile.name,
        "unique": profile.unique,
        "rank": profile.rank,
        "move": profile.move,
        "combat_pool": profile.combat_pool,
        "initiative": profile.initiative,
        "fight": profile.fight,
        "shoot": profile.shoot,
        "armour_rating": profile.armour_rating,
        "points": profile_points(profile, faction.key, printed=printed),
        "printed_points": profile.points,
        "equipment": list(profile.listed_equipment),
        "choice": list(profile.choice),
        "attributes": list(profile.attributes),
        "spells": list(profile.spells),
        "options": [_option(each, profile, faction, rules) for each in options_of(profile, rules.barding_for_lists)],
        "leads": profile.leads,
        "note": profile.note,
    }


def _option(option: Option, profile: Profile, faction: Faction, rules: HouseRules) -> Json:
    items = [
        {"key": each.key, "name": each.name, "points": each.points}
        | ({"weapon": each.weapon} if option.kind == "attributes" else {})
        for each in option_offers(option, profile, faction.key, rules)
    ]
    return {**_entry(option), "label": option_label(option), "items": items}


def _plain(entries: Iterable[msgspec.Struct]) -> list[Json]:
    return [_entry(each) for each in entries]


def _entry(entry: msgspec.Struct) -> Json:
    data: Json = msgspec.json.decode(msgspec.json.encode(entry))
    return data
