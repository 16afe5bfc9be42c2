"""The tables of the rule book that play is read from, row by row, against the functions that
decide."""

from typing import Any

import pytest

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.builds import from_json, house_terms
from rulebook.systems.en_garde.rosters.loadouts import armour_rating, loadout, may_run
from rulebook.systems.en_garde.rosters.prices import price
from rulebook.systems.en_garde.table.blows import steed_as_combatant
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Grip,
    Modifier,
    armour_against_shot,
    armour_in_combat,
    blow_wound_modifiers,
    initiative_modifiers,
    total,
    uses_both_hands,
)
from rulebook.systems.en_garde.table.morale import (
    Morale,
    WarbandInBattle,
    morale_modifiers,
    stuns_removed,
)
from rulebook.systems.en_garde.table.rounds import steed_pool
from rulebook.systems.en_garde.table.setting_up import playing_area, reserve_waves, rising_end
from rulebook.systems.en_garde.table.shooting import Cover, Shot, missile, shooting_modifiers
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.systems.en_garde.turns.fighters import combatant_of
from tests.rulebook.en_garde.printed import numbers_of, rows, settings_of, words_of
from tests.rulebook.en_garde.rosters import build, terms
from tests.rulebook.en_garde.table.cast import GRIEVOUS, HORSE, LIGHT, somebody

CUSTOM = terms("custom", poison=True)
BODIES: dict[str, dict[str, Any]] = {
    "mounted": {"steed": HORSE},
    "horse-master": {"steed": HORSE, "attributes": {"horse-master": ()}},
    "large": {"table": WoundTable.LARGE},
    "huge": {"table": WoundTable.HUGE},
    "dodge": {"attributes": {"dodge": ()}},
    "light": {"wounds": LIGHT},
    "grievous": {"wounds": GRIEVOUS},
}


def in_words(row: list[str]) -> str:
    """Return the name of a row's test."""
    return " ".join(row[:2])


def said(name: str) -> Any:
    return pytest.mark.parametrize("row", rows(name), ids=in_words)


@said("shooting.txt")
def test_a_row_of_the_shooting_modifiers(row: list[str]) -> None:
    values = settings_of(row[1])
    shooter, target = (
        somebody(**BODIES.get(values.pop("shooter", ""), {})),
        somebody(**BODIES.get(values.pop("target", ""), {})),
    )
    shot = Shot(**{"inches": 8, **values, "cover": Cover(values.get("cover", "none"))})
    assert total(shooting_modifiers(shooter, target, missile("bow"), shot)) == int(row[2])


@said("morale.txt")
def test_a_row_of_the_morale_modifiers(row: list[str]) -> None:
    values = settings_of(row[1])
    plain = {"rating": 7, "start": 10, "strength": 10}
    warband = WarbandInBattle(
        **{**plain, **values, "morale": Morale(values.get("morale", "steady"))}
    )
    assert total(morale_modifiers(warband)) == int(row[2])


@said("stunned_counters.txt")
def test_a_row_of_the_removal_of_stunned_counters(row: list[str]) -> None:
    assert stuns_removed(int(row[0])) == int(row[1])


def in_hand(weapon: str, where: str) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...], bool]:
    """Return the modifiers of a weapon to Initiative and Wound Score, and whether it is
    two-handed.
    """
    bearer = somebody(weapons=("dagger", weapon), steed=HORSE if "saddle" in where else None)
    target = somebody(steed=HORSE if "against a rider" in where else None)
    grip = Grip(weapon, "both hands" in where, "later" not in where, indoors="building" in where)
    speed = initiative_modifiers(
        bearer, grip, ride_by="ride-by" in where, in_river="river" in where
    )
    return speed, blow_wound_modifiers(bearer, grip, target), uses_both_hands(grip)


@said("close_combat_rules.txt")
def test_a_special_rule_of_a_close_combat_weapon(row: list[str]) -> None:
    speed, wound, both = in_hand(row[0], row[1])
    assert [str(total(speed)), str(total(wound)), "yes" if both else "no"] == row[2:]


@said("missile_rules.txt")
def test_the_special_rules_of_a_missile_weapon(row: list[str]) -> None:
    weapon = missile(row[0])
    assert [str(weapon.spray or "-"), str(weapon.blast or "-")] == row[1:3]
    rules = {
        "inaccurate": weapon.inaccurate,
        "match": weapon.match,
        "powder": weapon.powder,
        "one use": weapon.one_use,
    }
    assert tuple(rule for rule, holds in rules.items() if holds) == words_of(row[3])


@said("ordnance_rules.txt")
def test_the_special_rules_of_a_gun(row: list[str]) -> None:
    gun = next(each for each in catalogue.catalogue().arms.guns.values() if each.name == row[0])
    assert [str(gun.wound), str(gun.crew), "yes" if gun.immobile else "no", str(gun.reload)] == row[
        1:5
    ]
    spread = missile(gun.key, grapeshot=True)
    assert ((spread.wound, spread.range, spread.spray) if spread.spray else ()) == numbers_of(
        row[5]
    )


def bearer_of(items: tuple[str, ...]) -> tuple[Combatant, bool]:
    """Return a custom fighter with this equipment, and whether it may run."""
    made = build({"profile": "rank-2", "equipment": [*items]}, CUSTOM)
    return combatant_of(made, CUSTOM), may_run(loadout(from_json(made)))


@said("armour_rules.txt")
def test_a_row_of_the_armour_table(row: list[str]) -> None:
    bearer, runs = bearer_of(words_of(row[0]))
    against = [
        armour_in_combat(bearer, False),
        *(armour_against_shot(bearer, from_front=front) for front in (True, False)),
    ]
    assert [*map(str, against), "yes" if runs else "no"] == row[1:]


@said("mount_rules.txt")
def test_a_row_of_the_mounts(row: list[str]) -> None:
    items = [row[0], *words_of(row[1])]
    rider, runs = bearer_of(tuple(items))
    assert sum(map(catalogue.item_points, items)) == int(row[2])
    assert armour_rating(
        from_json(build({"profile": "rank-2", "equipment": items}, CUSTOM))
    ).mount == int(row[3])
    mount = steed_as_combatant(rider)
    assert [
        "yes" if runs else "no",
        str(mount.fight),
        str(steed_pool(rider)),
        str(mount.initiative),
    ] == row[4:]
    assert (mount.table, rider.rate) == (WoundTable.LARGE, "cavalry")


@said("base_allowances.txt")
def test_the_attributes_of_a_base_profile(row: list[str]) -> None:
    base = catalogue.base_profile(int(row[0]))
    share = "/".join(map(str, base.attributes_share or ())) or "-"
    assert [str(base.attributes), share] == row[1:]


NUMBERS = ("combat_pool", "initiative", "fight", "shoot")


def customised(cell: str) -> dict[str, Any]:
    """Return the form of a fighter of Rank 4 with the changes of a cell."""
    values = settings_of(cell)
    numbers = {key: values.pop(key) for key in NUMBERS if key in values}
    options = {"attributes": str(values.pop("attributes", "")).split()}
    equipment = str(values.pop("equipment", "")).split()
    return {
        "profile": "rank-4",
        "characteristics": numbers,
        "options": options,
        "equipment": equipment,
        **values,
    }


@said("customisation.txt")
def test_a_row_of_the_calculator(row: list[str]) -> None:
    def cost(form: dict[str, Any]) -> int:
        return price(from_json(build(form, CUSTOM)), house_terms(CUSTOM)).points

    assert cost(customised(row[1])) - cost({"profile": "rank-4"}) == int(row[2])


@said("rising_end.txt")
def test_a_row_of_the_end_that_rises(row: list[str]) -> None:
    assert tuple(die for die in range(1, 7) if rising_end(int(row[0]), 4, die)) == numbers_of(
        row[1]
    )


@said("reserves.txt")
def test_a_row_of_the_reserves(row: list[str]) -> None:
    assert reserve_waves(int(row[0])) == tuple(map(int, row[1:]))


@pytest.mark.parametrize(
    ("scenario", "points", "inches"),
    [
        ("skirmish", 100, (24, 36)),
        ("skirmish", 101, (36, 48)),
        ("hold-the-bridge", 100, (36, 36)),
        ("occupy", 300, (36, 36)),
    ],
)
def test_the_table_is_as_large_as_points_and_scenario_ask(
    scenario: str, points: int, inches: tuple[int, int]
) -> None:
    assert playing_area(scenario, points) == inches
