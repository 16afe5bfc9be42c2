"""Writing rows over their own by the dozen, as the projections of chronicles are written after every battle."""

from collections.abc import Sequence

from django.db import DEFAULT_DB_ALIAS, connections, models


def upsert_rows(rows: Sequence[models.Model], columns: Sequence[str]) -> None:
    """Insert rows of one model that bring their keys; where one stands, write these columns over its own.

    One statement, or as few as the database takes. ``bulk_create`` asks of each value whether it is an expression,
    which takes longer than to prepare it.
    """
    if not rows:
        return
    connection = connections[DEFAULT_DB_ALIAS]
    meta, quoted = rows[0]._meta, connection.ops.quote_name
    fields = meta.concrete_fields
    names = ", ".join(quoted(str(field.column)) for field in fields)
    changed = ", ".join(f"{name} = EXCLUDED.{name}" for name in map(quoted, columns))
    start, end = f"INSERT INTO {quoted(meta.db_table)} ({names}) VALUES", f'ON CONFLICT ("id") DO UPDATE SET {changed}'
    marks = f"({', '.join(['%s'] * len(fields))})"
    prepared = [(field.attname, field.get_db_prep_save) for field in fields]
    size = max(connection.ops.bulk_batch_size(fields, rows), 1)
    with connection.cursor() as cursor:
        for first in range(0, len(rows), size):
            batch = rows[first : first + size]
            values = [prepare(getattr(row, name), connection) for row in batch for name, prepare in prepared]
            cursor.execute(f"{start} {', '.join([marks] * len(batch))} {end}", values)
