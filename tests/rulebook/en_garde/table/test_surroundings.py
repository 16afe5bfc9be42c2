"""Things on the table: openings, decks, wagons, sight past bodies, Shoot orders and Scouts."""

import pytest

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.moving import attackers_through, scout_violations
from rulebook.systems.en_garde.table.orders import order_target_violations
from rulebook.systems.en_garde.table.shooting import Cover, Shelter, cover_behind, sees

WALKER = Combatant(id="a", name="A", rank=2)
SCOUT = Combatant(id="s", name="S", rank=2, attributes={"scout": ()})


def test_two_fight_at_a_doorway_and_one_at_a_window():
    assert (attackers_through("doorway"), attackers_through("window")) == (2, 1)


def test_a_wagon_is_medium_cover_and_an_armoured_one_heavy():
    assert cover_behind(Shelter.WAGON) is Cover.MEDIUM
    assert cover_behind(Shelter.ARMOURED_WAGON) is Cover.HEAVY


@pytest.mark.parametrize(
    ("bodies", "cover", "more", "seen"),
    [
        (0, 0, {}, True),
        (1, 0, {}, False),
        (0, 2, {}, True),
        (0, 2.5, {}, False),
        (0, 0, {"hidden": True}, False),
        (1, 0, {"over_a_friend": True}, True),
        (2, 0, {"over_a_friend": True}, False),
    ],
)
def test_bodies_thick_cover_and_hiding_block_the_line_of_sight(bodies, cover, more, seen):
    assert sees(bodies, cover, **more) is seen


def test_a_shoot_order_is_for_the_nominated_and_those_near_it():
    allowed = ("foe", "near")
    assert order_target_violations("near", allowed) == ()
    assert [violation.code for violation in order_target_violations("far", allowed)] == [
        "not-nominated"
    ]


def test_scouts_alone_move_before_the_game_and_no_further_than_twelve_inches():
    assert scout_violations(SCOUT, 12) == ()
    assert [violation.code for violation in scout_violations(SCOUT, 12.5)] == ["too-far"]
    assert [violation.code for violation in scout_violations(WALKER, 1)] == ["no-scout"]
