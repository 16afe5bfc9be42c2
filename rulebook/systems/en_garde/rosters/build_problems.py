"""Problems of one fighter's build, whatever else is in the roster.

Rule book: "Attributes", "Magicians", "New warbands"; Rulings P14, P16, P18, P27 to P29, D9.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial

import msgspec

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.rosters import builds
from rulebook.systems.en_garde.rosters.loadouts import (
    Loadout,
    armour_rating,
    kept_options,
    loadout,
    slot_of,
    slots,
)
from rulebook.systems.en_garde.rosters.prices import buyable, goes_on_weapon
from rulebook.values.problems import join_names, unknown

MOST = 10
"""No characteristic is higher than this, whatever a club fancies."""


@lru_cache(maxsize=65536)
def build_problems(build: builds.Build, terms: builds.HouseRuleValues) -> tuple[Problem, ...]:
    """Return everything that is wrong with a build on these terms; the empty tuple is good."""
    sound, strange = builds.known_part(build, fantastical=terms.rules.fantastical)
    outfit = loadout(sound)
    return (
        *strange,
        *_belonging(sound, terms),
        *_options(sound, outfit, terms),
        *_doubles(sound, outfit),
        *attribute_problems(sound, outfit, terms),
        *spell_problems(sound, outfit),
        *custom_problems(sound, outfit, terms),
    )


def _belonging(build: builds.Build, terms: builds.HouseRuleValues) -> Iterator[Problem]:
    if build.list_key in (terms.faction, terms.army.composition.allies):
        return
    named = build.profile
    if build.list_key == "fantastical":
        if not terms.rules.fantastical:
            yield problem("fantastical-not-allowed", value=named)
    elif not (build.custom and build.promoted) and not builds.is_base_hire(build, terms):
        keys = join_names((each.key for each in terms.army.profiles), "or")
        yield problem("profile-not-in-list", value=named, name=terms.army.name, keys=keys)


def _options(
    build: builds.Build, outfit: Loadout, terms: builds.HouseRuleValues
) -> Iterator[Problem]:
    lines = {
        line.key: line for line in builds.options_of(outfit.profile, terms.rules.barding_for_lists)
    }
    for key, picks in build.options:
        field, line = f"options.{key}", lines.get(key)
        if line is None:
            yield unknown(lines, key, field, "option of this profile")
            continue
        offered = builds.offered_by(line, terms.rules.fantastical)
        if line.kind == "crew":
            yield problem("crew-is-not-picked", field=field)
        else:
            strange = (pick for pick in picks if builds.plain(pick) not in offered)
            yield from (builds.not_offered(line, pick, terms.rules.fantastical) for pick in strange)
        if line.kind != "crew" and len(picks) > line.most:
            yield problem(
                "too-many-picks",
                field=field,
                value=", ".join(picks),
                most=line.most,
                have=len(picks),
            )
        if line.if_mounted and not outfit.mounted:
            yield problem("option-for-mounted", field=field)
        if line.if_attribute and not outfit.has(line.if_attribute):
            yield problem(
                "option-needs-attribute",
                field=field,
                name=catalogue.attribute_name(line.if_attribute),
            )
        if line.alone and (len(build.options) > 1 or kept_options(build)):
            yield problem("not-alone", field=field)


def _doubles(build: builds.Build, outfit: Loadout) -> Iterator[Problem]:
    """Yield a thing taken though the fighter has it already.

    Two pistols make sense, a second sword does not.
    """
    for line in builds.options_of(outfit.profile, barding=True):
        for pick in build.picks(line.key) if line.kind != "attributes" else ():
            had = (*outfit.profile.listed_equipment, *build.kept.equipment)
            if pick in had and line.most == 1 and pick != "pistol":
                name = catalogue.item_name(pick).lower()
                yield problem("already-carried", field=f"options.{line.key}", value=pick, name=name)


def attribute_problems(
    build: builds.Build, outfit: Loadout, terms: builds.HouseRuleValues
) -> Iterator[Problem]:
    """Yield what is wrong with the Attributes that were chosen.

    Those of the profile itself are taken as they are.
    """
    kept = len(build.kept.attributes)
    for option in outfit.profile.options if build.options else ():
        picks = build.picks(option.key) if option.kind == "attributes" else ()
        for key in picks:
            yield from _chosen(key, f"options.{option.key}", build, outfit)
        if (
            terms.rules.promotion_allowance == "inside"
            and picks
            and len(picks) + kept > option.most
        ):
            room = max(option.most - kept, 0)
            yield problem("too-many-attributes", field=f"options.{option.key}", most=room)
    for key in build.kept.attributes:
        yield from _armour(key, "kept.attributes", build)
    for key, count in Counter(outfit.attributes).items():
        if count > 1:
            yield problem("attribute-twice", value=key, name=catalogue.attribute_name(key))


def _chosen(key: str, field: str, build: builds.Build, outfit: Loadout) -> Iterator[Problem]:
    attribute = catalogue.catalogue().attributes[builds.plain(key)]
    arms = catalogue.catalogue().arms
    # The weapon for which an Attribute is taken, of those that it may be taken for. Ruling P18.
    weapon = builds.weapon_of(key)
    weapons = {"close-combat": [*arms.close_combat], "missile": [*arms.missiles], "": []}[
        attribute.weapon
    ]
    wrong = partial(problem, field=field, value=key, name=attribute.name)
    if weapon and not weapons:
        yield wrong("no-weapon-needed")
    elif weapons and weapon not in weapons:
        names = join_names(weapons, "or")
        yield wrong(
            "weapon-unknown" if weapon else "weapon-unnamed", attribute=attribute.key, known=names
        )
    if attribute.ranks and outfit.rank not in attribute.ranks:
        yield wrong(
            "wrong-rank", ranks=join_names(map(str, attribute.ranks), "or"), rank=outfit.rank
        )
    yield from _armour(key, field, build)
    for needed in attribute.needs:
        if not outfit.has(needed):
            yield wrong("attribute-needs-attribute", needed=catalogue.attribute_name(needed))


def _armour(key: str, field: str, build: builds.Build) -> Iterator[Problem]:
    attribute = catalogue.catalogue().attributes[builds.plain(key)]
    if attribute.most_armour is not None and armour_rating(build).printed > attribute.most_armour:
        yield problem(
            "too-much-armour",
            field=field,
            value=key,
            name=attribute.name,
            most=attribute.most_armour,
        )


def spell_problems(build: builds.Build, outfit: Loadout) -> Iterator[Problem]:
    """Yield what is wrong with the spells that were chosen. Rule book: "Magicians"."""
    if not build.spells:
        return
    if not outfit.has("magician"):
        yield problem("no-magician")
    elif outfit.profile.spells:
        yield problem("spells-are-fixed", name=outfit.profile.name)
    elif len(set(build.spells)) < len(build.spells) or len(build.spells) > outfit.rank:
        yield problem("too-many-spells", rank=outfit.rank, have=len(build.spells))


def custom_problems(
    build: builds.Build, outfit: Loadout, terms: builds.HouseRuleValues
) -> Iterator[Problem]:
    """Yield what is wrong with what only a custom fighter may say."""
    if not build.custom:
        for field in ("name", "characteristics", "move", "equipment"):
            if getattr(build, field) != getattr(builds.Build(profile=build.profile), field):
                yield problem("custom-only", field=field)
        return
    if build.equipment and terms.army.kind != "custom" and not builds.is_base_hire(build, terms):
        yield problem("arms-not-in-list", name=terms.army.name)
    for key, value in msgspec.structs.asdict(build.characteristics).items():
        if value is not None and not 0 <= value <= MOST:
            yield problem(
                "characteristic-out-of-range",
                field=f"characteristics.{key}",
                value=value,
                most=MOST,
            )
    yield from _rivals(build)
    for key in build.equipment:
        yield from _item(key, build, terms)
    if any(slot_of(key) == "barding" for key in build.equipment) and not outfit.mounted:
        yield problem("barding-needs-mount", value="barding")
    for key in build.equipment:
        yield from _companions(key, outfit)


def _rivals(build: builds.Build) -> Iterator[Problem]:
    """Yield the problems of more than one thing where there is room for one only."""
    for slot in slots():
        rivals = [key for key in build.equipment if slot_of(key) == slot]
        if len(rivals) > 1:
            yield problem(
                "slot-taken", value=", ".join(rivals), slot=slot, rivals=join_names(rivals)
            )


def _item(key: str, build: builds.Build, terms: builds.HouseRuleValues) -> Iterator[Problem]:
    magic = builds.plain(key) in catalogue.catalogue().arms.magic_items
    checks = (
        (not buyable(key), "not-for-sale"),
        (magic and not terms.rules.fantastical, "magic-not-allowed"),
        (builds.plain(key) == "poison" and not terms.rules.poison, "poison-not-allowed"),
        (key != "pistol" and build.equipment.count(key) > 1, "one-is-enough"),
    )
    name = catalogue.item_name(key).lower()
    yield from (problem(entry, value=key, name=name) for wrong, entry in checks if wrong)


def _companions(key: str, outfit: Loadout) -> Iterator[Problem]:
    """Yield what a thing needs with it: a bayonet its musket, poison a weapon to be on."""
    arms = catalogue.catalogue().arms
    weapon = builds.weapon_of(key)
    needed = arms.close_combat[key].needs if key in arms.close_combat else ""
    if needed and not outfit.carries(needed):
        yield problem("needs-weapon", value=key, name=catalogue.item_name(key), needed=needed)
    carried = [each for each in (*arms.close_combat, *arms.missiles) if outfit.carries(each)]
    name = catalogue.item_name(builds.plain(key))
    if goes_on_weapon(key) and weapon not in carried:
        yield problem(
            "goes-on-weapon",
            value=key,
            name=name,
            item=builds.plain(key),
            carried=join_names(carried, "or"),
        )
    elif weapon and not goes_on_weapon(key):
        yield problem("goes-on-no-weapon", value=key, name=name)
