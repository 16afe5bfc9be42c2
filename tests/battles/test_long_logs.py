"""A long log, many batches and a locked row are refused at once, with a message."""

from io import BytesIO
from threading import Event, Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from psycopg.errors import LockNotAvailable
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle, BattleEvent
from battles.services import logbook, validation
from battles.services.corrections import Correction, correct_battle
from battles.services.logbook import log_events
from battles.services.validation import BATCH
from campaigns.models import Campaign
from core.errors import InvalidInput
from core.middleware import BIG, WriteLimitMiddleware
from tests.battles.field import begin, confirmed, note
from tests.live import eventually
from warbands.models import Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return begin(alice, campaign, reds, blues)


def notes(number: int) -> list[dict[str, Any]]:
    """Return this many events as a client sends them."""
    made = [note(f"Note {place}.") for place in range(number)]
    return [
        {"client_id": str(each.client_id), "kind": each.kind, "data": each.data} for each in made
    ]


@pytest.mark.django_db
def test_full_log_refuses_entries(
    campaign: Campaign,
    battle: Battle,
    alice: User,
    as_alice: APIClient,
    reds: Warband,
    blues: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logbook, "MAX_IN_LOG", 3)
    address = f"/api/v1/battles/{battle.pk}/events/"
    first = notes(2)
    assert as_alice.post(address, first).status_code == 201
    refused = as_alice.post(address, notes(2))
    assert (refused.status_code, refused.json()["code"]) == (400, "log-full")
    assert as_alice.post(address, first).status_code == 201, (
        "what was sent before is answered as it was then"
    )
    assert BattleEvent.objects.count() == 2
    settled = confirmed(alice, campaign, reds, blues, events=[note("One."), note("Two.")])
    with pytest.raises(InvalidInput, match="This battle log is full"):
        correct_battle(
            battle_id=settled.pk,
            user=alice,
            correction=Correction((note("Three."), note("Four.")), "Forgotten."),
        )


@pytest.mark.django_db
def test_while_a_batch_is_judged_another_one_is_sent_away_and_an_entry_at_the_table_is_not(
    battle: Battle, as_alice: APIClient
) -> None:
    address = f"/api/v1/battles/{battle.pk}"
    with validation.batch_slot(BATCH):
        for what, body in (("events", notes(BATCH)), ("preview", {"events": notes(BATCH)})):
            answer = as_alice.post(f"{address}/{what}/", body)
            assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (
                503,
                "busy",
                "1",
            )
        assert as_alice.post(f"{address}/events/", notes(1)).status_code == 201
    assert as_alice.post(f"{address}/events/", notes(BATCH)).status_code == 201


@pytest.mark.django_db
def test_one_member_sends_so_many_entries_and_so_many_batches_a_minute(
    battle: Battle, as_alice: APIClient, as_bob: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(
        SimpleRateThrottle,
        "THROTTLE_RATES",
        SimpleRateThrottle.THROTTLE_RATES | {"logs": "3/hour", "batches": "1/hour"},
    )
    address = f"/api/v1/battles/{battle.pk}/events/"
    sent = [
        as_alice.post(address, body)
        for body in (notes(BATCH), {"events": notes(BATCH)}, notes(1), notes(1))
    ]
    assert [answer.status_code for answer in sent] == [201, 429, 201, 429]
    assert int(sent[1]["Retry-After"]) > 0
    assert as_bob.post(address, notes(1)).status_code == 201
    assert as_alice.get(address).status_code == 200


def test_requests_that_write_leave_threads_for_those_that_read(settings: Any) -> None:
    settings.WRITERS = 2
    inside: list[str] = []
    done = Event()

    def slow(request: HttpRequest) -> HttpResponse:
        if request.path == "/slow/":
            inside.append(request.path)
            done.wait(60)
        return HttpResponse("done")

    door, requests = WriteLimitMiddleware(slow), RequestFactory()
    writers = [Thread(target=lambda: door(requests.post("/slow/"))) for _ in range(2)]
    for writer in writers:
        writer.start()
    eventually(lambda: len(inside) == 2)
    refused = door(requests.post("/api/v1/clubs/"))
    page = door(requests.post("/clubs/new/"))
    long_log = door(requests.post("/logs/", {"text": "x" * BIG}, content_type="application/json"))
    assert (refused.status_code, refused["Retry-After"], page.status_code) == (503, "1", 503)
    assert long_log.status_code == 503
    assert "again in a moment" in page.content.decode()
    assert door(requests.get("/health/live")).status_code == 200
    done.set()
    for writer in writers:
        writer.join()
    assert door(requests.post("/clubs/new/")).status_code == 200


def test_a_place_is_taken_when_the_body_is_here(settings: Any) -> None:
    settings.WRITERS = 1
    sending, done = Event(), Event()

    class Slow(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            sending.set()
            done.wait(60)
            return super().read(size)

    answered: list[bytes] = []

    def view(request: HttpRequest) -> HttpResponse:
        answered.append(request.body)
        return HttpResponse("done")

    door, requests = WriteLimitMiddleware(view), RequestFactory()
    for kind in (
        "application/x-www-form-urlencoded",
        "application/json",
        "multipart/form-data; boundary=x",
    ):
        slow = requests.generic("POST", "/slow/", b"x" * 20, content_type=kind)
        slow._stream = Slow(b"x" * 20)
        sender = Thread(target=door, args=(slow,))
        sender.start()
        assert sending.wait(60)
        assert door(requests.post("/clubs/new/")).status_code == 200, kind
        done.set()
        sender.join()
        sending.clear()
        done.clear()
    assert answered.count(b"x" * 20) == 3


@pytest.mark.django_db
def test_a_row_that_somebody_holds_for_long_is_answered_with_busy(
    battle: Battle, as_alice: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_in_vain(*_: Any, **__: Any) -> None:
        raise OperationalError("canceling statement due to lock timeout") from LockNotAvailable()

    monkeypatch.setattr("battles.services.logbook.lock_battle", wait_in_vain)
    answer = as_alice.post(f"/api/v1/battles/{battle.pk}/events/", notes(1))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "busy", "1")
    request = RequestFactory().post("/x/")
    page = WriteLimitMiddleware(lambda _: HttpResponse()).process_exception(
        request, raised(wait_in_vain)
    )
    assert page is not None
    assert page.status_code == 503
    assert (
        WriteLimitMiddleware(lambda _: HttpResponse()).process_exception(
            request, OperationalError("other")
        )
        is None
    )


def raised(action: Any) -> Exception:
    try:
        action()
    except OperationalError as error:
        return error
    raise AssertionError


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_on_postgresql_a_locked_battle_is_waited_for_no_longer_than_the_settings_say(
    battle: Battle, alice: User, settings: Any
) -> None:
    settings.LOCK_SECONDS = 1
    errors: list[Exception] = []

    def log() -> None:
        try:
            log_events(battle_id=battle.pk, events=[note("In vain.")], user=alice)
        except OperationalError as error:
            errors.append(error)
        finally:
            connections.close_all()

    with transaction.atomic():
        Battle.objects.select_for_update().get(pk=battle.pk)
        other = Thread(target=log)
        other.start()
        other.join(60)
    assert [type(error.__cause__) for error in errors] == [LockNotAvailable]
