"""Whole battles that the demonstration's referee plays: legal throughout, and the same when
replayed."""

from random import Random
from typing import Any

import pytest

from rulebook.battle_log.play import replay
from rulebook.systems.avant_garde.log import KINDS, LOG, read_result
from rulebook.systems.avant_garde.state import State
from rulebook.systems.avant_garde.system import AvantGarde
from scripts.demo.referees.avant_garde import AvantGardeReferee
from tests.rulebook.avant_garde.field import setup
from tests.rulebook.conformance import check_battle, check_table

RULES = AvantGarde()
CLUB: dict[str, Any] = {
    "returns": True,
    "disease": True,
    "harsh_disease": True,
    "seasoning": True,
    "colours_value": 3,
}
OTHER: dict[str, Any] = {"brigade_loss": "units", "guard_morale": "stats", "off_table_scores": True}
SETTINGS: tuple[dict[str, Any], ...] = ({}, CLUB, OTHER)
NATIONS = (
    ("france", "britain"),
    ("austria", "russia"),
    ("prussia", "portugal"),
    ("france", "minor"),
)


def check_state(state: State) -> None:
    """Check the invariants: strengths in bounds, no charges or fights of units that are gone, no
    debts.
    """
    for combatant in state.combatants.values():
        assert 0 <= combatant.figures <= combatant.start
        assert 0 <= combatant.guns_lost <= combatant.fighter.guns
        assert combatant.pips >= 0
        assert not (combatant.blown and not combatant.cavalry)
        assert not (combatant.jubilant and combatant.order != "good")
    busy = [each.fighter for each in state.charges] + [each.fighter for each in state.combats]
    assert not any(state.combatants[fighter].gone for fighter in busy)
    assert len(busy) == len(set(busy))
    assert len(state.done) == len(set(state.done))
    assert state.turn <= 9


@pytest.mark.soak(
    "refereed battles of Avant-garde, sound at every event and replayed", each=1, sample=3
)
@pytest.mark.parametrize("seed", range(400))
def test_refereed_battles_conform_and_break_no_invariant(seed: int) -> None:
    field = setup(NATIONS[seed % 4], **SETTINGS[seed % 3])
    events = AvantGardeReferee.battle(field, Random(seed))
    assert "loss" not in {event.kind for event in events}, (
        "for those who log nothing else of a turn"
    )
    check_battle(RULES, field, events)
    check_table(RULES, replay(LOG, field, events[: len(events) // 2]))
    for step in LOG.steps(field, events):
        check_state(step.after)
    result = read_result(replay(LOG, field, events).state, field)
    assert len(result.sides) == 2
    assert result.turns in (7, 8, 9)


def test_the_referee_logs_every_kind_of_a_turn_sooner_or_later() -> None:
    missing = {kind.key for kind in KINDS} - {"loss"}
    for seed in range(20):
        missing -= {event.kind for event in AvantGardeReferee.battle(setup(**CLUB), Random(seed))}
        if not missing:
            break
    assert not missing


def test_the_same_seed_plays_the_same_battle() -> None:
    assert AvantGardeReferee.battle(setup(), Random(7)) == AvantGardeReferee.battle(
        setup(), Random(7)
    )
    assert AvantGardeReferee.battle(setup(), Random(7)) != AvantGardeReferee.battle(
        setup(), Random(8)
    )
