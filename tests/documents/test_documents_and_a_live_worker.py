"""Documents made by a real worker through the real broker, one that is killed half way among
them."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from config.celery import app
from core.jobs.claims import claim_limit
from documents.models import Document, DocumentKind
from documents.services.requesting import request_document
from tests.live import LiveWorker, eventually
from warbands.models import Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.worker


@pytest.fixture
def landsknechts(worker: LiveWorker, alice: User) -> Warband:
    warband = muster_warband(
        user=alice, ruleset="en-garde", faction="landsknechts", name="Eisenhut"
    )
    recruit_fighters(
        warband_id=warband.pk,
        fighters=[NewFighter({"profile": "landsknecht"}, count=12)],
        user=alice,
    )
    return warband


def roster(user: User, warband: Warband) -> Document:
    return request_document(user=user, kind=DocumentKind.ROSTER, subject=warband.pk)


def ready() -> Any:
    return Document.objects.filter(state="ready").first()


def test_a_worker_makes_what_was_asked_for(
    worker: LiveWorker, alice: User, landsknechts: Warband
) -> None:
    roster(alice, landsknechts)
    document = eventually(ready)
    assert document.file.size == document.size > 10_000
    assert (document.attempts, document.claimed_by) == (0, "")


def test_messages_sent_twice_make_one_document(
    worker: LiveWorker, alice: User, landsknechts: Warband
) -> None:
    document = roster(alice, landsknechts)
    for _ in range(5):
        app.send_task("documents.tasks.render", [str(document.pk)])
    finished = eventually(ready).finished_at
    roster(alice, landsknechts)
    app.send_task("documents.tasks.render", [str(document.pk)])
    app.send_task("documents.tasks.sweep")
    assert Document.objects.get().finished_at == finished


def test_a_worker_killed_half_way_is_followed_by_another(
    worker: LiveWorker, alice: User, landsknechts: Warband
) -> None:
    """The queue of files hands the message on at once; Redis waits, so that the sweep comes
    first."""
    # A roster that takes seconds: a short one could be ready before this machine gets to killing
    # anybody.
    for _ in range(6):
        recruit_fighters(
            warband_id=landsknechts.pk,
            fighters=[NewFighter({"profile": "landsknecht"}, count=20)],
            user=alice,
        )
    document = roster(alice, landsknechts)
    eventually(lambda: Document.objects.exclude(claimed_by="").exists())
    worker.kill()
    assert Document.objects.get().state in ("queued", "rendering")
    Document.objects.filter(pk=document.pk).update(
        claimed_at=timezone.now() - claim_limit() - timedelta(minutes=1)
    )
    worker.start()
    app.send_task("documents.tasks.sweep")
    made = eventually(ready)
    assert (made.attempts, made.claimed_by) == (0, "")
    assert made.file.size == made.size


def test_what_was_asked_for_without_a_worker_is_made_when_one_comes(
    worker: LiveWorker, alice: User, landsknechts: Warband
) -> None:
    worker.kill()
    document = roster(alice, landsknechts)
    assert document.state == "queued"
    worker.start()
    assert eventually(ready).pk == document.pk
