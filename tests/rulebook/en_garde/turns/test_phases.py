"""The phases of a turn in a log: what is over does not come again in its turn."""

import pytest

from rulebook.systems.en_garde.play.turn_state import TurnPhase
from tests.rulebook.en_garde.turns.tables import Told, begun, met, opening


def fought() -> Told:
    """Athos and a guard have fought; the guard let everything go."""
    told = met()
    told.tell("pass", fighter="athos")
    told.tell("pass", fighter="guard")
    return told


def test_a_turn_goes_through_its_phases():
    told = begun()
    assert told.state.table.phase is TurnPhase.PRIORITY
    assert told.tell("move", fighter="guard", contacts=["athos"]).table.phase is TurnPhase.MOVE
    assert told.tell("combat", **opening()).table.phase is TurnPhase.COMBAT
    told.tell("wound", victim="milady", result="stunned", attacker="athos")
    assert told.tell("stun_roll", fighter="milady", die=1).table.phase is TurnPhase.END
    assert told.tell("turn", turn=2).table.phase is TurnPhase.PRIORITY


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("move", {"fighter": "jussac", "inches": 3}),
        ("action", {"fighter": "jussac", "what": "rest"}),
        ("order", {"commander": "jussac", "order": "move", "fighters": ["milady"]}),
        ("object", {"fighter": "jussac", "what": "chest", "heavy": True}),
        ("shot", {"shooter": "planchet", "target": "jussac", "weapon": "matchlock", "inches": 9, "dice": [1, 2]}),
        ("challenge", {"challenger": "jussac", "challenged": "athos", "inches": 1}),
    ],
)
def test_after_the_first_combat_the_move_phase_is_over(kind, data):
    assert "phase-over" in fought().errors(kind, **data)


def test_a_challenge_belongs_to_the_priority_phase():
    challenge = {"challenger": "jussac", "challenged": "athos", "inches": 3}
    assert begun().errors("challenge", **challenge) == []
    told = begun()
    told.tell("move", fighter="guard", inches=3)
    assert told.errors("challenge", **challenge) == ["phase-over"]


def test_friends_are_not_challenged():
    told = begun()
    assert told.errors("challenge", challenger="jussac", challenged="milady", inches=3) == ["own-side"]


def test_what_belongs_to_no_phase_may_come_at_any_time():
    told = fought()
    told.tell("object", fighter="jussac", what="letter")
    told.tell("dexterity", fighter="jussac", dice=[1, 1])
    told.tell("wound", victim="jussac", result="stunned")


def test_nobody_fights_in_the_end_phase():
    told = begun(guard=["athos"])
    told.tell("wound", victim="milady", result="stunned", attacker="athos")
    told.tell("stun_roll", fighter="milady", die=1)
    assert told.errors("combat", **opening()) == ["phase-over"]
