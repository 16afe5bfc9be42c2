"""Weapons in hand, pools, blows and rounds. Rule book: "Combat phase", "Ploys", "Close combat
weapons"."""

import pytest

from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.table.blows import (
    Melee,
    Ploy,
    Stance,
    attacker_violations,
    defence_cost,
    defender_violations,
    kept,
    rerollable,
    resolve_blow,
    steed_as_combatant,
    targets,
)
from rulebook.systems.en_garde.table.combatant import (
    Grip,
    Steed,
    blow_wound_modifiers,
    grip_violations,
    initiative_modifiers,
    total,
)
from rulebook.systems.en_garde.table.combatant import uses_both_hands as both
from rulebook.systems.en_garde.table.rounds import (
    Split,
    fighter_pool,
    pool_size,
    simplified_pool,
    split_violations,
    steed_pool,
)
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundState
from tests.rulebook.en_garde.table.cast import GRIEVOUS, HORSE, rows, somebody

SWORD = Grip("sword")
NONE: frozenset[Ploy] = frozenset()
MASTER = {"weapon-master": ("sword",), "duellist": ()}
SWORDSMAN = somebody(
    id="s", rank=3, combat_pool=4, initiative=1, fight=3, worn=1, attributes=MASTER
)
FIRST = somebody(id="r1")
SECOND = somebody(id="r2", weapons=("great-weapon",))


def stance(*ploys, grip=SWORD, **more):
    return Stance(grip, frozenset(ploys), **more)


@pytest.mark.parametrize(("key", "first", "later", "wound", "two_hands"), rows("close_combat.txt"))
def test_each_weapon_strikes_as_its_row_says(key, first, later, wound, two_hands):
    bearer = somebody(weapons=("sword", key))
    assert total(initiative_modifiers(bearer, Grip(key))) == int(first)
    assert total(initiative_modifiers(bearer, Grip(key, first_round=False))) == int(later)
    assert total(blow_wound_modifiers(bearer, Grip(key), somebody())) == int(wound)
    assert both(Grip(key)) == (two_hands == "yes")


def test_a_longsword_in_both_hands_bites_deeper():
    bearer = somebody(weapons=("longsword",))
    assert total(blow_wound_modifiers(bearer, Grip("longsword", two_handed=True), somebody())) == 1


def test_pikes_bite_riders_and_lances_bite_from_the_saddle():
    assert (
        total(
            blow_wound_modifiers(somebody(weapons=("pike",)), Grip("pike"), somebody(steed=HORSE))
        )
        == 1
    )
    lancer = somebody(weapons=("lance",), steed=HORSE)
    assert total(blow_wound_modifiers(lancer, Grip("lance"), somebody())) == 1


def test_only_disarmed_men_suffer_without_weapons():
    hound, man = somebody(weapons=(), beast=True), somebody(weapons=())
    assert total(initiative_modifiers(hound, Grip())) == 0
    assert total(blow_wound_modifiers(hound, Grip(), man)) == 0
    assert total(initiative_modifiers(man, Grip())) == -1
    assert total(blow_wound_modifiers(man, Grip(), man)) == -2


def test_hounds_fight_as_if_bare_handed_by_house_rule_and_horses_do_not():
    rule = HouseRules(hounds_bare_handed=True)
    hound, horse = (
        somebody(weapons=(), attributes={"no-defence": ()}, beast=True),
        somebody(weapons=(), beast=True),
    )
    assert total(initiative_modifiers(hound, Grip())) == 0
    assert total(initiative_modifiers(hound, Grip(), settings=rule)) == -1
    assert total(blow_wound_modifiers(hound, Grip(), somebody(), rule)) == -2
    assert total(blow_wound_modifiers(horse, Grip(), somebody(), rule)) == 0


def test_what_cannot_be_held_is_refused_by_name():
    rider = somebody(weapons=("halberd",), steed=HORSE)
    assert [violation.code for violation in grip_violations(rider, Grip("halberd"))] == [
        "two-handed-mounted"
    ]
    assert [violation.code for violation in grip_violations(somebody(), Grip("spear"))] == [
        "not-carried"
    ]
    pistoleer = somebody(weapons=("pistol",))
    assert [
        violation.code for violation in grip_violations(pistoleer, Grip("pistol", pistol_reload=1))
    ] == ["pistol-empty"]
    assert grip_violations(somebody(), Grip()) == ()


def test_the_first_ruffian_of_the_example_is_parried():
    blow = resolve_blow(
        Melee(FIRST, stance(), SWORDSMAN, stance(Ploy.PARRY, defence_counters=2)), (3, 4), (2, 4)
    )
    assert (blow.attack_score, blow.defence_score, blow.hit_score, blow.result) == (9, 9, 0, None)


def test_the_mighty_blow_of_the_example_is_a_grievous_wound():
    attack = stance(Ploy.MIGHTY_BLOW, attack_counters=1)
    axe = stance(Ploy.PARRY, grip=Grip("great-weapon"), defence_counters=1)
    blow = resolve_blow(Melee(SWORDSMAN, attack, SECOND, axe), (4, 3, 5), (4, 2))
    assert (blow.attack_score, blow.defence_score, blow.final_score) == (12, 8, 4)
    assert blow.result is WoundResult.GRIEVOUS


def test_the_riposte_of_the_example_is_a_light_wound():
    wounded = somebody(id="r2", weapons=("great-weapon",), wounds=GRIEVOUS)
    axe = stance(grip=Grip("great-weapon"))
    blow = resolve_blow(
        Melee(wounded, axe, SWORDSMAN, stance(Ploy.RIPOSTE, defence_counters=1)), (2, 4), (3, 4)
    )
    assert (blow.attack_score, blow.defence_score, blow.riposte_score) == (6, 10, 2)
    assert blow.riposte is WoundResult.LIGHT
    assert not blow.hit


def test_the_last_blow_of_the_example_only_stuns():
    blow = resolve_blow(Melee(FIRST, stance(), SWORDSMAN, stance()), (3, 5), (5,))
    assert (blow.attack_score, blow.defence_score, blow.final_score) == (10, 8, 1)
    assert blow.result is WoundResult.STUNNED


def test_a_weapon_master_rolls_his_lowest_one_or_two_again_before_the_discard():
    assert rerollable(SWORDSMAN, SWORD, (2, 3, 5)) == 2
    assert rerollable(SWORDSMAN, SWORD, (3, 3, 5)) is None
    assert rerollable(SWORDSMAN, Grip("dagger"), (1, 1)) is None
    assert kept((4, 3, 5), frozenset({Ploy.MIGHTY_BLOW})) == (4, 5)


def test_wrong_numbers_of_dice_are_refused():
    with pytest.raises(ValueError, match="2 and 1 dice are rolled here, not 3 and 1"):
        resolve_blow(Melee(FIRST, stance(), SWORDSMAN, stance()), (3, 5, 5), (5,))


def test_a_buckler_counts_unless_both_hands_are_full():
    bearer = somebody(worn=1, buckler=True, weapons=("great-weapon", "sword"))
    with_sword = resolve_blow(Melee(FIRST, stance(), bearer, stance()), (6, 6), (1,))
    with_axe = resolve_blow(
        Melee(FIRST, stance(), bearer, stance(grip=Grip("great-weapon"))), (6, 6), (1,)
    )
    assert (with_sword.armour_rating, with_axe.armour_rating) == (2, 1)


def test_a_shield_counts_against_blows_only_where_the_house_rule_has_it_count_always():
    bearer = somebody(worn=1, shield=True)
    plain = resolve_blow(Melee(FIRST, stance(), bearer, stance()), (6, 6), (1,))
    flat = resolve_blow(
        Melee(FIRST, stance(), bearer, stance(), settings=HouseRules(shield_rating="flat")),
        (6, 6),
        (1,),
    )
    assert (plain.armour_rating, flat.armour_rating) == (1, 2)


def test_feint_and_disengage_do_no_harm_and_subdue_takes_one_off():
    feint = resolve_blow(Melee(SWORDSMAN, stance(Ploy.FEINT), FIRST, stance()), (6, 6), (1,))
    assert (feint.feinted, feint.result) == (True, None)
    leave = resolve_blow(Melee(FIRST, stance(Ploy.DISENGAGE), FIRST, stance()), (6, 6), (1,))
    assert (leave.disengaged, leave.result) == (True, None)
    subdue = resolve_blow(Melee(FIRST, stance(Ploy.SUBDUE), FIRST, stance()), (4, 5), (4,))
    assert (subdue.subdued, subdue.final_score, subdue.result) == (True, 4, WoundResult.GRIEVOUS)


def test_three_enemies_take_one_off_fight_and_the_unconscious_have_no_defence():
    beset = resolve_blow(Melee(FIRST, stance(enemies=3), FIRST, stance()), (3, 3), (3,))
    assert beset.attack_score == 7
    sleeper = somebody(wounds=WoundState(unconscious=True))
    assert resolve_blow(Melee(FIRST, stance(), sleeper, stance()), (1, 1), ()).defence_score == 0


def test_a_free_attack_has_one_more_on_its_roll():
    assert (
        resolve_blow(Melee(FIRST, stance(), FIRST, stance(), free=True), (3, 3), (3,)).attack_score
        == 9
    )


@pytest.mark.parametrize(
    ("fighter", "fencing", "codes"),
    [
        (FIRST, stance(Ploy.FEINT), ["no-weapon-master"]),
        (SWORDSMAN, stance(Ploy.FEINT, feinted=True), ["feinted"]),
        (FIRST, stance(Ploy.MIGHTY_BLOW), ["no-counter"]),
        (FIRST, stance(Ploy.PARRY), ["defenders-ploy"]),
        (SWORDSMAN, stance(Ploy.FEINT, Ploy.DISENGAGE), ["feint-and-disengage"]),
        (FIRST, stance(Ploy.MIGHTY_BLOW, Ploy.SUBDUE, attack_counters=1), []),
    ],
)
def test_the_attackers_ploys_have_their_conditions(fighter, fencing, codes):
    assert [violation.code for violation in attacker_violations(fighter, fencing)] == codes


def test_a_club_may_allow_one_ploy_at_a_time():
    two = stance(Ploy.MIGHTY_BLOW, Ploy.SUBDUE, attack_counters=1)
    assert [
        violation.code
        for violation in attacker_violations(FIRST, two, HouseRules(ploys_per_attack="one"))
    ] == ["one-ploy"]


@pytest.mark.parametrize(
    ("fighter", "fencing", "codes"),
    [
        (FIRST, stance(Ploy.PARRY, defence_counters=0), ["no-counter"]),
        (FIRST, stance(Ploy.PARRY, defence_counters=1), []),
        (FIRST, stance(Ploy.RIPOSTE, defence_counters=1), ["no-swordmaster"]),
        (SWORDSMAN, stance(Ploy.RIPOSTE, defence_counters=1), []),
        (SWORDSMAN, stance(Ploy.RIPOSTE, defence_counters=1, riposted=True), ["riposted"]),
        (FIRST, stance(Ploy.FEINT), ["attackers-ploy"]),
    ],
)
def test_the_defenders_ploys_have_their_conditions(fighter, fencing, codes):
    assert [violation.code for violation in defender_violations(fighter, fencing)] == codes


def test_a_riposte_holds_its_parry_unless_the_club_has_it_paid_apart():
    together = frozenset({Ploy.PARRY, Ploy.RIPOSTE})
    assert defence_cost(together) == 1
    assert defence_cost(together, HouseRules(riposte_dice="parry")) == 2


def test_a_mount_is_struck_with_fight_one_and_armoured_by_its_barding():
    rider = somebody(worn=3, steed=Steed("horse", armour_rating=1))
    blow = resolve_blow(
        Melee(FIRST, stance(), steed_as_combatant(rider), Stance(Grip())), (4, 4), (2,)
    )
    assert (blow.defence_score, blow.armour_rating) == (3, 1)
    assert targets(FIRST, rider) == ("rider", "mount")
    assert targets(rider, rider) == ("rider",)


def test_pools_add_up_and_halve_in_a_ride_by():
    assert pool_size((FIRST, SECOND)) == 4
    assert pool_size((SWORDSMAN, somebody(combat_pool=1)), ride_by=True) == 3
    warrior = somebody(steed=Steed("warhorse"))
    assert (
        steed_pool(warrior),
        steed_pool(warrior, ride_by=True),
        steed_pool(somebody(steed=HORSE)),
    ) == (1, 0, 0)


def allowed_splits(fighter):
    size = fighter_pool(fighter)
    every = [Split(attack, size - attack) for attack in range(size + 1)]
    return [split for split in every if not split_violations((fighter,), split)]


def test_civilians_only_defend_and_the_relentless_never():
    civilian = somebody(combat_pool=1, civilian=True)
    assert allowed_splits(civilian) == [Split(0, 1)]
    assert allowed_splits(somebody(attributes={"relentless": ()})) == [Split(2, 0)]
    assert len(allowed_splits(SWORDSMAN)) == 5
    assert [violation.code for violation in split_violations((FIRST,), Split(2, 1))] == [
        "wrong-pool"
    ]


def test_the_simplified_pool_counts_one_for_each_that_takes_part_but_not_the_gravely_wounded():
    wounded = somebody(wounds=GRIEVOUS)
    assert simplified_pool(SWORDSMAN, (FIRST, SECOND, wounded)) == 6
    assert simplified_pool(SWORDSMAN, (somebody(steed=Steed("warhorse")),)) == 6


def test_powerful_blow_bites_one_deeper():
    strong = somebody(attributes={"powerful": ()})
    assert total(blow_wound_modifiers(strong, SWORD, somebody())) == 1
