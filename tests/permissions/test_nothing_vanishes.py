"""A name that an operation does not know is refused, with the nearest that it does: in bodies and
behind addresses."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled

pytestmark = pytest.mark.one_database

THINGS = {
    "key": "en-garde",
    "ruleset": "en-garde",
    "calculator": "close-combat",
    "device_id": str(uuid4()),
}
OPEN_ENDED = ("/odds/", "/calculators/")
"""Only their rule system knows the input of these."""
POSTS = "/api/v1/warbands/{id}/appoint/"
"""Takes the posts that its rule system knows."""
MODES = {"get", "post", "put", "patch", "delete"}
FLAGS, NUMBERS = ("maybe", "ture", "2"), ("x", "three")


@pytest.fixture
def client(private: PrivateWorld, alice: User, monkeypatch: pytest.MonkeyPatch) -> APIClient:
    """Return the client of Alice, an organiser, without throttles."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    return api_of(alice)


@pytest.fixture
def operations(
    schema: dict[str, Any], private: PrivateWorld
) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return path, method, address with real ids, and description of all operations."""
    return [
        (
            path,
            method,
            filled(path.replace("{", "<").replace("}", ">"), THINGS | private.ids),
            described,
        )
        for path, methods in schema["paths"].items()
        for method, described in methods.items()
        if method in MODES
    ]


def lines(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield place and code of each error of a refusal."""
    problem = answer.json() if answer.status_code == 400 else {}
    return ((line["field"], line["code"]) for line in problem.get("errors", ()))


def test_an_unknown_field_is_refused_by_every_operation_that_writes(client, operations):
    taken = []
    for path, method, address, described in operations:
        if method == "get" or path == POSTS:
            continue
        kind = "multipart" if "multipart/form-data" in str(described.get("requestBody")) else "json"
        answer = getattr(client, method)(address, {"nmae": "Götz"}, format=kind)
        if ("/nmae", "unknown-field") not in lines(answer):
            taken.append(
                f"{answer.status_code} {method} {path}: {getattr(answer, 'content', b'')[:200]!r}"
            )
    assert taken == []


def test_an_unknown_parameter_is_refused_by_every_operation_and_none_that_the_schema_names(
    client, operations
):
    taken = []
    for path, method, address, described in operations:
        if any(place in path for place in OPEN_ENDED):
            continue
        named = [each["name"] for each in described.get("parameters", ()) if each["in"] == "query"]
        answer = getattr(client, method)(
            f"{address}?{'&'.join(f'{name}=' for name in ['nmae', *named])}"
        )
        if [*lines(answer)] != [("?nmae", "unknown-parameter")]:
            taken.append(
                f"{answer.status_code} {method} {path}: {getattr(answer, 'content', b'')[:200]!r}"
            )
    assert taken == []


def test_yes_and_no_and_numbers_are_read_or_refused_behind_every_address(client, operations):
    taken = []
    for path, method, address, described in operations:
        if any(place in path for place in OPEN_ENDED):
            continue
        for each in described.get("parameters", ()):
            kind = each["schema"].get("type") if each["in"] == "query" else None
            for value in {"boolean": FLAGS, "integer": NUMBERS}.get(kind, ()):
                answer = getattr(client, method)(f"{address}?{each['name']}={value}")
                if f"?{each['name']}" not in dict(lines(answer)):
                    taken.append(f"{answer.status_code} {method} {path}?{each['name']}={value}")
    assert taken == []


@pytest.mark.parametrize(
    ("method", "address", "sent", "place", "text"),
    [
        ("patch", "me/", {"langauge": "de"}, "/langauge", "“language”"),
        ("get", "warbands/?mien=true", None, "?mien", "“mine”"),
        ("get", "warbands/?mine=maybe", None, "?mine", "yes or no"),
        ("get", "campaigns/?ordering=,", None, "?ordering", "comma"),
        ("patch", "me/", {"username": "mallory"}, "/username", "not be written"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_the_nearest_name(
    as_alice, method, address, sent, place, text
):
    answer = getattr(as_alice, method)(f"/api/v1/{address}", sent)
    assert answer.status_code == 400
    [line] = answer.json()["errors"]
    assert line["field"] == place
    assert text in line["detail"]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-12:00"])
def test_a_moment_that_no_calendar_has_in_utc_is_refused_by_every_list_that_takes_moments(
    moment, client, private
):
    for name in ("since", "until"):
        answer = client.get(f"/api/v1/clubs/{private.club.pk}/evenings/?{name}={moment}")
        assert [*lines(answer)] == [(f"?{name}", "malformed-parameter")]


EVENT = {"client_id": "8c0b1c36-1f7f-4b5a-9b3e-0d7a4a0c5b11", "kind": "note", "data": {}, "trun": 3}


def test_the_place_of_a_slip_in_the_log_points_into_what_was_sent(client, private):
    log = filled("/api/v1/battles/<battle_id>/events/", THINGS | private.ids)
    for sent, place in (
        ({"events": [EVENT]}, "/events/0/trun"),
        ([EVENT], "/0/trun"),
        (EVENT, "/trun"),
    ):
        answer = client.post(log, sent)
        assert answer.status_code == 400
        [line] = answer.json()["errors"]
        assert (line["field"], line["code"]) == (place, "unknown-field")
        assert "“turn”" in line["detail"]
    wrong = EVENT | {"kind": "wound"}
    del wrong["trun"]
    for sent, place in (
        ({"events": [wrong]}, "/events/0/data/"),
        ([wrong], "/0/data/"),
        (wrong, "/data/"),
    ):
        body = client.post(log, sent).json()
        assert body["code"] == "illegal-events" and body["errors"][0]["field"].startswith(place)


@pytest.mark.parametrize("address", ["/api/v1/me", "/api/v1/clubs", "/theme"])
def test_missing_slash_redirect_keeps_method(anonymous, address):
    answer = anonymous.post(address, {"name": "The Friday Swords"})
    assert (answer.status_code, answer["Location"]) == (308, f"{address}/")
