"""Without a database: answers say so and ask to come again, the log has one line, and nobody waits
for long."""

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connections
from django.test import Client, RequestFactory
from psycopg import errors

from config.celery import app
from core import outage
from core.logs import FaultsOnly
from core.middleware import WriteLimitMiddleware, busy
from scripts.processes import NotStarted, free_port
from scripts.serve import ROOT, migrate
from tests.conftest import api_of


def raised(kind: type[Exception], cause: Exception) -> Exception:
    """Return a Django database error with its cause in the driver."""
    error = kind(str(cause))
    error.__cause__ = cause
    return error


def file_error(code: int) -> sqlite3.OperationalError:
    """Return an error of SQLite with this code."""
    error = sqlite3.OperationalError("it went wrong")
    error.sqlite_errorcode = code
    return error


AWAY = {
    "refused": (
        OperationalError,
        psycopg.OperationalError("connection failed: Connection refused"),
    ),
    "silent": (OperationalError, errors.ConnectionTimeout("connection timeout expired")),
    "lost": (
        OperationalError,
        psycopg.OperationalError("server closed the connection unexpectedly"),
    ),
    "closed": (InterfaceError, psycopg.InterfaceError("the connection is closed")),
    "stopping": (OperationalError, errors.AdminShutdown("terminating connection")),
    "crashed": (OperationalError, errors.CrashShutdown("terminating connection")),
    "starting": (OperationalError, errors.CannotConnectNow("the database system is starting up")),
    "crowded": (OperationalError, errors.TooManyConnections("sorry, too many clients already")),
    "full": (OperationalError, errors.DiskFull("could not extend file")),
    "out of memory": (OperationalError, errors.OutOfMemory("out of memory")),
    "read-only": (
        InternalError,
        errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction"),
    ),
    "SQLite, full": (OperationalError, file_error(sqlite3.SQLITE_FULL)),
    "SQLite, disk error": (OperationalError, file_error(sqlite3.SQLITE_IOERR_WRITE)),
    "SQLite, read-only": (OperationalError, file_error(sqlite3.SQLITE_READONLY_DBMOVED)),
    "SQLite, no file": (OperationalError, file_error(sqlite3.SQLITE_CANTOPEN)),
}
FAULTS = {
    "wrong statement": (ProgrammingError, errors.UndefinedTable("no such table")),
    "statement cancelled": (
        OperationalError,
        errors.QueryCanceled("canceling statement due to statement timeout"),
    ),
    "SQLite, no table": (OperationalError, file_error(sqlite3.SQLITE_ERROR)),
}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    outage.silent_database.reset()
    outage._logged.reset()
    yield
    outage.silent_database.reset()
    outage._logged.reset()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes each statement fail with the named error."""

    def break_down(name: str) -> None:
        kind, cause = (AWAY | FAULTS)[name]

        def fail(*_: Any, **__: Any) -> None:
            raise raised(kind, cause)

        monkeypatch.setattr(connections["default"], "cursor", fail)
        monkeypatch.setattr(connections["default"], "ensure_connection", fail)

    return break_down


@pytest.mark.parametrize("name", AWAY)
def test_outage_is_recognised(name):
    assert outage.is_outage(raised(*AWAY[name]))


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_not_an_outage(name):
    assert not outage.is_outage(raised(*FAULTS[name]))
    assert not outage.is_outage(ValueError())
    assert not outage.is_outage(None)


@pytest.mark.django_db
@pytest.mark.parametrize("name", AWAY)
def test_the_api_answers_503_with_a_code(name, away, alice):
    client = api_of(alice)
    client.raise_request_exception = False
    away(name)
    for answer in (
        client.get("/api/v1/warbands/"),
        client.post("/api/v1/clubs/", {"name": "Late"}),
    ):
        assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
        assert (answer.json()["code"], answer["Retry-After"]) == ("database_unavailable", "5")
        outage.silent_database.reset()


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize("name", AWAY)
def test_pages_answer_503_and_need_no_database(name, signed_in, away, alice):
    client = Client(raise_request_exception=False)
    if signed_in:
        client.force_login(alice)
    away(name)
    form = {"login": "alice", "password": "x"}
    for answer in (
        client.get("/campaigns/"),
        client.get("/clubs/"),
        client.post("/accounts/login/", form),
    ):
        if answer.status_code == 302:
            # A stranger is sent to sign in without a question to the database.
            continue
        assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
        assert "cannot reach its database" in answer.content.decode()
        outage.silent_database.reset()


@pytest.mark.django_db
def test_outage_page_mentions_saving_only_after_post(away, alice):
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    away("refused")
    read, sent = client.get("/campaigns/"), client.post("/clubs/new/", {})
    assert "Try again in a few seconds." in read.content.decode()
    assert "Nothing was saved" not in read.content.decode()
    assert "Nothing was saved" in sent.content.decode()


def test_busy_page_mentions_form_only_after_post(rf):
    assert "your form was not saved" not in busy(rf.get("/campaigns/")).content.decode()
    assert "your form was not saved" in busy(rf.post("/campaigns/")).content.decode()


@pytest.mark.django_db
def test_the_api_says_when_to_try_again(away, alice):
    client = api_of(alice)
    away("refused")
    assert client.get("/api/v1/warbands/").json()["detail"].endswith("Try again in a few seconds.")


@pytest.mark.django_db
def test_health_waits_once_for_a_database_that_says_nothing(monkeypatch, away):
    away("silent")
    waited: list[str] = []
    wait = connections["default"].cursor
    monkeypatch.setattr(
        connections["default"], "cursor", lambda *a: waited.append("database") or wait(*a)
    )
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert not answer.json()["components"]["migrations"]["healthy"]
    assert waited == ["database"]


@pytest.mark.django_db
def test_a_fault_is_still_a_fault_with_its_traceback(away, alice, caplog):
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    away("statement cancelled")
    assert client.get("/campaigns/").status_code == 500
    assert any(record.exc_info for record in caplog.records)


@pytest.mark.django_db
def test_one_line_is_logged_for_many_requests(away, alice, caplog):
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    away("refused")
    caplog.set_level(logging.INFO)
    for _ in range(5):
        client.get("/campaigns/")
        client.get("/api/v1/warbands/")
    kept = [
        record
        for record in caplog.records
        if record.name != "django.request" or FaultsOnly().filter(record)
    ]
    lines = [record for record in kept if record.name not in ("muster.requests", "django_guid")]
    assert [record.name for record in lines] == ["muster.database"]
    assert "Connection refused" in lines[0].getMessage()
    assert not any(record.exc_info for record in kept)


def run_as_task(function: Callable[[], None], times: int = 1) -> None:
    """Run a function like a worker does, and unregister the task afterwards."""
    task = app.task(name="task of a test")(function)
    try:
        for _ in range(times):
            task.apply()
    finally:
        app.tasks.unregister("task of a test")


@pytest.mark.parametrize("name", ["refused", "silent", "SQLite, full"])
def test_tasks_that_fail_without_a_database_are_one_line(name, caplog):
    """Each round of the clock has many of them."""

    def look_around() -> None:
        kind, cause = AWAY[name]
        raise kind(str(cause)) from cause

    run_as_task(look_around, 5)
    lines = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.name for record in lines] == ["muster.database"]
    assert "what workers do comes later" in lines[0].getMessage()
    assert not any(record.exc_info for record in lines)


def test_a_fault_in_a_task_is_still_logged_with_its_traceback(caplog):
    def stumble() -> None:
        raise ValueError("a fault")

    run_as_task(stumble)
    assert [record.name for record in caplog.records if record.exc_info] == ["celery.app.trace"]


def test_starting_without_a_database_is_refused_in_a_sentence(tmp_path):
    away = {
        "DATABASE_URL": f"postgres://muster@127.0.0.1:{free_port()}/muster",
        "VAR_DIR": str(tmp_path / "var"),
    }
    with pytest.raises(NotStarted) as refused:
        migrate(away)
    message = str(refused.value)
    assert "The database cannot be used" in message and "check DATABASE_URL" in message
    assert "Traceback" not in message
    assert len(message.splitlines()) == 2


@pytest.mark.django_db
def test_who_has_waited_in_vain_keeps_others_from_waiting(away, alice):
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    away("silent")
    assert client.get("/campaigns/").status_code == 503
    paths: list[str] = []
    door = WriteLimitMiddleware(lambda request: paths.append(request.path))
    requests = RequestFactory()
    for path in ("/campaigns/", "/api/v1/warbands/"):
        assert door(requests.get(path)).status_code == 503
        assert door(requests.post(path)).status_code == 503
    door(requests.get("/health/live"))
    door(requests.get("/static/site/favicon.svg"))
    assert paths == ["/health/live", "/static/site/favicon.svg"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in AWAY if name != "read-only"])
def test_health_says_that_the_database_is_away(name, away):
    client = Client(raise_request_exception=False)
    away(name)
    assert client.get("/health/live").status_code == 200
    for path in ("/health/ready", "/health/database", "/health/migrations"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["healthy"]) == (503, False), path


def test_a_refusal_of_the_web_server_is_logged_as_a_request(caplog):
    caplog.set_level(logging.INFO, "muster.requests")
    client = Client()
    answer = client.get("/api/v1/", **{"muster.refused": 414})
    assert (answer.status_code, answer.json()["code"]) == (414, "address_too_long")


def test_command_on_an_empty_database_says_to_migrate(tmp_path):
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "",
        "CELERY_BROKER_URL": "",
    }
    command = [sys.executable, "manage.py", "check_chronicle"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Run `manage.py migrate`, or check DATABASE_URL and VAR_DIR." in done.stderr
    assert "Traceback" not in done.stderr
