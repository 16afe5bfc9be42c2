"""The log: each event once, in order, nothing half written."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, BattleEvent
from battles.services.logbook import NewEvent, log_events
from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, StateConflict
from tests.battles.field import begin, fighters, note, plan, struck, wound
from warbands.models import Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return begin(alice, campaign, reds, blues)


def test_events_keep_their_order(
    battle: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    hit = wound(fighters(reds)[0], fighters(blues)[0], turn=2)
    first = log_events(battle_id=battle.pk, events=[note("We met at dawn."), hit], user=alice)
    second = log_events(battle_id=battle.pk, events=[note("They fled.")], user=bob)
    assert [event.sequence for event in (*first, *second)] == [1, 2, 3]
    assert (first[1].turn, first[1].recorded_by, second[0].recorded_by) == (2, alice, bob)
    battle.refresh_from_db()
    assert (battle.last_sequence, battle.version) == (3, second[0].version)


def test_a_repeat_is_answered_as_the_first_time(battle: Battle, alice: User) -> None:
    event = note("We met at dawn.")
    first = log_events(battle_id=battle.pk, events=[event], user=alice, version=battle.version)
    log_events(battle_id=battle.pk, events=[note("Later.")], user=alice)
    again = log_events(battle_id=battle.pk, events=[event], user=alice, version=battle.version)
    assert again == first
    assert again[0].version == first[0].version
    assert BattleEvent.objects.count() == 2


def test_a_repeat_is_answered_even_after_the_log_is_closed(battle: Battle, alice: User) -> None:
    event = note("We met at dawn.")
    first = log_events(battle_id=battle.pk, events=[event], user=alice)
    Battle.objects.update(state="confirmed")
    assert log_events(battle_id=battle.pk, events=[event], user=alice) == first


def test_a_repeat_within_one_request_is_logged_once(battle: Battle, alice: User) -> None:
    event = note("We met at dawn.")
    first, other = log_events(battle_id=battle.pk, events=[event, event], user=alice)
    assert first == other
    assert BattleEvent.objects.count() == 1


def test_the_same_id_with_other_content_is_refused(battle: Battle, alice: User) -> None:
    key = uuid4()
    log_events(battle_id=battle.pk, events=[NewEvent(key, "note", {"text": "One"})], user=alice)
    for event in (
        NewEvent(key, "note", {"text": "Two"}),
        NewEvent(key, "note", {"text": "One"}, 3),
    ):
        with pytest.raises(StateConflict) as refusal:
            log_events(battle_id=battle.pk, events=[event], user=alice)
        assert refusal.value.code == "event-differs"
    with pytest.raises(StateConflict):
        other = uuid4()
        pair = [NewEvent(other, "note", {"text": "One"}), NewEvent(other, "note", {"text": "Two"})]
        log_events(battle_id=battle.pk, events=pair, user=alice)
    assert BattleEvent.objects.count() == 1


def test_known_event_is_not_logged_again(battle: Battle, alice: User) -> None:
    event = note("One")
    log_events(battle_id=battle.pk, events=[event], user=alice)
    answered = log_events(battle_id=battle.pk, events=[event, note("Two")], user=alice)
    assert [row.sequence for row in answered] == [1, 2]


def test_all_problems_of_all_events_are_named_and_none_is_logged(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    good = wound(fighters(reds)[0], fighters(blues)[0])
    bad = NewEvent(
        uuid4(), "wound", {"attacker": "nobody", "victim": good.data["victim"], "result": "light"}
    )
    with pytest.raises(InvalidInput) as refusal:
        log_events(
            battle_id=battle.pk, events=[good, bad, NewEvent(uuid4(), "dance", {})], user=alice
        )
    problems = [(problem.field, problem.code) for problem in refusal.value.problems]
    assert problems == [("1.attacker", "unknown-combatant"), ("2.kind", "unknown-event-kind")]
    assert not BattleEvent.objects.exists()


def test_a_later_event_can_lean_on_an_earlier_one_of_the_same_request(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    hit = wound(fighters(reds)[0], fighters(blues)[0])
    assert len(log_events(battle_id=battle.pk, events=[hit, struck(1)], user=alice)) == 2


def test_a_stale_version_logs_nothing(battle: Battle, alice: User) -> None:
    log_events(battle_id=battle.pk, events=[note("One")], user=alice, version=battle.version)
    with pytest.raises(StateConflict) as refusal:
        log_events(battle_id=battle.pk, events=[note("Two")], user=alice, version=battle.version)
    assert refusal.value.code == "stale-version"


def test_a_battle_that_has_not_begun_takes_no_events(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    with pytest.raises(StateConflict) as refusal:
        log_events(battle_id=battle.pk, events=[note("One")], user=alice)
    assert refusal.value.code == "wrong-state"


def test_strangers_and_readers_log_nothing(battle: Battle, charlie: User, dora: User) -> None:
    for user in (charlie, dora):
        with pytest.raises(Forbidden):
            log_events(battle_id=battle.pk, events=[note("One")], user=user)
