"""The stored play of a battle equals the replay of its log, and is computed again if it does not fit."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, StoredOutcome, StoredPlay
from battles.rulebook_values import read_log, read_setup, ruleset_of_battle, sides_of
from battles.stored_play import load_battle_play, outcomes_at
from campaigns.models import Campaign
from rulebook.battle_log.play import replay
from tests.battles.field import begin, fighters, log, note, struck, wound
from tests.toy.battle import LOG
from warbands.models import Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a battle with a wound and a note in its log."""
    begun = begin(alice, campaign, reds, blues)
    return log(alice, begun, wound(fighters(reds)[0], fighters(blues)[0]), note("Rain."))


def is_kept(battle: Battle) -> bool:
    """Return whether the play is loaded from storage. Check that it equals the replay."""
    sides = sides_of(battle)
    loaded, rules, setup = (
        load_battle_play(battle, sides),
        ruleset_of_battle(battle),
        read_setup(battle, sides),
    )
    assert loaded.play.state == replay(rules.log, setup, read_log(battle)).state
    outcomes = outcomes_at(battle, loaded, battle.events.all())
    assert outcomes == replay(rules.log, setup, read_log(battle)).outcomes
    return loaded.kept


def test_stored_play_is_continued(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    assert is_kept(battle)
    on = log(alice, battle, wound(fighters(blues)[0], fighters(reds)[0], "grievous"))
    assert is_kept(on) and len(load_battle_play(on, sides_of(on)).play.state.wounds) == 2


def test_correction_recomputes_play_and_outcomes(battle: Battle, alice: User) -> None:
    mended = log(alice, battle, struck(1))
    assert is_kept(mended) and load_battle_play(mended, sides_of(mended)).play.state.wounds == ()
    assert set(StoredOutcome.objects.values_list("sequence", flat=True)) == {2}


def test_nothing_is_lost_with_the_kept_play(battle: Battle, alice: User) -> None:
    StoredPlay.objects.all().delete()
    assert not is_kept(battle)
    assert is_kept(log(alice, battle, note("Mud.")))


def test_a_play_that_cannot_be_read_is_replayed(battle: Battle) -> None:
    StoredPlay.objects.update(play=b"{}")
    assert not is_kept(battle)


def test_another_set_up_has_a_play_of_its_own(battle: Battle) -> None:
    battle.house_rules = {**battle.house_rules, "surviving": 2}
    assert not is_kept(battle)


def test_outdated_state_is_recomputed(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(LOG), "state_form", "another")
    assert not is_kept(battle)


def test_events_that_came_behind_the_kept_play_are_not_forgotten(battle: Battle) -> None:
    row: Any = StoredPlay.objects.get()
    row.sequence = 1
    row.save()
    assert not is_kept(battle)


def test_a_log_that_is_not_kept_is_folded_once(
    battle: Battle, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds: list[Any] = []
    steps = LOG.steps

    def counted(*args: Any) -> Any:
        folds.append(args)
        return steps(*args)

    monkeypatch.setattr(LOG, "steps", counted)
    log(alice, battle, struck(1))
    assert len(folds) == 1
    StoredPlay.objects.all().delete()
    outcomes_at(battle, load_battle_play(battle, sides_of(battle)), battle.events.all())
    assert len(folds) == 2
