"""Where a request reads: from the replica, or from the primary server."""

from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import MiddlewareNotUsed
from django.db import OperationalError, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from clubs.models import Club
from core import replica
from core.cache import Breaker
from core.replica import PRIMARY, REPLICA, ReadReplica, Router, reading_database

router = Router()
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let requests read from the replica, outside of the transaction of the test."""
    monkeypatch.setattr(connections[PRIMARY], "in_atomic_block", False)
    token = replica._replica_reads.set(True)
    yield
    replica._replica_reads.reset(token)


def test_pages_are_read_from_the_replica_but_accounts_are_not(reads):
    assert router.db_for_read(Club) == REPLICA
    assert router.db_for_read(User) == PRIMARY
    assert router.db_for_write(Club) == PRIMARY


def test_after_a_write_the_rest_of_the_request_reads_from_the_primary(reads):
    router.db_for_write(Club)
    assert reading_database() == PRIMARY


def test_a_transaction_reads_from_the_primary(reads, monkeypatch):
    monkeypatch.setattr(connections[PRIMARY], "in_atomic_block", True)
    assert router.db_for_read(Club) == PRIMARY


def test_without_a_request_everything_is_read_from_the_primary():
    with transaction.atomic():
        assert router.db_for_read(Club) == PRIMARY
    assert reading_database() == PRIMARY


def test_only_the_primary_is_migrated():
    assert router.allow_migrate(PRIMARY, "clubs")
    assert not router.allow_migrate(REPLICA, "clubs")


@pytest.mark.parametrize(
    ("method", "path", "headers", "cookie", "may"),
    [
        ("GET", "/", {}, None, True),
        ("HEAD", "/", {}, None, True),
        ("POST", "/", {}, None, False),
        ("GET", "/admin/", {}, None, False),
        ("GET", "/", {"Authorization": "Token abc"}, None, False),
        ("GET", "/", {}, "16/B374D848", True),
        ("GET", "/", {}, "16/B374D849", False),
        ("GET", "/", {}, "17/0", False),
        ("GET", "/", {}, "nonsense", False),
    ],
)
def test_a_request_reads_from_the_replica_where_nobody_sees_a_difference(
    monkeypatch, method, path, headers, cookie, may
):
    use_replica(monkeypatch, "16/B374D848")
    request = RequestFactory().generic(method, path, headers=headers)
    if cookie:
        request.COOKIES[replica.COOKIE] = cookie
    assert replica.may_read_replica(request) is may


def test_a_server_that_does_not_follow_another_is_not_read(monkeypatch):
    use_replica(monkeypatch, None)
    assert not replica.may_read_replica(RequestFactory().get("/"))


def test_replica_that_does_not_answer_is_logged_and_skipped(monkeypatch, caplog):
    def refuse() -> None:
        raise OperationalError("connection refused") from psycopg.OperationalError()

    server = SimpleNamespace(cursor=refuse, close=lambda: None)
    monkeypatch.setattr(replica, "connections", {REPLICA: server})
    monkeypatch.setattr(replica, "silent_replica", Breaker())
    for _ in range(2):
        assert not replica.may_read_replica(RequestFactory().get("/"))
    (line,) = caplog.messages
    assert "replica" in line
    assert "connection refused" in line


def test_a_write_puts_its_place_into_a_cookie(monkeypatch):
    use_replica(monkeypatch, "16/B374D848")
    changed = SimpleNamespace(DATABASES={REPLICA: {}}, SESSION_COOKIE_SECURE=False)
    monkeypatch.setattr(replica, "settings", changed)
    for method, status, is_noted in (
        ("POST", 302, True),
        ("POST", 400, False),
        ("GET", 200, False),
    ):

        def answer(request: HttpRequest, status: int = status) -> HttpResponse:
            return HttpResponse(status=status)

        response = ReadReplica(answer)(RequestFactory().generic(method, "/"))
        assert (replica.COOKIE in response.cookies) is is_noted
        assert reading_database() == PRIMARY


def test_without_a_replica_the_middleware_is_not_used():
    with pytest.raises(MiddlewareNotUsed):
        ReadReplica(lambda request: HttpResponse())


class Cursor:
    """A cursor of a server whose log is at one place."""

    def __init__(self, place: str | None) -> None:
        self.place = place

    def __enter__(self) -> "Cursor":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, statement: str) -> None:
        assert "lsn" in statement

    def fetchone(self) -> tuple[str | None]:
        return (self.place,)


def use_replica(monkeypatch: pytest.MonkeyPatch, place: str | None) -> None:
    """Use a replica whose log is at a place, and a primary server that is there too."""
    server = SimpleNamespace(cursor=lambda: Cursor(place), in_atomic_block=False, close=lambda: 0)
    monkeypatch.setattr(replica, "connections", {PRIMARY: server, REPLICA: server})
