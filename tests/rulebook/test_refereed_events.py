"""Referees take a shorter way than players from event to event. Both ways lead to the same log."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.battle_log.dice_commitment import rolled_step
from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import open_play
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError
from rulebook.systems.argad.log import LOG
from scripts.demo.campaigns import REFEREES
from scripts.demo.referees.argad import ArgadReferee
from scripts.demo.referees.en_garde import referee
from tests.rulebook.argad.field import setup
from tests.rulebook.sample_battles import setup_of

TURN = LoggedEvent(1, "turn", {}, 1)


class PlayersWay:
    """The way of a player's event, to be used in place of ``rolled_step``."""

    def __init__(self, log: BattleLog[Any], field: BattleSetup) -> None:
        self.play = open_play(log, field)

    def __call__(
        self, log: BattleLog[Any], state: object, event: LoggedEvent, generator: Generator
    ) -> ReplayStep[Any]:
        """Return the step of an event that is rolled and judged as a player's."""
        assert state == self.play.state
        thrown = self.play.throw(event, generator)
        self.play = self.play.after(replace(event, data=thrown.data, dice=thrown.dice))
        return self.play.steps[-1]


@pytest.mark.soak("refereed battles, each also played with all checks", each=1, sample=3)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("key", REFEREES)
def test_referee_logs_the_same_as_with_the_checks_of_players(key, seed, monkeypatch):
    field, luck, player_luck = setup_of(key, seed), Random(seed), Random(seed)
    events = REFEREES[key].battle(field, luck)

    players_way = PlayersWay(REFEREES[key].log, field)
    monkeypatch.setattr("scripts.demo.referees.referee.rolled_step", players_way)
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
    assert battle.events == []


def test_rolled_event_is_judged_unless_the_program_vouches_for_it():
    state = LOG.opening(setup())
    shooter, target = list(state.combatants)[:2]
    comrade = LoggedEvent(2, "shot", {"shooter": shooter, "target": target, "cm": 1}, 1)
    state = rolled_step(LOG, state, TURN, Random(1)).after
    with pytest.raises(RulesError):
        rolled_step(LOG, state, comrade, Random(1))
    assert rolled_step(LOG, state, comrade, Random(1), check=False).logged.sequence == 2


def test_rolled_event_must_be_readable():
    state = rolled_step(LOG, LOG.opening(setup()), TURN, Random(1)).after
    with pytest.raises(RulesError):
        rolled_step(LOG, state, LoggedEvent(2, "shot", {"cm": "far"}, 1), Random(1), check=False)
