"""The phases of a turn in a log: what is over does not come again in its turn."""

import pytest

from rulebook.systems.en_garde.play.turn_state import TurnPhase
from tests.rulebook.en_garde.turns.tables import Told, begun, met, opening


def fought() -> Told:
    """Return a battle after a combat of Athos and a guard, who passed."""
    log = met()
    log.tell("pass", fighter="athos")
    log.tell("pass", fighter="guard")
    return log


def test_a_turn_goes_through_its_phases():
    log = begun()
    assert log.state.table.phase is TurnPhase.PRIORITY
    assert log.tell("move", fighter="guard", contacts=["athos"]).table.phase is TurnPhase.MOVE
    assert log.tell("combat", **opening()).table.phase is TurnPhase.COMBAT
    log.tell("wound", victim="milady", result="stunned", attacker="athos")
    assert log.tell("stun_roll", fighter="milady", die=1).table.phase is TurnPhase.END
    assert log.tell("turn", turn=2).table.phase is TurnPhase.PRIORITY


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("move", {"fighter": "jussac", "inches": 3}),
        ("action", {"fighter": "jussac", "what": "rest"}),
        ("order", {"commander": "jussac", "order": "move", "fighters": ["milady"]}),
        ("object", {"fighter": "jussac", "what": "chest", "heavy": True}),
        (
            "shot",
            {
                "shooter": "planchet",
                "target": "jussac",
                "weapon": "matchlock",
                "inches": 9,
                "dice": [1, 2],
            },
        ),
        ("challenge", {"challenger": "jussac", "challenged": "athos", "inches": 1}),
    ],
)
def test_after_the_first_combat_the_move_phase_is_over(kind, data):
    assert "phase-over" in fought().errors(kind, **data)


def test_a_challenge_belongs_to_the_priority_phase():
    challenge = {"challenger": "jussac", "challenged": "athos", "inches": 3}
    assert begun().errors("challenge", **challenge) == []
    log = begun()
    log.tell("move", fighter="guard", inches=3)
    assert log.errors("challenge", **challenge) == ["phase-over"]


def test_friends_are_not_challenged():
    log = begun()
    assert log.errors("challenge", challenger="jussac", challenged="milady", inches=3) == [
        "own-side"
    ]


def test_what_belongs_to_no_phase_may_come_at_any_time():
    log = fought()
    log.tell("object", fighter="jussac", what="letter")
    log.tell("dexterity", fighter="jussac", dice=[1, 1])
    log.tell("wound", victim="jussac", result="stunned")


def test_nobody_fights_in_the_end_phase():
    log = begun(guard=["athos"])
    log.tell("wound", victim="milady", result="stunned", attacker="athos")
    log.tell("stun_roll", fighter="milady", die=1)
    assert log.errors("combat", **opening()) == ["phase-over"]
