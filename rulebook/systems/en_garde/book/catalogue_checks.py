"""Does the data make sense? Every thing named exists, every profile's armour adds up, every option can be taken."""

from collections.abc import Iterable, Iterator, Mapping

from rulebook.systems.en_garde.book.catalogue_files import Catalogue, CatalogueError
from rulebook.systems.en_garde.book.lists import Composition, Faction, Option, Profile


def check(loaded: Catalogue) -> None:
    """Raise CatalogueError with everything that is wrong, a line each."""
    faults = [fault for faction in loaded.factions.values() for fault in _faction_faults(loaded, faction)]
    faults += _attribute_faults(loaded)
    if faults:
        raise CatalogueError("\n".join(faults))


def _missing(where: str, keys: Iterable[str], known: Mapping[str, object]) -> Iterator[str]:
    return (f"{where}: there is no {key!r}" for key in keys if key and key not in known)


def _attribute_faults(loaded: Catalogue) -> Iterator[str]:
    for attribute in loaded.attributes.values():
        yield from _missing(f"attribute {attribute.key}", attribute.needs, loaded.attributes)


def _faction_faults(loaded: Catalogue, faction: Faction) -> Iterator[str]:
    where = f"list {faction.key}"
    yield from _missing(where, faction.item_points, loaded.arms.items)
    yield from _missing(where, (faction.variant_of,), loaded.factions)
    yield from _composition_faults(loaded, faction, faction.composition)
    profiles = [profile.key for profile in faction.profiles]
    if len(set(profiles)) < len(profiles):
        yield f"{where}: two profiles share a key"
    for profile in faction.profiles:
        yield from _profile_faults(loaded, f"{where}, profile {profile.key}", profile)


def _composition_faults(loaded: Catalogue, faction: Faction, composition: Composition) -> Iterator[str]:
    where = f"list {faction.key}, composition"
    own = {profile.key: profile for profile in faction.profiles}
    yield from _missing(where, composition.missile_weapons, loaded.arms.missiles)
    yield from _missing(where, composition.guns, loaded.arms.guns)
    yield from _missing(where, (composition.allies,), loaded.factions)
    yield from _missing(where, (composition.servants, *composition.masters, *faction.fearless_while), own)


def _profile_faults(loaded: Catalogue, where: str, profile: Profile) -> Iterator[str]:
    items = loaded.arms.items
    yield from _missing(where, (key.partition(":")[0] for key in profile.equipment), items)
    yield from _missing(where, profile.choice, loaded.arms.close_combat)
    yield from _missing(where, (key.partition(":")[0] for key in profile.attributes), loaded.attributes)
    yield from _missing(where, profile.waived, loaded.attributes)
    yield from _missing(where, profile.spells, loaded.spells)
    yield from _missing(where, (profile.move,), loaded.rates)
    if _rating(loaded, profile) != profile.armour_rating:
        yield f"{where}: armour rating {profile.armour_rating} is not that of its equipment"
    options = [option.key for option in profile.options]
    if len(set(options)) < len(options):
        yield f"{where}: two options share a key"
    for option in profile.options:
        yield from _option_faults(loaded, f"{where}, option {option.key}", profile, option)


def _rating(loaded: Catalogue, profile: Profile) -> int:
    armour, shields = loaded.arms.armour, loaded.arms.shields
    worn = sum(armour[key].rating for key in profile.equipment if key in armour)
    return worn + sum(shields[key].rating for key in profile.equipment if key in shields)


def _option_faults(loaded: Catalogue, where: str, profile: Profile, option: Option) -> Iterator[str]:
    yield from _missing(where, option.items, loaded.arms.items)
    yield from _missing(where, (*option.attributes, *option.excluded, option.share_of), loaded.attributes)
    yield from _missing(where, (option.if_attribute,), loaded.attributes)
    yield from _missing(where, option.guns, loaded.arms.guns)
    if option.gives_up and option.gives_up not in profile.equipment:
        yield f"{where}: gives up {option.gives_up!r}, which the profile has not got"
    if (option.kind == "exchange") != bool(option.gives_up):
        yield f"{where}: an exchange, and nothing else, gives something up"
    if (option.kind in ("exchange", "add", "mount")) != bool(option.items):
        yield f"{where}: items belong to an exchange, an addition or a mount"
    if (option.kind == "crew") != bool(option.guns):
        yield f"{where}: guns belong to a crew"
