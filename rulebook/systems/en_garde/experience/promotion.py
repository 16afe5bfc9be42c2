"""What becomes of a build when its fighter rises in Rank: to which profiles, keeping what."""

from collections import Counter

import msgspec

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Profile
from rulebook.systems.en_garde.rosters import loadouts
from rulebook.systems.en_garde.rosters.builds import Build, HouseTerms, Kept, Numbers, Picks, is_base_hire
from rulebook.systems.en_garde.rosters.forms import in_order
from rulebook.systems.en_garde.rosters.prices import price

HIGHEST = 5


def targets(build: Build, terms: HouseTerms) -> tuple[str, ...]:
    """The profiles that the fighter may rise to, as "list/profile", in the list's order.

    None from Rank 5, for unique figures and for hounds (Rulings X11, X18). Without a profile of the next Rank in its
    own list, or one in whose armour it can use what it knows, it is the calculator's base profile, unless the campaign
    says otherwise. Who was hired from the calculator rises in the list that hired him (Ruling C17).
    """
    outfit = loadouts.loadout(build)
    if outfit.rank >= HIGHEST or outfit.profile.unique or not outfit.profile.promotes:
        return ()
    home = catalogue.faction(terms.faction if is_base_hire(build, terms) else build.list_key)
    # The fantastical figures are no ladder.
    ladder = home.profiles if home.kind in ("list", "variant") else ()
    above = (each for each in ladder if each.rank == outfit.rank + 1 and not each.unique and each.promotes)
    own = tuple(f"{home.key}/{each.key}" for each in above)
    # The heaviest armour in which it can use the Attributes that it keeps. Rule book: "Magicians".
    limits = (catalogue.catalogue().attributes[key].most_armour for key in outfit.knows)
    limit = min((limit for limit in limits if limit is not None), default=None)
    if limit is not None:
        own = tuple(key for key in own if loadouts.least_rating(loadouts.loadout(promoted(build, key, terms))) <= limit)
    if terms.rules.promotion_profiles == "same-move":
        own = tuple(key for key in own if same_move(outfit, loadouts.loadout(promoted(build, key, terms))))
    if own or (terms.rules.promotion_without_profile == "none" and not build.custom):
        return own
    return (f"custom/rank-{outfit.rank + 1}",)


def promoted(build: Build, key: str, terms: HouseTerms) -> Build:
    """The build after the step to ``key``, with nothing picked."""
    if catalogue.faction(key.partition("/")[0]).kind == "custom" and build.custom:
        return _custom_to_custom(build, key, terms)
    before, profile = loadouts.loadout(build), catalogue.profile(key)
    # Of a free choice the weapon that it has already, else the first.
    choice = next(iter((*filter(before.carries, profile.choice), *profile.choice)), "")
    bare = loadouts.loadout(Build(profile=key, choice=choice))
    kept = Kept(
        numbers=_numbers(before, profile, terms),
        equipment=_equipment(before, bare, terms),
        attributes=in_order(set(before.attributes) - set(profile.attributes)),
        points=price(build, terms).points if terms.rules.promotion_price == "unchanged" else None,
    )
    # A base profile has no name worth showing: the fighter goes on under that of its old profile.
    name = before.profile.name if bare.list_key == "custom" else ""
    return Build(profile=key, choice=choice, name=name, spells=build.spells or before.profile.spells, kept=kept)


def same_move(before: loadouts.Loadout, after: loadouts.Loadout) -> bool:
    """Whether the step leaves the fighter on foot or in the saddle, as it was (Ruling X10)."""
    if not before.mounted:
        return not after.mounted
    rides = any(loadouts.slot_of(key) == "mount" for key in after.profile.equipment)
    may_ride = any(option.kind == "mount" for option in after.profile.options)
    return rides or may_ride or after.list_key == "custom"


def _numbers(before: loadouts.Loadout, profile: Profile, terms: HouseTerms) -> Numbers:
    """What stands in the place of the new profile's numbers: the better, or all the old ones (Ruling X9)."""
    new, all_old = loadouts.numbers_of(profile), terms.rules.promotion_characteristics == "kept"
    old = loadouts.numbers_of(before).items()
    return Numbers(**{key: value for key, value in old if value > new[key] or (all_old and value != new[key])})


def _equipment(before: loadouts.Loadout, bare: loadouts.Loadout, terms: HouseTerms) -> Picks:
    """What it had and the new profile does not give; the lesser of two suits of armour is left behind (Ruling X15)."""
    if terms.rules.promotion_equipment == "profile-only" and bare.list_key != "custom":
        return ()
    spare = (Counter(before.equipment) - Counter(bare.equipment)).elements()
    best = loadouts.best_of_each_slot((*bare.equipment, *spare))
    return in_order((Counter(best) - Counter(bare.equipment)).elements())


def _custom_to_custom(build: Build, key: str, terms: HouseTerms) -> Build:
    """Numbers rise to the base profile's unless they are higher; arms stay; the allowance is new (Ruling X12).

    In a warband of a list, which sells arms by its options alone, they are kept ones from then on.
    """
    before, base = loadouts.loadout(build), catalogue.profile(key)
    for_sale = terms.army.kind == "custom"
    kept = Kept(
        numbers=_numbers(before, base, terms),
        equipment=build.kept.equipment if for_sale else in_order((*build.kept.equipment, *build.equipment)),
        attributes=in_order(before.attributes),
        points=price(build, terms).points if terms.rules.promotion_price == "unchanged" else None,
    )
    arms = build.equipment if for_sale else ()
    return msgspec.structs.replace(build, profile=key, options=(), characteristics=Numbers(), equipment=arms, kept=kept)
