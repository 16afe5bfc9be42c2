"""Bare SQL: the floor of all reads and writes, through the driver's own connection."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from django.db import connection, models
from msgspec import Struct


class Statement(Struct, frozen=True):
    """SQL with `%s` for its values, and the values as the driver takes them."""

    sql: str
    values: tuple[Any, ...] = ()


@contextmanager
def bare_connection() -> Iterator[Any]:
    """Yield a connection of the driver to the database that Django uses.

    Only ``write`` commits.
    """
    facts = connection.settings_dict
    if connection.vendor == "postgresql":
        kwargs = {
            "host": facts["HOST"],
            "port": facts["PORT"],
            "user": facts["USER"],
            "dbname": facts["NAME"],
        }
        with psycopg.connect(**kwargs, password=facts["PASSWORD"]) as bare:
            yield bare
    else:
        yield from _bare_sqlite(facts)


def _bare_sqlite(facts: dict[str, Any]) -> Iterator[Any]:
    with closing(sqlite3.connect(facts["NAME"], isolation_level=None)) as bare:
        bare.executescript(facts["OPTIONS"]["init_command"])
        yield bare


def write(bare: Any, statements: Sequence[Statement]) -> None:
    """Run the statements in one transaction, and commit."""
    cursor = bare.cursor()
    if connection.vendor == "sqlite":
        cursor.execute("BEGIN IMMEDIATE")
    for statement in statements:
        cursor.execute(statement.sql, statement.values)
    bare.commit()


def read(bare: Any, statements: Sequence[Statement]) -> int:
    """Run the statements, fetch all rows, and return their number."""
    cursor = bare.cursor()
    # Without values the driver does not interpret percent signs, which a search contains.
    queries = [(each.sql, each.values) if each.values else (each.sql,) for each in statements]
    return sum(len(cursor.execute(*each).fetchall()) for each in queries)


def insert(rows: Sequence[models.Model], *, without: Sequence[str] = ()) -> Statement:
    """Return one INSERT of all rows of a model, without columns that the database fills in."""
    fields = [field for field in rows[0]._meta.concrete_fields if field.attname not in without]
    marks = f"({', '.join(['%s'] * len(fields))})"
    columns = ", ".join(f'"{field.column}"' for field in fields)
    table, values = rows[0]._meta.db_table, ", ".join([marks] * len(rows))
    sql = f'INSERT INTO "{table}" ({columns}) VALUES {values}'  # noqa: S608
    return _statement(sql, [_value(row, field) for row in rows for field in fields])


def upsert(rows: Sequence[models.Model]) -> Statement:
    """Return one statement that inserts all rows, or replaces those with the same key."""
    inserted = insert(rows)
    columns = [
        f'"{field.column}"' for field in rows[0]._meta.concrete_fields if not field.primary_key
    ]
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    return Statement(f'{inserted.sql} ON CONFLICT ("id") DO UPDATE SET {changes}', inserted.values)


def update(row: models.Model, *names: str) -> Statement:
    """Return an UPDATE of some columns of one row."""
    fields = [field for field in row._meta.concrete_fields if field.attname in names]
    changes = ", ".join(f'"{field.column}" = %s' for field in fields)
    key = row._meta.pk
    values = [_value(row, field) for field in (*fields, key)]
    return _statement(
        f'UPDATE "{row._meta.db_table}" SET {changes} WHERE "{key.column}" = %s',  # noqa: S608
        values,
    )


def _value(row: models.Model, field: Any) -> Any:
    return field.get_db_prep_save(getattr(row, field.attname), connection)


def _statement(sql: str, values: Sequence[Any]) -> Statement:
    return Statement(
        sql.replace("%s", "?") if connection.vendor == "sqlite" else sql, tuple(values)
    )
