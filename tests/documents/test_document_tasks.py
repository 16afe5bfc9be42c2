"""The tasks: keys in, one plain function, late acknowledgement, another try only where that may
help."""

from typing import Any
from uuid import uuid4

import pytest
from celery.exceptions import Retry
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError
from django.utils import timezone

from battles.follow_ups import BATTLE_DOCUMENT, CAMPAIGN_DOCUMENT
from battles.models import Battle
from campaigns.models import Campaign
from config.celery import app
from documents import tasks
from documents.models import Document, DocumentKind
from documents.services import queue, rendering
from tests.documents.conftest import ask
from warbands.models import Warband

pytestmark = pytest.mark.django_db
NOW = "2030-01-31T21:00:00+00:00"


def test_every_task_is_known_by_the_name_that_it_is_sent_by() -> None:
    names = {queue.RENDER, queue.RENDER_PART, BATTLE_DOCUMENT, CAMPAIGN_DOCUMENT}
    clocked = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert names | {"documents.tasks.sweep"} <= set(app.tasks)
    assert "documents.tasks.sweep" in clocked


@pytest.mark.parametrize(
    "task", [tasks.render, tasks.render_part, tasks.refresh_battle, tasks.refresh_campaign]
)
def test_tasks_are_acknowledged_late_and_tried_again_with_patience(task: Any) -> None:
    assert task.acks_late
    assert task.retry_backoff
    assert task.max_retries == 5
    assert OperationalError in task.autoretry_for
    assert Exception not in task.autoretry_for
    assert settings.CELERY_TASK_SOFT_TIME_LIMIT < settings.CELERY_TASK_TIME_LIMIT


def test_rendering_twice_is_rendering_once(alice: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    tasks.render(str(document.pk))
    first = Document.objects.get(pk=document.pk).finished_at
    tasks.render(str(document.pk))
    assert Document.objects.get(pk=document.pk).finished_at == first


def test_what_may_be_better_in_a_minute_is_tried_again(
    alice: User, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("the database is away")

    monkeypatch.setattr(rendering, "print_in_one_go", away)
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    with pytest.raises((Retry, OperationalError)):
        tasks.render.apply(args=[str(document.pk)], throw=True)


def test_what_is_not_there_is_no_error() -> None:
    tasks.render(str(uuid4()))
    tasks.render_part(10**9)


def test_after_a_battle_its_summary_and_the_campaign_s_are_made(
    battle: Battle, campaign: Campaign
) -> None:
    tasks.refresh_battle(str(battle.pk), NOW)
    tasks.refresh_campaign(str(campaign.pk), NOW)
    Document.objects.update(due_at=timezone.now())
    for document in Document.objects.all():
        tasks.render(str(document.pk))
    states = Document.objects.values_list("kind", "paper", "state", "asked_by")
    assert set(states) == {("battle", "A4", "ready", None), ("campaign", "A4", "ready", None)}


def test_a_voided_battle_leaves_a_document_that_says_why(battle: Battle) -> None:
    tasks.refresh_battle(str(battle.pk), NOW)
    Document.objects.update(due_at=timezone.now())
    Battle.objects.filter(pk=battle.pk).update(state="void")
    document = Document.objects.get()
    tasks.render(str(document.pk))
    assert "no result" in Document.objects.get().failure


def test_the_sweep_runs(alice: User, reds: Warband) -> None:
    assert tasks.sweep() == 0
