"""Requesting documents: once is enough, none is made twice, and nobody gets a hidden one."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from kombu.exceptions import OperationalError

from battles.models import Battle, BattleState
from campaigns.models import Campaign
from core.errors import InvalidInput, NotFound, StateConflict
from core.jobs import queue
from core.jobs.claims import write
from core.users import Visibility
from documents.models import (
    SUBJECT_OF,
    Document,
    DocumentKind,
    DocumentState,
    Paper,
    SubjectKind,
    papers_of,
)
from documents.selectors.other_prints import other_prints
from documents.services.queue import claim_document
from documents.services.requesting import (
    refresh_documents,
    request_again,
    request_document,
    retry_document,
)
from rulebook.chronicle.facts import Renamed
from tests.battles import field
from tests.documents.conftest import ask, made, subject_of
from warbands.models import Warband
from warbands.services.chronicle import append_facts

pytestmark = pytest.mark.django_db
Callbacks = Callable[..., AbstractContextManager[Any]]

OWN = [kind for kind in DocumentKind if SUBJECT_OF[kind] != SubjectKind.RULESET]
"""The kinds that show something of somebody's."""


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Return the messages that were sent after the commit."""
    messages: list[tuple[str, Any]] = []

    def note(task: str, args: list[Any], **_: Any) -> None:
        messages.append((task, args[0]))

    monkeypatch.setattr(queue.current_app, "send_task", note)
    return messages


def test_asking_queues_the_document_after_the_commit(
    alice: User, reds: Warband, sent: list[Any], django_capture_on_commit_callbacks: Callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        document = ask(alice, DocumentKind.ROSTER, reds.pk)
        assert sent == []
    assert sent == [("documents.tasks.render", str(document.pk))]
    assert (document.state, document.asked_by, document.progress) == (
        DocumentState.QUEUED,
        alice,
        0,
    )


def test_asking_again_is_the_same_document(
    alice: User, bob: User, campaign: Campaign, reds: Warband
) -> None:
    first = ask(alice, DocumentKind.ROSTER, reds.pk)
    second = ask(bob, DocumentKind.ROSTER, reds.pk)
    assert first.pk == second.pk
    assert second.asked_by == alice


def test_another_paper_is_another_document(alice: User, reds: Warband) -> None:
    assert (
        ask(alice, DocumentKind.ROSTER, reds.pk).pk
        != ask(alice, DocumentKind.ROSTER, reds.pk, Paper.LETTER).pk
    )


def test_unchanged_content_is_not_even_queued(
    alice: User, reds: Warband, sent: list[Any], django_capture_on_commit_callbacks: Callbacks
) -> None:
    ready = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    with django_capture_on_commit_callbacks(execute=True):
        again = ask(alice, DocumentKind.ROSTER, reds.pk)
    assert sent == []
    assert (again.state, again.asked_at, again.file.name) == (
        "ready",
        ready.asked_at,
        ready.file.name,
    )


def test_changed_content_is_queued_and_the_old_file_stays_until_then(
    alice: User, reds: Warband
) -> None:
    ready = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    append_facts({reds.pk: Renamed(name="Scarlets")}, user=alice)
    again = ask(alice, DocumentKind.ROSTER, reds.pk)
    assert (again.state, again.progress) == (DocumentState.QUEUED, 0)
    assert again.file.name == ready.file.name
    assert again.file.storage.exists(str(again.file.name))


@pytest.mark.one_database
@pytest.mark.parametrize("kind", OWN)
def test_a_stranger_may_not_ask(
    kind: DocumentKind, charlie: User, battle: Battle, campaign: Campaign
) -> None:
    with pytest.raises(NotFound):
        ask(charlie, kind, subject_of(kind, battle, campaign))
    assert not Document.objects.exists()


@pytest.mark.one_database
@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("name", ["alice", "bob", "dora"])
def test_organiser_player_and_spectator_may_ask_for_what_they_see(
    kind: DocumentKind, name: str, battle: Battle, campaign: Campaign
) -> None:
    assert ask(User.objects.get(username=name), kind, subject_of(kind, battle, campaign)).pk


@pytest.mark.one_database
@pytest.mark.parametrize("kind", OWN)
def test_what_is_not_there_is_not_found(
    kind: DocumentKind, alice: User, campaign: Campaign
) -> None:
    with pytest.raises(NotFound):
        ask(alice, kind, uuid4())


def test_a_subject_of_another_kind_is_not_found(
    alice: User, campaign: Campaign, reds: Warband
) -> None:
    for kind in (DocumentKind.CAMPAIGN, DocumentKind.CAREER, DocumentKind.BATTLE):
        with pytest.raises(NotFound):
            ask(alice, kind, reds.pk)
    with pytest.raises(NotFound):
        ask(alice, DocumentKind.ROSTER, campaign.pk)


def test_a_battle_without_a_result_is_refused_and_leaves_no_document(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    with pytest.raises(InvalidInput):
        ask(alice, DocumentKind.BATTLE, field.plan(alice, campaign, reds, blues).pk)
    assert not Document.objects.exists()


def test_a_broker_that_is_down_does_not_stop_the_asking(
    alice: User,
    reds: Warband,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    def down(*_: Any, **__: Any) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(queue.current_app, "send_task", down)
    with django_capture_on_commit_callbacks(execute=True):
        document = ask(alice, DocumentKind.ROSTER, reds.pk)
    assert document.state == DocumentState.QUEUED


def test_asking_leaves_the_claim_of_a_worker_alone(alice: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    claim = claim_document(document.pk, "one")
    assert claim is not None
    ask(alice, DocumentKind.ROSTER, reds.pk)
    assert write(claim, progress=15)


def test_a_failed_document_can_be_tried_again(alice: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    Document.objects.filter(pk=document.pk).update(state="failed", failure="It rained.", attempts=6)
    again = retry_document(user=alice, document_id=document.pk)
    assert (again.state, again.failure, again.attempts) == (DocumentState.QUEUED, "", 0)


@pytest.mark.parametrize("state", ["ready", "rendering"])
def test_only_what_failed_can_be_tried_again(state: str, alice: User, reds: Warband) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    Document.objects.filter(pk=document.pk).update(state=state)
    with pytest.raises(StateConflict) as race:
        request_again(document.pk)
    assert race.value.code == "not-failed"


def test_a_stranger_may_not_have_it_tried_again(alice: User, charlie: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    Document.objects.filter(pk=document.pk).update(state="failed")
    with pytest.raises(NotFound):
        retry_document(user=charlie, document_id=document.pk)


def test_confirmation_refreshes_every_paper(alice: User, battle: Battle) -> None:
    letter = ask(alice, DocumentKind.BATTLE, battle.pk, Paper.LETTER)
    documents = refresh_documents(DocumentKind.BATTLE, battle.pk)
    assert {(document.paper, document.state) for document in documents} == {
        ("A4", "queued"),
        ("Letter", "queued"),
    }
    assert letter.pk in {document.pk for document in documents}
    assert refresh_documents(DocumentKind.BATTLE, battle.pk)
    assert Document.objects.count() == 2


def test_documents_are_listed_for_those_who_see_their_subjects_listed(
    alice: User, bob: User, charlie: User, battle: Battle, campaign: Campaign, reds: Warband
) -> None:
    # For certificates the campaign is finished, after which it has no new rounds.
    for kind in sorted(OWN, key=lambda kind: kind == DocumentKind.CERTIFICATE):
        ask(alice, kind, subject_of(kind, battle, campaign))
    assert Document.objects.listed_for(bob).count() == len(OWN)
    assert not Document.objects.visible_to(charlie).exists()
    Warband.objects.filter(pk=reds.pk).update(visibility=Visibility.UNLISTED)
    unlisted = {"roster", "career", "rank-ups", "history"}
    assert set(Document.objects.visible_to(charlie).values_list("kind", flat=True)) == unlisted
    assert not Document.objects.listed_for(charlie).exists()
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    public = {"campaign", "certificate", "battle", "result-card", "result-sheet", "standings"}
    public |= {"fixtures"}
    assert set(Document.objects.listed_for(charlie).values_list("kind", flat=True)) == public


@pytest.mark.parametrize("kind", DocumentKind)
def test_unoffered_papers_are_refused_with_those_offered(kind: DocumentKind, alice: User) -> None:
    offered = papers_of(kind)
    for paper in (each for each in Paper if each not in offered):
        with pytest.raises(InvalidInput) as error:
            ask(alice, kind, uuid4(), paper)
        assert (error.value.code, error.value.field) == ("unsupported-paper", "paper")
        assert all(name in error.value.sentence for name in (paper, *offered))


def test_the_kind_and_the_paper_may_come_as_plain_words(alice: User, reds: Warband) -> None:
    document = request_document(user=alice, kind="roster", subject=reds.pk, paper="Letter")  # type: ignore[arg-type]
    assert (document.kind, document.paper) == ("roster", "Letter")


def test_page_lists_other_prints_that_are_possible_now(
    alice: User, campaign: Campaign, battle: Battle, client: Client
) -> None:
    client.force_login(alice)
    fixture_less = other_prints(DocumentKind.CAMPAIGN, campaign.pk)
    assert fixture_less == [DocumentKind.STANDINGS]
    for kind in (DocumentKind.FIXTURES, DocumentKind.CERTIFICATE):
        subject_of(kind, battle, campaign)
    later = other_prints(DocumentKind.CAMPAIGN, campaign.pk)
    assert later == [DocumentKind.CERTIFICATE, DocumentKind.STANDINGS, DocumentKind.FIXTURES]
    page = client.get(f"/documents/ask/?kind=campaign&subject={campaign.pk}").content.decode()
    for kind in later:
        assert f"?kind={kind}&amp;subject={campaign.pk}" in page


def test_page_lists_no_print_of_what_is_not_over(
    campaign: Campaign, battle: Battle, reds: Warband
) -> None:
    of_battle = (DocumentKind.BATTLE, DocumentKind.RESULT_CARD)
    assert other_prints(DocumentKind.RESULT_SHEET, battle.pk) == list(of_battle)
    Battle.objects.filter(pk=battle.pk).update(state=BattleState.UNDER_WAY)
    assert other_prints(DocumentKind.RESULT_SHEET, battle.pk) == []
    alive, dead = field.fighters(reds)[0], field.fighters(Warband.objects.get(name="Blues"))[1]
    assert other_prints(DocumentKind.CAREER, alive.pk) == []
    assert other_prints(DocumentKind.CAREER, dead.pk) == [DocumentKind.MEMORIAL]
    assert DocumentKind.HISTORY in other_prints(DocumentKind.ROSTER, reds.pk)
    assert other_prints(DocumentKind.ROSTER, uuid4()) == []
