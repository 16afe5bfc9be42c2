"""Reports of faults: they arrive, and hold nothing that a person typed or is known by."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from celery import shared_task
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_started
from django.db import OperationalError, close_old_connections
from django.http import HttpRequest
from django.test import Client, RequestFactory
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from core import faults
from core.jobs.running import run_job

SECRET_TEXT = "the-plan-of-ottilie"
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


class Kept(Transport):
    """A transport that keeps reports instead of sending them."""

    def __init__(self) -> None:
        super().__init__()
        self.reports: list[dict[str, Any]] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        event = envelope.get_event()
        assert event is not None
        self.reports.append(json.loads(json.dumps(event, default=str)))


@pytest.fixture
def kept(settings: Any) -> Iterator[Kept]:
    settings.SENTRY_DSN = "https://key@sentry.example/1"
    settings.SENTRY_ENVIRONMENT = "a club"
    transport = Kept()
    faults.report_faults(transport=transport)
    yield transport
    sentry_sdk.init()


def fail(request: HttpRequest, *_: Any, **__: Any) -> None:
    typed = request.POST.get("name", SECRET_TEXT)
    raise ValueError(f"{typed} cannot be stored")


def test_a_fault_of_a_view_is_reported_without_what_was_typed(kept, monkeypatch, settings):
    client = Client()
    client.force_login(User.objects.create_user("ottilie", "ottilie@example.org", "hush"))
    monkeypatch.setattr("django.core.handlers.base.BaseHandler.resolve_request", fail_to_resolve)
    ask("POST", f"/?q={SECRET_TEXT}", f"name={SECRET_TEXT}", client)
    (report,) = kept.reports
    assert report["exception"]["values"][-1]["type"] == "ValueError"
    assert report["release"] == f"muster@{settings.VERSION}"
    assert report["environment"] == "a club"
    assert report["request"] == {"method": "POST", "url": "/"}
    hold_nothing_personal(report, client)


def ask(method: str, path: str, body: str = "", client: Client | None = None) -> None:
    """Send a request as a web server does: the test client leaves out what Sentry listens at."""
    headers = {"X-Forwarded-For": "192.0.2.77", "User-Agent": "User-Agent of somebody"}
    request = RequestFactory().generic(
        method, path, body, "application/x-www-form-urlencoded", headers=headers
    )
    cookies = client.cookies.items() if client else ()
    request.environ["HTTP_COOKIE"] = "; ".join(f"{name}={each.value}" for name, each in cookies)
    request_started.disconnect(close_old_connections)
    try:
        WSGIHandler()(request.environ, lambda *_: bytes)
    finally:
        request_started.connect(close_old_connections)


def fail_to_resolve(self: Any, request: HttpRequest) -> None:
    fail(request)


def test_a_secret_address_is_not_reported(kept, monkeypatch):
    monkeypatch.setattr("django.core.handlers.base.BaseHandler.resolve_request", fail_to_resolve)
    ask("GET", "/join/a-key-that-opens-a-club/")
    (report,) = kept.reports
    assert "a-key-that-opens-a-club" not in json.dumps(report)
    assert report["request"]["url"] == faults.HIDDEN


def test_a_fault_of_a_task_is_reported_without_its_arguments(kept):
    @shared_task
    def brew(name: str) -> None:
        local = name * 2
        raise KeyError(local)

    brew.apply(args=(SECRET_TEXT,))
    (report,) = kept.reports
    assert report["exception"]["values"][-1]["type"] == "KeyError"
    assert report["transaction"] == brew.name
    hold_nothing_personal(report)


def test_a_job_that_fails_is_reported_too(kept):
    class Row:
        pk, attempts, claimed_by = SECRET_TEXT, 1, "task"

    def work() -> None:
        raise RuntimeError(SECRET_TEXT)

    run_job(Row(), work, fail=lambda _: None, wait=lambda _: None)  # type: ignore[arg-type]
    (report,) = kept.reports
    assert report["exception"]["values"][-1]["type"] == "RuntimeError"
    hold_nothing_personal(report)


def test_a_database_that_is_away_is_not_a_fault():
    error = OperationalError("gone")
    error.__cause__ = type("Gone", (Exception,), {"sqlstate": "57P01"})()
    assert faults.without_personal_data({}, {"exc_info": (type(error), error, None)}) is None


def test_a_request_for_an_unknown_host_is_not_a_fault(kept):
    request = RequestFactory().get("/", headers={"Host": "scanner.example"})
    WSGIHandler()(request.environ, lambda *_: bytes)
    assert not kept.reports


@pytest.mark.parametrize("nonsense", ["sentry.example/1", "https://sentry.example/1"])
def test_invalid_dsn_is_named_and_not_shown(settings, nonsense):
    settings.SENTRY_DSN = nonsense
    with pytest.raises(ImproperlyConfigured, match="SENTRY_DSN should") as refused:
        faults.report_faults()
    assert nonsense not in str(refused.value)


def hold_nothing_personal(report: dict[str, Any], client: Client | None = None) -> None:
    text = json.dumps(report)
    for hidden in (SECRET_TEXT, "ottilie", "192.0.2.77", "hush", "csrf", "User-Agent"):
        assert hidden not in text, hidden
    for cookie in client.cookies.values() if client else ():
        assert cookie.value not in text
    assert not report.keys() & {"user", "extra", "tags", "breadcrumbs", "modules", "server_name"}
