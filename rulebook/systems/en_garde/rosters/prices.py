"""What a fighter costs, line by line, and what it is offered at what price.

The calculator's formula, or the printed price, and what was added to it:
2 x (Combat Pool + Fight + Shoot) + half the Initiative, rounded up once (Ruling P1), + equipment + Attributes
+ 2 for each movement step + the Morale surcharge of the warband. Rule book: "Customisation", "Warband Morale".
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from rulebook.ruleset import Price, PriceLine
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.builds import Build, HouseTerms, Picks, filled, offered_by, plain
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, Loadout, loadout, numbers, options_of, slot_of

LABELS = {"combat_pool": "Combat Pool", "initiative": "Initiative", "fight": "Fight", "shoot": "Shoot"}


@lru_cache(maxsize=65536)
def price(build: Build, terms: HouseTerms) -> Price:
    """What a canonical build costs on these terms; ``printed`` is the list's figure for the bare profile."""
    outfit = loadout(build)
    printed = None if build.custom else outfit.profile.points
    if build.kept.points is not None and terms.rules.promotion_price == "unchanged":
        line = PriceLine("Unchanged by promotion", build.kept.points, "Ruling X14")
        return Price(points=build.kept.points, lines=(line,), printed=printed)
    lines = tuple(line for line in _lines(build, outfit, terms) if line.points)
    return Price(points=sum(line.points for line in lines), lines=lines, printed=printed)


def profile_points(profile: Profile, list_key: str, printed: bool = False) -> int:
    """What a bare profile of a list costs: as printed, or as the rulings correct it (Ruling D2)."""
    return profile.points if printed else sum(line.points for line in _profile_lines(profile, list_key))


def _lines(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[PriceLine]:
    if build.custom:
        yield from _custom_lines(build, outfit)
    elif terms.rules.prices == "printed":
        yield PriceLine(f"{outfit.profile.name}, as printed", outfit.profile.points, "Army list")
    else:
        yield from _profile_lines(outfit.profile, build.list_key)
    yield from _option_lines(build, outfit.profile, terms.rules)
    yield from _kept_lines(build, outfit, terms.rules)
    yield from _morale_lines(build, terms)


def _custom_lines(build: Build, outfit: Loadout) -> Iterator[PriceLine]:
    profile = outfit.profile
    yield from _number_lines(filled(build.characteristics, _printed(profile)))
    yield from _item_lines(build.equipment, "")
    yield from _movement_lines(outfit.move, outfit.mounted, "fly" in outfit.knows)


def _profile_lines(profile: Profile, list_key: str) -> Iterator[PriceLine]:
    mounted = any(slot_of(key) == "mount" for key in profile.equipment)
    yield from _number_lines(as_priced(profile))
    yield from _item_lines(profile.equipment, list_key)
    yield from _attribute_lines((key for key in profile.attributes if key not in profile.waived), profile.rank)
    yield from _movement_lines(profile.move, mounted, False)
    surcharge = catalogue.morale_surcharge(catalogue.faction(list_key).morale)
    yield PriceLine(f"Morale {catalogue.faction(list_key).morale}", surcharge, "Ruling P4")


def as_priced(profile: Profile) -> dict[str, int]:
    """The four numbers that a profile pays for: without a bonus that an Attribute has paid (Rulings P2, P3)."""
    paid = _printed(profile)
    paid["combat_pool"] -= profile.duellist_included
    paid["initiative"] -= profile.fast_included
    return paid


def _printed(profile: Profile) -> dict[str, int]:
    return {key: getattr(profile, key) for key in NUMBERS}


def _number_points(key: str, value: int) -> int:
    rates = catalogue.catalogue().calculator
    if key == "initiative":
        return -(-value // rates.initiative_per_point)
    return rates.characteristic * value


def _number_lines(values: Mapping[str, int]) -> Iterator[PriceLine]:
    for key, value in values.items():
        source = "Ruling P1" if key == "initiative" else "Customisation"
        yield PriceLine(f"{LABELS[key]} {value}", _number_points(key, value), source)


def _item_lines(equipment: Iterable[str], list_key: str) -> Iterator[PriceLine]:
    for key in equipment:
        yield PriceLine(catalogue.item_name(key), catalogue.item_points(key, list_key), "Arms and armour")


def _attribute_lines(attributes: Iterable[str], rank: int, label: str = "") -> Iterator[PriceLine]:
    for key in attributes:
        points = catalogue.attribute_points(key, rank)
        yield PriceLine(label + catalogue.attribute_name(key), points, "Customisation")


def _movement_lines(move: str, mounted: bool, flies: bool) -> Iterator[PriceLine]:
    rates = [*catalogue.catalogue().rates]
    usual = "cavalry" if mounted else "fast" if flies else "infantry"
    steps = rates.index(move) - rates.index(usual)
    points = steps * catalogue.catalogue().calculator.movement_step
    yield PriceLine(f"{catalogue.catalogue().rates[move].name} movement", points, "Customisation")


def option_points(option: Option, key: str, list_key: str, rules: HouseRules) -> int:
    """What a thing costs by an option line: the list's own price, or by house rule that of the tables (Ruling D3)."""
    differs = key in catalogue.faction(list_key).item_points
    return _own_points(key, list_key, rules) if differs else option.items[key]


def _own_points(key: str, list_key: str, rules: HouseRules) -> int:
    return catalogue.item_points(key, list_key if rules.buckler_price == "list" else "")


def _option_lines(build: Build, profile: Profile, rules: HouseRules) -> Iterator[PriceLine]:
    for option in options_of(profile, barding=True):
        picks = build.picks(option.key)
        if option.kind == "attributes":
            yield from _attribute_lines(picks, profile.rank)
        for key in picks if option.items else ():
            given = f", for {catalogue.item_name(option.gives_up).lower()}" if option.gives_up else ""
            points = option_points(option, key, build.list_key, rules)
            yield PriceLine(catalogue.item_name(key) + given, points, "Army list")


def _kept_lines(build: Build, outfit: Loadout, rules: HouseRules) -> Iterator[PriceLine]:
    yield from _kept_number_lines(build, outfit.profile)
    for key in build.kept.equipment:
        if key in outfit.equipment:
            points = _own_points(key, build.list_key, rules) - _superseded(key, outfit.issued, build.list_key, rules)
            yield PriceLine(f"Kept: {catalogue.item_name(key).lower()}", points, "Rulings X14, X15")
    yield from _attribute_lines(build.kept.attributes, outfit.rank, "Kept: ")


def _kept_number_lines(build: Build, profile: Profile) -> Iterator[PriceLine]:
    before = filled(build.characteristics, as_priced(profile))
    for key, value in numbers(build, profile).items():
        kept = getattr(build.kept.numbers, key)
        if kept is not None:
            points = _number_points(key, value) - _number_points(key, before[key])
            yield PriceLine(f"Kept: {LABELS[key]} {value}, not {before[key]}", points, "Rulings X9, X14")


def _superseded(key: str, issued: Picks, list_key: str, rules: HouseRules) -> int:
    slot = slot_of(plain(key))
    rivals = (other for other in issued if slot and slot_of(other) == slot)
    return sum(_own_points(other, list_key, rules) for other in rivals)


def _morale_lines(build: Build, terms: HouseTerms) -> Iterator[PriceLine]:
    """The surcharge that the price does not hold yet (Rulings P4, P5)."""
    home = catalogue.faction(build.list_key)
    allied = home.kind in ("list", "variant") and home.key != terms.faction
    if allied and terms.rules.ally_prices == "printed":
        return
    included = 0 if build.custom else catalogue.morale_surcharge(home.morale)
    points = catalogue.morale_surcharge(terms.morale) - included
    yield PriceLine(f"Morale {terms.morale}", points, "Ruling P5" if allied else "Ruling P4")


class Offer(Struct, frozen=True):
    """An item or an Attribute with its price; ``weapon`` is the kind of weapon that it goes with, if it needs one."""

    key: str
    name: str
    points: int
    weapon: str | None = None


def option_offers(option: Option, profile: Profile, list_key: str, rules: HouseRules) -> Iterator[Offer]:
    """Everything that an option line offers to a fighter of this profile under these house rules."""
    for key in offered_by(option, rules.fantastical):
        if option.kind != "attributes":
            yield Offer(key, catalogue.item_name(key), option_points(option, key, list_key, rules))
            continue
        attribute = catalogue.attribute(key)
        if not attribute.ranks or profile.rank in attribute.ranks:
            points = catalogue.attribute_points(key, profile.rank)
            yield Offer(key, catalogue.attribute_name(key), points, attribute.weapon)


def goods(rules: HouseRules) -> Iterator[Offer]:
    """What a custom fighter may buy under these house rules; what goes on a weapon stands once for each weapon."""
    arms = catalogue.catalogue().arms
    weapons = [key for key in (*arms.close_combat, *arms.missiles) if buyable(key)]
    for key in filter(buyable, arms.items):
        if (key in arms.magic_items and not rules.fantastical) or (key == "poison" and not rules.poison):
            continue
        for full in [f"{key}:{weapon}" for weapon in weapons] if goes_on_weapon(key) else [key]:
            yield Offer(full, catalogue.item_name(full), catalogue.item_points(full))


def option_label(option: Option) -> str:
    """What the option line is about, with its conditions: "Instead of pike", "Up to 2 Attributes"."""
    return "; ".join([_subject(option), *_conditions(option)])


def _subject(option: Option) -> str:
    if option.kind == "exchange":
        return f"Instead of {catalogue.item_name(option.gives_up).lower()}"
    if option.kind == "mount":
        return "Mount"
    if option.kind == "crew":
        guns = (catalogue.gun(key).name.lower() for key in option.guns)
        return f"May serve a {catalogue.listed(guns, 'or')}"
    if option.kind == "attributes":
        return _attributes(option)
    several = f"Up to {option.most}: " if option.most > 1 else ""
    return several + catalogue.listed((catalogue.item_name(key) for key in option.items), "or")


def _attributes(option: Option) -> str:
    if option.attributes:
        return catalogue.listed(map(catalogue.attribute_name, option.attributes), "or")
    count = "One Attribute" if option.most == 1 else f"Up to {option.most} Attributes"
    excluded = catalogue.listed(map(catalogue.attribute_name, option.excluded), "or")
    return f"{count}, not {excluded}" if option.excluded else count


def _conditions(option: Option) -> list[str]:
    conditions = []
    if option.share:
        part = f"{option.share[0]} in {option.share[1]} of them"
        what = f"{catalogue.attribute_name(option.share_of)} for " if option.share_of else ""
        conditions.append(f"{what}at most {part}")
    if option.alone:
        conditions.append("with no other option")
    if option.if_mounted:
        conditions.append("if mounted")
    if option.if_attribute:
        conditions.append(f"with {catalogue.attribute_name(option.if_attribute)}")
    if option.if_all_mounted:
        conditions.append("if everybody else rides")
    return conditions


def buyable(key: str) -> bool:
    """Whether a custom fighter can buy such a thing at all, whatever the house rules."""
    arms = catalogue.catalogue().arms
    natural = plain(key) in arms.armour and arms.armour[plain(key)].natural
    reserved = plain(key) in arms.magic_items and arms.magic_items[plain(key)].reserved
    included = plain(key) in arms.close_combat and bool(arms.close_combat[plain(key)].comes_with)
    return not (natural or reserved or included)


def goes_on_weapon(key: str) -> bool:
    """Whether such a thing is bought for a weapon: poison, and magic on a blade."""
    return bool(getattr(catalogue.catalogue().arms.items[plain(key)], "on_weapon", False))
