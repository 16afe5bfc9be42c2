"""Lines of sight and shelter in a log turn by turn."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import Told, begun, man, side

BAND = side(
    "a",
    "ottoman-empire",
    man("chief", "ottoman-empire/boluk-bashi", 4, leader=True),
    man("front", "ottoman-empire/azab", 2, options={"weapon": ["matchlock"]}),
    man("rear", "ottoman-empire/azab", 2, options={"weapon": ["matchlock"]}),
)
FOES = side(
    "b",
    "cardinals-guard",
    man("guard", "cardinals-guard/guard", 2, leader=True),
    man("near", "cardinals-guard/guard", 2),
)
FIRE: dict[str, Any] = {
    "shooter": "rear",
    "target": "guard",
    "weapon": "matchlock",
    "inches": 10,
    "dice": [1, 2],
}


def muskets() -> Told:
    return begun(BattleSetup("skirmish", (BAND, FOES)))


@pytest.mark.parametrize(
    ("told_of_it", "expected"),
    [
        ({}, []),
        ({"sight": "blocked"}, ["no-line-of-sight"]),
        ({"between": ["near"]}, ["no-line-of-sight"]),
        ({"between": ["front"]}, ["no-line-of-sight"]),
        ({"between": ["nobody"]}, ["unknown-combatant"]),
        ({"foliage": 2}, []),
        ({"foliage": 2.5}, ["no-line-of-sight"]),
    ],
)
def test_bodies_thick_foliage_and_walls_block_the_line_of_sight(told_of_it, expected):
    assert muskets().errors("shot", **FIRE, **told_of_it) == expected


def test_on_a_shoot_order_one_friend_of_the_group_does_not_block_it():
    log = muskets()
    log.tell("order", commander="chief", order="shoot", fighters=["front", "rear"], target="guard")
    assert log.errors("shot", **FIRE, between=["front"]) == []
    assert log.errors("shot", **FIRE, between=["front", "near"]) == ["no-line-of-sight"]
    assert log.errors("shot", **FIRE, between=["near"]) == ["no-line-of-sight"]


@pytest.mark.parametrize(
    ("behind", "stunned"),
    [
        ({}, True),
        ({"shelter": "shrubs"}, False),
        ({"shelter": "none", "cover": "light"}, False),
    ],
)
def test_what_a_target_stands_behind_is_its_cover(behind, stunned):
    log = muskets()
    state = log.tell(
        "shot", **{**FIRE, "dice": [3, 4]}, **behind
    )  # 7 less 6, and 2 for the matchlock
    assert (state.combatants["guard"].wounds.worst == "light") is stunned


def test_the_better_of_shelter_and_cover_counts():
    for behind in ({"shelter": "wagon"}, {"shelter": "shrubs", "cover": "medium"}):
        state = muskets().tell("shot", **{**FIRE, "dice": [4, 5]}, **behind)
        assert state.combatants["guard"].wounds.worst == "light"  # 9 less 2 less 6, and 2
    assert not muskets().tell("shot", **{**FIRE, "dice": [4, 5]}, shelter="armoured-wagon").deeds


def test_who_is_engaged_is_not_hidden():
    log = muskets()
    log.tell("action", fighter="guard", what="hide")
    assert log.errors("shot", **FIRE) == ["target-hidden"]
    log.tell("move", fighter="front", contacts=["guard"])
    assert log.errors("shot", **FIRE) == []
