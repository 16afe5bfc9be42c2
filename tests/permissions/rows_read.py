"""How many rows the database has to look at for a request, statement by statement, as PostgreSQL
counts them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection, transaction


class Reads(dict[str, int]):
    """Rows that were looked at, by statement. One that is asked several times counts each time."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is asked meanwhile."""
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
                # Afterwards it would find nothing.
                self[sql] = self.get(sql, 0) + rows_of(sql, params)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            yield
        for sql, params in statements:
            if sql.lstrip("( ").startswith("SELECT"):
                self[sql] = self.get(sql, 0) + rows_of(sql, params)


def rows_of(sql: str, params: Any) -> int:
    """The rows that its scans found or passed by, in the plan for tables that are too large to be
    read as a whole.

    A table of a test has some forty pages. Reading all of them for a hash or a merge is cheaper
    there than looking up a few rows, by an amount so small that the order of rows on disk decides.
    With large tables it never is.
    """
    with transaction.atomic(), psycopg.ClientCursor(connection.connection) as cursor:
        for method in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{method} = off")
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
        row = cursor.fetchone()
        # A statement that writes has done so.
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
