"""Subqueries of rights that are built once, and statements that PostgreSQL plans once."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.compiled_queries import CompiledIds, compiled_sharing_ids
from core.prepared_statements import planned_once
from home.selectors.waiting import rows_waiting
from tests.pages import world
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@CompiledIds
def own_warbands(user: User):
    return Warband.objects.filter(owner=user.pk).values("pk")


def test_the_same_sql_serves_every_user(alice: User, bob: User):
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    for _ in range(2):
        assert set(Warband.objects.filter(pk__in=own_warbands(alice))) == {guards}
        assert set(Warband.objects.filter(pk__in=own_warbands(bob))) == {haufen}
        assert set(Warband.objects.exclude(pk__in=own_warbands(bob))) == {guards}


def test_a_statement_that_shares_ids_names_them_once_for_each_user(alice: User, bob: User):
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    first = Warband.objects.filter(pk__in=own_warbands(alice)).filter(pk__in=own_warbands(alice))
    rows = first | Warband.objects.filter(pk__in=own_warbands(bob))
    sql, values = compiled_sharing_ids(rows.values("name").query.sql_with_params, connection)
    assert sql.count(" AS MATERIALIZED ") == 2
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert {name for (name,) in cursor.fetchall()} == {guards.name, haufen.name}


def test_the_cards_of_a_member_read_their_sides_once(alice: User):
    rows_waiting(alice, timezone.localdate())
    with CaptureQueriesContext(connection) as queries:
        rows_waiting(alice, timezone.localdate())
    (statement,) = queries
    assert statement["sql"].startswith("WITH ids_0(id) AS MATERIALIZED ")
    # Owner, keeper and substitute are the three ways to play a side.
    assert statement["sql"].count('."substitute_id" = "clubs_membership"."id"') <= 2


@pytest.mark.postgres
def test_other_statements_are_planned_as_before():
    def mode() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW plan_cache_mode")
            return str(cursor.fetchone()[0])

    with planned_once(connection) as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("force_generic_plan",)
    assert mode() == "auto"
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        planned_once(connection) as cursor,
    ):
        cursor.execute("SELECT 1 / 0")
    assert mode() == "auto"


@partial(CompiledIds, others=("faction", "owner"))
def first_warbands(user: User):
    rows = Warband.objects.filter(owner=user.pk).order_by("-name")
    return rows.values("pk", "faction", "owner")[:1]


def test_other_columns_come_from_the_same_rows(alice: User, bob: User):
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    assert list(Warband.objects.filter(pk__in=first_warbands(alice))) == [guards]
    owners = User.objects.filter(pk__in=first_warbands(bob, "owner"))
    assert list(owners) == [bob]
    rows = Warband.objects.filter(
        pk__in=first_warbands(bob), faction__in=first_warbands(bob, "faction")
    )
    assert list(rows) == [haufen]
    sql, values = compiled_sharing_ids(rows.values("name").query.sql_with_params, connection)
    assert sql.startswith("WITH ids_0(id, faction, owner) AS MATERIALIZED ")
    assert sql.count(" AS MATERIALIZED ") == 1
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.fetchall() == [(haufen.name,)]
