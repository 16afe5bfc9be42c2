"""Every kind of error becomes a problem with a stable code."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as ModelValidationError
from django.http import Http404
from rest_framework import exceptions, serializers

from core.api.problems import problem_of
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.ruleset import Problem as RuleProblem
from rulebook.ruleset import RulesError

pytestmark = pytest.mark.one_database

MEMBERS = {"type", "title", "status", "code", "detail", "instance"}


@pytest.mark.parametrize(
    ("error", "status"),
    [(InvalidInput, 400), (Forbidden, 403), (NotFound, 404), (StateConflict, 409)],
)
def test_what_a_service_refuses_keeps_its_code(error, status):
    problem = problem_of(error("not-now", "Not now."))
    assert (problem.status, problem.code, problem.detail) == (status, "not-now", "Not now.")


def test_a_refusal_that_concerns_a_field_names_it():
    problem = problem_of(InvalidInput("too-long", "Too long.", field="name"))
    assert problem.errors == ({"field": "/name", "code": "too-long", "detail": "Too long."},)


def test_rules_errors_are_reported_together():
    error = RulesError(
        RuleProblem("too-dear", "Too dear.", fighters=("f1",), source="Points"),
        RuleProblem("no-leader", "No leader."),
    )
    problem = problem_of(error)
    assert (problem.status, problem.code) == (400, "rules")
    assert [line["code"] for line in problem.errors] == ["too-dear", "no-leader"]
    assert problem.errors[0]["fighters"] == ["f1"]
    assert problem.errors[0]["source"] == "Points"


def test_problem_that_several_share_is_said_once():
    shared = [RuleProblem("no-horse", "Choose a horse.", field="kit") for _ in range(3)]
    assert [line["detail"] for line in problem_of(RulesError(*shared)).errors] == [
        "Choose a horse."
    ]
    elsewhere = RuleProblem("no-horse", "Choose a horse.", field="other")
    assert len(problem_of(RulesError(*shared, elsewhere)).errors) == 2
    assert len(problem_of(InvalidInput("no", "No.", problems=shared)).errors) == 1


RULES = (RuleProblem("too-dear", "Too dear."), RuleProblem("no-leader", "No leader."))


@pytest.mark.parametrize(
    "error",
    [
        RulesError(*RULES),
        RulesError(RULES[0]),
        InvalidInput("no", "Too dear.", problems=RULES),
        InvalidInput("no", "Too dear.", field="points"),
        NotFound("no", "Too dear.", field="points"),
        StateConflict("no", "Too dear.", field="points"),
    ],
)
def test_detail_does_not_repeat_the_list(error):
    problem = problem_of(error)
    assert problem.errors and problem.detail.endswith("see the list of errors.")
    assert not any(line["detail"] in problem.detail for line in problem.errors)


def test_detail_says_what_the_list_does_not():
    problem = problem_of(
        InvalidInput("illegal-roster", "Give a reason to overrule this.", problems=RULES)
    )
    assert problem.detail == "Give a reason to overrule this."
    assert (
        problem_of(InvalidInput("x", "Too dear. Give a reason.", problems=RULES)).detail
        == "Give a reason."
    )


def test_the_place_of_a_nested_complaint_is_written_as_a_path():
    detail = {"sides": [{}, {"role": [exceptions.ErrorDetail("Choose one.", "invalid_choice")]}]}
    sent = {"sides": [{"role": "attacker"}, {"role": "referee"}]}
    problem = problem_of(exceptions.ValidationError(detail), sent)
    assert problem.errors == (
        {
            "field": "/sides/1/role",
            "code": "invalid_choice",
            "detail": "Choose one.",
            "value": "referee",
        },
    )


def test_a_complaint_about_the_whole_has_no_field():
    problem = problem_of(exceptions.ValidationError({"non_field_errors": ["Odd."]}))
    assert problem.errors[0]["field"] == ""


def test_what_was_sent_as_a_password_is_never_repeated():
    problem = problem_of(
        exceptions.ValidationError({"password": ["Too short."]}), {"password": "hush"}
    )
    assert "value" not in problem.errors[0]


def test_long_values_are_not_repeated():
    problem = problem_of(exceptions.ValidationError({"story": ["No."]}), {"story": "x" * 1000})
    assert "value" not in problem.errors[0]


def test_a_number_that_json_cannot_hold_is_not_repeated():
    problem = problem_of(exceptions.ValidationError({"leader": ["No."]}), {"leader": float("inf")})
    assert "value" not in problem.errors[0]


def test_a_list_of_objects_keeps_the_place_of_each():
    class Line(serializers.Serializer):
        amount = serializers.IntegerField()

    sent = [{"amount": 1}, {"amount": "many"}]
    lines = Line(data=sent, many=True)
    with pytest.raises(exceptions.ValidationError) as caught:
        lines.is_valid(raise_exception=True)
    problem = problem_of(caught.value, sent)
    assert [(line["field"], line.get("value")) for line in problem.errors] == [
        ("/1/amount", "many")
    ]


def test_a_model_that_complains_is_the_senders_mistake():
    error = ModelValidationError(
        {"name": ModelValidationError("Taken.", code="unique"), "__all__": ["Odd."]}
    )
    problem = problem_of(error)
    assert problem.status == 400
    assert {(line["field"], line["code"]) for line in problem.errors} == {
        ("/name", "unique"),
        ("", "invalid"),
    }


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.UnsupportedMediaType("text/csv"), 415, "unsupported_media_type"),
        (exceptions.ParseError(), 400, "parse_error"),
    ],
)
def test_the_frameworks_errors_keep_their_meaning(error, status, code):
    problem = problem_of(error)
    assert (problem.status, problem.code) == (status, code)


def test_a_throttled_client_learns_how_long_to_wait():
    assert problem_of(exceptions.Throttled(wait=30)).headers["Retry-After"] == "30"


def test_a_fault_is_not_passed_off_as_a_problem():
    assert problem_of(ZeroDivisionError()) is None


def test_an_answer_has_the_members_of_rfc_9457(as_alice):
    answer = as_alice.put("/api/v1/me/", {})
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json().keys() == MEMBERS
    assert answer.json()["instance"] == "/api/v1/me/"
    assert answer.json()["type"] == "urn:muster:problem:method_not_allowed"


def test_an_address_of_the_api_that_does_not_exist_is_a_problem_too(client):
    answer = client.get("/api/v1/no-such-thing/")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


def test_json_that_cannot_be_read_is_a_problem(as_alice):
    answer = as_alice.patch("/api/v1/me/", "{not json", content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["code"] == "parse_error"


@pytest.mark.parametrize(
    "sent",
    ['{"first_name": "\\u0000"}', '{"first_name": "\\ud800"}', '{"\\udfff": 1}', "[" * 100000],
)
def test_json_that_no_database_can_keep_is_a_problem(as_alice, sent):
    answer = as_alice.patch("/api/v1/me/", sent, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["code"] == "parse_error"


def test_json_with_every_kind_of_letter_is_welcome(as_alice):
    answer = as_alice.patch("/api/v1/me/", {"first_name": "Ægir 😀"})
    assert answer.json()["first_name"] == "Ægir 😀"


def test_too_much_at_a_time_is_a_problem(as_alice, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    answer = as_alice.patch("/api/v1/me/", {"first_name": "a long name"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_fault_in_the_api_answers_without_details(client, monkeypatch):
    def break_down(*_):
        raise ZeroDivisionError("the inside of the server")

    monkeypatch.setattr("accounts.api.me.MeView.get_object", break_down)
    monkeypatch.setattr("accounts.api.me.MeView.permission_classes", [])
    client.raise_request_exception = False
    answer = client.get("/api/v1/me/")
    assert answer.status_code == 500
    assert answer.json()["code"] == "fault"
    assert "inside" not in answer.content.decode()
