"""The task that prepares rank-ups: done by a real worker, tried again when the database is away."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError

from config.celery import app
from tests.live import LiveWorker, eventually
from tests.warbands.conftest import fighter_of
from warbands import tasks
from warbands.models import RankUpOffer, Warband
from warbands.services.roster import NewFighter, adjust_fighter, recruit_fighters
from warbands.services.warbands import muster_warband

TASK = "warbands.tasks.prepare_rank_up_offers"


def rich(owner: User) -> Warband:
    """Return Landsknechts, with one who can afford a rank-up, without prepared offers."""
    warband = muster_warband(user=owner, ruleset="en-garde", faction="landsknechts", name="Lands")
    recruit_fighters(
        warband_id=warband.pk,
        fighters=[NewFighter({"profile": "landsknecht"}, count=3)],
        user=owner,
    )
    hans = fighter_of(warband, "Landsknecht 1").pk
    adjust_fighter(fighter_id=hans, experience=5, reason="an old hand", user=owner)
    RankUpOffer.objects.all().delete()
    return warband


@pytest.mark.worker
def test_a_worker_prepares_offers_and_doing_so_twice_changes_nothing(
    worker: LiveWorker, bob: User
) -> None:
    warband = rich(bob)
    app.send_task(TASK, [str(warband.pk)])
    offer = eventually(RankUpOffer.objects.first)
    assert [step["key"] for step in offer.steps] == ["landsknechts/doppelsoldner"]
    app.send_task(TASK, [str(warband.pk)])
    eventually(lambda: RankUpOffer.objects.get().prepared_at > offer.prepared_at)
    assert RankUpOffer.objects.get().steps == offer.steps


@pytest.mark.worker
def test_what_a_dead_worker_left_is_done_by_the_next(worker: LiveWorker, bob: User) -> None:
    warband = rich(bob)
    worker.kill()
    app.send_task(TASK, [str(warband.pk)])
    worker.start()
    assert eventually(RankUpOffer.objects.first).sequence == Warband.objects.get().sequence


def test_the_task_tries_again_when_the_database_is_away(
    monkeypatch: pytest.MonkeyPatch, reds: Warband
) -> None:
    attempts: list[UUID] = []

    def away_twice(*, warband_id: UUID) -> int:
        attempts.append(warband_id)
        if len(attempts) < 3:
            raise OperationalError("the database is away")
        return 0

    monkeypatch.setattr(tasks, "prepare_offers", away_twice)
    tasks.prepare_rank_up_offers.apply((str(reds.pk),))
    assert attempts == [reds.pk] * 3


def test_the_task_is_taken_late_and_ends_in_time() -> None:
    task: Any = app.tasks[TASK]
    assert task.acks_late
    assert 0 < task.soft_time_limit < task.time_limit <= 120
    assert task.retry_backoff
