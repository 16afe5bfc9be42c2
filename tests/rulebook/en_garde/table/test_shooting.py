"""Shooting. Rule book: "Use a missile weapon", "Missile weapons", "Ordinance"."""

import pytest

from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.combatant import Steed
from rulebook.systems.en_garde.table.shooting import (
    Cover,
    Shot,
    may_reroll_shot,
    misfires,
    missile,
    range_modifier,
    reloaded,
    resolve_shot,
    shooting_modifiers,
    shot_violations,
    sight_limit,
)
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundTable
from tests.rulebook.en_garde.table.cast import HORSE, LIGHT, rows, somebody

BOW = missile("bow")


def reasons(shot=None, weapon=BOW, shooter=None, target=None, settings=USUAL):
    modifiers = shooting_modifiers(
        shooter or somebody(), target or somebody(), weapon, shot or Shot(8), settings
    )
    return {modifier.reason: modifier.amount for modifier in modifiers}


def test_the_archer_of_the_rule_books_example_stuns_his_target():
    archer, target = somebody(shoot=1, weapons=("longbow",)), somebody(worn=1)
    shot = resolve_shot(archer, target, missile("longbow"), Shot(23), (3, 4))
    assert (shot.attack_roll, shot.hit_score, shot.final_score) == (7, 1, 1)
    assert shot.result is WoundResult.STUNNED


@pytest.mark.parametrize(("inches", "modifier"), rows("ranges.txt"))
def test_range_bands(inches, modifier):
    assert range_modifier(float(inches)) == int(modifier)


@pytest.mark.parametrize(("key", "reach", "wound", "reload", "rain", "far"), rows("missiles.txt"))
def test_each_weapon_shoots_as_its_row_says(key, reach, wound, reload, rain, far):
    weapon = missile(key)
    assert (weapon.range, weapon.wound, weapon.reload) == (int(reach), int(wound), int(reload))
    wet = shot_violations(somebody(), weapon, Shot(5, rain=True))
    assert (not wet) == (rain == "yes")
    assert reasons(Shot(13), weapon).get('inaccurate beyond 12"', 0) == int(far)
    too_far = shot_violations(somebody(), weapon, Shot(int(reach) + 0.5))
    assert [violation.code for violation in too_far] == ["out-of-range"]


def test_every_circumstance_has_its_own_line():
    shot = Shot(
        8,
        Cover.MEDIUM,
        moved_short=True,
        aimed_last_turn=True,
        target_engaged=True,
        wind=True,
        mist_spell=True,
        twice=True,
    )
    assert reasons(shot) == {
        "medium cover": -2,
        "moved": -1,
        "aimed": 1,
        "target Engaged": -2,
        "wind": -1,
        "Mist": -2,
        "two shots": -1,
    }
    assert reasons(Shot(8, Cover.LIGHT)) == {"light cover": -1}
    assert reasons(Shot(8, Cover.HEAVY)) == {"heavy cover": -3}


def test_a_wound_counts_on_shoot_and_on_the_roll_unless_the_club_counts_it_once():
    wounded = somebody(shoot=2, wounds=LIGHT)
    assert reasons(shooter=wounded) == {"wounded": -1}
    assert reasons(shooter=wounded, settings=HouseRules(wounded_shot="one")) == {}
    assert resolve_shot(wounded, somebody(), BOW, Shot(8), (3, 3)).attack_roll == 6


def test_a_tough_shooter_does_not_feel_a_light_wound():
    tough = somebody(shoot=2, wounds=LIGHT, attributes={"tough": ()})
    assert resolve_shot(tough, somebody(), BOW, Shot(8), (3, 3)).attack_roll == 8


def test_riders_and_large_bodies_are_easier_to_hit_and_huge_ones_easier_still():
    assert reasons(target=somebody(steed=HORSE)) == {"big target": 1}
    assert reasons(target=somebody(table=WoundTable.LARGE)) == {"big target": 1}
    assert reasons(target=somebody(table=WoundTable.HUGE)) == {"big target": 2}


@pytest.mark.parametrize(
    "key", ["matchlock", "musket", "pistol", "swivel-gun", "cannon", "light-cannon"]
)
def test_nobody_dodges_shot_and_ball(key):
    assert "Dodge" not in reasons(weapon=missile(key), target=somebody(attributes={"dodge": ()}))


@pytest.mark.parametrize("key", ["bow", "javelin", "blunderbuss", "ballista"])
def test_a_dodger_sees_other_missiles_coming_from_the_front(key):
    dodger = somebody(attributes={"dodge": ()})
    assert reasons(weapon=missile(key), target=dodger)["Dodge"] == -2
    assert "Dodge" not in reasons(Shot(8, from_front=False), missile(key), target=dodger)


def test_from_the_saddle_only_a_horse_master_shoots_well_and_nobody_with_a_longbow():
    assert reasons(shooter=somebody(steed=HORSE))["from horseback"] == -2
    assert reasons(shooter=somebody(steed=HORSE, attributes={"horse-master": ()})) == {}
    errors = shot_violations(somebody(steed=HORSE), missile("longbow"), Shot(8))
    assert [violation.code for violation in errors] == ["never-mounted"]


def test_a_shield_helps_from_the_front_only_and_a_buckler_never():
    bearer = somebody(worn=1, shield=True, buckler=True)
    assert resolve_shot(somebody(), bearer, BOW, Shot(8), (6, 6)).armour_rating == 2
    assert (
        resolve_shot(somebody(), bearer, BOW, Shot(8, from_front=False), (6, 6)).armour_rating == 1
    )


def test_shields_and_bucklers_count_always_by_house_rule():
    bearer = somebody(worn=1, buckler=True)
    flat = HouseRules(shield_rating="flat")
    assert resolve_shot(somebody(), bearer, BOW, Shot(8), (6, 6)).armour_rating == 1
    assert (
        resolve_shot(
            somebody(), bearer, BOW, Shot(8, from_front=False), (6, 6), settings=flat
        ).armour_rating
        == 2
    )


def test_a_spray_hits_whatever_the_dice_say_unless_the_club_rolls_for_each():
    spray, rolled = missile("blunderbuss"), HouseRules(spray_hits="each-rolls")
    assert resolve_shot(somebody(), somebody(), spray, Shot(5), (1, 1)).hit
    assert not resolve_shot(somebody(), somebody(), spray, Shot(5), (1, 1), settings=rolled).hit


def test_a_hit_on_a_rider_is_drawn_between_him_and_his_horse():
    rider = somebody(worn=2, steed=Steed("horse", armour_rating=1))
    on_horse = resolve_shot(somebody(), rider, BOW, Shot(8), (6, 6), rider_die=4)
    on_rider = resolve_shot(somebody(), rider, BOW, Shot(8), (6, 6), rider_die=5)
    assert (on_horse.on_mount, on_horse.armour_rating) == (True, 1)
    assert (on_rider.on_mount, on_rider.armour_rating) == (False, 2)
    with pytest.raises(ValueError, match="needs a die"):
        resolve_shot(somebody(), rider, BOW, Shot(8), (6, 6))


def test_snake_eyes_jam_bows_and_guns_but_no_thrown_thing():
    assert all(
        misfires(missile(key), (1, 1)) for key in ("bow", "longbow", "crossbow", "pistol", "cannon")
    )
    assert not any(
        misfires(missile(key), (1, 1)) for key in ("sling", "javelin", "grenade", "thrown-weapon")
    )
    assert not misfires(BOW, (1, 2))
    assert resolve_shot(somebody(), somebody(), missile("musket"), Shot(2), (1, 1)).reload == 2
    assert resolve_shot(somebody(), somebody(), BOW, Shot(2), (1, 1)).reload == 1


def test_a_spray_always_hits_and_grapeshot_is_one():
    blunderbuss = resolve_shot(
        somebody(), somebody(), missile("blunderbuss"), Shot(8, Cover.HEAVY), (1, 2)
    )
    assert (blunderbuss.hit, blunderbuss.hit_score) == (True, 1)
    grape = missile("cannon", grapeshot=True)
    assert (grape.range, grape.spray, grape.wound) == (18, 3, 4)


def test_only_an_archer_shoots_twice_and_only_with_a_bow():
    archer = somebody(attributes={"archer": ()})
    assert shot_violations(archer, BOW, Shot(8, twice=True)) == ()
    assert [
        violation.code
        for violation in shot_violations(archer, missile("sling"), Shot(8, twice=True))
    ] == ["not-an-archer"]
    assert [
        violation.code for violation in shot_violations(somebody(), BOW, Shot(8, twice=True))
    ] == ["not-an-archer"]


def test_every_obstacle_to_a_shot_is_named_at_once():
    shot = Shot(
        50,
        shooter_engaged=True,
        line_of_sight=False,
        target_hidden=True,
        sight=12,
        reload_counters=1,
        used_up=True,
    )
    codes = {violation.code for violation in shot_violations(somebody(), BOW, shot)}
    assert codes == {
        "shooter-engaged",
        "out-of-range",
        "no-line-of-sight",
        "target-hidden",
        "beyond-sight",
        "not-loaded",
        "used-up",
    }


def test_a_sharpshooter_rerolls_ones_and_twos_with_his_own_weapon_only():
    sharp = somebody(attributes={"sharpshooter": ("bow",)})
    assert may_reroll_shot(sharp, BOW, (2, 6)) == (2,)
    assert may_reroll_shot(sharp, BOW, (3, 6)) == ()
    assert may_reroll_shot(sharp, missile("sling"), (1, 1)) == ()


def test_magic_weapons_strike_and_wound_better():
    shooter = somebody(striking=("bow",), wounding=("bow",))
    shot = resolve_shot(shooter, somebody(), BOW, Shot(8), (3, 3))
    assert (shot.attack_roll, shot.final_score) == (7, 2)


def test_reloading_takes_counters_off_and_wet_powder_puts_one_back():
    assert reloaded(2) == 1
    assert reloaded(4, crew_reloading=3) == 1
    assert reloaded(0) == 0
    assert reloaded(1, powder=True, rain_die=2) == 1
    assert reloaded(1, powder=True, rain_die=3) == 0
    assert reloaded(1, powder=False, rain_die=1) == 0


@pytest.mark.parametrize(("weather", "hour", "turn", "inches"), rows("sight.txt"))
def test_how_far_can_be_seen(weather, hour, turn, inches):
    assert sight_limit(weather, hour, int(turn)) == (None if inches == "-" else int(inches))


def test_inaccurate_weapon_is_so_beyond_twelve_inches():
    modifiers = [
        reasons(Shot(inches), missile("matchlock")).get('inaccurate beyond 12"')
        for inches in (12, 12.5)
    ]
    assert modifiers == [None, -1]


def test_powerful_shooter_wounds_no_deeper():
    strong = resolve_shot(somebody(attributes={"powerful": ()}), somebody(), BOW, Shot(8), (4, 4))
    assert (
        strong.final_score == resolve_shot(somebody(), somebody(), BOW, Shot(8), (4, 4)).final_score
    )
