"""The role as which Muster works on a club's server reads and writes rows, and cannot switch off
what guards them."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from operations.management.commands import grant_role

ROLE = "muster_of_a_test"
REFUSED = (
    "UPDATE warbands_chronicleentry SET kind = 'left'",
    "DELETE FROM warbands_chronicleentry",
    "TRUNCATE warbands_chronicleentry",
    "UPDATE audit_auditentry SET verb = ''",
    "DELETE FROM audit_auditentry",
    "TRUNCATE audit_auditentry",
    "ALTER TABLE warbands_chronicleentry DISABLE TRIGGER USER",
    "DROP TRIGGER chronicle_no_update ON warbands_chronicleentry",
    "DROP TABLE battles_battle CASCADE",
    "SET session_replication_role = replica",
)


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_role_of_the_application_cannot_touch_the_triggers_and_is_no_superuser(
    tmp_path: Path,
) -> None:
    file = tmp_path / "password"
    file.write_text("it's secret\n")
    for _ in range(2):
        call_command("grant_role", ROLE, password_file=file)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = %s", [ROLE]
        )
        assert cursor.fetchone() == (False, False, False)
        cursor.execute(f"SET LOCAL ROLE {ROLE}")
        cursor.execute("INSERT INTO auth_group (name) VALUES ('Swords')")
        cursor.execute("UPDATE auth_group SET name = 'Pikes'")
        cursor.execute("SELECT count(*) FROM warbands_chronicleentry")
        for statement in REFUSED:
            with (
                pytest.raises(DatabaseError, match=r"permission denied|must be owner"),
                transaction.atomic(),
            ):
                cursor.execute(statement)


@pytest.mark.postgres
@pytest.mark.django_db
def test_an_owner_who_is_no_superuser_can_renew_the_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An owner with CREATEROLE is enough, as on a server without containers."""
    monkeypatch.setattr(grant_role, "GRANTS", ())
    file = tmp_path / "password"
    file.write_text("secret")
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE owner_of_a_test CREATEROLE NOSUPERUSER")
        cursor.execute("SET LOCAL ROLE owner_of_a_test")
        for _ in range(2):
            call_command("grant_role", ROLE, password_file=file)
        cursor.execute("RESET ROLE")


@pytest.mark.postgres
@pytest.mark.django_db
def test_privileges_that_the_role_had_are_taken_away() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {ROLE} CREATEDB CREATEROLE BYPASSRLS")
        call_command("grant_role", ROLE)
        cursor.execute(
            "SELECT rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = %s",
            [ROLE],
        )
        assert cursor.fetchone() == (False, False, False)


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_superuser_is_not_taken_for_the_role_of_the_application() -> None:
    with pytest.raises(CommandError, match="superuser"):
        call_command("grant_role", connection.settings_dict["USER"])


def test_the_containers_work_as_a_role_that_does_not_own_the_tables() -> None:
    compose: dict[str, Any] = yaml.safe_load(
        (Path(settings.BASE_DIR) / "docker-compose.yml").read_text()
    )
    services = compose["services"]
    owner = services["database"]["environment"]["POSTGRES_USER"]
    for name in ("web", "worker", "beat", "backup"):
        assert f"//{owner}@" not in services[name]["environment"]["DATABASE_URL"]
        assert "database_password" not in services[name]["secrets"]
    assert f"//{owner}@" in services["migrate"]["environment"]["DATABASE_URL"]
    assert "grant_role muster_app" in services["migrate"]["command"][-1]
