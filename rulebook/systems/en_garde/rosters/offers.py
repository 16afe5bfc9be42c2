"""What is offered to a fighter, and at what price: by an option line of its profile, or by the calculator."""

from collections.abc import Iterator

from msgspec import Struct

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.custom_problems import buyable, goes_on_weapon
from rulebook.systems.en_garde.rosters.points import option_points
from rulebook.systems.en_garde.rosters.unknown_things import offered_by


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
