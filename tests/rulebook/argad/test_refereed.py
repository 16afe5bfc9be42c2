"""Whole battles that the demonstration's referee plays: legal throughout, and the same when
replayed."""

from random import Random

import pytest

from rulebook.battle_log.play import load_play, open_play, replay
from rulebook.ruleset import Fate, LoggedEvent
from rulebook.systems.argad.log import LOG, read_result
from scripts.demo.referees.argad import ArgadReferee
from tests.rulebook.argad.field import setup

SHOTS_KILL = {"shot_effect": "killed", "triple_six_shooting": True}
SETTINGS: tuple[dict[str, object], ...] = ({}, SHOTS_KILL, {"class_one_in_melee": True})


@pytest.mark.parametrize("seed", range(40))
def test_a_refereed_battle_replays_to_what_it_was_event_by_event(seed):
    field = setup(**SETTINGS[seed % 3])
    events = ArgadReferee.battle(field, Random(seed))
    play = open_play(LOG, field)
    for event in events:
        play = load_play(LOG, field, play.stored(), play.events).after(event)
        assert play.outcome() is not None
    assert play.state == replay(LOG, field, events).state
    result = read_result(play.state)
    gone = [
        record for side in result.sides for record in side.records if record.fate is not Fate.FIT
    ]
    assert all(record.killed_by for record in gone)


@pytest.mark.parametrize("seed", range(5))
def test_a_correction_and_its_undoing_lead_back(seed):
    events = ArgadReferee.battle(setup(), Random(seed))
    shot = next(event for event in events if event.kind == "move")
    more = LoggedEvent(
        len(events) + 1, "correction", {"event": shot.sequence, "reason": "He did not move."}
    )
    back = {"event": shot.sequence, "reason": "He did.", "kind": "move", "data": shot.data}
    again = LoggedEvent(len(events) + 2, "correction", back)
    before = replay(LOG, setup(), events)
    assert before.after_corrections([more, again]).state == before.state


def test_the_same_seed_plays_the_same_battle():
    assert ArgadReferee.battle(setup(), Random(7)) == ArgadReferee.battle(setup(), Random(7))
    assert ArgadReferee.battle(setup(), Random(7)) != ArgadReferee.battle(setup(), Random(8))
