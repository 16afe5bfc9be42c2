"""A killed worker holds its work for less than a minute, and an unusable disk is reported clearly."""

import errno
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from core.jobs import running
from core.jobs.claims import LAPSE, MAX_ATTEMPTS
from documents.models import Document, DocumentKind, DocumentPart
from documents.services.queue import claim_document, take_over
from documents.services.rendering import render_document
from tests.documents.conftest import ask, made
from tests.live import eventually
from warbands.models import Warband

LONG_AGO = LAPSE + timedelta(seconds=1)


@pytest.fixture
def document(alice: User, reds: Warband) -> Document:
    return ask(alice, DocumentKind.ROSTER, reds.pk)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    messages: list[tuple[str, Any]] = []

    def send(task: str, key: Any) -> bool:
        messages.append((task, key))
        return True

    monkeypatch.setattr("core.jobs.queue.send", send)
    return messages


def silent_for(document: Document, time: timedelta) -> None:
    Document.objects.filter(pk=document.pk).update(claimed_at=timezone.now() - time)


@pytest.mark.django_db
def test_what_a_killed_worker_had_in_hand_is_taken_over_within_a_minute(
    document: Document, sent: list[Any]
) -> None:
    rounds = configured.CELERY_BEAT_SCHEDULE["take documents over from dead workers"]
    assert LAPSE + rounds["schedule"] < timedelta(minutes=1)
    assert claim_document(document.pk, "killed") is not None
    assert take_over() == 0
    assert claim_document(document.pk, "other") is None
    silent_for(document, LONG_AGO)
    assert take_over() == 1
    assert sent == [("documents.tasks.render", str(document.pk))]
    assert take_over() == 0, "its claim is gone: a round later nothing is sent again"
    assert made(document).state == "ready"


@pytest.mark.django_db
def test_a_part_of_a_killed_worker_is_taken_over_too(document: Document, sent: list[Any]) -> None:
    Document.objects.update(state="rendering")
    held = {"claimed_by": "killed", "claimed_at": timezone.now() - LONG_AGO}
    part = DocumentPart.objects.create(
        document=document, number=1, content={}, content_hash="x", **held
    )
    assert take_over() == 1
    assert sent == [("documents.tasks.render_part", part.pk)]


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_slow_keeps_what_it_has_in_hand(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "BEAT", 0.02)
    claimed = claim_document(document.pk, "slow")
    assert claimed is not None
    with running.keep_alive(claimed):
        silent_for(document, LONG_AGO)
        eventually(lambda: Document.objects.filter(claimed_at__gt=timezone.now() - LAPSE).exists())
        Document.objects.update(claimed_by="other", claimed_at=None)
    assert Document.objects.get().claimed_at is None, "nobody renews the claim of somebody else"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "is full"),
        (errno.EROFS, "cannot write to"),
        (errno.EIO, "cannot be used"),
    ],
)
def test_an_unusable_disk_is_named_in_the_document_and_in_the_log(
    number: int,
    words: str,
    document: Document,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, "said the disk")

    monkeypatch.setattr("django.core.files.storage.FileSystemStorage.save", refuse)
    with pytest.raises(OSError, match="said the disk"):
        render_document(document.pk)
    document.refresh_from_db()
    assert (document.state, document.claimed_by) == ("rendering", "")
    assert words in document.failure
    assert "The store for documents" in caplog.text
    Document.objects.update(attempts=MAX_ATTEMPTS - 1)
    render_document(document.pk)
    document.refresh_from_db()
    assert (document.state, words in document.failure) == ("failed", True)


@pytest.mark.django_db
def test_a_file_on_a_disk_that_cannot_be_read_is_no_fault_of_the_server(
    document: Document, as_alice: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "said the disk")

    made(document)
    monkeypatch.setattr("django.core.files.storage.FileSystemStorage.open", refuse)
    answer = as_alice.get(f"/api/v1/documents/{document.pk}/file/")
    assert (answer.status_code, answer.json()["code"]) == (503, "store-unusable")
    assert answer["Retry-After"]


@pytest.mark.django_db
def test_health_names_a_disk_that_cannot_be_written_to(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    assert client.get("/health/store").status_code == 200
    (tmp_path / "shut").write_text("a file, and no folder")
    settings.MEDIA_ROOT = tmp_path / "shut"
    answer = client.get("/health/store")
    assert answer.status_code == 503
    assert "not writable" in answer.json()["components"]["store"]["detail"]
