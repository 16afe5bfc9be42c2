"""Queries whose SQL is built once.

Django builds the SQL of a queryset again for each request, which often takes several times as long
as running it. The queries of a page differ only in two values: the key in its address, and its
reader. So their SQL can be built once with placeholders, which each request replaces.
"""

import copy
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db import connections, models
from django.db.models import Expression, Model, QuerySet
from django.db.transaction import TransactionManagementError
from msgspec import Struct

from core import users
from core.prepared_statements import planning_once, with_constants
from core.replica import reading_database

Row = TypeVar("Row")
Reader = users.User | AnonymousUser
ANY_KEY = UUID("ffffffff-ffff-4fff-bfff-fffffffffffe")
"""The placeholder for the key."""
ANYBODY = User(pk=-7)
"""The placeholder for a reader who is signed in."""
LONG = 1500
"""Planning a statement with at least so many characters takes longer than running it."""
NOBODY = AnonymousUser()
"""A reader who is not signed in. Queries for such readers are built separately."""


class Values(Struct, frozen=True):
    """The values of a statement, some of which each request replaces."""

    values: tuple[Any, ...]
    keys: frozenset[int]
    """The positions of the placeholder for the key."""
    readers: frozenset[int]
    """The positions of the placeholder for the reader's id."""

    @classmethod
    def of(cls, values: Sequence[Any]) -> "Values":
        """Return the values of a statement that was built with placeholders."""
        texts = [str(each).replace("-", "") for each in values]
        keys = (place for place, text in enumerate(texts) if text == ANY_KEY.hex)
        readers = (place for place, value in enumerate(values) if value == ANYBODY.pk)
        return cls(tuple(values), frozenset(keys), frozenset(readers))

    def filled(self, connection: Any, key: UUID | str | None, reader: int | None) -> list[Any]:
        """Return the values with the key and the reader's id. Raise ValueError without a key."""
        values = list(self.values)
        if self.keys:
            if key is None:
                raise ValueError("The address of this page has no key.")
            own = key.hex if isinstance(key, UUID) and connection.vendor == "sqlite" else key
            for place in self.keys:
                values[place] = own
        # No user has the placeholder's id: without a reader, the condition fits no row.
        if reader is not None:
            for place in self.readers:
                values[place] = reader
        return values


class _Compiled(Struct, frozen=True):
    """A queryset, its compiler after it has built the SQL, and the SQL with its values."""

    rows: QuerySet[Any, Any]
    compiler: Any
    sql: str
    values: Values
    locks: bool
    """True if it locks its rows. Django checks for a transaction only when it builds the SQL."""


class CompiledQuery(Generic[Row]):
    """The rows of a queryset for a key and a reader.

    ``build`` returns the queryset. It is called with placeholders, once for readers who are signed
    in and once for others, so it must not make decisions with the key or the reader's id.
    Prefetches are not compiled (see ``set_related``). ``database`` is the alias of the database to
    read from; by default that of the request (``core.replica``). A long statement is planned once
    (``core.prepared_statements``), and with ``plan_once`` a short one, too: use it for statements
    that requests make before a long one, as changing how statements are planned is one more.
    """

    def __init__(
        self,
        build: Callable[[UUID, Reader], QuerySet[Any, Row]],
        *,
        database: str = "",
        plan_once: bool = False,
    ) -> None:
        self.build, self.database, self.plan_once = build, database, plan_once
        self._compiled: dict[tuple[str, bool], _Compiled] = {}

    def rows(
        self,
        key: UUID | str,
        user: Reader = NOBODY,
        fill_text: Callable[[str], str] | None = None,
    ) -> list[Row]:
        """Return the rows. One query.

        ``fill_text`` gets each value that is text, and returns it with the caller's own
        placeholders replaced.
        """
        connection = connections[self.database or reading_database()]
        compiled = self._compiled_for(connection, signed_in=user.is_authenticated)
        if compiled.locks and connection.get_autocommit():
            raise TransactionManagementError("Rows can be locked inside a transaction only.")
        values = compiled.values.filled(connection, key, user.pk)
        if fill_text:
            values = [fill_text(each) if isinstance(each, str) else each for each in values]
        # The compiler turns columns into objects. Threads share it, so each call uses a copy with
        # its own connection. Django asks a query for its compiler, and the compiler for SQL: both
        # return what was built before.
        compiler = copy.copy(compiled.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda *_, **__: (compiled.sql, values)
        rows = compiled.rows.all()
        rows.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        if len(compiled.sql) < LONG and not self.plan_once:
            return list(rows)
        with planning_once(connection):
            return list(rows)

    def first(self, key: UUID | str, user: Reader = NOBODY) -> Row | None:
        """Return the first row, or None. One query."""
        return next(iter(self.rows(key, user)), None)

    def _compiled_for(self, connection: Any, *, signed_in: bool) -> _Compiled:
        kind = connection.vendor, signed_in
        if kind not in self._compiled:
            # Many statements use this SQL, so it must not refer to the WITH clause of the statement
            # that is being built at the moment (``compiled_sharing_ids``).
            token = _shared.set(None)
            try:
                rows = self.build(ANY_KEY, ANYBODY if signed_in else NOBODY)
                compiler = rows.query.get_compiler(connection=connection)
                sql, values = with_constants(*compiler.as_sql())
            finally:
                _shared.reset(token)
            _remember_converters(compiler)
            locks = rows.query.select_for_update and connection.features.has_select_for_update
            self._compiled[kind] = _Compiled(rows, compiler, sql, Values.of(values), locks)
        return self._compiled[kind]


def _remember_converters(compiler: Any) -> None:
    """Let a compiler remember how to convert its columns: Django asks each column for each query.

    Converters depend on the kind of database only, and get the connection with each value.
    """
    columns = [column for column, *_ in compiler.select]
    converters = compiler.get_converters(columns)
    has_composites = compiler.has_composite_fields(columns)
    compiler.get_converters = lambda _: converters
    compiler.has_composite_fields = lambda _: has_composites


class CompiledIds:
    """A subquery of ids that depend on a user, such as all battles that the user may see.

    Use it as a decorator of a function that returns a queryset of ids for a user who is signed in,
    and its result in ``pk__in=``. The SQL is built once: the function is called with a placeholder,
    so it must not make decisions with the user's id, and must not refer to an outer query.

    ``others`` are more ``values`` of the queryset after "pk", such as "subject": ``column`` selects
    one of them.
    """

    def __init__(
        self, build: Callable[[Any], QuerySet[Any, Any]], *, others: Sequence[str] = ()
    ) -> None:
        self.build, self.others = build, others
        self._compiled: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def __call__(self, user: Any, column: str = "") -> Any:
        """Return the subquery for a user who is signed in."""
        return _IdsOfUser(self, user.pk, column)

    def sql(self, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL for the placeholder, and its values."""
        if connection.vendor not in self._compiled:
            # Many statements use this SQL: see ``CompiledQuery``.
            token = _shared.set(None)
            try:
                query = self.build(ANYBODY).query
                sql, values = with_constants(*query.get_compiler(connection=connection).as_sql())
            finally:
                _shared.reset(token)
            self._compiled[connection.vendor] = sql, values
        return self._compiled[connection.vendor]


class _IdsOfUser(Expression):
    """A subquery of ``CompiledIds`` for one user."""

    def __init__(self, ids: CompiledIds, user_id: int, column: str = "") -> None:
        super().__init__(output_field=models.UUIDField())
        self.ids, self.user_id, self.column = ids, user_id, column

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL in parentheses, and its values with the id of the user."""
        shared = _shared.get()
        if shared is not None:
            column = self.column or "id"
            return f"(SELECT {column} FROM {shared.name_of(self)})", ()  # noqa: S608 - names of ours
        sql, values = self.sql(connection)
        if self.ids.others:
            sql = f"(SELECT {self.column or 'pk'} FROM {sql} ids)"  # noqa: S608 - names of ours
        return sql, values

    def sql(self, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL of all columns in parentheses, and its values with the id of the user."""
        sql, values = self.ids.sql(connection)
        return f"({sql})", tuple(self.user_id if value == ANYBODY.pk else value for value in values)


class _SharedIds:
    """The ``CompiledIds`` of one statement, which the database computes once, in a WITH clause."""

    def __init__(self) -> None:
        self.names: dict[tuple[CompiledIds, int], str] = {}

    def name_of(self, ids: _IdsOfUser) -> str:
        """Return the name of a subquery in the WITH clause. A new one is added."""
        return self.names.setdefault((ids.ids, ids.user_id), f"ids_{len(self.names)}")

    def clause(self, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the WITH clause and its values; "" if the statement has no such subquery."""
        parts: list[str] = []
        values: list[Any] = []
        for (ids, user_id), name in self.names.items():
            sql, own_values = _IdsOfUser(ids, user_id).sql(connection)
            columns = ", ".join(("id", *ids.others))
            parts.append(f"{name}({columns}) AS MATERIALIZED {sql}")
            values += own_values
        return f"WITH {', '.join(parts)} " if parts else "", tuple(values)


_shared: ContextVar[_SharedIds | None] = ContextVar("shared_ids", default=None)
"""The shared subqueries of the statement that is being built, or None."""


def compiled_sharing_ids(
    build: Callable[[], tuple[str, Sequence[Any]]], connection: Any
) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL and the values that ``build`` returns, after a WITH clause for shared ids.

    A long statement often needs the same ``CompiledIds`` in many places, and PostgreSQL would plan
    and compute them in each place. Here each is computed once, in the WITH clause.
    """
    shared = _SharedIds()
    token = _shared.set(shared)
    try:
        sql, values = build()
    finally:
        _shared.reset(token)
    clause, first_values = shared.clause(connection)
    return f"{clause}{sql}", (*first_values, *values)


def set_related(row: Model, name: str, rows: Sequence[Any]) -> None:
    """Set the related rows of a row, as a prefetch does: ``row.<name>.all()`` makes no query."""
    related: models.Manager[Any] = getattr(row, name)
    loaded: Any = related.get_queryset()
    loaded._result_cache = list(rows)
    loaded._prefetch_done = True
    cached: Any = row
    cached.__dict__.setdefault("_prefetched_objects_cache", {})[name] = loaded
