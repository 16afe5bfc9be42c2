"""The database itself refuses to change or delete an entry of the chronicle."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLE = "warbands_chronicleentry"
REFUSAL = "the chronicle is append-only"

POSTGRES = f"""
CREATE FUNCTION chronicle_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$;
CREATE TRIGGER chronicle_no_update BEFORE UPDATE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION chronicle_refuse();
CREATE TRIGGER chronicle_no_delete BEFORE DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION chronicle_refuse();
"""
POSTGRES_BACK = f"""
DROP TRIGGER chronicle_no_update ON {TABLE};
DROP TRIGGER chronicle_no_delete ON {TABLE};
DROP FUNCTION chronicle_refuse();
"""
SQLITE = (
    f"CREATE TRIGGER chronicle_no_update BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER chronicle_no_delete BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
SQLITE_BACK = ("DROP TRIGGER chronicle_no_update", "DROP TRIGGER chronicle_no_delete")


def refuse_changes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Set the triggers, in the words of the database in use."""
    _run(schema_editor, POSTGRES, SQLITE)


def allow_changes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again."""
    _run(schema_editor, POSTGRES_BACK, SQLITE_BACK)


def _run(schema_editor: BaseDatabaseSchemaEditor, postgres: str, sqlite: tuple[str, ...]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in (postgres,) if schema_editor.connection.vendor == "postgresql" else sqlite:
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("warbands", "0001_tables")]
    operations = [migrations.RunPython(refuse_changes, allow_changes)]
