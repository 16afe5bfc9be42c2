"""Documents: asked for, watched, fetched, tried again."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign
from documents.models import Document, DocumentKind, DocumentState, Paper
from documents.services.requesting import request_document
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database


def ask(browsers: Clients, kind: str, subject: object, paper: str = "A4"):
    data = {"kind": kind, "subject": str(subject), "paper": paper}
    return browsers.bob.post(f"{reverse('documents:ask')}?kind={kind}", data)


def address(document: Document, name: str = "document") -> str:
    return reverse(f"documents:{name}", args=[document.pk])


def finish(document: Document) -> None:
    """Finish a document like a worker does."""
    document.file.save("roster.pdf", ContentFile(b"%PDF-1.7 roster"), save=False)
    document.state, document.pages, document.size = DocumentState.READY, 2, 15
    document.finished_at = timezone.now()
    document.save()


@pytest.mark.parametrize("kind", ["campaign", "roster", "rank-ups", "career"])
def test_asking_leads_to_the_page_of_the_document(
    browsers: Clients, campaign: Campaign, haufen: Warband, kind: str
) -> None:
    subject = {"campaign": campaign.pk, "career": named("Hans").pk}.get(kind, haufen.pk)
    answer = ask(browsers, kind, subject, paper="Letter")
    document = Document.objects.get()
    assert answer["Location"] == address(document)
    assert (document.kind, document.subject, document.paper) == (kind, subject, "Letter")


def test_asking_twice_is_asking_once(
    browsers: Clients, campaign: Campaign, haufen: Warband
) -> None:
    assert (
        ask(browsers, "roster", haufen.pk)["Location"]
        == ask(browsers, "roster", haufen.pk)["Location"]
    )
    assert Document.objects.count() == 1


def test_hidden_subject_cannot_be_printed(browsers: Clients, guards: Warband) -> None:
    assert ask(browsers, "roster", guards.pk).status_code == 404
    assert ask(browsers, "roster", uuid4()).status_code == 404


@pytest.mark.parametrize(("field", "value"), [("subject", "no id"), ("paper", "papyrus")])
def test_bad_input_is_refused(browsers: Clients, haufen: Warband, field: str, value: str) -> None:
    data = {"kind": "roster", "subject": str(haufen.pk), "paper": "A4", field: value}
    page = browsers.bob.post(f"{reverse('documents:ask')}?kind=roster", data)
    assert page.status_code == 400
    assert field in page.context["form"].errors


def test_document_page_reloads_until_document_is_ready(
    browsers: Clients, document: Document
) -> None:
    coming = browsers.bob.get(address(document)).content.decode()
    assert "hx-get" in coming and 'http-equiv="refresh"' in coming
    finish(document)
    html = browsers.bob.get(address(document)).content.decode()
    assert "load delay" not in html and "refresh" not in html
    assert address(document, "file") in html


def test_document_file_needs_access_to_subject(browsers: Clients, document: Document) -> None:
    finish(document)
    answer = browsers.bob.get(address(document, "file"))
    assert b"".join(answer.streaming_content) == b"%PDF-1.7 roster"  # type: ignore[attr-defined]
    assert answer["Content-Type"] == "application/pdf"
    assert browsers.charlie.get(address(document, "file")).status_code == 404
    assert browsers.nobody.get(address(document, "file")).status_code == 302


def test_failed_document_shows_reason_and_can_retry(browsers: Clients, document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(
        state="failed", failure="The printer ran out of ink."
    )
    assert "The printer ran out of ink." in browsers.bob.get(address(document)).content.decode()
    browsers.bob.post(address(document, "retry"))
    document.refresh_from_db()
    assert document.state == "queued"


def test_document_list_names_kind_and_options(browsers: Clients, document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(title="Haufen", options="cards")
    page = browsers.bob.get(reverse("documents:documents")).content.decode()
    assert ">Warband roster: Haufen<" in page and "Cards, 9 to a page" in page


def test_document_list_leaves_out_other_campaigns(
    browsers: Clients, bob: User, dora: User, campaign: Campaign
) -> None:
    """Dora is a member of the club, and neither plays nor organises the campaign."""
    summary = request_document(user=bob, kind=DocumentKind.CAMPAIGN, subject=campaign.pk)
    where = reverse("documents:documents")
    assert address(summary) in browsers.alice.get(where).content.decode()
    assert address(summary) in browsers.bob.get(where).content.decode()
    assert address(summary) not in browsers.dora.get(where).content.decode()
    assert browsers.dora.get(address(summary)).status_code == 200
    request_document(user=dora, kind=DocumentKind.CAMPAIGN, subject=campaign.pk, paper=Paper.LETTER)
    letter = Document.objects.get(asked_by=dora)
    assert address(letter) in browsers.dora.get(where).content.decode()


def test_document_list_hides_documents_of_others(browsers: Clients, document: Document) -> None:
    where = reverse("documents:documents")
    assert address(document) in browsers.bob.get(where).content.decode()
    assert address(document) not in browsers.charlie.get(where).content.decode()
