"""The database itself refuses to change or delete an entry, and PostgreSQL to empty the table as a whole."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLE = "audit_auditentry"
REFUSAL = "the audit is append-only"
ROWS, STATEMENT = "FOR EACH ROW EXECUTE FUNCTION audit_refuse()", "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()"

POSTGRES = (
    f"""
    CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$
    """,
    f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON {TABLE} {ROWS}",
    f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON {TABLE} {ROWS}",
    f"CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON {TABLE} {STATEMENT}",
)
POSTGRES_BACK = (
    f"DROP TRIGGER audit_no_update ON {TABLE}",
    f"DROP TRIGGER audit_no_delete ON {TABLE}",
    f"DROP TRIGGER audit_no_truncate ON {TABLE}",
    "DROP FUNCTION audit_refuse()",
)
SQLITE = (
    f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
SQLITE_BACK = ("DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete")


def refuse_changes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Set the triggers, in the words of the database in use."""
    _run(schema_editor, POSTGRES, SQLITE)


def allow_changes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again."""
    _run(schema_editor, POSTGRES_BACK, SQLITE_BACK)


def _run(schema_editor: BaseDatabaseSchemaEditor, postgres: tuple[str, ...], sqlite: tuple[str, ...]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in postgres if schema_editor.connection.vendor == "postgresql" else sqlite:
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_entries")]
    operations = [migrations.RunPython(refuse_changes, allow_changes)]
