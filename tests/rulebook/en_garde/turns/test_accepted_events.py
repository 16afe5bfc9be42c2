"""Accepted log entries remain valid, even if the rules were corrected since and forbid them."""

from typing import Any

import pytest

from rulebook.battle_log import play
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError
from rulebook.systems.en_garde.log.kinds import LOG
from tests.rulebook.en_garde.logs import event_problems, outcomes, replay
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side


def unhorsed() -> Told:
    """Return a battle in which a thrown rider ran on at the rate of horse, as older rules
    allowed.
    """
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", knight), GUARD)))
    log.tell("wound", victim="knight", result="critical", die=6, on_mount=True, attacker="guard")
    log.tell("turn", turn=2)
    log.tell("note", text="A fine day.")
    too_far = log.event("move", {"fighter": "knight", "inches": 12})
    assert codes(log, too_far) == ["too-far"]
    log.events = (*log.events, too_far)
    return log


def codes(log: Told, event: LoggedEvent) -> list[str]:
    return [each.code for each in event_problems(log.setup, log.events, event)]


def correction(log: Told, **data: Any) -> LoggedEvent:
    return log.event("correction", {"reason": "Misread.", **data})


def test_accepted_move_survives_corrected_rule():
    log = unhorsed()
    assert replay(log.setup, log.events).table.of("knight").has("moved")
    assert 5 in outcomes(log.setup, log.events)
    log.tell("move", fighter="guard", inches=3)
    assert log.errors("move", fighter="guard", inches=3) == ["acted-already"]


def test_a_correction_answers_for_what_it_makes_illegal_and_for_nothing_older():
    log = unhorsed()
    log.tell("move", fighter="guard", inches=6)
    assert codes(log, correction(log, event=4, data={"text": "A dull day."})) == []
    struck_down = {"victim": "guard", "result": "grievous", "subdue": True, "attacker": "knight"}
    (problem,) = event_problems(
        log.setup, log.events, correction(log, event=4, kind="wound", data=struck_down)
    )
    assert (problem.code, problem.sentence[:9]) == ("out-of-action", "Event 6: ")


def test_corrected_event_is_checked_again():
    log = unhorsed()
    assert codes(log, correction(log, event=5, data={"fighter": "knight", "inches": 10})) == [
        "too-far"
    ]
    assert codes(log, correction(log, event=5, data={"fighter": "knight", "inches": 6})) == []
    reason = {"fighter": "knight", "inches": 12, "overruled": "So we played then."}
    assert codes(log, correction(log, event=5, data=reason)) == []


def superfluous(log: Told, *, accepted: bool) -> list[tuple[str, ...]]:
    """Return the superfluous fields of each event that counts, from a replay of the log."""
    return [
        step.superfluous
        for step in play.replay(LOG, log.setup, log.events, accepted=accepted).steps
    ]


def test_of_an_accepted_log_only_what_follows_the_first_corrected_event_is_asked_again():
    log = begun(
        BattleSetup(
            "skirmish",
            (side("a", "conquistadors", man("knight", "conquistadors/knight", 3)), GUARD),
        )
    )
    log.tell("note", text="A fine day.")
    log.events = (*log.events, log.event("move", {"fighter": "guard", "inches": 3, "nerve": 2}))
    log.tell("note", text="It rains.")
    accepted, checked = superfluous(log, accepted=True), superfluous(log, accepted=False)
    assert (accepted[-2], checked[-2]) == ((), ("nerve",))
    log.events = (
        *log.events,
        correction(log, event=log.events[-1].sequence, data={"text": "It pours."}),
    )
    assert superfluous(log, accepted=True)[-2] == ()
    earlier = correction(log, event=log.events[-4].sequence, data={"text": "A dull day."})
    log.events = (*log.events, earlier)
    assert superfluous(log, accepted=True)[-2] == ("nerve",)


def test_an_accepted_log_of_which_nothing_can_be_made_any_more_says_what_makes_no_sense():
    log = begun(
        BattleSetup(
            "skirmish",
            (side("a", "conquistadors", man("knight", "conquistadors/knight", 3)), GUARD),
        )
    )
    log.events = (*log.events, log.event("move", {"fighter": "nobody", "inches": 3}))
    with pytest.raises(RulesError, match="'nobody'"):
        play.replay(LOG, log.setup, log.events, accepted=True)
