"""Every operation that the schema describes, sent what makes no sense: each field in turn, each parameter, each body.

Whatever is sent, the answer is a refusal in words or a success, never a fault.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from config.problems import CONTENT_TYPE
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
ODD_BODIES = ("", "null", "5", '"text"', "[", "[[]]", "[null]", "{}", "[" * 5000, '{"a": NaN}', '{"a": 1e999}', "ÿ")
ODD_PARAMETERS = ("", "x", "-1", "0", "9" * 20, "owner__password", "%00", "%ED%A0%BD", "%F0%9F", "'%22--", "true", "[]")
MEDIA_TYPES = ("text/plain", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded", "nonsense")
THINGS = {"key": "en-garde", "calculator": "close-combat"}
WRITES = ("post", "put", "patch", "delete")


class Operation:
    """One method of one address of the API, as the schema describes it."""

    def __init__(self, path: str, method: str, described: dict[str, Any]) -> None:
        self.path = path
        self.method = method
        self.described = described

    def __repr__(self) -> str:
        return f"{self.method} {self.path}"

    def parameters(self) -> list[str]:
        """The names that may stand behind the question mark."""
        return [each["name"] for each in self.described.get("parameters", ()) if each["in"] == "query"]

    def example(self) -> dict[str, Any]:
        """A body that makes sense, as far as the schema gives one."""
        body = self.described.get("requestBody", {}).get("content", {}).get("application/json", {})
        examples = [each["value"] for each in body.get("examples", {}).values() if isinstance(each["value"], dict)]
        return examples[0] if examples else {}


def operations() -> list[Operation]:
    """All that the schema describes."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return [
        Operation(path, method, described)
        for path, methods in paths.items()
        for method, described in methods.items()
        if method in ("get", *WRITES)
    ]


def odd_bodies(operation: Operation) -> Iterator[tuple[str, str]]:
    """Bodies with their media types: nonsense as a whole, then the example with one field after the other odd."""
    yield from ((body, "application/json") for body in ODD_BODIES)
    example = operation.example()
    yield from ((json.dumps(example), media_type) for media_type in MEDIA_TYPES)
    for name in example:
        yield from ((json.dumps(example | {name: value}), "application/json") for value in ODD_VALUES)
        inner = example[name][0] if isinstance(example[name], list) and example[name] else example[name]
        for place in inner if isinstance(inner, dict) else ():
            for value in ODD_VALUES:
                changed = inner | {place: value}
                whole = [changed] if isinstance(example[name], list) else changed
                yield json.dumps(example | {name: whole}), "application/json"


def odd_requests(known: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Method, address, body and media type of every odd request."""
    for operation in operations():
        address = filled(operation.path.replace("{", "<").replace("}", ">"), known)
        for name in operation.parameters():
            yield from (("get", f"{address}?{name}={value}", "", "") for value in ODD_PARAMETERS)
        if operation.method in WRITES:
            yield from ((operation.method, address, *body) for body in odd_bodies(operation))


def answer_to(client: APIClient, method: str, address: str, body: str, media_type: str) -> Any:
    """The answer; whatever was written is taken back."""
    with transaction.atomic():
        answer = client.generic(method.upper(), address, body, media_type)
        transaction.set_rollback(True)
    return answer


@pytest.mark.parametrize("part", range(5))
def test_whatever_is_sent_is_answered_in_words(
    part: int, private: PrivateWorld, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every fifth request, of which there are thousands, from the part's place on."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    client = api_of(alice)
    client.raise_request_exception = False
    faults = []
    for request in islice(odd_requests(THINGS | private.known), part, None, 5):
        answer = answer_to(client, *request)
        told = answer.headers.get("Content-Type") == CONTENT_TYPE
        if answer.status_code >= 500 or (answer.status_code >= 400 and not told):
            faults.append(f"{answer.status_code}: {' '.join(request)[:300]}")
    assert faults == []
