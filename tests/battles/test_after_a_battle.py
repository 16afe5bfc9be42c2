"""Tasks after a confirmed battle: queued after the commit, and again by the sweep if it never
ran."""

from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError as DatabaseError
from django.utils import timezone
from kombu.exceptions import OperationalError

from battles import follow_ups, tasks
from battles.models import Battle
from battles.services.corrections import Correction, correct_battle, void_battle
from campaigns.models import Campaign
from tests.battles.field import confirmed, fight, note
from warbands.models import Warband

Sent = list[tuple[str, list[str]]]
Capture = Any
NOW = "2030-01-31T21:00:00+00:00"


class Broker:
    """A broker that notes what is sent and can be down."""

    def __init__(self) -> None:
        self.sent: Sent = []
        self.down = False

    def send_task(self, name: str, arguments: list[str], **options: Any) -> None:
        if self.down:
            raise OperationalError("nobody there")
        self.sent.append((name, arguments))


def followed(broker: Broker) -> list[str]:
    """Return the battles whose follow-ups were sent, each with the time of its change."""
    assert {name for name, _ in broker.sent} <= {"battles.tasks.follow_up"}
    assert all(datetime.fromisoformat(moment) <= timezone.now() for _, (_, moment) in broker.sent)
    return [battle for _, (battle, _) in broker.sent]


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(follow_ups, "current_app", broker)
    return broker


@pytest.fixture
def battle(
    broker: Broker,
    campaign: Campaign,
    alice: User,
    reds: Warband,
    blues: Warband,
    django_capture_on_commit_callbacks: Capture,
) -> Battle:
    with django_capture_on_commit_callbacks(execute=True):
        return confirmed(alice, campaign, reds, blues)


def test_a_submitted_battle_has_no_consequences_yet(
    broker: Broker,
    campaign: Campaign,
    alice: User,
    reds: Warband,
    blues: Warband,
    django_capture_on_commit_callbacks: Capture,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        fight(alice, campaign, reds, blues)
    assert broker.sent == []


def test_confirming_queues_one_task_after_the_commit(battle: Battle, broker: Broker) -> None:
    assert followed(broker) == [str(battle.pk)]
    assert Battle.objects.get().follow_ups_due_since is not None


def test_nothing_is_queued_if_the_transaction_is_rolled_back(
    broker: Broker, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    confirmed(
        alice, campaign, reds, blues
    )  # inside the test's own transaction, which never commits
    assert broker.sent == []


def test_the_task_prepares_offers_and_asks_for_documents(
    battle: Battle,
    broker: Broker,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    reds: Warband,
    blues: Warband,
) -> None:
    broker.sent.clear()
    prepared: list[UUID] = []
    monkeypatch.setattr(
        follow_ups, "prepare_offers", lambda *, warband_id: prepared.append(warband_id)
    )
    tasks.follow_up(str(battle.pk), NOW)
    assert prepared == [reds.pk, blues.pk]
    assert broker.sent == [
        ("documents.tasks.refresh_battle", [str(battle.pk), NOW]),
        ("documents.tasks.refresh_campaign", [str(campaign.pk), NOW]),
    ]
    assert Battle.objects.get().follow_ups_due_since is None


def test_a_battle_that_is_gone_has_no_consequences(db: None, broker: Broker) -> None:
    tasks.follow_up("00000000-0000-0000-0000-000000000000", NOW)
    assert broker.sent == []


def test_confirming_succeeds_without_a_broker_and_the_sweep_makes_up_for_it(
    broker: Broker,
    campaign: Campaign,
    alice: User,
    reds: Warband,
    blues: Warband,
    django_capture_on_commit_callbacks: Capture,
) -> None:
    broker.down = True
    with django_capture_on_commit_callbacks(execute=True):
        battle = confirmed(alice, campaign, reds, blues)
    assert battle.state == "confirmed"
    assert tasks.sweep() == 0
    Battle.objects.update(follow_ups_due_since=timezone.now() - timedelta(minutes=5))
    assert tasks.sweep() == 0
    broker.down = False
    assert tasks.sweep() == 1
    assert followed(broker) == [str(battle.pk)]


def test_the_sweep_leaves_alone_what_has_run(battle: Battle, broker: Broker) -> None:
    tasks.follow_up(str(battle.pk), NOW)
    Battle.objects.filter(follow_ups_due_since__isnull=False).update(
        follow_ups_due_since=timezone.now()
    )
    assert tasks.sweep() == 0


def test_a_worker_that_dies_half_way_leaves_the_work_due(
    battle: Battle, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.down = True
    with pytest.raises(OperationalError):
        follow_ups.run_follow_ups(battle.pk, NOW)
    assert Battle.objects.get().follow_ups_due_since is not None
    broker.down = False
    monkeypatch.setattr(follow_ups, "prepare_offers", Mock(side_effect=DatabaseError))
    with pytest.raises(DatabaseError):
        follow_ups.run_follow_ups(battle.pk, NOW)
    assert Battle.objects.get().follow_ups_due_since is not None


def test_corrections_and_voids_have_consequences_too(
    battle: Battle, broker: Broker, alice: User, django_capture_on_commit_callbacks: Capture
) -> None:
    tasks.follow_up(str(battle.pk), NOW)
    broker.sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        correction = Correction((note("A word more."),), "Forgotten.")
        correct_battle(battle_id=battle.pk, user=alice, correction=correction)
        void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert followed(broker) == [str(battle.pk)] * 2
    assert Battle.objects.get().follow_ups_due_since is not None
