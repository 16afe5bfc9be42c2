"""The versions of the rows that a page or an answer of the API shows.

A page depends on these rows, on its reader and on its address. While no row has changed, the page
has not changed either (docs/decisions/web.md).

The version of a row is the transaction that wrote it, which PostgreSQL stores in the hidden column
``xmin``. One statement reads the versions of all rows. SQLite has no such column; there, the
content of the rows is compared.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.db import connection, connections
from django.db.models import BigIntegerField, Expression, QuerySet
from msgspec import Struct

from core.compiled_queries import ANY_KEY, ANYBODY, Values, compiled_sharing_ids
from core.prepared_statements import planned_once, with_constants
from core.replica import reading_database

Rows = Sequence[QuerySet[Any]]
Statement = tuple[str, Values]
OF_ROWS = "."
"""The separator of the two parts of an answer's ETag: of everything, and of its rows alone."""


class RowXmin(Expression):
    """The transaction that wrote a row of the queryset's own table. PostgreSQL only."""

    output_field = BigIntegerField()
    alias = ""

    def resolve_expression(self, query: Any = None, *_: Any, **__: Any) -> "RowXmin":
        """Return the expression for the table of the query."""
        resolved: RowXmin = self.copy()
        resolved.alias = query.get_initial_alias()
        return resolved

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[()]]:
        """Return the SQL of the hidden column."""
        return f"{compiler.quote_name_unless_alias(self.alias)}.xmin::text::bigint", ()


OF_READER: list[Callable[[int], Rows]] = []
"""Functions of all apps. Each returns rows about a reader that every page depends on."""


def reader_rows(rows: Callable[[int], Rows]) -> Callable[[int], Rows]:
    """Add querysets for the id of the reader to all pages. Use it as a decorator."""
    OF_READER.append(rows)
    return rows


class Versions(Struct, frozen=True):
    """The versions of the rows of a page: for each queryset, its table and a hash of its versions.

    The hash of a queryset without rows is None. ``server`` is the time at which the database server
    started.
    """

    server: str
    tables: tuple[str, ...]
    hashes: tuple[str | None, ...]

    def without(self, table: str) -> tuple[str | None, ...]:
        """Return the start of the server, and the versions of the rows of all other tables."""
        pairs = zip(self.tables, self.hashes, strict=True)
        return (self.server, *(each for name, each in pairs if name != table))

    def has_rows(self, table: str) -> bool:
        """Return whether any of the rows belongs to this table."""
        pairs = zip(self.tables, self.hashes, strict=True)
        return any(each is not None for name, each in pairs if name == table)


class RowVersions:
    """The rows that a kind of page depends on. Each app can add rows (``add``)."""

    def __init__(self) -> None:
        self.parts: list[Callable[[UUID, int], Rows]] = []
        self._compiled: dict[tuple[str, bool], list[Statement]] = {}
        self._names: dict[bool, tuple[str, ...]] = {}

    def add(self, rows: Callable[[UUID, int], Rows]) -> Callable[[UUID, int], Rows]:
        """Add querysets for the key in the page's address and the id of its reader.

        Use it as a decorator. The function is called once, with placeholders, so it must not make
        decisions with these values.
        """
        self.parts.append(rows)
        return rows

    def read(self, key: UUID | None, reader: int | None) -> "Versions":
        """Return the versions of the rows. One query on PostgreSQL.

        They are read from the server that the page is read from: a replica may be behind.
        """
        connection = connections[reading_database()]
        signed_in = reader is not None
        if not self._tables(signed_in):
            return Versions(server="", tables=(), hashes=())
        server, hashes = "", list[str | None]()
        with planned_once(connection) as cursor:
            for statement, values in self._statements(connection.vendor, signed_in=signed_in):
                cursor.execute(statement, values.filled(connection, key, reader))
                rows = cursor.fetchall()
                if connection.vendor == "postgresql":
                    server, *hashes = rows[0]
                else:
                    content = hashlib.sha256(repr(rows).encode()).hexdigest()
                    hashes.append(content if rows else None)
        return Versions(server=server, tables=self._tables(signed_in), hashes=tuple(hashes))

    def tables(self) -> set[str]:
        """Return the names of the tables whose rows are compared."""
        return set(self._tables(signed_in=True))

    def _tables(self, signed_in: bool) -> tuple[str, ...]:
        if signed_in not in self._names:
            querysets = self._querysets(signed_in=signed_in)
            self._names[signed_in] = tuple(rows.model._meta.db_table for rows in querysets)
        return self._names[signed_in]

    def _querysets(self, *, signed_in: bool) -> list[QuerySet[Any]]:
        of_page = [rows for part in self.parts for rows in part(ANY_KEY, ANYBODY.pk)]
        of_reader = [rows for part in OF_READER for rows in part(ANYBODY.pk)]
        return of_page + (of_reader if signed_in else [])

    def _statements(self, vendor: str, *, signed_in: bool) -> list[Statement]:
        kind = vendor, signed_in
        if kind not in self._compiled:
            build = _versions if vendor == "postgresql" else _contents
            self._compiled[kind] = build(self._querysets(signed_in=signed_in))
        return self._compiled[kind]


NO_ROWS = RowVersions()
"""For pages that show no rows except those about their reader, such as the name in the header."""


def _versions(querysets: Rows) -> list[Statement]:
    """Return one statement with a column for each queryset: a hash of its rows' versions.

    It is the number of rows and the sum of a hash of each, in any order: sorting a thousand rows
    takes longer than reading them. The version of a row is the seed of the hash of its key, as the
    hash of a record with both would be linear: its sum would not depend on which row has which
    version. The first column is the start of the server, because numbers of transactions mean
    something on one server only: one with a restored backup counts again from the beginning.
    """

    def build() -> tuple[str, Sequence[Any]]:
        columns = ["pg_postmaster_start_time()::text"]
        values: list[Any] = []
        for rows in querysets:
            versions = rows.order_by().values_list("pk", RowXmin())
            statement, parameters = versions.query.sql_with_params()
            columns.append(
                "(SELECT count(*) || ':' || "  # noqa: S608
                "sum(hash_record_extended(ROW(row_key), row_version)) "
                f"FROM ({statement}) versions(row_key, row_version))"
            )
            values += parameters
        return f"SELECT {', '.join(columns)}", values

    statement, values = with_constants(*compiled_sharing_ids(build, connection))
    return [(statement, Values.of(values))]


def _contents(querysets: Rows) -> list[Statement]:
    """Return a statement for each queryset, which reads the content of its rows. For SQLite."""
    statements: list[Statement] = []
    for rows in querysets:
        columns = [field.attname for field in rows.model._meta.concrete_fields]
        statement, values = rows.order_by("pk").values_list(*columns).query.sql_with_params()
        statements.append((statement, Values.of(values)))
    return statements
