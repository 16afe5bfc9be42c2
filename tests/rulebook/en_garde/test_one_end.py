"""Nobody ends twice in a battle: the error names the earlier entry, and entries from before the end
are still accepted."""

from typing import Any

import pytest

from rulebook.battle_log.play import Play, open_play, replay
from rulebook.ruleset import LoggedEvent, RulesError
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.values.problems import Repeated
from tests.rulebook.en_garde import battlefield
from tests.rulebook.en_garde.battlefield import battle
from tests.rulebook.en_garde.logs import EN_GARDE, result

SKIRMISH = battle("skirmish")


def told(kind: str, **data: Any) -> LoggedEvent:
    return LoggedEvent(0, kind, data)


def wound(*words: Any, **data: Any) -> LoggedEvent:
    return LoggedEvent(0, *battlefield.wound(*words, **data))


KILL = wound("b1", "critical", "a1")


def at(turn: int, event: LoggedEvent) -> LoggedEvent:
    return LoggedEvent(event.sequence, event.kind, event.data, turn)


def played(*events: LoggedEvent) -> Play:
    play = open_play(LOG, SKIRMISH)
    for event in events:
        play = play.after(LoggedEvent(play.sequence + 1, event.kind, event.data, event.turn))
    return play


def refused(play: Play, event: LoggedEvent) -> Repeated:
    (problem,) = play.problems(LoggedEvent(play.sequence + 1, event.kind, event.data, event.turn))
    assert isinstance(problem, Repeated)
    assert problem.code == "already-logged"
    return problem


def taken(play: Play, event: LoggedEvent) -> bool:
    return play.problems(LoggedEvent(play.sequence + 1, event.kind, event.data, event.turn)) == ()


def experience(play: Play, fighter: str) -> int:
    sides = result(SKIRMISH, play.events()).sides
    awards = (EN_GARDE.progression.awards(side.records, side.deeds, {}) for side in sides)
    return sum(
        each.amount
        for own in awards
        for each in own
        if each.fighter == fighter and each.code != "survived"
    )


@pytest.mark.parametrize("turns", [(2, 2), (2, 1), (2, 3), (None, None), (2, None), (None, 2)])
@pytest.mark.parametrize("attacker", ["a1", "a2", None])
def test_a_second_kill_says_who_has_it(
    turns: tuple[int | None, int | None], attacker: str | None
) -> None:
    first, second = (LoggedEvent(0, "wound", {**KILL.data}, turn) for turn in turns)
    second = LoggedEvent(0, "wound", {**second.data, "attacker": attacker}, second.turn)
    problem = refused(played(told("note", text="It rains."), first), second)
    when = " in turn 2" if turns[0] else ""
    assert problem.sentence == (
        f"B1 was killed by A1 (Alsatians){when} (entry 2). Replace that entry if it is wrong."
    )
    assert (problem.field, problem.value, problem.entry) == ("victim", "b1", 2)


def test_the_correction_that_comes_with_it_replaces_the_first_entry() -> None:
    play = played(at(2, KILL))
    again = at(3, wound("b1", "critical", "a2"))
    correction = refused(play, again).correction
    assert correction is not None
    after = play.after(LoggedEvent(2, "correction", correction))
    (deed,) = after.state.deeds
    assert (deed.fighter, deed.turn) == ("a2", 3)
    assert (experience(after, "a1"), experience(after, "a2")) == (0, 1)


@pytest.mark.parametrize("end", ["routed", "left"])
def test_who_has_left_cannot_be_killed_in_the_same_turn(end: str) -> None:
    assert refused(played(at(2, told(end, fighter="b1"))), at(2, KILL)).entry == 1
    assert refused(played(at(2, KILL)), at(2, told(end, fighter="b1"))).entry == 1


def test_wounds_before_the_end_may_be_entered_after_it() -> None:
    play = played(at(2, KILL))
    for late in (wound("b1", "light", "a2"), wound("b1", "grievous", "a1")):
        assert taken(play, at(1, late))
    assert experience(played(at(2, KILL), at(1, wound("b1", "light", "a2"))), "a2") == 1


def test_more_wounds_than_he_can_have_borne_are_the_same_end_again() -> None:
    play = played(at(1, wound("b1", "grievous", "a1")), at(2, wound("b1", "grievous", "a2")))
    assert play.state.combatants["b1"].dead
    for turn in (1, 2):
        assert refused(play, at(turn, wound("b1", "grievous", "a1"))).entry == 2
    assert taken(play, at(1, wound("b1", "light", "a1")))


def test_no_late_wound_kills_somebody_who_has_left() -> None:
    play = played(at(1, wound("b1", "grievous", "a1")), at(3, told("routed", fighter="b1")))
    assert refused(play, at(2, wound("b1", "light", "a1"))).entry == 2


def test_the_unconscious_may_be_killed_or_captured_once() -> None:
    play = played(at(1, wound("b1", "grievous", "a1", subdue=True)))
    capture = told("captured", by="a2", fighter="b1")
    assert taken(play, at(2, KILL))
    captured = play.after(LoggedEvent(2, "captured", capture.data, 2))
    second_capture = at(2, told("captured", by="a1", fighter="b1"))
    assert refused(captured, second_capture).earlier == "B1 was captured by A2 in turn 2"
    assert refused(captured, at(2, KILL)).entry == 2


def test_a_reason_lets_nobody_end_twice() -> None:
    play = played(at(2, KILL))
    assert refused(play, at(2, wound("b1", "critical", "a2", overruled="He stood up again.")))


def test_a_correction_lets_nobody_end_twice() -> None:
    play = played(at(2, wound("b1", "light", "a1")), at(2, KILL))
    kill = {
        "event": 1,
        "reason": "It was worse.",
        "kind": "wound",
        "data": dict(wound("b1", "critical", "a2").data),
    }
    with pytest.raises(RulesError) as refusal:
        play.after(LoggedEvent(3, "correction", kill))
    (problem,) = refusal.value.problems
    assert isinstance(problem, Repeated)
    assert (problem.code, problem.entry) == ("already-logged", 1)
    assert problem.sentence.startswith("Event 2: B1 was killed by A2")


def test_who_is_struck_from_the_dead_may_die_again() -> None:
    play = played(at(2, KILL))
    alive = play.after(LoggedEvent(2, "correction", {"event": 1, "reason": "It was B2."}))
    assert taken(alive, at(3, KILL))


def test_old_log_with_repeated_end_keeps_its_result() -> None:
    twice = (LoggedEvent(1, "wound", KILL.data, 2), LoggedEvent(2, "wound", KILL.data, 2))
    for accepted in (True, False):
        play = replay(LOG, SKIRMISH, twice, accepted=accepted)
        assert experience(play, "a1") == 2
    corrected = play.after(
        LoggedEvent(3, "correction", {"event": 2, "reason": "It is told twice."})
    )
    assert experience(corrected, "a1") == 1
    noted = play.after(LoggedEvent(3, "note", {"text": "It rains."}))
    assert (
        noted.after(
            LoggedEvent(4, "correction", {"event": 3, "reason": "It did not rain."})
        ).sequence
        == 4
    )
