"""The number of rows that PostgreSQL reads for a request, by statement."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection, transaction


class Reads(dict[str, int]):
    """Rows that were read, by statement. A repeated statement counts each time."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the statements inside the block."""
        statements: list[tuple[str, Any]] = []

        def note(
            execute: Callable[..., Any],
            sql: str,
            params: Any,
            many: bool,
            context: Mapping[str, Any],
        ) -> Any:
            statements.append((sql, params))
            if sql.startswith(("UPDATE", "DELETE")) and not many:
                # Explain the statement first: after a write it would find nothing.
                self[sql] = self.get(sql, 0) + rows_of(sql, params)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            yield
        for sql, params in statements:
            if sql.lstrip("( ").startswith("SELECT"):
                self[sql] = self.get(sql, 0) + rows_of(sql, params)


def rows_of(sql: str, params: Any) -> int:
    """Return the rows that the scans of a statement read, with a plan for large tables.

    A test's table has some forty pages. For it, reading all pages for a hash or merge join is
    slightly cheaper than looking up a few rows, and the order of rows on disk decides. This is
    never so for large tables, so such plans are disabled.
    """
    with transaction.atomic(), psycopg.ClientCursor(connection.connection) as cursor:
        for method in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{method} = off")
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
        row = cursor.fetchone()
        # A write has been executed by EXPLAIN ANALYZE, so roll it back.
        transaction.set_rollback(True)
    assert row is not None
    return round(_rows(row[0][0]["Plan"]))


def _rows(plan: Mapping[str, Any]) -> float:
    inner = sum(_rows(each) for each in plan.get("Plans", ()))
    if "Scan" not in plan["Node Type"]:
        return inner
    passed = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
    rows = plan["Actual Rows"] if "Bitmap Heap" not in plan["Node Type"] else 0
    return inner + plan["Actual Loops"] * (rows + sum(plan.get(name, 0) for name in passed))
