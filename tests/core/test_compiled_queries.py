"""Queries whose SQL is built once: each call has its own key and reader."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models.expressions import RawSQL
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from psycopg import _queries

from clubs.models import Club, Membership
from core.compiled_queries import LONG, NOBODY, CompiledQuery
from core.models import AccountSession
from core.prepared_statements import MAX_PREPARED, with_constants
from tests.pages.world import club_of

pytestmark = pytest.mark.django_db


def test_the_same_statement_is_used_for_other_keys_and_readers(alice: User, bob: User) -> None:
    calls = []

    def build(key, user):
        calls.append(key)
        return Membership.objects.filter(club=key, user=user.pk).values_list("name", flat=True)

    query: CompiledQuery[str] = CompiledQuery(build)
    first, second = club_of(alice, players=[bob]), club_of(bob)
    names = [query.rows(club.pk, user) for club in (first, second) for user in (alice, bob)]
    assert names == [["alice"], ["bob"], [], ["bob"]]
    assert query.rows(uuid4(), alice) == []
    assert len(calls) == 1, "the SQL is built once for all who are signed in"
    assert query.rows(first.pk, NOBODY) == []


def test_a_key_can_be_text_and_the_database_is_fixed() -> None:
    for number in (1, 2):
        AccountSession.objects.create(
            session_key=f"key-{number}", session_data="", expire_date="2030-01-01T00:00Z"
        )
    query: CompiledQuery[AccountSession] = CompiledQuery(
        lambda key, _: AccountSession.objects.filter(session_key=str(key)),
        database=DEFAULT_DB_ALIAS,
    )
    assert [row.session_key for row in query.rows("key-2")] == ["key-2"]
    assert query.rows("key-3") == []


def test_rows_with_related_rows_and_a_limit_take_one_query(alice: User) -> None:
    club = club_of(alice)
    query: CompiledQuery[Club] = CompiledQuery(
        lambda key, _: Club.objects.filter(pk=key).prefetch_related(None)[:1]
    )
    with CaptureQueriesContext(connection) as queries:
        assert [row.name for row in query.rows(club.pk)] == [club.name]
    assert len(queries) == 1


@pytest.mark.postgres
def test_only_long_statements_get_one_plan_for_all_values(alice: User) -> None:
    club = club_of(alice)
    for length, expected in ((0, "auto"), (LONG, "force_generic_plan")):
        modes = CompiledQuery(partial(_with_plan_mode, length=length)).rows(club.pk)
        assert modes == [expected], length
    with connection.cursor() as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("auto",)


def _with_plan_mode(key: UUID, _: object, *, length: int) -> Any:
    """Return clubs with the setting for plans, by a statement of at least this length."""
    mode = RawSQL(f"current_setting('plan_cache_mode') /* {'x' * length} */", ())
    return Club.objects.filter(pk=key).values_list(mode, flat=True)


def test_constants_are_written_into_a_statement_and_values_are_not() -> None:
    statement = "SELECT '%%s' WHERE state IN (%s, %s) AND name = %s AND number = %s AND word = %s"
    values = ("walked-over", "planned", "O'Brien", 7, "anyword0qzx")
    assert with_constants(statement, values) == (
        "SELECT '%%s' WHERE state IN ('walked-over', 'planned') AND name = %s AND number = 7 "
        "AND word = %s",
        ("O'Brien", "anyword0qzx"),
    )


@pytest.mark.postgres
def test_placeholders_of_long_statements_are_remembered(alice: User) -> None:
    assert _queries._query2pg.cache_info().maxsize == MAX_PREPARED
    query = CompiledQuery(partial(_with_plan_mode, length=3 * LONG))
    key = club_of(alice).pk
    query.rows(key)
    before = _queries._query2pg.cache_info()
    query.rows(key)
    after = _queries._query2pg.cache_info()
    assert after.hits == before.hits + 1
    assert after.misses == before.misses


@pytest.mark.postgres
def test_connections_compile_no_statement() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_inside_a_transaction_only(alice: User) -> None:
    club = club_of(alice)
    query: CompiledQuery[Club] = CompiledQuery(
        lambda key, _: Club.objects.select_for_update().filter(pk=key)
    )
    for _ in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            assert query.first(club.pk) == club
        assert [each["sql"][-10:] for each in queries] == ["FOR UPDATE"]
        # Also when the SQL is built already.
        with pytest.raises(TransactionManagementError):
            query.first(club.pk)
