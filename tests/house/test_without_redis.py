"""Redis is down, or accepts and never answers: signed-in users can continue, and every password
guess is counted."""

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from battles.models import Battle
from config.celery import PATIENCE, app
from core import redis_cache as patient
from tests.battles import field
from tests.conftest import PASSWORD, api_of, browser_of
from tests.full_toy import register_toy as register_toy
from tests.queue import use_queue

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

WITHIN = 20.0
"""Seconds for what waits for Redis in vain; the waiting is half a second of it, the rest is for a
busy machine."""
OF_WORKERS = {"socket_timeout": 2 * WITHIN, "socket_connect_timeout": 2 * WITHIN}
"""The patience of workers, too long for a request."""
MAX_WAITS = 2
"""Of one answer: for the cache and for the queue, once each."""
Promptly = Callable[[Callable[[], Any]], Any]


@contextmanager
def silence(settings: Any, *, frozen: bool) -> Iterator[Callable[[], int]]:
    """Put cache and queue at an address where nothing listens, or where a listener never answers.

    Yield a function that returns how often Redis was waited for since its last call; always 0 if
    nothing listens.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"redis://127.0.0.1:{listener.getsockname()[1]}"
    if not frozen:
        listener.close()
    before = settings.CACHES
    redis = {"BACKEND": "core.redis_cache.TolerantRedisCache", "LOCATION": f"{address}/1"}
    settings.CACHES = {"default": redis, "pages": redis}
    use_queue(f"{address}/0", OF_WORKERS)
    ask_again()
    yield lambda: callers(listener) if frozen else 0
    # Whatever is tidied up after the test asks this Redis no more.
    settings.CACHES = before
    ask_again()
    listener.close()


def callers(listener: socket.socket) -> int:
    """Return the number of connections since the last call. All of them have given up by now."""
    listener.setblocking(False)
    for number in count():
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return number
    raise AssertionError


@pytest.fixture(autouse=True)
def a_long_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore a silent Redis until a test says otherwise, however slow the machine is."""
    monkeypatch.setattr("core.cache.LEFT_ALONE", timedelta(hours=1))


@pytest.fixture(params=["down", "frozen"])
def promptly(request: pytest.FixtureRequest, settings: Any) -> Iterator[Promptly]:
    """Return a function that asks without Redis, and checks that nobody waited for it for long.

    Each of cache and queue may wait only once.
    """

    def ask_promptly(ask: Callable[[], Any]) -> Any:
        ask_again()
        waits()
        started = time.monotonic()
        answer = ask()
        assert time.monotonic() - started < WITHIN
        assert waits() <= MAX_WAITS
        return answer

    with silence(settings, frozen=request.param == "frozen") as waits:
        yield ask_promptly


def ask_again() -> None:
    """Reset the breakers, as if some time had passed since the last failure of Redis."""
    patient.breaker.reset()
    app.breaker.reset()


def test_signed_in_user_reads_and_writes_without_redis(promptly, alice):
    client = APIClient()
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert promptly(lambda: client.get("/api/v1/me/")).status_code == 200
    assert promptly(lambda: client.get("/api/v1/documents/")).status_code == 200
    blank = {"kind": "blank", "ruleset": "en-garde"}
    assert promptly(lambda: client.post("/api/v1/documents/", blank)).status_code == 202
    assert promptly(lambda: client.patch("/api/v1/me/", {"first_name": "Al"})).status_code == 200
    assert promptly(lambda: browser_of(alice).get("/")).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", ["api", "page"])
def test_without_redis_a_battle_is_confirmed(promptly, register_toy, alice, bob, door):
    reds, blues = field.muster(alice, "Reds"), field.muster(bob, "Blues")
    campaign = field.run_campaign(field.found(alice, bob), alice, reds, blues)
    battle = field.fight(alice, campaign, reds, blues)
    if door == "api":
        sent = {"version": battle.version}
        answer = promptly(lambda: api_of(bob).post(f"/api/v1/battles/{battle.pk}/confirm/", sent))
        assert answer.status_code == 200, answer.json()
    else:
        sent = {"version": battle.version}
        promptly(lambda: browser_of(bob).post(f"/battles/{battle.pk}/confirm/", sent))
    assert Battle.objects.get().state == "confirmed"
    assert Battle.objects.get().follow_ups_due_since is not None


def test_without_redis_no_password_is_taken_and_the_page_says_so(promptly, bob):
    client = Client()
    page = promptly(lambda: client.post("/accounts/login/", {"login": "bob", "password": PASSWORD}))
    assert "Try again in a minute" in page.content.decode()
    assert "_auth_user_id" not in client.session


def test_without_redis_no_token_is_given_and_the_answer_says_when(promptly, bob, anonymous):
    answer = promptly(
        lambda: anonymous.post("/api/v1/tokens/", {"username": "bob", "password": PASSWORD})
    )
    assert (answer.status_code, answer.json()["code"]) == (503, "guesses_not_counted")
    assert answer["Retry-After"] == "60"


def test_without_redis_no_code_and_no_old_password_is_taken(settings, bob):
    TOTP.activate(bob, generate_totp_secret())
    client = Client()
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    changes = {
        "oldpassword": PASSWORD,
        "password1": "another long one",
        "password2": "another long one",
    }
    with silence(settings, frozen=False):
        page = client.post("/accounts/2fa/authenticate/", {"code": "123456"})
        assert "Try again in a minute" in page.content.decode()
        page = browser_of(bob).post("/accounts/password/change/", changes)
        assert "Try again in a minute" in page.content.decode()


def test_without_redis_the_server_is_ready_and_names_what_is_missing(promptly, client):
    answer = promptly(lambda: client.get("/health/ready"))
    assert answer.status_code == 200
    components = answer.json()["components"]
    assert not components["broker"]["healthy"]
    assert not components["cache"]["healthy"]
    assert re.search("nobody can sign in", components["cache"]["detail"])
    assert "the cache" in client.get("/health/worker").json()["components"]["worker"]["detail"]


def test_all_waiting_for_redis_together_is_half_a_second():
    assert patient.PATIENCE + PATIENCE["socket_timeout"] <= 0.5


def test_a_frozen_redis_costs_one_wait_and_not_one_for_each_question(settings):
    with silence(settings, frozen=True) as waits:
        assert cache.get("a", "none") == "none"
        assert cache.get_many(["a", "b"]) == {}
        assert cache.add("lock", True)
        cache.set_many({"a": 1})
        cache.delete_many(["a"])
        assert not cache.delete("a")
        assert not cache.has_key("a")
        assert not cache.touch("a")
        assert waits() == 1
