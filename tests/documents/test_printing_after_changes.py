"""Summaries that nobody asked for are made once play has stopped, and not after every battle."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from campaigns.models import Campaign
from documents.models import Document, DocumentKind, DocumentState
from documents.services import rendering, requesting
from documents.services.queue import LONGEST_BEHIND, sweep_documents
from documents.services.rendering import render_document
from documents.services.requesting import LONGEST_POSTPONED, QUIET, refresh_documents
from tests.battles import field
from tests.documents.conftest import ask
from warbands.models import Warband

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
MAX_WAITING = timedelta(minutes=1)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the keys of queued documents."""
    keys: list[str] = []

    def note(task: str, key: Any) -> bool:
        keys.append(str(key))
        return True

    monkeypatch.setattr("core.jobs.queue.send", note)
    return keys


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Return a function that moves the clock of documents forward."""
    passed = timedelta(0)
    now = timezone.now

    def pass_time(time: timedelta) -> None:
        nonlocal passed
        passed += time

    monkeypatch.setattr("django.utils.timezone.now", lambda: now() + passed)
    return pass_time


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list with an item for each document that was typeset."""
    titles: list[str] = []
    print_plan = rendering.print_in_one_go

    def count(*args: Any, **options: Any) -> Any:
        titles.append("printed")
        return print_plan(*args, **options)

    monkeypatch.setattr(rendering, "print_in_one_go", count)
    return titles


def summary(campaign: Campaign) -> Document:
    return Document.objects.get(kind=DocumentKind.CAMPAIGN, subject=campaign.pk)


def play(alice: User, campaign: Campaign, reds: Warband, blues: Warband) -> None:
    field.confirmed(alice, campaign, reds, blues)
    refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)


def test_summary_is_made_once_after_a_series_of_battles(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband,
    sent: list[str], renderings: list[str], pass_time: Callable[[timedelta], None],
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    for _ in range(4):
        with django_capture_on_commit_callbacks(execute=True):
            play(alice, campaign, reds, blues)
        render_document(summary(campaign).pk)
        pass_time(QUIET - SECOND)
        sweep_documents()
    assert (sent, renderings) == ([], [])
    pass_time(2 * SECOND)
    sweep_documents()
    assert sent == [str(summary(campaign).pk)]
    render_document(summary(campaign).pk)
    assert summary(campaign).state == DocumentState.READY
    assert len(renderings) == 1
    sent.clear()
    pass_time(QUIET)
    assert sweep_documents() == 0


def test_summary_is_made_during_play(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband,
    sent: list[str], pass_time: Callable[[timedelta], None],
) -> None:  # fmt: skip
    field.confirmed(alice, campaign, reds, blues)
    step = QUIET / 2
    for _ in range(LONGEST_POSTPONED // step):
        refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)
        assert sweep_documents() == 0
        pass_time(step)
    refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)
    pass_time(SECOND)
    assert sweep_documents() == 1
    # The next hour has its print as well, and not one after each battle.
    render_document(summary(campaign).pk)
    refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)
    assert summary(campaign).due_at == pytest.approx(timezone.now() + QUIET, abs=5 * SECOND)
    assert sweep_documents() == 0


def test_document_that_a_person_asks_for_is_made_at_once(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband,
    sent: list[str], django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    play(alice, campaign, reds, blues)
    with django_capture_on_commit_callbacks(execute=True):
        document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    assert sent == [str(document.pk)]
    # A battle that is confirmed meanwhile keeps nobody waiting.
    refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)
    render_document(document.pk)
    assert summary(campaign).state == DocumentState.READY


def test_summary_waits_a_minute_behind_a_requested_document(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband,
    sent: list[str], pass_time: Callable[[timedelta], None],
) -> None:  # fmt: skip
    play(alice, campaign, reds, blues)
    pass_time(QUIET + SECOND)
    roster = ask(alice, DocumentKind.ROSTER, reds.pk)
    sent.clear()
    assert (sweep_documents(), sent) == (0, [])
    pass_time(LONGEST_BEHIND)
    sweep_documents()
    assert sorted(sent) == sorted(map(str, (roster.pk, summary(campaign).pk)))


def test_summary_is_made_when_requested_documents_are_ready(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband,
    sent: list[str], pass_time: Callable[[timedelta], None],
) -> None:  # fmt: skip
    play(alice, campaign, reds, blues)
    pass_time(QUIET + SECOND)
    render_document(ask(alice, DocumentKind.ROSTER, reds.pk).pk)
    sent.clear()
    sweep_documents()
    assert sent == [str(summary(campaign).pk)]


def test_change_while_a_summary_is_made_waits_for_further_changes(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband, sent: list[str],
    pass_time: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    play(alice, campaign, reds, blues)
    print_plan = rendering.print_in_one_go

    def play_on(*args: Any, **options: Any) -> Any:
        play(alice, campaign, reds, blues)
        return print_plan(*args, **options)

    monkeypatch.setattr(rendering, "print_in_one_go", play_on)
    document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    with django_capture_on_commit_callbacks(execute=True):
        render_document(document.pk)
    monkeypatch.setattr(rendering, "print_in_one_go", print_plan)
    assert (summary(campaign).state, sent) == (DocumentState.QUEUED, [])
    assert summary(campaign).file, "the print from before stays available"
    pass_time(QUIET + SECOND)
    assert sweep_documents() == 1
    render_document(document.pk)
    assert summary(campaign).state == DocumentState.READY


def test_change_that_a_document_does_not_show_does_not_delay_it(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband, sent: list[str],
    renderings: list[str], pass_time: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """As when the message about a battle comes while its book is printed already."""
    play(alice, campaign, reds, blues)
    print_plan = rendering.print_in_one_go

    def refresh(*args: Any, **options: Any) -> Any:
        refresh_documents(DocumentKind.CAMPAIGN, campaign.pk)
        return print_plan(*args, **options)

    monkeypatch.setattr(rendering, "print_in_one_go", refresh)
    document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    render_document(document.pk)
    after = summary(campaign)
    assert (after.state, after.due_at, renderings) == (DocumentState.READY, None, ["printed"])
    sent.clear()
    pass_time(QUIET + SECOND)
    sweep_documents()
    assert str(document.pk) not in sent


def test_late_message_about_a_change_leaves_documents_that_show_it(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband, sent: list[str]
) -> None:
    field.confirmed(alice, campaign, reds, blues)
    changed_at = timezone.now()
    document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    render_document(document.pk)
    assert refresh_documents(DocumentKind.CAMPAIGN, campaign.pk, since=changed_at) == []
    assert summary(campaign).state == DocumentState.READY
    later = timezone.now()
    assert refresh_documents(DocumentKind.CAMPAIGN, campaign.pk, since=later) != []
    assert summary(campaign).state == DocumentState.QUEUED


def test_message_that_was_lost_is_sent_again_within_a_minute(
    alice: User, reds: Warband, sent: list[str], pass_time: Callable[[timedelta], None]
) -> None:
    """A worker is free, and the clock comes round: so long at most does anything wait."""
    ask(alice, DocumentKind.ROSTER, reds.pk)
    sent.clear()
    every = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    pass_time(MAX_WAITING - every["documents.tasks.sweep"])
    assert sweep_documents() == 1
    for task in ("documents.tasks.take_over", "battles.tasks.sweep", "exchange.tasks.sweep"):
        assert every[task] <= timedelta(seconds=15), task


def test_what_follows_from_changes_waits_less_than_a_minute() -> None:
    every = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert requesting.QUIET + every["documents.tasks.sweep"] <= MAX_WAITING
