"""`documents/` and everything under it: it works; for strangers, readers, players, organisers; odd
input."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign
from core.users import Visibility
from documents.models import Document, DocumentKind
from tests.conftest import api_of
from tests.documents.conftest import ask, made, subject_of
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
URL = "/api/v1/documents/"


@pytest.fixture
def ready(alice: User, campaign: Campaign, reds: Warband) -> Document:
    """Return the Reds' printed roster."""
    return made(ask(alice, DocumentKind.ROSTER, reds.pk))


def routes(document: Document) -> list[tuple[str, str]]:
    """Return every route with its method."""
    address = f"{URL}{document.pk}/"
    return [
        ("get", URL),
        ("post", URL),
        ("get", address),
        ("get", f"{address}file/"),
        ("post", f"{address}retry/"),
    ]


def test_asking_watching_and_fetching(as_bob: APIClient, campaign: Campaign) -> None:
    response = as_bob.post(URL, {"kind": "campaign", "subject": campaign.pk})
    assert response.status_code == 202
    where = response.headers["Location"]
    assert where == f"{URL}{response.data['id']}/"
    assert response.data["state"] == "queued" and response.data["file"] is None
    made(Document.objects.get())
    data = as_bob.get(where).data
    assert (data["state"], data["progress"], data["title"]) == ("ready", 100, "The Long Winter")
    file = as_bob.get(data["file"])
    assert (file.status_code, file.headers["Content-Type"]) == (200, "application/pdf")
    assert len(b"".join(file.streaming_content)) == data["size"]  # type: ignore[attr-defined]
    assert (
        as_bob.get(data["file"], headers={"If-None-Match": file.headers["ETag"]}).status_code == 304
    )


def test_asking_for_what_is_ready_answers_with_it(as_alice: APIClient, ready: Document) -> None:
    again = as_alice.post(URL, {"kind": "roster", "subject": ready.subject, "paper": "A4"})
    assert (again.status_code, again.data["id"], again.data["state"]) == (
        200,
        str(ready.pk),
        "ready",
    )


def test_an_anonymous_asker_is_sent_to_sign_in(
    anonymous: APIClient, ready: Document, reds: Warband
) -> None:
    Warband.objects.filter(pk=reds.pk).update(visibility=Visibility.PUBLIC)
    for method, route in routes(ready):
        assert getattr(anonymous, method)(route).status_code == 401, route


def test_a_stranger_finds_nothing(as_charlie: APIClient, ready: Document) -> None:
    assert as_charlie.get(URL).data["count"] == 0
    body = {"kind": "roster", "subject": str(ready.subject)}
    for method, route in routes(ready)[1:]:
        answer = getattr(as_charlie, method)(
            route, body if route == URL and method == "post" else None
        )
        assert (answer.status_code, answer.data["status"]) == (404, 404), route


def test_a_reader_may_ask_read_and_fetch(as_dora: APIClient, ready: Document) -> None:
    assert as_dora.get(URL).data["count"] == 1
    assert (
        as_dora.post(
            URL, {"kind": "roster", "subject": ready.subject, "paper": "Letter"}
        ).status_code
        == 202
    )
    assert as_dora.get(f"{URL}{ready.pk}/").status_code == 200
    assert as_dora.get(f"{URL}{ready.pk}/file/").status_code == 200


@pytest.mark.parametrize("name", ["alice", "bob", "dora"])
def test_viewer_can_retry_document(name: str, ready: Document) -> None:
    Document.objects.filter(pk=ready.pk).update(state="failed", failure="It rained.")
    client = api_of(User.objects.get(username=name))
    assert client.get(f"{URL}{ready.pk}/").data["failure"] == "It rained."
    answer = client.post(f"{URL}{ready.pk}/retry/")
    assert (answer.status_code, answer.data["state"], answer.data["failure"]) == (202, "queued", "")


def test_what_has_not_failed_is_not_tried_again(as_alice: APIClient, ready: Document) -> None:
    answer = as_alice.post(f"{URL}{ready.pk}/retry/")
    assert (answer.status_code, answer.data["code"]) == (409, "not-failed")


def test_a_file_that_is_not_there_yet_is_a_conflict(
    as_alice: APIClient, alice: User, reds: Warband
) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    answer = as_alice.get(f"{URL}{document.pk}/file/")
    assert (answer.status_code, answer.data["code"]) == (409, "not-ready")


@pytest.mark.parametrize(
    "key", ["7c1b6c0e-0000-4000-8000-000000000000", "1", "x", "../tokens", "%00"]
)
def test_a_bad_id_is_not_found(key: str, as_alice: APIClient) -> None:
    for method, tail in (("get", ""), ("get", "file/"), ("post", "retry/")):
        assert getattr(as_alice, method)(f"{URL}{key}/{tail}").status_code == 404


ODD: list[tuple[Any, str, str]] = [
    ({}, "/kind", "required"),
    ({"kind": "novel", "subject": str(uuid4())}, "/kind", "invalid_choice"),
    ({"kind": ["roster"], "subject": str(uuid4())}, "/kind", "invalid_choice"),
    ({"kind": None, "subject": str(uuid4())}, "/kind", "null"),
    ({"kind": "roster"}, "/subject", "required"),
    ({"kind": "roster", "subject": "x"}, "/subject", "invalid"),
    ({"kind": "roster", "subject": {"a": 1}}, "/subject", "invalid"),
    ({"kind": "roster", "subject": str(uuid4()), "paper": "A9"}, "/paper", "invalid_choice"),
    ([], "", "invalid"),
    ("roster", "", "invalid"),
]


@pytest.mark.parametrize(("sent", "field", "code"), ODD)
def test_odd_input_is_refused_and_leaves_nothing(
    sent: Any, field: str, code: str, as_alice: APIClient
) -> None:
    answer = as_alice.post(URL, sent)
    assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    assert (field, code) in [(line["field"], line["code"]) for line in answer.data["errors"]]
    assert not Document.objects.exists()


def test_a_battle_without_a_result_is_refused_with_its_reason(
    as_alice: APIClient, alice: User, battle: Battle
) -> None:
    Battle.objects.filter(pk=battle.pk).update(state="planned")
    answer = as_alice.post(URL, {"kind": "battle", "subject": battle.pk})
    assert (answer.status_code, answer.data["code"]) == (400, "nothing-to-print")
    assert answer.data["errors"][0]["field"] == "/subject"


@pytest.mark.parametrize(
    ("kind", "paper"), [("memorial", "A6"), ("result-card", "Wide"), ("standings", "A4")]
)
def test_a_request_without_a_paper_gets_the_one_of_its_kind(
    kind: str, paper: str, as_alice: APIClient, battle: Battle, campaign: Campaign
) -> None:
    subject = subject_of(DocumentKind(kind), battle, campaign)
    answer = as_alice.post(URL, {"kind": kind, "subject": subject})
    assert (answer.status_code, answer.data["paper"]) == (202, paper)


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_documents_are_not_written_by_hand(
    method: str, as_alice: APIClient, ready: Document
) -> None:
    assert getattr(as_alice, method)(f"{URL}{ready.pk}/", {"state": "ready"}).status_code == 405
    assert getattr(as_alice, method)(URL, {}).status_code == 405


def test_documents_are_filtered_ordered_and_cut_into_pages(
    as_alice: APIClient, alice: User, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    for subject in (reds.pk, blues.pk):
        ask(alice, DocumentKind.ROSTER, subject)
        ask(alice, DocumentKind.RANK_UPS, subject)
    assert as_alice.get(URL, {"kind": "roster"}).data["count"] == 2
    assert as_alice.get(URL, {"subject": str(reds.pk), "kind": "rank-ups"}).data["count"] == 1
    assert as_alice.get(URL, {"state": "ready"}).data["count"] == 0
    assert as_alice.get(URL, {"paper": "A4", "page_size": "3"}).data["next"]
    oldest = as_alice.get(URL, {"ordering": "asked_at"}).data["results"][0]
    assert (oldest["kind"], oldest["subject"]) == ("roster", str(reds.pk))


@pytest.mark.parametrize(
    "query", [{"kind": "novel"}, {"subject": "x"}, {"state": "lost"}, {"ordering": "secret"}]
)
def test_an_odd_filter_is_refused(query: dict[str, str], as_alice: APIClient) -> None:
    assert as_alice.get(URL, query).status_code == 400


def test_the_number_of_queries_does_not_grow(
    as_alice: APIClient,
    alice: User,
    campaign: Campaign,
    reds: Warband,
    blues: Warband,
    django_assert_num_queries: Any,
) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    for subject in (reds.pk, blues.pk):
        ask(alice, DocumentKind.RANK_UPS, subject)
        with django_assert_num_queries(2):
            as_alice.get(URL)
        with django_assert_num_queries(1):
            as_alice.get(f"{URL}{document.pk}/")
