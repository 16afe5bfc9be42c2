"""Reserves in a log turn by turn. Rule book: "Deployment". Ruling S14."""

from rulebook.ruleset import BattleSetup, FieldedSide
from tests.rulebook.en_garde.turns.tables import GUARD, Told, man, side

BAND = tuple(man(f"m{place}", "ottoman-empire/azab", 2, leader=place == 1) for place in range(1, 10))
LATE = [fighter.id for fighter in BAND[5:]]


def kept_back(turn: int = 0) -> Told:
    """Four of nine wait; five are on the table."""
    told = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *BAND), GUARD)))
    told.tell("reserves", side="a", fighters=LATE)
    for number in range(1, turn + 1):
        told.tell("turn", turn=number)
    return told


def test_half_of_a_side_waits_and_no_other_number():
    told = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *BAND), GUARD)))
    assert told.errors("reserves", side="a", fighters=LATE[:3]) == ["wrong-reserves"]
    assert told.errors("reserves", side="a", fighters=["guard", *LATE[:3]]) == ["other-side"]
    assert told.errors("reserves", side="z", fighters=LATE) == ["unknown-side"]
    assert kept_back(1).errors("reserves", side="a", fighters=LATE) == ["battle-begun"]


def test_who_waits_neither_acts_nor_is_shot_at():
    told = kept_back(1)
    assert told.errors("action", fighter="m6", what="rest") == ["in-reserve"]
    fire = {"shooter": "m1", "target": "guard", "weapon": "bow", "inches": 5, "dice": [1, 2]}
    assert "in-reserve" in told.errors("shot", **{**fire, "shooter": "m6"})
    assert "in-reserve" in told.errors("shot", **{**fire, "shooter": "guard", "target": "m6"})
    assert told.errors("action", fighter="m5", what="rest") == []


def test_half_of_the_reserves_come_in_turn_two_and_the_others_from_turn_three_on():
    assert kept_back(1).errors("move", fighter="m6", inches=6) == ["in-reserve"]
    told = kept_back(2)
    told.tell("move", fighter="m6", inches=6)
    told.tell("move", fighter="m7", inches=6)
    assert told.errors("move", fighter="m8", inches=6) == ["in-reserve"]
    told.tell("turn", turn=3)
    told.tell("move", fighter="m8", inches=6)
    told.tell("action", fighter="m6", what="rest")
    told.tell("turn", turn=4)
    told.tell("move", fighter="m9", inches=6)


def test_a_defence_has_reserves_for_the_attacker_alone_and_a_capture_none():
    def battle(scenario: str, *roles: str) -> Told:
        sides = (
            FieldedSide("a", "A", roles[0], "ottoman-empire", BAND),
            FieldedSide("b", "B", roles[1], GUARD.faction, GUARD.fighters),
        )
        return Told(BattleSetup(scenario, sides))

    assert battle("defence", "attacker", "defender").errors("reserves", side="a", fighters=LATE) == []
    assert battle("defence", "defender", "attacker").errors("reserves", side="a", fighters=LATE) == ["no-reserves"]
    assert battle("capture", "warband", "warband").errors("reserves", side="a", fighters=LATE) == ["no-reserves"]
