"""What a fighter costs, line by line: the calculator's formula, or the printed price, and what was added to it.

2 x (Combat Pool + Fight + Shoot) + half the Initiative, rounded up once (Ruling P1), + equipment + Attributes
+ 2 for each movement step + the Morale surcharge of the warband. Rule book: "Customisation", "Warband Morale".
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rulebook.ruleset import Price, PriceLine
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.builds import Build, Picks, filled, plain
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, Loadout, loadout, numbers, options_of, slot_of
from rulebook.systems.en_garde.rosters.terms import HouseTerms

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
