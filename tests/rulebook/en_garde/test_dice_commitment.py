"""Muster throws for what is legal whatever the dice show, all dice of an event or none; corrections
keep dice."""

from random import Random
from typing import Any

import pytest

from rulebook.battle_log.forms import dice_fields
from rulebook.dice.committed import CommittedDice, KeptDice
from rulebook.ruleset import LoggedEvent, RulesError
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import KINDS, event_problems, overruled, replay, throw_dice
from tests.rulebook.en_garde.refereed import battle
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, met

SHOT = {"shooter": "planchet", "target": "guard", "weapon": "matchlock", "inches": 8}
BATTLES = range(4)
REROLLED = {*(field for kind in KINDS.values() for field in dice_fields(kind)), "thrown", "lucky"}


def thrown(log: Told, kind: str, seed: str = "seed", **data: Any) -> LoggedEvent:
    event = LoggedEvent(len(log.events) + 1, kind, data)
    throw = throw_dice(log.setup, log.events, event, CommittedDice(seed, "battle"))
    return LoggedEvent(event.sequence, kind, throw.data, None, throw.dice)


def errors(log: Told, kind: str, seed: str, **data: Any) -> list[tuple[str, str]]:
    with pytest.raises(RulesError) as error:
        thrown(log, kind, seed, **data)
    return [(problem.code, problem.sentence) for problem in error.value.problems]


def routing() -> Told:
    """Return a log in which the Musketeers are Routing: Planchet must roll before he acts."""
    log = begun()
    log.tell("wound", victim="athos", result="critical", attacker="jussac")
    log.tell("turn", turn=2)
    log.tell("morale", side="a", dice=[6, 6])
    log.tell("turn", turn=3)
    log.tell("morale", side="a", dice=[6, 6])
    return log


@pytest.mark.parametrize("field", ["nerve", "luck", "rider_die", "resolve"])
def test_where_one_die_is_typed_in_muster_throws_none(field):
    event = thrown(begun(), "shot", **SHOT, **{field: 3})
    assert (event.data["thrown"], event.dice, "dice" in event.data) == ("table", (), False)
    assert event_problems(SWORDS, begun().events, event)


def test_what_the_rules_forbid_is_refused_alike_whatever_the_dice_would_show():
    """A Routing fighter who fails its roll runs, and then could not have shot: that must not show
    in the refusal."""
    refusals = {
        str(errors(routing(), "shot", str(seed), **{**SHOT, "inches": 90})) for seed in range(8)
    }
    assert len(refusals) == 1


def test_override_of_nervous_fighter_reveals_no_dice():
    """Else a refusal of the needless overruling would tell that it runs."""
    log = routing()
    agreed = {**SHOT, "inches": 90, "overruled": "The walls are low"}
    rolls = {thrown(log, "shot", str(seed), **agreed).data["resolve"] for seed in range(20)}
    assert {1, 6} <= rolls


@pytest.mark.parametrize("seed", BATTLES)
def test_nothing_that_the_referee_does_is_refused_for_what_other_dice_would_show(seed):
    setup = battle(seed)
    events = referee(setup, Random(seed))
    for place in range(0, len(events), 7):
        event = events[place]
        bare = LoggedEvent(event.sequence, event.kind, without_dice(event), event.turn)
        throw = throw_dice(setup, events[:place], bare, Random(seed + 1))
        logged = LoggedEvent(event.sequence, event.kind, throw.data, event.turn)
        assert not event_problems(setup, events[:place], logged), event


def without_dice(event: LoggedEvent) -> dict[str, Any]:
    if event.kind in ("recovery", "wound"):
        return dict(event.data)
    return {key: value for key, value in event.data.items() if key not in REROLLED}


def test_a_corrected_blow_keeps_its_dice_in_their_order():
    log = met()
    blow = thrown(log, "attack", attacker="athos", target="guard")
    events = (*log.events, blow)
    data = {
        "event": blow.sequence,
        "reason": "With a ploy",
        "data": {"attacker": "athos", "target": "guard"},
    }
    mended = LoggedEvent(blow.sequence + 1, "correction", data)
    throw = throw_dice(SWORDS, events, mended, CommittedDice("other", "battle"))
    assert (throw.dice, throw.data["data"]) == ((), blow.data)


def test_undone_blow_keeps_its_dice():
    log = met()
    log.events = (*log.events, thrown(log, "attack", attacker="athos", target="guard"))
    first = log.events[-1]
    log.events = (*log.events, corrected(log, first.sequence))
    again = thrown(log, "attack", "other", attacker="athos", target="guard")
    assert (again.data["dice"], again.dice) == (first.data["dice"], ())
    log.events = (*log.events, again)
    log.passes_until("athos")
    assert len(thrown(log, "attack", "other", attacker="athos", target="guard").dice) >= 2


def test_what_is_typed_over_musters_dice_is_typed():
    log = met()
    blow = thrown(log, "attack", attacker="athos", target="guard")
    forged = {**blow.data, "dice": [die % 6 + 1 for die in blow.data["dice"]]}
    data = {"event": blow.sequence, "reason": "Told wrongly", "data": forged}
    throw = throw_dice(
        SWORDS, (*log.events, blow), LoggedEvent(blow.sequence + 1, "correction", data), None
    )
    assert throw.data["data"]["thrown"] == "table"


def test_without_a_generator_nothing_is_thrown():
    event = LoggedEvent(2, "shot", {**SHOT, "thrown": "app"})
    assert throw_dice(SWORDS, begun().events, event, None).data == SHOT


def test_kept_dice_come_first_and_then_there_are_no_more():
    dice = KeptDice((4, 2))
    assert [dice.randint(1, 6), dice.randint(1, 6), dice.used] == [4, 2, 2]
    with pytest.raises(ValueError, match="no more dice"):
        dice.randint(1, 6)


# What a correction makes needless.


def corrected(log: Told, sequence: int, **more: Any) -> LoggedEvent:
    data = {"event": sequence, "reason": "Told wrongly", **more}
    return LoggedEvent(len(log.events) + 1, "correction", data)


def test_a_die_that_nobody_needs_any_more_since_a_correction_is_set_aside():
    log = begun()
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    log.tell("morale", side="b", dice=[6, 6])
    log.tell("turn", turn=3)
    log.tell("move", fighter="guard", contacts=["athos"], resolve=6)
    passed = corrected(log, 4, kind="morale", data={"side": "b", "dice": [1, 1]})
    assert not event_problems(SWORDS, log.events, passed)
    assert replay(SWORDS, (*log.events, passed)).table.of("guard").contacts == ("athos",)


def test_an_overruling_that_nobody_needs_any_more_since_a_correction_is_set_aside():
    log = begun()
    log.tell("action", fighter="planchet", what="aim")
    log.tell("move", fighter="planchet", inches=2, overruled="He had not aimed yet")
    struck = corrected(log, 2)
    assert not event_problems(SWORDS, log.events, struck)
    assert overruled(SWORDS, (*log.events, struck)) == ()


def test_new_event_with_extra_values_is_refused():
    assert begun().errors("move", fighter="jussac", inches=3, overruled="Just so") == [
        "nothing-to-overrule"
    ]
    assert begun().errors("move", fighter="jussac", inches=3, resolve=4) == ["wrong-dice"]
