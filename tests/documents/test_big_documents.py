"""Big documents: split, rendered in parts by any worker, bound once."""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage

from battles.models import Battle
from campaigns.models import Campaign
from core.jobs import queue
from core.jobs.claims import MAX_ATTEMPTS
from documents.content import print_jobs
from documents.models import Document, DocumentKind, DocumentPart, DocumentState
from documents.services import parts as binding
from documents.services import rendering
from documents.services.rendering import render_document, render_part
from tests.battles import field
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import bookmarks, pages, reader
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
Callbacks = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def big(
    alice: User,
    campaign: Campaign,
    battle: Battle,
    reds: Warband,
    blues: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> Document:
    """Return a summary that is split into small parts.

    These are standings with two battles, a battle, people, and two rosters.
    """
    monkeypatch.setattr(print_jobs, "IN_ONE_GO", 0)
    monkeypatch.setattr(print_jobs, "PAGES_A_PART", 1.2)
    for _ in range(2):
        field.confirmed(alice, campaign, reds, blues)
    return ask(alice, DocumentKind.CAMPAIGN, campaign.pk)


def again(document: Document) -> Document:
    return Document.objects.get(pk=document.pk)


def body(document: Document) -> list[int]:
    """Return the keys of the parts that workers render."""
    return list(
        DocumentPart.objects.filter(document=document, number__gt=0)
        .order_by("number")
        .values_list("pk", flat=True)
    )


def content(document: Document) -> bytes:
    with document.file.open("rb") as file:
        return bytes(file.read())


def test_a_big_document_is_split_and_its_parts_queued(
    big: Document, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callbacks
) -> None:
    sent: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        queue.current_app, "send_task", lambda task, args, **_: sent.append((task, args[0]))
    )
    with django_capture_on_commit_callbacks(execute=True):
        render_document(big.pk)
    assert sent == [("documents.tasks.render_part", key) for key in body(big)]
    assert len(sent) >= 4
    assert (again(big).state, again(big).progress, again(big).claimed_by) == (
        DocumentState.RENDERING,
        20,
        "",
    )


def test_the_last_part_has_the_document_bound(
    big: Document, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callbacks
) -> None:
    render_document(big.pk)
    sent: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        queue.current_app, "send_task", lambda task, args, **_: sent.append((task, args[0]))
    )
    seen = []
    with django_capture_on_commit_callbacks(execute=True):
        for key in body(big):
            render_part(key)
            seen.append(again(big).progress)
    assert sent == [("documents.tasks.render", str(big.pk))]
    assert seen == sorted(seen) and seen[-1] == 90
    render_document(big.pk)
    ready = again(big)
    assert (ready.state, ready.progress) == (DocumentState.READY, 100)
    assert not DocumentPart.objects.exists()


def test_the_whole_has_continuous_pages_and_every_bookmark(big: Document) -> None:
    ready = made(big)
    pdf = content(ready)
    assert ready.pages == len(reader(pdf).pages)
    assert reader(pdf).page_labels[:4] == ["i", "ii", "1", "2"]
    for number, page in enumerate(pages(pdf)[2:], start=1):
        assert page.endswith(f" {number}")
    assert [title for _, title in bookmarks(pdf)] == [
        "Standings",
        "The players",
        "The battles",
        "1. Brawl",
        "2. Brawl 2",
        "3. Brawl 3",
        "Veterans",
        "In memoriam",
        "Reds",
        "Roster",
        "Blues",
        "Roster",
        "Index of persons",
        "About this book",
    ]


def test_the_contents_give_the_page_that_each_thing_bears(big: Document) -> None:
    pdf = content(made(big))
    file, labels = reader(pdf), reader(pdf).page_labels
    listed = pages(pdf)[1]
    for anchor, title in (("standings", "Standings"), ("memorial", "In memoriam")):
        page = file.get_destination_page_number(file.named_destinations[anchor])
        assert page is not None
        assert listed.split(title)[1].replace(".", " ").split()[0] == labels[page]


def test_parts_in_any_order_make_the_same_file(big: Document, alice: User) -> None:
    first = content(made(big))
    Document.objects.filter(pk=big.pk).update(state=DocumentState.QUEUED, content_hash="")
    render_document(big.pk)
    keys = body(big)
    random.Random(7).shuffle(keys)
    for key in [*keys, *keys]:
        render_part(key)
    render_document(big.pk)
    assert content(again(big)) == first


def test_unchanged_content_is_not_split_again(big: Document) -> None:
    made(big)
    Document.objects.filter(pk=big.pk).update(state=DocumentState.QUEUED)
    render_document(big.pk)
    assert not DocumentPart.objects.exists()
    assert again(big).state == DocumentState.READY


def test_a_message_that_comes_while_parts_are_made_changes_nothing(big: Document) -> None:
    render_document(big.pk)
    first, *_ = body(big)
    render_part(first)
    before = DocumentPart.objects.get(pk=first).file.name
    for _ in range(MAX_ATTEMPTS + 2):
        render_document(big.pk)
    render_part(first)
    assert again(big).state == DocumentState.RENDERING
    assert DocumentPart.objects.get(pk=first).file.name == before


def test_parts_show_the_campaign_as_it_was_when_it_was_split(
    big: Document, campaign: Campaign
) -> None:
    render_document(big.pk)
    Campaign.objects.filter(pk=campaign.pk).update(name="Another Winter")
    for key in body(big):
        render_part(key)
    render_document(big.pk)
    assert "Another Winter" not in "".join(pages(content(again(big))))


def test_a_part_that_fails_fails_the_document_and_clears_the_rest(
    big: Document, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callbacks
) -> None:
    render_document(big.pk)
    first, second, *_ = body(big)
    render_part(first)
    file = DocumentPart.objects.get(pk=first).file.name

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("no")

    monkeypatch.setattr(binding, "print_plan", fail)
    with django_capture_on_commit_callbacks(execute=True):
        render_part(second)
    assert again(big).state == DocumentState.FAILED
    assert again(big).failure.startswith("This is a fault")
    assert not DocumentPart.objects.exists()
    assert not default_storage.exists(str(file))
    render_part(second)


def test_failed_binding_reports_reason(big: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    render_document(big.pk)
    for key in body(big):
        render_part(key)
    monkeypatch.setattr(rendering, "bind_parts", lambda document: 1 // 0)
    render_document(big.pk)
    assert again(big).state == DocumentState.FAILED


def test_a_part_that_kills_its_workers_is_given_up(big: Document) -> None:
    render_document(big.pk)
    first, *_ = body(big)
    DocumentPart.objects.filter(pk=first).update(attempts=MAX_ATTEMPTS)
    render_part(first)
    assert again(big).state == DocumentState.FAILED


def test_a_part_taken_over_from_a_dead_worker_is_finished_once(big: Document) -> None:
    render_document(big.pk)
    first, *_ = body(big)
    DocumentPart.objects.filter(pk=first).update(
        claimed_by="one", claimed_at=big.asked_at, attempts=1
    )
    render_part(first, task="one")
    assert DocumentPart.objects.get(pk=first).finished_at is not None
