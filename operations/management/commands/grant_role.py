"""`manage.py grant_role NAME`: create the PostgreSQL role that Muster uses, which owns nothing."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from psycopg import sql

APPEND_ONLY = ("warbands_chronicleentry", "audit_auditentry")
"""Tables that the role may read and append to, but not change or delete from."""
LOSSES = ("NOCREATEDB", "NOCREATEROLE", "NOBYPASSRLS")
"""Options that remove privileges which the role must not have."""
GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "
    "{role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}",
    f"REVOKE UPDATE, DELETE, TRUNCATE ON {', '.join(APPEND_ONLY)} FROM {{role}}",
)


class Command(BaseCommand):
    """A command for the owner of the tables, to run after the migrations."""

    help = (
        "Create or update the PostgreSQL role for Muster. It can read and write rows, and owns "
        "nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the role and its password."""
        parser.add_argument("role")
        parser.add_argument(
            "--password-file", type=Path, help="a file with the password (default: no password)"
        )

    def handle(self, *, role: str, password_file: Path | None, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Roles need PostgreSQL.")
        password = password_file.read_text(encoding="utf-8").strip() if password_file else ""
        grant_role(role, password)
        self.stdout.write(f"{role} can read and write rows, and owns nothing.")


@transaction.atomic
def grant_role(role: str, password: str) -> None:
    """Create the role if it is missing and grant it access to rows, not to tables and triggers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname "
            "= %s",
            [role],
        )
        row = cursor.fetchone()
        if row and row[0]:
            raise CommandError(
                f"{role} is a superuser, which cannot be restricted. Choose another role."
            )
        name = sql.Identifier(role)
        verb = sql.SQL("ALTER" if row else "CREATE")
        secret = sql.SQL("PASSWORD {}").format(sql.Literal(password)) if password else sql.SQL("")
        # Only a superuser may remove privileges that the role does not have, and this must also
        # work for an owner with CREATEROLE.
        has = row[1:] if row else (False, False, False)
        lost = sql.SQL(" ".join(word for word, held in zip(LOSSES, has, strict=True) if held))
        for statement in (
            sql.SQL("{} ROLE {} LOGIN {} {}").format(verb, name, lost, secret),
            *(sql.SQL(each).format(role=name) for each in GRANTS),
        ):
            cursor.execute(statement.as_string(cursor.connection))
