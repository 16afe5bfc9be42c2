"""Database objects that migrations create by hand: triggers for append-only tables, and word
indexes."""

from typing import Any

from django.db.migrations import RunPython


def append_only(table: str, name: str) -> RunPython:
    """Return a migration operation that makes a table append-only in the database.

    The database then refuses to change or delete a row. PostgreSQL also refuses TRUNCATE, which
    fires no row triggers; SQLite has no TRUNCATE. ``name`` is the prefix of the triggers' names and
    part of the error: "the <name> is append-only".
    """
    refusal = f"the {name} is append-only"
    row, statement = (
        f"FOR EACH {each} EXECUTE FUNCTION {name}_refuse()" for each in ("ROW", "STATEMENT")
    )
    postgres = (
        f"CREATE FUNCTION {name}_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN RAISE EXCEPTION '{refusal}' USING ERRCODE = 'restrict_violation'; END $$",
        f"CREATE TRIGGER {name}_no_update BEFORE UPDATE ON {table} {row}",
        f"CREATE TRIGGER {name}_no_delete BEFORE DELETE ON {table} {row}",
        f"CREATE TRIGGER {name}_no_truncate BEFORE TRUNCATE ON {table} {statement}",
    )
    sqlite = (
        f"CREATE TRIGGER {name}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, "
        f"'{refusal}'); END",
        f"CREATE TRIGGER {name}_no_delete BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, "
        f"'{refusal}'); END",
    )

    def create(apps: Any, editor: Any) -> None:
        with editor.connection.cursor() as cursor:
            for sql in postgres if editor.connection.vendor == "postgresql" else sqlite:
                cursor.execute(sql)

    def drop(apps: Any, editor: Any) -> None:
        # Dropping a table drops its triggers, but on PostgreSQL their function remains.
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP FUNCTION {name}_refuse() CASCADE")

    return RunPython(create, drop)


def word_indexes(*tables: str) -> RunPython:
    """Return the operation that indexes the words of each table's column ``folded`` on
    PostgreSQL."""

    def create(apps: Any, editor: Any) -> None:
        for table in tables if editor.connection.vendor == "postgresql" else ():
            editor.execute(
                f"CREATE INDEX {table}_words ON {table} USING gin (to_tsvector('simple', folded))"
            )

    return RunPython(create, RunPython.noop)
