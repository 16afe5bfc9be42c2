"""Spells. Rule book: "Appendix B: The fantastical"."""

import pytest

from rulebook.systems.en_garde.table.combatant import (
    Grip,
    blow_modifiers,
    blow_wound_modifiers,
    total,
)
from rulebook.systems.en_garde.table.magic import (
    armoured,
    blasted,
    cast_violations,
    drained,
    healed,
    magic_points,
    may_resist,
    resolve_casting,
    stunned_by_spell,
    transfixed,
)
from rulebook.systems.en_garde.table.wounds import (
    UNHURT,
    Wound,
    WoundResult,
    WoundState,
    WoundTable,
)
from tests.rulebook.en_garde.table.cast import GRIEVOUS, LIGHT, somebody

WITCH = somebody(
    id="w",
    rank=5,
    attributes={"magician": ("armour", "drain-life", "power-blast", "stun", "summon")},
)


def test_a_magician_has_twice_its_rank_in_points_and_two_more_with_an_item_of_power():
    assert magic_points(WITCH) == 10
    assert (
        magic_points(somebody(rank=3, attributes={"magician": ()}, weapons=("item-of-power",))) == 8
    )
    assert magic_points(somebody()) == 0


@pytest.mark.parametrize(
    ("spell", "points", "circumstances", "code"),
    [
        ("heal", 10, {}, "unknown-spell"),
        ("summon", 3, {}, "no-magic-points"),
        ("armour", 10, {"engaged": True}, "engaged"),
        ("armour", 10, {"cast_this_turn": True}, "cast-already"),
        ("drain-life", 10, {"inches": 3.5}, "out-of-reach"),
        ("power-blast", 10, {"inches": 12.5}, "out-of-reach"),
    ],
)
def test_what_forbids_a_spell(spell, points, circumstances, code):
    assert [
        violation.code for violation in cast_violations(WITCH, spell, points, **circumstances)
    ] == [code]


def test_a_spell_within_reach_and_means_is_allowed():
    assert cast_violations(WITCH, "drain-life", 2, inches=3) == ()
    assert [violation.code for violation in cast_violations(somebody(), "armour", 10)] == [
        "no-magician"
    ]


def test_a_casting_has_to_beat_who_resists_and_magicians_add_their_rank():
    assert resolve_casting(WITCH, "stun", (1, 1)).cast
    plain, priest = somebody(rank=3), somebody(rank=3, attributes={"priest": ()})
    assert resolve_casting(WITCH, "stun", (2, 2), plain, (4, 4)).cast
    assert not resolve_casting(WITCH, "stun", (2, 2), priest, (3, 3)).cast
    assert resolve_casting(WITCH, "summon", (1, 1), plain, (6, 6)).points_spent == 4


def test_the_target_and_enemy_magicians_may_resist():
    assert may_resist(somebody(), is_target=True, of_enemy=True)
    assert not may_resist(somebody(), is_target=False, of_enemy=True)
    assert may_resist(somebody(weapons=("holy-relic",)), is_target=False, of_enemy=True)
    assert not may_resist(WITCH, is_target=False, of_enemy=False)


def test_what_the_spells_do():
    assert armoured(somebody(worn=1)).worn == 4
    assert drained(somebody(wounds=LIGHT)).wound is Wound.GRIEVOUS
    assert drained(somebody(table=WoundTable.LARGE)).stunned == 1
    assert healed(somebody(wounds=GRIEVOUS)) == UNHURT
    assert healed(somebody(wounds=WoundState(wound=Wound.CRITICAL))).dead
    assert stunned_by_spell(UNHURT, 3) == WoundState(wound=Wound.LIGHT)
    slowed = transfixed(somebody(rank=3, combat_pool=4, initiative=3, fight=5, shoot=1))
    assert (slowed.rank, slowed.combat_pool, slowed.initiative, slowed.fight, slowed.shoot) == (
        3,
        2,
        1,
        2,
        0,
    )


def test_a_power_blast_is_a_shot_without_modifiers():
    archmage = somebody(shoot=1)
    assert blasted(archmage, somebody(), (2, 3)) is None
    assert blasted(archmage, somebody(), (3, 3)) is WoundResult.LIGHT
    assert blasted(archmage, somebody(worn=2), (3, 3)) is WoundResult.STUNNED


def test_staff_of_solomon_strikes_better_at_the_fantastical_alone():
    hunter = somebody(weapons=("staff", "staff-of-solomon"))
    assert total(blow_modifiers(hunter, Grip("staff"), somebody(fantastical=True))) == 2
    assert total(blow_modifiers(hunter, Grip("staff"), somebody())) == 0
    assert (
        total(
            blow_modifiers(somebody(weapons=("staff",)), Grip("staff"), somebody(fantastical=True))
        )
        == 0
    )


def test_magic_weapons_strike_and_wound_better_hand_to_hand():
    bearer = somebody(weapons=("sword", "dagger"), striking=("sword",), wounding=("sword",))
    assert total(blow_modifiers(bearer, Grip("sword"), somebody())) == 1
    assert total(blow_wound_modifiers(bearer, Grip("sword"), somebody())) == 1
    assert blow_modifiers(bearer, Grip("dagger"), somebody()) == ()
    assert total(blow_wound_modifiers(bearer, Grip("dagger"), somebody())) == 0
