"""Making documents: once, twice, half way, and not at all."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import OperationalError
from django.utils import timezone

from campaigns.models import Campaign
from core.jobs.claims import MAX_ATTEMPTS, claim_limit, release, write
from documents.content.print_jobs import Plan
from documents.models import Document, DocumentKind, DocumentState
from documents.pagination import print_plan
from documents.services import rendering
from documents.services.queue import claim_document
from documents.services.rendering import render_document
from rulebook.chronicle.facts import Renamed
from tests.documents.conftest import ask, made, subject_of
from tests.documents.reading_pdfs import text
from warbands.models import Warband
from warbands.services.chronicle import append_facts

pytestmark = pytest.mark.django_db
Callbacks = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def document(alice: User, reds: Warband) -> Document:
    """Return a roster that has been requested."""
    return ask(alice, DocumentKind.ROSTER, reds.pk)


def files(document: Document) -> list[str]:
    """Return the files in the document's folder."""
    folder = Path(default_storage.path(f"documents/{document.pk.hex[:2]}/{document.pk}"))
    return sorted(file.name for file in folder.rglob("*") if file.is_file())


def named(document: Document) -> list[str]:
    """Return the only file that there should be."""
    return [Path(str(document.file.name)).name]


def again(document: Document) -> Document:
    return Document.objects.get(pk=document.pk)


def fails_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let the printer fail."""

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(rendering, "print_in_one_go", fail)


def test_a_document_is_made(document: Document) -> None:
    ready = made(document)
    assert (ready.state, ready.progress, ready.failure, ready.title) == (
        DocumentState.READY,
        100,
        "",
        "Reds",
    )
    assert (ready.claimed_by, ready.claimed_at, ready.attempts) == ("", None, 0)
    assert ready.pages == 1
    assert ready.size == ready.file.size
    with ready.file.open("rb") as file:
        assert "The warband of alice" in text(file.read())


def test_made_twice_it_is_rendered_once(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = made(document)
    fails_with(monkeypatch, AssertionError("rendered again"))
    render_document(document.pk)
    assert again(document).file.name == ready.file.name


def test_wanted_again_with_unchanged_content_it_is_not_rendered(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = made(document)
    Document.objects.filter(pk=document.pk).update(state=DocumentState.QUEUED)
    fails_with(monkeypatch, AssertionError("rendered again"))
    render_document(document.pk)
    assert (again(document).state, again(document).file.name) == (
        DocumentState.READY,
        ready.file.name,
    )


def test_a_newer_file_takes_the_place_of_the_old_one(
    document: Document, alice: User, reds: Warband
) -> None:
    old = made(document)
    append_facts({reds.pk: Renamed(name="Scarlets")}, user=alice)
    new = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    assert new.title == "Scarlets"
    assert new.content_hash != old.content_hash
    assert files(document) == named(new)


def test_request_during_rendering_checks_again(
    document: Document,
    alice: User,
    reds: Warband,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    real = rendering.print_in_one_go

    def changed_meanwhile(plan: Plan, **how: Any) -> Any:
        append_facts({reds.pk: Renamed(name="Scarlets")}, user=alice)
        ask(alice, DocumentKind.ROSTER, reds.pk)
        monkeypatch.setattr(rendering, "print_in_one_go", real)
        return real(plan, **how)

    monkeypatch.setattr(rendering, "print_in_one_go", changed_meanwhile)
    render_document(document.pk)
    assert again(document).state == DocumentState.QUEUED
    assert again(document).title == "Reds"
    render_document(document.pk)
    assert (again(document).state, again(document).title) == (DocumentState.READY, "Scarlets")


def test_failure_reports_reason(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, ZeroDivisionError("division by zero"))
    render_document(document.pk)
    failed = again(document)
    assert failed.state == DocumentState.FAILED
    assert failed.failure.startswith("This is a fault in Muster.")
    assert "Zero" not in failed.failure and "Traceback" not in failed.failure
    assert failed.claimed_by == ""


def test_missing_subject_reports_reason(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(subject=document.pk)
    render_document(document.pk)
    assert again(document).failure == "The subject of this document no longer exists."


def test_time_limit_reports_reason(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_with(monkeypatch, SoftTimeLimitExceeded())
    render_document(document.pk)
    assert again(document).state == DocumentState.FAILED
    assert "minutes" in again(document).failure


@pytest.mark.parametrize("error", [OperationalError("database is away"), OSError("disk is full")])
def test_what_may_be_better_in_a_minute_is_left_for_the_next_try(
    error: Exception, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_with(monkeypatch, error)
    with pytest.raises(type(error)):
        render_document(document.pk)
    assert (again(document).state, again(document).claimed_by, again(document).attempts) == (
        "rendering",
        "",
        1,
    )
    monkeypatch.setattr(rendering, "print_in_one_go", print_plan)
    render_document(document.pk)
    assert again(document).state == DocumentState.READY


def test_a_document_that_kills_its_workers_is_given_up(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(attempts=MAX_ATTEMPTS)
    render_document(document.pk)
    assert again(document).state == DocumentState.FAILED
    assert again(document).failure.startswith(f"It failed {MAX_ATTEMPTS} times")


def test_a_failed_document_keeps_the_file_it_had(
    document: Document, alice: User, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = made(document)
    append_facts({reds.pk: Renamed(name="Scarlets")}, user=alice)
    ask(alice, DocumentKind.ROSTER, reds.pk)
    fails_with(monkeypatch, ValueError("no"))
    render_document(document.pk)
    assert (again(document).state, again(document).file.name) == (
        DocumentState.FAILED,
        old.file.name,
    )
    assert files(document) == named(old)


def test_what_nobody_wants_is_not_made(document: Document) -> None:
    for state in (DocumentState.READY, DocumentState.FAILED):
        Document.objects.filter(pk=document.pk).update(state=state)
        render_document(document.pk)
        assert again(document).attempts == 0


def test_only_one_worker_has_a_document_in_hand(document: Document) -> None:
    assert claim_document(document.pk, "one") is not None
    assert claim_document(document.pk, "two") is None
    assert claim_document(document.pk, "") is None


def test_a_message_that_comes_again_takes_over_from_the_worker_that_died(
    document: Document,
) -> None:
    dead = claim_document(document.pk, "one")
    live = claim_document(document.pk, "one")
    assert dead is not None and live is not None
    assert live.attempts == dead.attempts + 1


def test_a_claim_is_void_after_the_time_limit(document: Document) -> None:
    assert claim_document(document.pk, "one") is not None
    past = timezone.now() - claim_limit() - timedelta(seconds=1)
    Document.objects.filter(pk=document.pk).update(claimed_at=past)
    assert claim_document(document.pk, "two") is not None


def test_a_worker_that_was_thought_dead_can_write_nothing_any_more(document: Document) -> None:
    slow = claim_document(document.pk, "one")
    quick = claim_document(document.pk, "one")
    assert slow is not None and quick is not None
    assert not write(slow, progress=99)
    assert not release(slow, state=DocumentState.READY)
    assert write(quick, progress=50)
    assert again(document).progress == 50


def test_a_worker_that_was_thought_dead_takes_its_file_away_again(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rendering.print_in_one_go

    def overtaken(plan: Plan, **how: Any) -> Any:
        printed = real(plan, **how)
        monkeypatch.setattr(rendering, "print_in_one_go", real)
        render_document(document.pk, task="one")
        return printed

    monkeypatch.setattr(rendering, "print_in_one_go", overtaken)
    render_document(document.pk, task="one")
    ready = again(document)
    assert ready.state == DocumentState.READY
    assert files(document) == named(ready)


def test_a_worker_that_was_thought_dead_cannot_fail_what_another_one_made(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rendering.print_in_one_go

    def overtaken(plan: Plan, **how: Any) -> Any:
        monkeypatch.setattr(rendering, "print_in_one_go", real)
        render_document(document.pk, task="one")
        raise ValueError("too late")

    monkeypatch.setattr(rendering, "print_in_one_go", overtaken)
    render_document(document.pk, task="one")
    assert again(document).state == DocumentState.READY


def test_what_dead_workers_left_behind_is_cleared_away_in_time(
    document: Document, alice: User, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(made(document).file.path).parent
    (folder / "left-behind.pdf").write_bytes(b"half a file")
    append_facts({reds.pk: Renamed(name="Scarlets")}, user=alice)
    new = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    assert set(files(document)) == {*named(new), "left-behind.pdf"}
    monkeypatch.setattr("core.jobs.stored_files.claim_limit", lambda: timedelta(seconds=-5))
    append_facts({reds.pk: Renamed(name="Crimsons")}, user=alice)
    newest = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    assert files(document) == named(newest)


def test_rendering_reports_progress(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int, str]] = []
    real = rendering.print_in_one_go

    def watched(plan: Plan, **how: Any) -> Any:
        now = again(document)
        seen.append((now.state, now.progress, now.title))
        return real(plan, **how)

    monkeypatch.setattr(rendering, "print_in_one_go", watched)
    render_document(document.pk)
    assert seen == [(DocumentState.RENDERING, 15, "Reds")]


@pytest.mark.one_database
def test_every_kind_is_made(alice: User, battle: Any, campaign: Campaign, reds: Warband) -> None:
    # For certificates the campaign is finished, after which it has no new rounds.
    for kind in sorted(DocumentKind, key=lambda kind: kind == DocumentKind.CERTIFICATE):
        ready = made(ask(alice, kind, subject_of(kind, battle, campaign)))
        assert (ready.state, ready.failure) == (DocumentState.READY, "")
