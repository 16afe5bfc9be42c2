"""The database has the triggers and indexes that migrations make by hand, on PostgreSQL and SQLite."""

import pytest
from django.db import DatabaseError, connection, transaction

pytestmark = pytest.mark.django_db

APPEND_ONLY = {"audit_auditentry": "audit", "warbands_chronicleentry": "chronicle"}
WORDS = (
    "battles_battle_words",
    "campaigns_campaign_words",
    "clubs_club_words",
    "clubs_membership_words",
    "warbands_fighter_words",
    "warbands_warband_words",
)
ACCOUNTS = (
    "account_by_date_joined",
    "account_by_email",
    "account_by_first_name",
    "account_by_last_name",
    "account_by_username",
    "address_by_email",
)


def names(sql: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return {name for (name,) in cursor.fetchall()}


def test_append_only_tables_have_their_triggers() -> None:
    verbs = ["update", "delete"]
    if connection.vendor == "postgresql":
        verbs.append("truncate")
        triggers = names("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
    else:
        triggers = names("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    assert triggers == {f"{name}_no_{verb}" for name in APPEND_ONLY.values() for verb in verbs}


@pytest.mark.postgres
def test_append_only_tables_cannot_be_emptied() -> None:
    for table, name in APPEND_ONLY.items():
        refusal = pytest.raises(DatabaseError, match=f"the {name} is append-only")
        with refusal, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")


def test_indexes_made_by_hand_exist() -> None:
    if connection.vendor == "postgresql":
        indexes = names("SELECT indexname FROM pg_indexes WHERE schemaname = 'public'")
        assert {*WORDS, *ACCOUNTS} <= indexes
    else:
        indexes = names("SELECT name FROM sqlite_master WHERE type = 'index'")
        assert "account_by_date_joined" in indexes
