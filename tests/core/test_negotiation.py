"""Accepted media types: those that the schema names, and that of problems with or instead of them."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.documents.conftest import ask, made
from tests.full_toy import register_toy as register_toy

PROBLEM = "application/problem+json"
pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.mark.parametrize(
    "accept", [PROBLEM, f"application/json, {PROBLEM}", "application/*", "*/*"]
)
def test_only_problems_accepted_gets_the_answer_in_json(as_alice: APIClient, accept: str) -> None:
    answer = as_alice.get("/api/v1/clubs/", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("accept", [PROBLEM, "application/json", "text/csv"])
def test_an_error_is_a_problem_whatever_is_accepted(as_alice: APIClient, accept: str) -> None:
    answer = as_alice.get(
        "/api/v1/rulesets/no-such-game/spreadsheet/?faction=army", headers={"Accept": accept}
    )
    assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)
    assert answer.json()["code"] == "unknown-ruleset"


def test_what_an_address_does_not_answer_in_is_refused_with_what_it_does(
    as_alice: APIClient,
) -> None:
    answer = as_alice.get("/api/v1/clubs/", headers={"Accept": "text/html"})
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"], problem["code"]) == (
        406,
        PROBLEM,
        "not_acceptable",
    )
    assert "text/html" in problem["detail"] and "application/json" in problem["detail"]


def declared(schema: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """Return every GET of the schema with the media types of its answers, including problems."""
    reads = []
    for path, methods in schema["paths"].items():
        answers = methods.get("get", {}).get("responses", {})
        types = {kind for answer in answers.values() for kind in answer.get("content", ())}
        reads.append((path, "get", sorted(types | {PROBLEM})))
    return [each for each in reads if len(each[2]) > 1]


def test_every_read_can_be_asked_for_in_each_type_that_its_schema_names(
    schema, as_alice: APIClient
) -> None:
    """The address can be of a missing thing: then the answer is 404, and never 406."""
    refused = []
    for path, _, types in declared(schema):
        address = path.format(**{name: uuid4() for name in _names(path)})
        for accept in (*types, ", ".join(types), ", ".join(reversed(types))):
            answer = as_alice.get(address, headers={"Accept": accept})
            if answer.status_code == 406 or (
                answer["Content-Type"] == PROBLEM and answer.status_code < 400
            ):
                refused.append((path, accept))
    assert refused == []


def _names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def test_writing_operations_take_problems_alone(schema, as_alice: APIClient) -> None:
    writing = [
        (path, method)
        for path, methods in schema["paths"].items()
        for method in methods
        if method in ("post", "put", "patch", "delete")
    ]
    assert len(writing) > 100
    for path, method in writing[::5]:
        address = path.format(**{name: uuid4() for name in _names(path)})
        answer = getattr(as_alice, method)(address, {}, headers={"Accept": PROBLEM})
        assert answer.status_code != 406, (method, path)


class TestPrinted:
    """A PDF, requested in the ways of different generated clients."""

    @pytest.fixture
    def file(self, register_toy: Any, alice: Any) -> str:
        from documents.models import DocumentKind
        from tests.battles import field

        document = made(ask(alice, DocumentKind.ROSTER, field.muster(alice, "Reds").pk))
        return f"/api/v1/documents/{document.pk}/file/"

    @pytest.mark.parametrize(
        "accept",
        [
            "application/pdf",
            PROBLEM,
            f"application/pdf, {PROBLEM}",
            f"{PROBLEM}, application/pdf",
            "application/json",
        ],
    )
    def test_the_pdf_is_fetched(self, as_alice: APIClient, file: str, accept: str) -> None:
        answer = as_alice.get(file, headers={"Accept": accept})
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
        assert b"".join(answer.streaming_content).startswith(b"%PDF")  # type: ignore[attr-defined]

    def test_stranger_gets_problem_instead_of_pdf(self, as_charlie: APIClient, file: str) -> None:
        answer = as_charlie.get(file, headers={"Accept": "application/pdf"})
        assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)
