"""Actions due in a turn of En Garde! before the next one begins, or the battle ends."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.log.kinds import LOG
from tests.rulebook.en_garde.logs import at_table
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, met

BRIDGE = BattleSetup(
    "hold-the-bridge",
    tuple(
        type(side)(side.key, side.name, role, side.faction, side.fighters)
        for side, role in zip(SWORDS.sides, ("attacker", "defender"), strict=True)
    ),
)


def owed(log: Told) -> list[tuple[str, str]]:
    return [(each.kind, each.who) for each in LOG.policy.obligations(log.state)]


def test_nothing_is_owed_before_the_first_turn_nor_on_a_result_sheet():
    log = Told(SWORDS)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    assert owed(log) == []
    assert log.errors("ended") == []


def test_who_touches_an_enemy_fights_before_the_next_turn():
    log = begun(SWORDS, guard=["athos"])
    assert owed(log) == [("combat", "athos")]
    assert log.errors("turn", turn=2) == ["still-open"]
    assert log.errors("ended", how="agreed") == ["still-open"]
    assert log.errors("ended", how="agreed", overruled="The shop closes.") == []


def test_an_open_round_is_fought_to_its_end():
    log = met()
    assert [kind for kind, _ in owed(log)] == ["pass"]
    assert log.errors("turn", turn=2) == ["still-open"]
    while log.state.table.fight.next is not None:
        log.tell("pass", fighter=log.state.table.fight.next.id)
    assert owed(log) == []
    assert log.errors("turn", turn=2) == []


def test_morale_keeps_the_end_waiting_and_a_stun_roll_the_next_turn_alone():
    log = begun(SWORDS)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert owed(log) == [("stun_roll", "guard")]
    assert log.errors("turn", turn=2) == ["still-open"]
    assert log.errors("ended", how="agreed") == []
    log.tell("stun_roll", fighter="guard", die=1)
    log.tell("turn", turn=2)
    assert owed(log) == [("morale", "b"), ("stun_roll", "guard")]
    assert log.errors("ended", how="agreed") == ["still-open"]


def test_a_side_that_concedes_leaves_nothing_open():
    log = begun(SWORDS, guard=["athos"])
    log.tell("conceded", side="b")
    assert owed(log) == []
    assert log.errors("ended", how="conceded") == []


def test_the_length_of_the_game_is_rolled_for_before_the_next_turn():
    log = Told(BRIDGE)
    for turn in range(1, 5):
        log.tell("turn", turn=turn)
    assert owed(log) == [("length", "")]
    log.tell("length", die=1)
    assert owed(log) == []


def test_who_is_stunned_in_the_water_rolls_against_drowning():
    log = begun(SWORDS)
    log.tell("move", fighter="guard", in_water=True)
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert ("water", "guard") in owed(log)
    log.tell("water", fighter="guard", drowning=1)
    assert ("water", "guard") not in owed(log)


@pytest.mark.parametrize("die", [1, 6])
def test_the_next_turn_is_proposed_once_nothing_is_owed(die: int):
    log = begun(SWORDS)
    log.tell("priority", rolls=[{"a": 6, "b": 1}])
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert "turn" not in [
        due.do for phase in at_table(log.setup, log.events).phases for due in phase.due
    ]
    log.tell("stun_roll", fighter="guard", die=die)
    assert "turn" in [
        due.do for phase in at_table(log.setup, log.events).phases for due in phase.due
    ]


def test_due_actions_are_named_in_one_sentence():
    log = begun(SWORDS, guard=["athos"])
    (problem,) = LOG.problems(
        log.state, LOG.read(log.event("turn", {"turn": 2})), log.event("turn", {"turn": 2})
    )
    assert problem.sentence.startswith("Still to do first: ATHOS against GUARD: combat.")
    assert problem.field == "overruled"
