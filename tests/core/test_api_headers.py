"""Headers and parameters of all operations: limits, fields, preconditions, compression, keys."""

import gzip
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import UserRateThrottle

from campaigns.models import Campaign
from clubs.models import Club
from core.api import preconditions
from tests.accounts.test_tokens import using
from tests.conftest import api_of
from tests.pages import world
from tests.permissions.test_bad_input_everywhere import operations

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def club(alice: User) -> Club:
    return world.club_of(alice)


@pytest.fixture
def campaign(club: Club, alice: User) -> Campaign:
    """Return a running campaign of two warbands."""
    return world.campaign_of(club, alice, world.guards(alice), world.landsknechts(alice))


@pytest.fixture
def address(club: Club) -> str:
    return f"/api/v1/clubs/{club.pk}/"


def test_rate_limit_headers_count_down(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(UserRateThrottle, "rate", "2/minute", raising=False)
    client = api_of(alice)
    answers = [client.get("/api/v1/me/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert {answer["RateLimit-Policy"] for answer in answers} == {'"user";q=2;w=60'}
    assert [answer["RateLimit"].partition(";t=")[0] for answer in answers] == [
        '"user";r=1',
        '"user";r=0',
        '"user";r=0',
    ]
    seconds = int(answers[2]["RateLimit"].partition(";t=")[2])
    assert 55 < seconds <= 60
    assert 55 < int(answers[2]["Retry-After"]) <= 60


def test_unchanged_answer_has_rate_limit_headers(
    alice: User, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(UserRateThrottle, "rate", "20/minute", raising=False)
    client = api_of(alice)
    etag = client.get(address)["ETag"]
    answer = client.get(address, headers={"If-None-Match": etag})
    assert answer.status_code == 304
    assert answer["RateLimit"].startswith('"user";r=')


def test_fields_choose_what_an_object_has(alice: User, address: str) -> None:
    assert api_of(alice).get(f"{address}?fields=name,id").json().keys() == {"name", "id"}


def test_fields_choose_what_each_row_has(alice: User, club: Club) -> None:
    page = api_of(alice).get("/api/v1/clubs/?fields=name").json()
    assert page["results"] == [{"name": club.name}]
    assert page["count"] == 1


def test_fields_apply_to_a_stored_answer(alice: User, campaign: Campaign) -> None:
    client, address = api_of(alice), f"/api/v1/campaigns/{campaign.pk}/"
    whole = [client.get(address).json() for _ in range(2)][1]
    for _ in range(2):
        assert client.get(f"{address}?fields=name").json() == {"name": campaign.name}
    assert client.get(address).json() == whole


@pytest.mark.parametrize(
    ("fields", "code"),
    [("nam", "unknown-field"), ("a b", "malformed-parameter")],
)
def test_unknown_field_is_named(alice: User, address: str, fields: str, code: str) -> None:
    answer = api_of(alice).get(address, {"fields": fields})
    [line] = answer.json()["errors"]
    assert (answer.status_code, line["field"], line["code"]) == (400, "?fields", code)
    assert fields != "nam" or "“name”" in line["detail"]


def test_if_match_lets_an_unchanged_row_be_changed(alice: User, address: str) -> None:
    client = api_of(alice)
    etag = client.get(address)["ETag"]
    sent = {"name": "The Saturday Swords"}
    assert client.patch(address, sent, headers={"If-Match": etag}).status_code == 200
    answer = client.patch(address, {"name": "Late"}, headers={"If-Match": etag})
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition-failed")
    [line] = answer.json()["errors"]
    assert (line["field"], line["code"]) == ("If-Match", "precondition-failed")
    assert client.get(address).json()["name"] == "The Saturday Swords"
    assert client.patch(address, {"name": "Late"}, headers={"If-Match": "*"}).status_code == 200


def test_if_match_is_valid_while_only_time_passes(
    alice: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = api_of(alice), f"/api/v1/campaigns/{campaign.pk}/"
    read = client.get(address)
    later = timezone.now() + timedelta(minutes=30)
    monkeypatch.setattr(timezone, "localtime", lambda *_: later)
    again = client.get(address)
    assert again["ETag"] != read["ETag"]
    edit = {"name": "Another", "version": read.json()["version"]}
    headers = {"If-Match": read["ETag"]}
    assert client.patch(address, edit, headers=headers).status_code == 200
    late = edit | {"version": edit["version"] + 1}
    for etag in (read["ETag"], again["ETag"]):
        assert client.patch(address, late, headers={"If-Match": etag}).status_code == 412


def test_if_match_of_the_address_above_covers_its_actions(alice: User, campaign: Campaign) -> None:
    client, address = api_of(alice), f"/api/v1/campaigns/{campaign.pk}/"
    etag = client.get(address)["ETag"]
    edit = {"name": "Another", "version": client.get(address).json()["version"]}
    assert client.patch(address, edit).status_code == 200
    answer = client.post(f"{address}finish/", {}, headers={"If-Match": etag})
    assert answer.json()["code"] == "precondition-failed"
    etag = client.get(address)["ETag"]
    assert client.post(f"{address}finish/", {}, headers={"If-Match": etag}).status_code == 200


@pytest.mark.parametrize("shape", ["W/{}", "{}", '"other", {}'])
def test_if_match_takes_every_way_to_write_an_etag(alice: User, address: str, shape: str) -> None:
    client = api_of(alice)
    header = shape.format(client.get(address)["ETag"].removeprefix("W/"))
    assert client.patch(address, {"name": "New"}, headers={"If-Match": header}).status_code == 200


def test_etag_of_a_compressed_answer_is_the_same() -> None:
    assert preconditions.plain_etag('W/"abc-gzip"') == preconditions.plain_etag('"abc"') == "abc"


def test_malformed_if_match_is_refused(alice: User, address: str) -> None:
    answer = api_of(alice).patch(address, {"name": "New"}, headers={"If-Match": "abc"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    [line] = answer.json()["errors"]
    assert (line["field"], line["code"]) == ("If-Match", "invalid")


def test_row_changed_between_comparing_and_locking_is_a_failed_precondition(
    alice: User, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cause(Exception):
        sqlstate = preconditions.SERIALIZATION_FAILURE

    def changed(*_: Any) -> str:
        raise OperationalError from Cause()

    monkeypatch.setattr(preconditions, "present_etag", changed)
    answer = api_of(alice).patch(address, {"name": "New"}, headers={"If-Match": '"abc"'})
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition-failed")


def test_repeat_with_key_is_answered_although_the_etag_is_old(
    alice: User, campaign: Campaign
) -> None:
    client, address = api_of(alice), f"/api/v1/campaigns/{campaign.pk}/"
    headers = {"If-Match": client.get(address)["ETag"], "Idempotency-Key": str(uuid4())}
    answers = [client.post(f"{address}finish/", {}, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1]["Idempotency-Replayed"] == "true"
    other = {**headers, "Idempotency-Key": str(uuid4())}
    renewed = client.get(address)
    edit = {"name": "Another", "version": renewed.json()["version"]}
    answer = client.patch(address, edit, headers=other)
    assert answer.status_code == 412
    answer = client.patch(address, edit, headers={**other, "If-Match": renewed["ETag"]})
    assert answer.status_code == 200


def test_every_create_takes_an_idempotency_key_and_every_change_an_if_match(
    schema: dict[str, Any],
) -> None:
    def headers(operation: Any) -> set[str]:
        parameters = operation.described.get("parameters", ())
        return {each["name"] for each in parameters if each["in"] == "header"}

    every = [each for each in operations(schema) if each.path != "/api/v1/tokens/"]
    posts = [each for each in every if each.method == "post"]
    changes = [each for each in every if each.method != "get"]
    assert len(posts) > 70 and len(changes) > 100
    assert [str(each) for each in posts if "Idempotency-Key" not in headers(each)] == []
    assert [str(each) for each in changes if "If-Match" not in headers(each)] == []


def test_answers_are_compressed_for_clients_that_can_read_it(alice: User, club: Club) -> None:
    browser = Client(headers={"Accept-Encoding": "gzip"})
    answer = browser.get("/api/v1/rulesets/en-garde/")
    assert answer["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.content))["key"] == "en-garde"
    assert using("none").get("/api/v1/rulesets/en-garde/").status_code == 401
