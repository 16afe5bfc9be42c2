"""The price of a fighter, line by line, and the offers of option lines with their prices.

The calculator's formula, or the printed price, and what was added to it: 2 x (Combat Pool + Fight +
Shoot) + half the Initiative, rounded up once (Ruling P1), + equipment + Attributes + 2 for each
movement step + the Morale surcharge of the warband. Rule book: "Customisation", "Warband Morale".
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from rulebook.ruleset import Price, PriceLine
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Item
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseRuleValues,
    filled,
    offered_by,
    options_of,
    plain,
)
from rulebook.systems.en_garde.rosters.loadouts import (
    Loadout,
    loadout,
    numbers,
    numbers_of,
    slot_of,
)
from rulebook.values.problems import join_names

LABELS = {
    "combat_pool": "Combat Pool",
    "initiative": "Initiative",
    "fight": "Fight",
    "shoot": "Shoot",
}


@lru_cache(maxsize=65536)
def price(build: Build, terms: HouseRuleValues) -> Price:
    """Return what a canonical build costs on these terms; ``printed`` is the list's figure for the
    bare profile."""
    outfit = loadout(build)
    printed = None if build.custom else outfit.profile.points
    if build.kept.points is not None and terms.rules.promotion_price == "unchanged":
        line = PriceLine("Unchanged by promotion", build.kept.points, "Ruling X14")
        return Price(points=build.kept.points, lines=(line,), printed=printed)
    lines = tuple(line for line in _lines(build, outfit, terms) if line.points)
    return Price(points=sum(line.points for line in lines), lines=lines, printed=printed)


def profile_points(profile: Profile, list_key: str, printed: bool = False) -> int:
    """Return what a bare profile of a list costs: as printed, or as the rulings correct it (Ruling
    D2)."""
    return (
        profile.points
        if printed
        else sum(line.points for line in _profile_lines(profile, list_key))
    )


def _lines(build: Build, outfit: Loadout, terms: HouseRuleValues) -> Iterator[PriceLine]:
    if build.custom:
        yield from _number_lines(filled(build.characteristics, numbers_of(outfit.profile)))
        yield from _item_lines(build.equipment, "")
        usual = "fast" if "fly" in outfit.knows else "infantry"
        yield _movement_line(outfit.move, "cavalry" if outfit.mounted else usual)
    elif terms.rules.prices == "printed":
        yield PriceLine(f"{outfit.profile.name}, as printed", outfit.profile.points, "Army list")
    else:
        yield from _profile_lines(outfit.profile, build.list_key)
    yield from _option_lines(build, outfit.profile, terms.rules)
    yield from _kept_lines(build, outfit, terms.rules)
    yield from _morale_lines(build, terms)


def _profile_lines(profile: Profile, list_key: str) -> Iterator[PriceLine]:
    mounted = any(slot_of(key) == "mount" for key in profile.equipment)
    yield from _number_lines(_as_priced(profile))
    yield from _item_lines(profile.equipment, list_key)
    yield from _attribute_lines(
        (key for key in profile.attributes if key not in profile.waived), profile.rank
    )
    yield _movement_line(profile.move, "cavalry" if mounted else "infantry")
    morale = catalogue.faction(list_key).morale
    yield PriceLine(f"Morale {morale}", catalogue.morale_surcharge(morale), "Ruling P4")


def _as_priced(profile: Profile) -> dict[str, int]:
    """Return the four numbers that a profile pays for: without a bonus that an Attribute has paid
    (Rulings P2, P3)."""
    paid = numbers_of(profile)
    paid["combat_pool"] -= profile.duellist_included
    paid["initiative"] -= profile.fast_included
    return paid


def _number_points(key: str, value: int) -> int:
    rates = catalogue.catalogue().calculator
    return (
        -(-value // rates.initiative_per_point)
        if key == "initiative"
        else rates.characteristic * value
    )


def _number_lines(values: Mapping[str, int]) -> Iterator[PriceLine]:
    for key, value in values.items():
        source = "Ruling P1" if key == "initiative" else "Customisation"
        yield PriceLine(f"{LABELS[key]} {value}", _number_points(key, value), source)


def _item_lines(equipment: Iterable[str], list_key: str) -> Iterator[PriceLine]:
    for key in equipment:
        yield PriceLine(
            catalogue.item_name(key), catalogue.item_points(key, list_key), "Arms and armour"
        )


def _attribute_lines(attributes: Iterable[str], rank: int, label: str = "") -> Iterator[PriceLine]:
    for key in attributes:
        points = catalogue.attribute_points(key, rank)
        yield PriceLine(label + catalogue.attribute_name(key), points, "Customisation")


def _movement_line(move: str, usual: str) -> PriceLine:
    rates = catalogue.catalogue().rates
    steps = [*rates].index(move) - [*rates].index(usual)
    points = steps * catalogue.catalogue().calculator.movement_step
    return PriceLine(f"{rates[move].name} movement", points, "Customisation")


def item_points(key: str, list_key: str, rules: HouseRules) -> int:
    """Return what an item costs by that list's own prices, or by house rule by the tables (Ruling
    D3)."""
    return catalogue.item_points(key, list_key if rules.buckler_price == "list" else "")


def option_points(option: Option, key: str, list_key: str, rules: HouseRules) -> int:
    """Return what a thing costs by an option line, unless the list has a price of its own for it
    (Ruling D3)."""
    differs = key in catalogue.faction(list_key).item_points
    return item_points(key, list_key, rules) if differs else option.items[key]


def _option_lines(build: Build, profile: Profile, rules: HouseRules) -> Iterator[PriceLine]:
    for option in options_of(profile, barding=True):
        picks = build.picks(option.key)
        if option.kind == "attributes":
            yield from _attribute_lines(picks, profile.rank)
        for key in picks if option.items else ():
            given = (
                f", for {catalogue.item_name(option.gives_up).lower()}" if option.gives_up else ""
            )
            points = option_points(option, key, build.list_key, rules)
            yield PriceLine(catalogue.item_name(key) + given, points, "Army list")


def _kept_lines(build: Build, outfit: Loadout, rules: HouseRules) -> Iterator[PriceLine]:
    """Yield what was kept of earlier Ranks, less what it replaces."""
    before = filled(build.characteristics, _as_priced(outfit.profile))
    for key, value in numbers(build, outfit.profile).items():
        if getattr(build.kept.numbers, key) is not None:
            points = _number_points(key, value) - _number_points(key, before[key])
            yield PriceLine(
                f"Kept: {LABELS[key]} {value}, not {before[key]}", points, "Rulings X9, X14"
            )
    for key in build.kept.equipment:
        if key in outfit.equipment:
            slot = slot_of(plain(key))
            rivals = [other for other in outfit.issued if slot and slot_of(other) == slot]
            points = item_points(key, build.list_key, rules)
            points -= sum(item_points(other, build.list_key, rules) for other in rivals)
            yield PriceLine(f"Kept: {catalogue.item_name(key).lower()}", points, "Rulings X14, X15")
    yield from _attribute_lines(build.kept.attributes, outfit.rank, "Kept: ")


def _morale_lines(build: Build, terms: HouseRuleValues) -> Iterator[PriceLine]:
    """Yield the surcharge that the price does not hold yet (Rulings P4, P5)."""
    home = catalogue.faction(build.list_key)
    allied = home.kind in ("list", "variant") and home.key != terms.faction
    if allied and terms.rules.ally_prices == "printed":
        return
    included = 0 if build.custom else catalogue.morale_surcharge(home.morale)
    points = catalogue.morale_surcharge(terms.morale) - included
    yield PriceLine(f"Morale {terms.morale}", points, "Ruling P5" if allied else "Ruling P4")


class Offer(Struct, frozen=True):
    """An item or an Attribute with its price; ``weapon`` is the kind of weapon that it goes with,
    if it needs one."""

    key: str
    name: str
    points: int
    weapon: str | None = None


def option_offers(
    option: Option, profile: Profile, list_key: str, rules: HouseRules
) -> Iterator[Offer]:
    """Yield everything that an option line offers to a fighter of this profile under these house
    rules."""
    for key in offered_by(option, rules.fantastical):
        if option.kind != "attributes":
            yield Offer(key, catalogue.item_name(key), option_points(option, key, list_key, rules))
            continue
        attribute = catalogue.attribute(key)
        if not attribute.ranks or profile.rank in attribute.ranks:
            points = catalogue.attribute_points(key, profile.rank)
            yield Offer(key, catalogue.attribute_name(key), points, attribute.weapon)


def for_weapons(offer: Offer, weapons: Container[str]) -> Iterator[Offer]:
    """Yield what goes with a weapon, once for each of these that are of its kind; anything else as
    it is."""
    arms = catalogue.catalogue().arms
    kinds: dict[str, Mapping[str, Item]] = {
        "close-combat": arms.close_combat,
        "missile": arms.missiles,
    }
    if not offer.weapon:
        yield offer
    for key, weapon in kinds.get(offer.weapon or "", {}).items():
        if key in weapons:
            yield Offer(f"{offer.key}:{key}", f"{offer.name} ({weapon.name.lower()})", offer.points)


def goods(rules: HouseRules) -> Iterator[Offer]:
    """Yield what a custom fighter may buy under these house rules.

    What goes on a weapon stands once for each weapon.
    """
    arms = catalogue.catalogue().arms
    weapons = [key for key in (*arms.close_combat, *arms.missiles) if buyable(key)]
    for key in filter(buyable, arms.items):
        if (key in arms.magic_items and not rules.fantastical) or (
            key == "poison" and not rules.poison
        ):
            continue
        for full in [f"{key}:{weapon}" for weapon in weapons] if goes_on_weapon(key) else [key]:
            yield Offer(full, catalogue.item_name(full), catalogue.item_points(full))


def option_label(option: Option, *, counted: bool = True) -> str:
    """Return what the option line is about, with its conditions: "Instead of pike", "Up to 2
    Attributes".

    Without the number, where that is shown elsewhere, "Attributes".
    """
    return "; ".join(_label_parts(option, counted))


def _label_parts(option: Option, counted: bool) -> Iterator[str]:
    if option.kind == "exchange":
        yield f"Instead of {catalogue.item_name(option.gives_up).lower()}"
    elif option.kind == "mount":
        yield "Mount"
    elif option.kind == "crew":
        guns = (catalogue.gun(key).name.lower() for key in option.guns)
        yield f"May serve a {join_names(guns, 'or')}"
    elif option.kind == "add":
        several = f"Up to {option.most}: " if counted and option.most > 1 else ""
        yield several + join_names(map(catalogue.item_name, option.items), "or")
    elif option.attributes:
        yield join_names(map(catalogue.attribute_name, option.attributes), "or")
    else:
        many = f"Up to {option.most} Attributes" if counted else "Attributes"
        count = "One Attribute" if counted and option.most == 1 else many
        excluded = join_names(map(catalogue.attribute_name, option.excluded), "or")
        yield f"{count}, not {excluded}" if option.excluded else count
    yield from _conditions(option)


def _conditions(option: Option) -> Iterator[str]:
    if option.share:
        what = f"{catalogue.attribute_name(option.share_of)} for " if option.share_of else ""
        yield f"{what}at most {option.share[0]} in {option.share[1]} of them"
    if option.alone:
        yield "with no other option"
    if option.if_mounted:
        yield "if mounted"
    if option.if_attribute:
        yield f"with {catalogue.attribute_name(option.if_attribute)}"
    if option.if_all_mounted:
        yield "if everybody else rides"


def buyable(key: str) -> bool:
    """Return whether a custom fighter can buy such a thing at all: neither natural nor reserved
    nor a part of another.
    """
    item = catalogue.catalogue().arms.items[plain(key)]
    return not any(getattr(item, bar, False) for bar in ("natural", "reserved", "comes_with"))


def goes_on_weapon(key: str) -> bool:
    """Return whether such a thing is bought for a weapon: poison, and magic on a blade."""
    return bool(getattr(catalogue.catalogue().arms.items[plain(key)], "on_weapon", False))
