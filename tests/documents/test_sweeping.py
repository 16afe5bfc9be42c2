"""Only lost messages are sent again."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from core.jobs.claims import claim_limit
from core.jobs.queue import PATIENCE
from documents.models import Document, DocumentKind, DocumentPart, document_path
from documents.services.queue import sweep_documents
from documents.tasks import tidy
from tests.documents.conftest import ask
from warbands.models import Warband

pytestmark = pytest.mark.django_db
LONG_AGO = PATIENCE + timedelta(seconds=5)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    messages: list[tuple[str, Any]] = []

    def note(task: str, key: Any) -> bool:
        messages.append((task, key))
        return True

    monkeypatch.setattr("core.jobs.queue.send", note)
    return messages


def test_files_without_a_row_are_swept_and_no_others(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Document(kind=document.kind, subject=document.subject)
    names = [
        default_storage.save(name, ContentFile(b"%PDF"))
        for name in (
            document_path(gone, "a.pdf"),
            document_path(gone, "parts/1.pdf"),
            document_path(document, "a.pdf"),
        )
    ]
    assert tidy() == 0, "nothing is old enough: somebody may be about to write the row"
    monkeypatch.setattr("core.jobs.stored_files.claim_limit", lambda: timedelta(seconds=-5))
    assert tidy() == 1
    assert [default_storage.exists(name) for name in names] == [False, False, True]
    assert not default_storage.exists(f"documents/{gone.pk.hex[:2]}/{gone.pk}")
    assert tidy() == 0


@pytest.fixture
def document(alice: User, reds: Warband) -> Document:
    return ask(alice, DocumentKind.ROSTER, reds.pk)


def change(document: Document, **fields: Any) -> None:
    Document.objects.filter(pk=document.pk).update(**fields)


def ago(time: timedelta) -> Any:
    return timezone.now() - time


def test_what_has_just_been_asked_for_is_left_alone(document: Document, sent: list[Any]) -> None:
    assert sweep_documents() == 0
    assert sent == []


@pytest.mark.parametrize("state", ["queued", "rendering"])
def test_what_waits_too_long_is_sent_again(state: str, document: Document, sent: list[Any]) -> None:
    change(document, state=state, asked_at=ago(LONG_AGO))
    assert sweep_documents() == 1
    assert sent == [("documents.tasks.render", str(document.pk))]


@pytest.mark.parametrize("state", ["ready", "failed"])
def test_what_is_done_is_left_alone(state: str, document: Document, sent: list[Any]) -> None:
    change(document, state=state, asked_at=ago(LONG_AGO))
    assert sweep_documents() == 0


def test_what_somebody_has_in_hand_is_left_alone_until_its_claim_is_void(
    document: Document, sent: list[Any]
) -> None:
    change(
        document,
        state="rendering",
        asked_at=ago(LONG_AGO),
        claimed_by="one",
        claimed_at=timezone.now(),
    )
    assert sweep_documents() == 0
    change(document, claimed_at=ago(claim_limit() + timedelta(seconds=5)))
    assert sweep_documents() == 1


def test_parts_are_sent_again_and_not_the_document_that_waits_for_them(
    document: Document, sent: list[Any]
) -> None:
    change(document, state="rendering", asked_at=ago(LONG_AGO), started_at=ago(LONG_AGO))
    parts = [
        DocumentPart(document=document, number=number, content={}, content_hash="x")
        for number in range(3)
    ]
    _, waiting, held = DocumentPart.objects.bulk_create(parts)
    DocumentPart.objects.filter(pk=held.pk).update(claimed_by="one", claimed_at=timezone.now())
    assert sweep_documents() == 1
    assert sent == [("documents.tasks.render_part", waiting.pk)]


def test_a_document_whose_parts_are_all_there_is_sent_to_be_bound(
    document: Document, sent: list[Any]
) -> None:
    change(document, state="rendering", asked_at=ago(LONG_AGO), started_at=ago(LONG_AGO))
    DocumentPart.objects.create(document=document, number=0, content={}, content_hash="x")
    DocumentPart.objects.create(
        document=document, number=1, content={}, content_hash="x", finished_at=timezone.now()
    )
    assert sweep_documents() == 1
    assert sent == [("documents.tasks.render", str(document.pk))]


def test_the_sweep_stops_where_the_broker_is_down(
    document: Document, alice: User, blues: Warband, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(alice, DocumentKind.RANK_UPS, reds.pk)
    Document.objects.update(asked_at=ago(LONG_AGO))
    attempt: list[str] = []

    def down(task: str, key: Any) -> bool:
        attempt.append(task)
        return False

    monkeypatch.setattr("core.jobs.queue.send", down)
    assert sweep_documents() == 0
    assert len(attempt) == 1


def test_the_number_of_queries_does_not_grow(
    alice: User, reds: Warband, sent: list[Any], django_assert_num_queries: Any
) -> None:
    for kind in (DocumentKind.ROSTER, DocumentKind.RANK_UPS):
        ask(alice, kind, reds.pk)
        Document.objects.update(asked_at=ago(LONG_AGO))
        with django_assert_num_queries(2):
            sweep_documents()
