"""Referees take a shorter way than players from event to event. Both ways lead to the same log."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import Play, open_play
from rulebook.dice.rolls import Generator
from rulebook.ruleset import LoggedEvent, RulesError
from rulebook.systems.argad.log import LOG
from scripts.demo.campaigns import REFEREES
from scripts.demo.referees.argad import ArgadReferee
from scripts.demo.referees.en_garde import referee
from tests.rulebook.argad.field import setup
from tests.rulebook.sample_battles import setup_of

TURN = LoggedEvent(1, "turn", {}, 1)


def rolled_as_player(
    play: Play[Any], event: LoggedEvent, generator: Generator, *, check: bool = True
) -> Play[Any]:
    """Return the play one event further, rolled and judged as a player's event."""
    thrown = play.throw(event, generator)
    return play.after(replace(event, data=thrown.data, dice=thrown.dice))


@pytest.mark.soak("refereed battles, each also played with all checks", each=1, sample=3)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("key", REFEREES)
def test_referee_logs_the_same_as_with_the_checks_of_players(key, seed, monkeypatch):
    field, luck, player_luck = setup_of(key, seed), Random(seed), Random(seed)
    events = REFEREES[key].battle(field, luck)

    monkeypatch.setattr(Play, "rolled", rolled_as_player)
    assert REFEREES[key].battle(field, player_luck) == events
    assert player_luck.getstate() == luck.getstate()


@pytest.mark.soak("refereed battles of En Garde!, each also played with checks", each=1, sample=4)
@pytest.mark.parametrize("seed", range(100))
def test_referee_of_en_garde_logs_the_same_with_checks(seed):
    field = setup_of("en-garde", seed)
    assert referee(field, Random(seed), check=True) == referee(field, Random(seed))


def test_refused_event_uses_up_no_dice():
    battle = ArgadReferee(setup(), Random(1))
    luck = battle.luck.getstate()
    shooter, target = list(battle.state.combatants)[:2]
    assert not battle.tries("shot", shooter=shooter, target=target, cm=1)
    assert battle.luck.getstate() == luck
    assert battle.play.events() == ()


def test_rolled_event_is_judged_unless_the_program_vouches_for_it():
    play = open_play(LOG, setup())
    shooter, target = list(play.state.combatants)[:2]
    comrade = LoggedEvent(2, "shot", {"shooter": shooter, "target": target, "cm": 1}, 1)
    play = play.rolled(TURN, Random(1))
    with pytest.raises(RulesError):
        play.rolled(comrade, Random(1))
    assert play.rolled(comrade, Random(1), check=False).sequence == 2


def test_rolled_event_must_follow_the_last_and_be_readable():
    play = open_play(LOG, setup()).rolled(TURN, Random(1))
    with pytest.raises(RulesError):
        play.rolled(TURN, Random(1), check=False)
    with pytest.raises(RulesError):
        play.rolled(LoggedEvent(2, "shot", {"cm": "far"}, 1), Random(1), check=False)


def test_rolled_correction_is_judged_as_any_other():
    play = open_play(LOG, setup()).rolled(TURN, Random(1))
    note = play.rolled(LoggedEvent(2, "note", {"text": "Rain."}, 1), Random(1))
    correction = {"event": 2, "reason": "It was dry."}
    corrected = note.rolled(LoggedEvent(3, "correction", correction), Random(1))
    assert [step.logged.kind for step in corrected.steps] == ["turn"]
