"""The way of a move in a log turn by turn: ground, doors, turns on the spot, wagons, guns, an
Undergrowth."""

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Told, begun, man, side

WITCH = side(
    "a",
    "fantastical",
    man("witch", "fantastical/witch", 5, leader=True),
    man("beast", "fantastical/beast", 4),
)


@pytest.mark.parametrize(
    ("way", "most"),
    [
        ({"place": "building"}, 4),
        ({"place": "ship"}, 4),
        ({"place": "building", "terrain": "impassable"}, None),
        ({"extra_turns": 1}, 4),
        ({"extra_turns": 3}, 0),
        ({"doors": 1}, 5),
        ({"doors": 2, "place": "building"}, 2),
        ({"in_wagon": True}, 8),
        ({"in_wagon": True, "terrain": "difficult"}, 6),
    ],
)
def test_what_is_on_the_way_shortens_or_forbids_a_move(way, most):
    if most is None:
        assert begun().errors("move", fighter="guard", inches=1, **way) == ["impassable"]
        return
    assert begun().errors("move", fighter="guard", inches=most, **way) == []
    assert begun().errors("move", fighter="guard", inches=most + 0.5, **way) == ["too-far"]


def test_a_locked_door_is_not_opened_in_passing():
    assert begun().errors("move", fighter="guard", inches=3, doors=1, locked=True) == ["locked"]
    assert begun().errors("move", fighter="guard", inches=3, doors=1) == []


def magic() -> Told:
    log = Told(BattleSetup("skirmish", (WITCH, GUARD), {"fantastical": True}))
    log.tell("turn", turn=1)
    return log


def test_an_undergrowth_slows_and_blocks_until_the_end_of_the_next_turn():
    through = {"fighter": "guard", "undergrowth": True}
    assert magic().errors("move", **through, inches=4) == ["no-undergrowth"]
    log = magic()
    log.tell(
        "spell",
        magician="beast",
        spell="undergrowth",
        dice=[6, 6],
        inches=12,
        overruled="A wand lent to it",
    )
    assert log.errors("move", **through, inches=4.5) == ["too-far"]
    assert log.errors("move", **through, inches=1, terrain="difficult") == ["impassable"]
    log.tell("turn", turn=2)
    assert log.errors("move", **through, inches=4) == []
    log.tell("turn", turn=3)
    assert log.errors("move", **through, inches=4) == ["no-undergrowth"]


def gunners(*guns: str) -> Told:
    crew = tuple(
        man(each, "swashbucklers/seaman", 1, leader=each == "one") for each in ("one", "two")
    )
    return begun(
        BattleSetup(
            "skirmish", (side("a", "swashbucklers", *crew, extras={"ordnance": guns}), GUARD)
        )
    )


def test_an_immobile_gun_stays_where_it_is_and_a_swivel_gun_may_be_taken_along():
    log = gunners("swivel-gun", "cannon")
    assert log.errors("move", fighter="one", gun="swivel-gun", inches=3) == []
    assert log.errors("move", fighter="one", gun="cannon", inches=3) == ["immobile"]
    assert log.errors("object", fighter="one", what="cannon", heavy=True) == ["immobile"]
    assert log.errors("object", fighter="one", what="chest", heavy=True) == []
    assert log.errors("move", fighter="guard", gun="cannon", inches=3) == ["not-carried"]
    assert log.errors("move", fighter="one", gun="trebuchet", inches=3) == ["unknown-weapon"]


def test_a_wagon_carries_heavy_things_at_its_own_rate():
    log = begun(SWORDS)
    log.tell("object", fighter="guard", what="chest", heavy=True)
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="guard", inches=5) == ["too-far"]
    assert log.errors("move", fighter="guard", inches=8, in_wagon=True) == []
