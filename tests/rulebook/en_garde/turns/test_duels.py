"""Duels in a log turn by turn: one at a time, and to the death."""

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, man, side

GUARDS = side(
    "b",
    "cardinals-guard",
    man("jussac", "cardinals-guard/officer", 3, leader=True),
    man("biscarat", "cardinals-guard/officer", 3),
    man("guard", "cardinals-guard/guard", 2),
)


def challenged() -> Told:
    """Return a battle in which Jussac has challenged Athos, who accepts."""
    log = begun(BattleSetup("skirmish", (SWORDS.sides[0], GUARDS)))
    log.tell("challenge", challenger="jussac", challenged="athos", inches=3, accepted=True)
    return log


def test_who_has_a_duel_to_fight_is_in_no_second_one():
    log = challenged()
    assert log.errors("challenge", challenger="biscarat", challenged="athos", inches=3) == [
        "in-a-duel"
    ]
    assert log.errors("challenge", challenger="jussac", challenged="athos", inches=3) == [
        "in-a-duel",
        "in-a-duel",
    ]


FIGHT = {
    "fighters": {"a": ["athos"], "b": ["guard"]},
    "counters": {"a": [3, 3], "b": [1, 1]},
    "initiative": {"athos": [6], "guard": [1]},
}


def test_a_duel_does_not_end_before_somebody_is_dead():
    log = challenged()
    log.tell("wound", victim="jussac", result="grievous", attacker="athos", subdue=True)
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("combat", **FIGHT) == ["in-a-duel"]
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    assert log.errors("combat", **FIGHT) == []


def test_a_duel_ends_where_one_of_the_two_is_gone():
    log = challenged()
    log.tell("left", fighter="jussac")
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("combat", **FIGHT) == []
