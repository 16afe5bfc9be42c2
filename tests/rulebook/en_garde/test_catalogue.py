"""The catalogue says what the rule book prints, row by row, and notices when it contradicts
itself."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from rulebook.book.data import DataError, by_key
from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.catalogue import check
from rulebook.systems.en_garde.book.lists import Option, Profile
from tests.rulebook.en_garde.rosters import rows

WHOLE = catalogue.catalogue()
NINE = [faction for faction in WHOLE.factions.values() if faction.kind == "list"]
PRINTED = [
    (faction.key, profile) for faction in WHOLE.factions.values() for profile in faction.profiles
]


def named(list_key: str, name: str) -> Profile:
    return next(profile for key, profile in PRINTED if key == list_key and profile.name == name)


def plural(key: str) -> str:
    return catalogue.item_name(key).lower()


def equipment_as_printed(profile: Profile) -> set[str]:
    items = {
        plural(key) for key in profile.equipment if key not in ("natural-armour", "poison:dagger")
    }
    choice = {" or ".join(plural(key) for key in profile.choice)} - {""}
    poison = {"dagger (poisoned)"} if "poison:dagger" in profile.equipment else set()
    return (items - {"dagger"} if poison else items) | choice | poison


def test_there_are_nine_lists_with_53_profiles_and_six_fantastical_figures():
    assert len(NINE) == 9
    assert sum(len(faction.profiles) for faction in NINE) == 53
    assert len(WHOLE.factions["fantastical"].profiles) == 6
    assert len(rows("profiles.txt")) == 59


@pytest.mark.parametrize("row", rows("profiles.txt"), ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_profile_has_the_printed_numbers(row: list[str]):
    profile = named(row[0], row[1].rstrip("*"))
    assert [profile.rank, profile.move.capitalize()] == [int(row[2]), row[3]]
    numbers = [
        profile.combat_pool,
        profile.initiative,
        profile.fight,
        profile.shoot,
        profile.armour_rating,
    ]
    assert [*numbers, profile.points] == [int(cell) for cell in row[4:10]]
    assert profile.unique == (row[1].endswith("*") or profile.name == "Milady de Winter")


@pytest.mark.parametrize("row", rows("profiles.txt"), ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_profile_has_the_printed_equipment_and_attributes(row: list[str]):
    profile = named(row[0], row[1].rstrip("*"))
    equipment, attributes = [*row[10:], "", ""][:2]
    printed = {
        item.replace("2x pistols", "pistol") for item in equipment.lower().split(", ") if item
    }
    assert equipment_as_printed(profile) == printed - {"–"}
    spells = ", ".join(WHOLE.spells[key].name for key in profile.spells)
    names = [catalogue.attribute_name(key) for key in profile.attributes]
    assert ", ".join(names).replace("Magician", f"Magician ({spells})") == attributes


def in_short(option: Option) -> str:
    """Return an option in the notation of options.txt."""
    items = ", ".join(f"{plural(key)} {points}" for key, points in option.items.items())
    several = f"{option.most} " if option.most > 1 else ""
    names = " or ".join(catalogue.attribute_name(key).lower() for key in option.attributes) or "any"
    text = {
        "exchange": f"{plural(option.gives_up)} > {items}" if option.gives_up else "",
        "add": f"{several}+ {items}",
        "mount": f"ride {items}",
        "attributes": f"attributes {names} {option.most}",
        "crew": "crew " + ", ".join(catalogue.gun(key).name.lower() for key in option.guns),
    }[option.kind]
    return "; ".join([text, *conditions(option)])


def conditions(option: Option) -> list[str]:
    share = "/".join(map(str, option.share or ()))
    texts = {
        "mounted": option.if_mounted,
        "alone": option.alone,
        "all mounted": option.if_all_mounted,
        f"with {option.if_attribute}": option.if_attribute,
        "not " + ", ".join(option.excluded): option.excluded,
        f"share of {option.share_of} {share}"
        if option.share_of
        else f"share {share}": option.share,
    }
    return [text for text, holds in texts.items() if holds]


@pytest.mark.parametrize("faction", NINE, ids=lambda faction: faction.key)
def test_a_list_has_every_printed_option_and_no_other(faction):
    printed = {(row[1], row[2]) for row in rows("options.txt") if row[0] == faction.key}
    ours = {
        (profile.name, in_short(option))
        for profile in faction.profiles
        for option in profile.options
    }
    assert ours == printed


@pytest.mark.parametrize("row", rows("arms.txt"), ids=lambda row: row[1])
def test_arms_and_armour_cost_and_reach_what_is_printed(row: list[str]):
    arms = WHOLE.arms
    table: Mapping[str, Any] = {
        "close combat": arms.close_combat,
        "missile": arms.missiles,
        "ordnance": arms.guns,
        "armour": {**arms.armour, **arms.shields},
        "mount": arms.mounts,
    }[row[0]]
    names = {entry.name.lower().removesuffix(" armour"): entry for entry in table.values()}
    entry = names[row[1].lower()]
    assert entry.points == int(row[2].replace("-", "0"))
    if len(row) > 3:
        assert int(row[3]) == getattr(entry, "range", getattr(entry, "rating", None))


def test_a_pistol_is_the_only_weapon_with_two_sides():
    assert [weapon.key for weapon in WHOLE.arms.close_combat.values() if weapon.comes_with] == [
        "pistol-in-close-combat"
    ]


@pytest.mark.parametrize("row", rows("tables.txt"), ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_smaller_tables_are_as_printed(row: list[str]):
    assert small_table(row[0], row[1]) == row[2]


def small_table(table: str, name: str) -> str:
    if table == "movement":
        rate = WHOLE.rates[name.lower()]
        return f"{rate.short} {rate.normal} {rate.run}"
    if table == "base":
        base = catalogue.base_profile(int(name))
        numbers = (
            base.combat_pool,
            base.initiative,
            base.fight,
            base.shoot,
            base.armour_rating,
            base.points,
        )
        return " ".join(map(str, numbers))
    if table.startswith("list"):
        faction = next(each for each in NINE if each.name == name)
        return str(faction.morale) if table == "list morale" else "yes" if faction.banner else "no"
    plain = name.lower().replace(" ", "-")
    return str(
        {
            "morale": lambda: catalogue.morale_surcharge(int(name)),
            "rank": lambda: WHOLE.costs[int(name)],
            "fantastical attribute": lambda: catalogue.attribute_points(plain, 5),
            "spell": lambda: WHOLE.spells[plain].magic_points,
            "magic item": lambda: catalogue.item_points(plain),
        }[table]()
    )


def test_there_are_17_general_attributes_at_3_points_and_they_come_first():
    general = [attribute for attribute in WHOLE.attributes.values() if not attribute.fantastical]
    assert [attribute.name for attribute in general] == [row[0] for row in rows("attributes.txt")]
    assert {attribute.points for attribute in general} == {3}
    assert list(WHOLE.attributes)[:17] == [attribute.key for attribute in general]


def test_a_magician_pays_4_for_each_rank():
    assert [catalogue.attribute_points("magician", rank) for rank in (3, 4, 5)] == [12, 16, 20]


def test_profile_names_repeat_across_lists_and_keys_tell_them_apart():
    assert catalogue.profile("cardinals-guard/general").initiative == 3
    assert catalogue.profile("conquistadors/general").initiative == 2


@pytest.mark.parametrize(
    ("lookup", "key", "field", "way_out"),
    [
        (catalogue.faction, "landsknecht", "faction", "landsknechts"),
        (catalogue.profile, "landsknechts/obrist", "profile", "oberst"),
        (catalogue.profile, "oberst", "profile", "swashbucklers"),
        (catalogue.gun, "bombard", "ordnance", "swivel-gun"),
        (catalogue.attribute, "brave", "attributes", "fearless"),
        (catalogue.template, "veteran", "template", "standard"),
    ],
)
def test_an_unknown_key_is_answered_with_the_field_the_value_and_the_way_out(
    lookup, key, field, way_out
):
    with pytest.raises(RulesError) as error:
        lookup(key)
    problem = error.value.problems[0]
    assert problem.field == field
    assert problem.value in key
    assert way_out in problem.sentence


def with_profile(**changes):
    faction = WHOLE.factions["landsknechts"]
    broken = msgspec.structs.replace(faction.profiles[0], **changes)
    factions = {
        "landsknechts": msgspec.structs.replace(faction, profiles=(broken, *faction.profiles[1:]))
    }
    return msgspec.structs.replace(WHOLE, factions=factions)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"equipment": ("pike", "zweihander")}, "zweihander"),
        ({"attributes": ("bold",)}, "bold"),
        ({"spells": ("fireball",)}, "fireball"),
        ({"move": "flying"}, "flying"),
        ({"armour_rating": 3}, "armour rating"),
        ({"key": "oberst"}, "share a key"),
        ({"options": (Option("a", "exchange", {"halberd": 1}, gives_up="bow"),)}, "has not got"),
        ({"options": (Option("a", "exchange", {"halberd": 1}),)}, "gives something up"),
        ({"options": (Option("a", "add"),)}, "items belong"),
        ({"options": (Option("a", "crew"),)}, "guns belong"),
        (
            {"options": (Option("a", "add", {"pike": 1}), Option("a", "add", {"bow": 1}))},
            "two options",
        ),
    ],
)
def test_data_that_contradicts_itself_is_refused(changes, message):
    with pytest.raises(DataError, match=message):
        check(with_profile(**changes))


def test_two_entries_cannot_share_a_key():
    with pytest.raises(DataError, match="horse"):
        by_key([WHOLE.arms.mounts["horse"], WHOLE.arms.mounts["horse"]])


def test_the_native_north_americans_have_hand_weapons_and_bows_alone():
    faction = WHOLE.factions["native-north-americans"]
    missiles, melee = WHOLE.arms.missiles, WHOLE.arms.close_combat
    items = {key for profile in faction.profiles for key in profile.listed_equipment}
    items |= {
        key for profile in faction.profiles for option in profile.options for key in option.items
    }
    assert items & (missiles.keys() | melee.keys()) == {"hand-weapon", "bow"}
    assert faction.morale_choices == (6, 7)
