"""A real PostgreSQL that refuses, says nothing, hangs up, and takes no writes: what pages and the
API answer then."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from core import outage
from scripts.processes import free_port
from tests.conftest import api_of

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PROMPTLY = 2.0
"""Seconds for an answer without the database, on a machine that is busy with other things."""


@pytest.fixture(autouse=True)
def forget_outages() -> Iterator[None]:
    outage.silent_database.reset()
    yield
    outage.silent_database.reset()


@pytest.fixture
def page(alice: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    assert client.get("/campaigns/").status_code == 200
    return client


@pytest.fixture
def api(alice: User) -> Any:
    client = api_of(alice)
    client.raise_request_exception = False
    return client


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a function that moves the database connection to another port."""

    def move(port: int) -> None:
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "PORT", port)

    yield move
    connection.close()


def test_a_database_that_refuses_is_answered_with_503_until_it_is_back(
    page, api, elsewhere, monkeypatch
):
    elsewhere(free_port())
    answer = page.get("/campaigns/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    refused = api.post("/api/v1/clubs/", {"name": "Late"})
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unavailable")
    assert page.get("/health/live").status_code == 200
    assert page.get("/health/ready").status_code == 503
    monkeypatch.undo()
    connection.close()
    assert page.get("/campaigns/").status_code == 200


def test_a_database_that_says_nothing_is_waited_for_once(page, elsewhere):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere(listener.getsockname()[1])
        started = time.monotonic()
        assert page.get("/campaigns/").status_code == 503
        assert time.monotonic() - started < 30
        started = time.monotonic()
        assert (
            page.get("/campaigns/").status_code == page.post("/clubs/new/", {}).status_code == 503
        )
        assert page.get("/health/live").status_code == 200
        assert time.monotonic() - started < PROMPTLY


def test_a_connection_that_is_hung_up_costs_one_answer(page):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        number = cursor.fetchone()[0]
    facts = connection.get_connection_params()
    address = {
        name: facts[name]
        for name in ("host", "port", "user", "dbname", "password")
        if facts.get(name)
    }
    with psycopg.connect(**address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [number])
    answers = {page.get("/campaigns/").status_code for _ in range(2)}
    connection.close_if_unusable_or_obsolete()
    assert answers <= {200, 503}
    assert page.get("/campaigns/").status_code == 200


def test_a_database_that_takes_no_writes_is_still_read(page, api):
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    assert page.get("/campaigns/").status_code == 200
    refused = api.post("/api/v1/clubs/", {"name": "Late"})
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unavailable")
    connection.close()
