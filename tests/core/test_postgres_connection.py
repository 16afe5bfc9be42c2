"""The connection to PostgreSQL: checks of its health, and the mode in which statements are
planned."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.db import DatabaseError, connection, transaction

from core.postgres import base
from core.prepared_statements import planned_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def other() -> Iterator[Any]:
    """Yield a connection outside the test's transaction, as web servers have it."""
    other = connection.copy()
    other.settings_dict = {**connection.settings_dict, "CONN_HEALTH_CHECKS": True}
    try:
        yield other
    finally:
        other.close()


def start_request(other: Any) -> None:
    """Do what Django does with a connection before each request."""
    other.close_if_unusable_or_obsolete()


def pid(other: Any) -> int:
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def mode() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW plan_cache_mode")
        return str(cursor.fetchone()[0])


def test_connection_that_the_server_has_ended_is_replaced(other):
    before = pid(other)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    start_request(other)
    assert pid(other) != before


def test_connection_is_checked_once_in_a_few_seconds(other):
    before = pid(other)
    with mock.patch.object(base.DatabaseWrapper, "is_usable", return_value=True) as check:
        for _ in range(3):
            start_request(other)
            assert pid(other) == before
        assert not check.called
        other.checked_at -= base.ASK_SECONDS
        start_request(other)
        pid(other)
    assert check.call_count == 1


def test_plan_mode_stays_until_a_statement_needs_the_other_one():
    assert mode() == base.BY_COST
    with planned_once(connection) as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == (base.ONCE,)
    opened: Any = connection.connection
    with mock.patch.object(opened, "execute", wraps=opened.execute) as execute:
        with planned_once(connection) as cursor:
            cursor.execute("SHOW plan_cache_mode")
            assert cursor.fetchone() == (base.ONCE,)
        assert not execute.called
    assert mode() == base.BY_COST


@pytest.mark.parametrize("begins_once", [True, False])
def test_rollback_does_not_change_the_plan_mode_of_later_statements(begins_once):
    if begins_once:
        with planned_once(connection) as cursor:
            cursor.execute("SELECT 1")
    with pytest.raises(DatabaseError), transaction.atomic():
        assert mode() == base.BY_COST
        with planned_once(connection) as cursor:
            cursor.execute("SELECT 1 / 0")
    assert mode() == base.BY_COST
    with planned_once(connection) as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == (base.ONCE,)
