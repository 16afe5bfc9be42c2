"""Whole battles that the demonstration's referee plays: legal throughout, and the same when
replayed."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.systems.wards.log import KINDS, LOG, read_result
from rulebook.systems.wards.state import State
from rulebook.systems.wards.system import Wards
from scripts.demo.referees.wards import WardsReferee
from tests.rulebook.conformance import check_battle, check_table
from tests.rulebook.wards.field import setup

RULES = Wards()
CLUB: dict[str, object] = {
    "losses_stay": True,
    "refit": True,
    "steadiness": True,
    "restored_wards": True,
    "full_load": 3,
}
SETTINGS: tuple[dict[str, object], ...] = (
    {},
    CLUB,
    {"general_actions": True, "unreliable_dice": "battle"},
)


def check_state(state: State) -> None:
    """Check the invariants: strengths in bounds, no acts of units that are gone, Generals in
    place.
    """
    for combatant in state.combatants.values():
        assert 0 <= combatant.halves <= combatant.fighter.halves
        assert combatant.casualties >= 0
        assert not combatant.stands_with or combatant.fighter.general
        assert not (combatant.gone and combatant.stands_with)
        assert not combatant.stands_with or state.combatants[combatant.stands_with].on_table
        assert bool(combatant.gone in ("", "routed") or combatant.halves == 0)
    assert not any(state.combatants[general].gone for general, _ in state.struck)
    assert len(state.done) == len(set(state.done))
    assert all(1 <= die <= 6 for die in state.clock)


@pytest.mark.soak("refereed battles of Wards, sound at every event and replayed", each=1, sample=3)
@pytest.mark.parametrize("seed", range(400))
def test_refereed_battles_conform_and_break_no_invariant(seed: int) -> None:
    field = setup(**SETTINGS[seed % 3])
    events = WardsReferee.battle(field, Random(seed))
    assert "loss" not in {event.kind for event in events}, (
        "for those who log nothing else of a turn"
    )
    check_battle(RULES, field, events)
    check_table(RULES, replay(LOG, field, events[: len(events) // 2]))
    for step in LOG.steps(field, events):
        check_state(step.after)
    result = read_result(replay(LOG, field, events).state, field)
    assert len(result.sides) == 2


def test_the_referee_logs_every_kind_of_a_turn_sooner_or_later() -> None:
    missing = {kind.key for kind in KINDS} - {"loss"}
    for seed in range(30):
        missing -= {event.kind for event in WardsReferee.battle(setup(**CLUB), Random(seed))}
        if not missing:
            break
    assert not missing


def test_the_same_seed_plays_the_same_battle() -> None:
    assert WardsReferee.battle(setup(), Random(7)) == WardsReferee.battle(setup(), Random(7))
    assert WardsReferee.battle(setup(), Random(7)) != WardsReferee.battle(setup(), Random(8))
