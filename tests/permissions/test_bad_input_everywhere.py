"""Every operation that the schema describes, sent what makes no sense: each field in turn, each
parameter, each body.

The answer to any input is a success or a refusal with a reason, never a fault.
"""

import json
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from core.api.negotiation import PROBLEM_TYPE
from tests.conftest import api_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled

pytestmark = pytest.mark.one_database

ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x" * 30_000,
    "<script>alert(1)</script>",
    "\u202eevil \U0001f480 \u0000",
    "\ud800",
    "2026-02-31",
    "00000000-0000-0000-0000-000000000000",
    [],
    [[]],
    [{}],
    {},
    {"a": {"b": []}},
    ["x"] * 300,
)
ODD_BODIES = (
    "",
    "null",
    "5",
    '"text"',
    "[",
    "[[]]",
    "[null]",
    "{}",
    "[" * 5000,
    '{"a": NaN}',
    '{"a": 1e999}',
    "ÿ",
)
ODD_PARAMETERS = (
    "",
    "x",
    "-1",
    "0",
    "9" * 20,
    "owner__password",
    "%00",
    "%ED%A0%BD",
    "%F0%9F",
    "'%22--",
    "true",
    "[]",
)
ENDLESS_NUMBERS = ("1e400", "-1e400", "NaN", "Infinity", "-Infinity", "9" * 5000)
MEDIA_TYPES = (
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "nonsense",
)
NOBODY = "00000000-0000-4000-8000-000000000000"
THINGS = {"key": "en-garde", "calculator": "close-combat", "device_id": NOBODY}
WRITES = ("post", "put", "patch", "delete")


class Operation:
    """One method of one path of the API, as the schema describes it."""

    def __init__(self, path: str, method: str, described: dict[str, Any]) -> None:
        self.path = path
        self.method = method
        self.described = described

    def __repr__(self) -> str:
        return f"{self.method} {self.path}"

    def parameters(self) -> list[str]:
        """The names of the query parameters."""
        return [
            each["name"] for each in self.described.get("parameters", ()) if each["in"] == "query"
        ]

    def example(self) -> dict[str, Any]:
        """Return a valid body, as far as the schema has one."""
        body = self.described.get("requestBody", {}).get("content", {}).get("application/json", {})
        examples = [
            each["value"]
            for each in body.get("examples", {}).values()
            if isinstance(each["value"], dict)
        ]
        return examples[0] if examples else {}


def operations(schema: dict[str, Any]) -> list[Operation]:
    """Return all operations of the schema."""
    paths = schema["paths"]
    return [
        Operation(path, method, described)
        for path, methods in paths.items()
        for method, described in methods.items()
        if method in ("get", *WRITES)
    ]


def odd_bodies(operation: Operation) -> Iterator[tuple[str, str]]:
    """Yield bodies with their media types: invalid ones, then the example with one odd field
    each.
    """
    yield from ((body, "application/json") for body in ODD_BODIES)
    example = operation.example()
    yield from ((json.dumps(example), media_type) for media_type in MEDIA_TYPES)
    for name in example:
        yield from (
            (json.dumps(example | {name: value}), "application/json") for value in ODD_VALUES
        )
        inner = (
            example[name][0] if isinstance(example[name], list) and example[name] else example[name]
        )
        for place in inner if isinstance(inner, dict) else ():
            for value in ODD_VALUES:
                changed = inner | {place: value}
                whole = [changed] if isinstance(example[name], list) else changed
                yield json.dumps(example | {name: whole}), "application/json"


def odd_requests(
    schema: dict[str, Any], ids: dict[str, str]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield method, path, body and media type of every odd request."""
    for operation in operations(schema):
        address = filled(operation.path.replace("{", "<").replace("}", ">"), ids)
        for name in operation.parameters():
            yield from (("get", f"{address}?{name}={value}", "", "") for value in ODD_PARAMETERS)
        if operation.method in WRITES:
            yield from ((operation.method, address, *body) for body in odd_bodies(operation))


def answer_to(client: APIClient, method: str, address: str, body: str, media_type: str) -> Any:
    """Return the answer, and roll back its changes."""
    with transaction.atomic():
        answer = client.generic(method.upper(), address, body, media_type)
        transaction.set_rollback(True)
    return answer


def test_a_number_that_nothing_can_keep_is_refused_in_every_body(
    schema: dict[str, Any], private: PrivateWorld, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place does not matter: bodies are read in one place, and the code is always the same."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    client = api_of(alice)
    client.raise_request_exception = False
    numbers, problems = cycle(ENDLESS_NUMBERS), []
    for operation in operations(schema):
        if operation.method not in WRITES or operation.path.endswith("/pictures/"):
            continue
        address = filled(operation.path.replace("{", "<").replace("}", ">"), THINGS | private.ids)
        example, number = operation.example(), next(numbers)
        body = json.dumps(example | {"deep": [{"down": "HERE"}]}).replace('"HERE"', number)
        answer = answer_to(client, operation.method, address, body, "application/json")
        refused = answer.status_code == 400 and answer.json()["code"] == "parse_error"
        if answer.status_code >= 500 or (example and not refused):
            problems.append(f"{operation} with {number[:9]}: {answer.status_code}")
    assert problems == []


@pytest.mark.soak("tenths of all odd requests to the API", each=1, sample=1)
@pytest.mark.parametrize("part", range(10))
def test_bad_bodies_get_an_explanation(
    part: int,
    schema: dict[str, Any],
    private: PrivateWorld,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every tenth request, of which there are thousands, from the part's place on."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    client = api_of(alice)
    client.raise_request_exception = False
    faults = []
    for request in islice(odd_requests(schema, THINGS | private.ids), part, None, 10):
        answer = answer_to(client, *request)
        well_formed = answer.headers.get("Content-Type") == PROBLEM_TYPE
        if answer.status_code >= 500 or (answer.status_code >= 400 and not well_formed):
            faults.append(f"{answer.status_code}: {' '.join(request)[:300]}")
    assert faults == []
