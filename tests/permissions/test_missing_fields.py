"""The answer to a missing field says that it is required, never that its value is wrong."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled
from tests.permissions.test_bad_input_everywhere import (
    THINGS,
    WRITES,
    Operation,
    answer_to,
    operations,
)

pytestmark = [pytest.mark.one_database]

NEEDED = {"required", "reason-needed"}
"""The codes of what is missing: "reason-needed" where only some changes need a reason."""
REAL = {
    "club": "clubs",
    "campaign": "campaigns",
    "warband": "warbands",
    "fighter": "fighters",
    "battle": "battles",
}
"""Values in examples, by the word under which the private world keeps one."""

Path = tuple[str, ...]
Without = tuple[Path, Any]
"""The way to something that was left out, and the body without it."""


class Described:
    """The schema, with its references followed."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.components = schema["components"]["schemas"]

    def plain(self, described: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the schema of an object; of alternatives, the first one that is an object."""
        if "$ref" in described:
            return self.plain(self.components[described["$ref"].rpartition("/")[2]])
        for several in ("oneOf", "anyOf", "allOf"):
            if several in described:
                return self.plain(described[several][0])
        return described

    def without(
        self, described: Mapping[str, Any], body: Any, path: Path = ()
    ) -> Iterator[Without]:
        """Yield the body without a required property, once for each of them."""
        described = self.plain(described)
        if isinstance(body, list) and "items" in described:
            for place, item in enumerate(body[:1]):
                for where, less in self.without(described["items"], item, (*path, str(place))):
                    yield where, [*body[:place], less, *body[place + 1 :]]
        if not isinstance(body, dict):
            return
        for name in described.get("required", ()):
            yield (*path, name), {key: value for key, value in body.items() if key != name}
        for name, inner in described.get("properties", {}).items():
            if name in body:
                for where, less in self.without(inner, body[name], (*path, name)):
                    yield where, body | {name: less}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch, alice: User) -> APIClient:
    """Return Alice's client without throttles."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    client = api_of(alice)
    client.raise_request_exception = False
    return client


def address_of(operation: Operation, private: PrivateWorld) -> str:
    return filled(operation.path.replace("{", "<").replace("}", ">"), THINGS | private.ids)


def with_real_ids(body: Mapping[str, Any], private: PrivateWorld) -> dict[str, Any]:
    """Return the body of an example, with ids of the private world."""
    return {
        name: private.ids[REAL[name]] if name in REAL else value for name, value in body.items()
    }


def lines_at(answer: Any, place: str) -> list[tuple[str, str]]:
    """Return the code and sentence of each error at this place."""
    errors = answer.json().get("errors", []) if answer.status_code >= 400 else []
    return [(each["code"], each["detail"]) for each in errors if each["field"] == place]


def test_every_required_property_is_required_by_name(
    schema: dict[str, Any], private: PrivateWorld, client: APIClient
) -> None:
    described, checked, wrong = Described(schema), 0, []
    for operation in operations(schema):
        content = operation.described.get("requestBody", {}).get("content", {})
        for media_type, body in content.items():
            examples = [each["value"] for each in body.get("examples", {}).values()]
            for example in examples[:1]:
                for path, less in described.without(body["schema"], example):
                    place = "/" + "/".join(path)
                    address = address_of(operation, private)
                    if media_type == "application/json":
                        answer = answer_to(
                            client, operation.method, address, json.dumps(less), media_type
                        )
                    else:
                        answer = client.post(address, less, format="multipart")
                    checked += 1
                    if ("required", "This field is required.") not in lines_at(answer, place):
                        wrong.append(
                            f"{operation} without {place}: {answer.status_code} "
                            f"{answer.content[:300]!r}"
                        )
    assert wrong == []
    assert checked > 60


def test_every_required_parameter_is_required_by_name(
    schema: dict[str, Any], private: PrivateWorld, client: APIClient
) -> None:
    wrong = []
    for operation in operations(schema):
        names = [
            each["name"] for each in operation.described.get("parameters", ())
            if each["in"] == "query" and each.get("required")
        ]  # fmt: skip
        if not names:
            continue
        answer = answer_to(client, operation.method, address_of(operation, private), "", "")
        for name in names:
            if [code for code, _ in lines_at(answer, f"?{name}")] != ["required"]:
                wrong.append(
                    f"{operation} without ?{name}: {answer.status_code} {answer.content[:300]!r}"
                )
    assert wrong == []


def test_what_only_some_requests_need_is_called_missing(
    schema: dict[str, Any], private: PrivateWorld, client: APIClient
) -> None:
    """Each optional property of each example is left out: if it was needed, the answer says just
    that."""
    wrong = []
    for operation in operations(schema):
        if operation.method not in WRITES:
            continue
        body = (
            operation.described.get("requestBody", {})
            .get("content", {})
            .get("application/json", {})
        )
        for each in body.get("examples", {}).values():
            example = (
                with_real_ids(each["value"], private) if isinstance(each["value"], dict) else {}
            )
            for name in example:
                less = json.dumps({key: value for key, value in example.items() if key != name})
                answer = answer_to(
                    client,
                    operation.method,
                    address_of(operation, private),
                    less,
                    "application/json",
                )
                codes = {code for code, _ in lines_at(answer, f"/{name}")}
                if codes - NEEDED:
                    wrong.append(f"{operation} without {name}: {answer.content[:300]!r}")
    assert wrong == []


ONLY_SOMETIMES = [
    ("delete", "me/", {"password": "x", "kept": "other"}, "/name"),
    ("post", "documents/", {"kind": "roster"}, "/subject"),
    ("post", "documents/", {"kind": "blank"}, "/ruleset"),
    ("post", "warbands/<warband_id>/draft/", {"changes": [{}]}, "/changes/0/do"),
    ("post", "warbands/<warband_id>/draft/", {"changes": [{"do": "add"}]}, "/changes/0/build"),
    (
        "post",
        "warbands/<warband_id>/draft/",
        {"changes": [{"do": "fill"}, {"do": "limit"}]},
        "/changes/1/points",
    ),
    (
        "post",
        "warbands/<warband_id>/draft/",
        {"changes": [{"do": "give", "field": "x"}]},
        "/changes/0/fighters",
    ),
    ("post", "campaigns/<id>/house-rules/", {"house_rules": {}}, "/version"),
    ("post", "campaigns/<id>/house-rules/", {"house_rules": {}}, "/reason"),
]
"""Requests with a missing field that others of their kind do not need."""


@pytest.mark.parametrize(("method", "route", "body", "place"), ONLY_SOMETIMES)
def test_what_this_request_needs_is_required_by_name(
    private: PrivateWorld,
    client: APIClient,
    method: str,
    route: str,
    body: dict[str, Any],
    place: str,
) -> None:
    address = f"/api/v1/{filled(route, private.ids)}"
    answer = answer_to(client, method, address, json.dumps(body), "application/json")
    assert answer.status_code == 400
    assert [code for code, _ in lines_at(answer, place)] == ["required"]


@pytest.mark.parametrize("points", [{}, {"points": None}])
def test_a_campaign_without_points_says_that_they_are_needed(
    private: PrivateWorld, client: APIClient, points: dict[str, Any]
) -> None:
    plan = {"club": private.ids["clubs"], "name": "The Long Winter", "ruleset": "en-garde"} | points
    answer = client.post("/api/v1/campaigns/", plan, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "required")
    ((code, sentence),) = lines_at(answer, "/points")
    assert code == "required"
    assert sentence == "En Garde! counts points. Enter a points limit from 1 to 100000."


def test_a_campaign_of_a_game_without_points_needs_none(
    private: PrivateWorld, client: APIClient
) -> None:
    plan = {"club": private.ids["clubs"], "name": "The Long Winter", "ruleset": "wards"}
    assert client.post("/api/v1/campaigns/", plan, format="json").status_code == 201
