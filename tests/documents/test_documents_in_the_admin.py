"""Support looks at documents and has failed ones tried again; it writes none."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from documents.models import Document, DocumentKind, DocumentState
from tests.conftest import browser_of
from tests.documents.conftest import ask
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
URL = "/admin/documents/document/"


@pytest.fixture
def support(dora: User) -> Client:
    User.objects.filter(pk=dora.pk).update(is_staff=True, is_superuser=True)
    return browser_of(User.objects.get(pk=dora.pk))


@pytest.fixture
def failed(alice: User, reds: Warband) -> Document:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    Document.objects.filter(pk=document.pk).update(state="failed", failure="It rained.")
    return document


def test_admin_shows_documents(support: Client, failed: Document) -> None:
    assert "Warband roster" in support.get(URL).content.decode()
    assert "It rained." in support.get(f"{URL}{failed.pk}/change/").content.decode()


def test_documents_cannot_be_written(support: Client, failed: Document) -> None:
    assert support.get(f"{URL}add/").status_code == 403
    assert support.post(f"{URL}{failed.pk}/change/", {"state": "ready"}).status_code == 403
    assert Document.objects.get().state == DocumentState.FAILED


def test_old_documents_can_be_deleted(support: Client, failed: Document) -> None:
    assert support.post(f"{URL}{failed.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Document.objects.exists()


def test_failed_documents_are_tried_again(support: Client, failed: Document) -> None:
    support.post(URL, {"action": "try_again", "_selected_action": [str(failed.pk)]})
    assert Document.objects.get().state == DocumentState.QUEUED


def test_who_is_not_staff_sees_nothing(alice: User, failed: Document) -> None:
    assert browser_of(alice).get(URL).status_code == 302
