"""What is asked about a build and about the purchases of a warband: fields with choices, prices and what is there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulebook.ruleset import BuildData, Field, Terms
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction, Option, Profile
from rulebook.systems.en_garde.rosters.build_forms import LONGEST_NAME
from rulebook.systems.en_garde.rosters.extras import MOST_GUNS, Extras, read_extras
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, options_of
from rulebook.systems.en_garde.rosters.offers import Offer, goods, option_offers
from rulebook.systems.en_garde.rosters.option_words import option_label
from rulebook.values.fields import Choices, Purchase

HIGHEST = 20
"""Of a number that a custom fighter may be given; what it may really have is for the rules to say."""
MAGIC = "magician"
OWN = "Its own profile"
"""The group of what only a custom fighter is asked."""


def build_fields(build: BuildData, terms: Terms) -> tuple[Field, ...]:
    """What can be chosen for a fighter of this build's profile; the defaults are what the build has.

    Raises RulesError for an unknown profile.
    """
    reference = str(build["profile"])
    profile, army = catalogue.profile(reference), catalogue.faction(reference.partition("/")[0])
    rules = settled(terms.settings)
    lines = options_of(profile, rules.barding_for_lists)
    offers = {line.key: [*option_offers(line, profile, army.key, rules)] for line in lines}
    fields = [*_own_profile(build, profile, rules)] if army.kind == "custom" else []
    if profile.choice:
        carried = tuple((key, catalogue.item_name(key)) for key in profile.choice)
        fields.append(
            Field("choice", "Carries", "choice", choices=carried, default=build.get("choice") or carried[0][0])
        )
    weapons = _weapons(profile, army, [each.key for found in offers.values() for each in found])
    fields += [_option(line, offers[line.key], weapons, build) for line in lines if offers[line.key]]
    if any(each.key == MAGIC for found in offers.values() for each in found):
        spells = tuple((each.key, each.name) for each in catalogue.catalogue().spells.values())
        fields.append(Field("spells", "Spells of a Magician", "list", False, spells, default=_several(build, "spells")))
    return tuple(fields)


def _own_profile(build: BuildData, profile: Profile, rules: HouseRules) -> Iterator[Field]:
    """What a custom fighter is: its name, its numbers, how it moves, what it carries. Rule book: "Customisation"."""
    yield Field("name", "What it is", "text", False, most=LONGEST_NAME, default=build.get("name", ""), group=OWN)
    told = build.get("characteristics", {})
    for key in NUMBERS:
        label, now = key.replace("_", " ").title(), told.get(key, getattr(profile, key))
        yield Field(
            f"characteristics.{key}", label, "number", False, least=0, most=HIGHEST, default=str(now), group=OWN
        )
    rates = tuple((each.key, each.name) for each in catalogue.catalogue().rates.values())
    yield Field("move", "Movement", "choice", False, rates, default=build.get("move") or profile.move, group=OWN)
    yield _purchase("equipment", "Equipment", "list", [*goods(rules)], _several(build, "equipment"))


def _weapons(profile: Profile, army: Faction, offered: Sequence[str]) -> dict[str, list[Any]]:
    """The weapons that a fighter of the profile may come to carry, by their kind."""
    arms, reach = catalogue.catalogue().arms, {*profile.listed_equipment, *profile.choice, *offered}
    kinds: dict[str, Iterable[Any]] = {"close-combat": arms.close_combat.values(), "missile": arms.missiles.values()}
    return {kind: [row for row in rows if army.kind == "custom" or row.key in reach] for kind, rows in kinds.items()}


def _option(option: Option, offers: Sequence[Offer], weapons: dict[str, list[Any]], build: BuildData) -> Field:
    """The field of one option line: any of several, one thing several times, or one choice or none."""
    key, label, taken = f"options.{option.key}", option_label(option), _several(build.get("options", {}), option.key)
    found = [*_picks(offers, weapons)]
    if option.most > 1 and len(found) > 1:
        return _purchase(key, label, "list", found, taken)
    if option.most > 1:
        (one,) = offers
        found = [_times(one, many) for many in range(1, option.most + 1)]
    refusal = "Keep it" if option.gives_up else "No" if len(found) == 1 or option.most > 1 else "Nothing of it"
    return _purchase(key, label, "picks", found, taken, (("", refusal),))


def _times(one: Offer, many: int) -> Offer:
    name = one.name if many == 1 else f"{many} × {one.name}"
    return Offer(",".join([one.key] * many), name, one.points * many)


def _picks(offers: Iterable[Offer], weapons: dict[str, list[Any]]) -> Iterator[Offer]:
    """Each thing with its price. What goes with a weapon stands once for each weapon of its kind."""
    for each in offers:
        fitting = weapons.get(each.weapon, []) if each.weapon else []
        if not fitting:
            yield each
        for weapon in fitting:
            yield Offer(f"{each.key}:{weapon.key}", f"{each.name} ({weapon.name.lower()})", each.points)


def _purchase(key: str, label: str, kind: str, offers: Sequence[Offer], taken: str, nothing: Choices = ()) -> Purchase:
    choices = (*nothing, *((each.key, each.name) for each in offers))
    prices = {each.key: each.points for each in offers}
    return Purchase(key=key, label=label, kind=kind, required=False, choices=choices, default=taken, prices=prices)


def _several(data: Any, key: str) -> str:
    return ",".join(data.get(key, ()))


def extras_fields(terms: Terms) -> tuple[Field, ...]:
    """What a warband of this list can buy as a whole; the defaults are what it has. Raises RulesError."""
    army, bought = catalogue.faction(terms.faction), read_extras(terms.extras)
    return tuple(_extras(army, bought))


def _extras(army: Faction, bought: Extras) -> Iterator[Field]:
    if army.banner:
        yield Field("banner", "A banner", "flag", False, default=bought.banner)
    if len(army.morale_choices) > 1:
        ratings = tuple((str(each), str(each)) for each in army.morale_choices)
        yield Field("morale", "Morale", "number", choices=ratings, default=str(bought.morale or army.morale))
    if army.kind == "custom":
        kinds = tuple((each.key, each.name) for each in catalogue.catalogue().calculator.templates)
        yield Field(
            "template", "Warband type", "choice", False, (("", "Either"), *kinds), default=bought.template or ""
        )
    for key in army.composition.guns:
        gun, owned = catalogue.gun(key), sum(each.gun == key for each in bought.ordnance)
        label = f"{gun.name} ({gun.points} points each)"
        yield Field(f"ordnance.{key}", label, "number", False, least=0, most=MOST_GUNS, default=str(owned))
