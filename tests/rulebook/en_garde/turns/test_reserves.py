"""Reserves in a log turn by turn. Rule book: "Deployment". Ruling S14."""

from rulebook.ruleset import BattleSetup, FieldedSide
from tests.rulebook.en_garde.turns.tables import GUARD, Told, man, side

BAND = tuple(
    man(f"m{place}", "ottoman-empire/azab", 2, leader=place == 1) for place in range(1, 10)
)
LATE = [fighter.id for fighter in BAND[5:]]


def kept_back(turn: int = 0) -> Told:
    """Return a battle with four of nine fighters in reserve and five on the table."""
    log = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *BAND), GUARD)))
    log.tell("reserves", side="a", fighters=LATE)
    for number in range(1, turn + 1):
        log.tell("turn", turn=number)
    return log


def test_half_of_a_side_waits_and_no_other_number():
    log = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *BAND), GUARD)))
    assert log.errors("reserves", side="a", fighters=LATE[:3]) == ["wrong-reserves"]
    assert log.errors("reserves", side="a", fighters=["guard", *LATE[:3]]) == ["other-side"]
    assert log.errors("reserves", side="z", fighters=LATE) == ["unknown-side"]
    assert kept_back(1).errors("reserves", side="a", fighters=LATE) == ["battle-begun"]


def test_who_waits_neither_acts_nor_is_shot_at():
    log = kept_back(1)
    assert log.errors("action", fighter="m6", what="rest") == ["in-reserve"]
    fire = {"shooter": "m1", "target": "guard", "weapon": "bow", "inches": 5, "dice": [1, 2]}
    assert "in-reserve" in log.errors("shot", **{**fire, "shooter": "m6"})
    assert "in-reserve" in log.errors("shot", **{**fire, "shooter": "guard", "target": "m6"})
    assert log.errors("action", fighter="m5", what="rest") == []


def test_half_of_the_reserves_come_in_turn_two_and_the_others_from_turn_three_on():
    assert kept_back(1).errors("move", fighter="m6", inches=6) == ["in-reserve"]
    log = kept_back(2)
    log.tell("move", fighter="m6", inches=6)
    log.tell("move", fighter="m7", inches=6)
    assert log.errors("move", fighter="m8", inches=6) == ["in-reserve"]
    log.tell("turn", turn=3)
    log.tell("move", fighter="m8", inches=6)
    log.tell("action", fighter="m6", what="rest")
    log.tell("turn", turn=4)
    log.tell("move", fighter="m9", inches=6)


def test_a_defence_has_reserves_for_the_attacker_alone_and_a_capture_none():
    def battle(scenario: str, *roles: str) -> Told:
        sides = (
            FieldedSide("a", "A", roles[0], "ottoman-empire", BAND),
            FieldedSide("b", "B", roles[1], GUARD.faction, GUARD.fighters),
        )
        return Told(BattleSetup(scenario, sides))

    assert (
        battle("defence", "attacker", "defender").errors("reserves", side="a", fighters=LATE) == []
    )
    assert battle("defence", "defender", "attacker").errors(
        "reserves", side="a", fighters=LATE
    ) == ["no-reserves"]
    assert battle("capture", "warband", "warband").errors("reserves", side="a", fighters=LATE) == [
        "no-reserves"
    ]
