"""Prepared statements, which PostgreSQL plans once for each connection.

``prepare_threshold`` (config.settings) turns them on. But PostgreSQL still plans a prepared
statement again for each execution, as long as it expects that a plan for the actual values is
faster. Planning a long statement over many tables takes ten times as long as running it, so such
statements get one plan for all values (``planned_once``).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any

from django.db.backends.utils import CursorWrapper
from psycopg import _queries

MAX_PREPARED = 500
"""The number of prepared statements that a connection keeps. The pages use more than psycopg's
default of 100."""
MAX_LENGTH, MAX_VALUES = 50_000, 200
"""The longest statement of which psycopg remembers the placeholders, and the most values."""
PLACEHOLDER = re.compile(r"(?<!%)%s")
CONSTANT = re.compile("[a-z]+([_-][a-z]+)*")
"""Matches the keys of states, kinds and roles. SQL can contain them as they are."""


def remember_placeholders() -> None:
    """Let psycopg remember where the placeholders of a statement are.

    By default it does so for 128 statements of at most 4,096 letters, and reads all others again
    for each request. The pages use hundreds, and the longest has 25,000.
    """
    _queries.MAX_CACHED_STATEMENT_LENGTH = MAX_LENGTH
    _queries.MAX_CACHED_STATEMENT_PARAMS = MAX_VALUES
    _queries._query2pg = lru_cache(MAX_PREPARED)(_queries._query2pg_nocache)


def set_up_planning(connection: Any, **_: Any) -> None:
    """Set how a new connection plans its statements. Receives `connection_created`."""
    if is_prepared(connection):
        connection.connection.prepared_max = MAX_PREPARED
        # PostgreSQL compiles a statement (JIT) if it expects it to run for long. For a search
        # that took 0.6 s, and the statement itself 0.07 s.
        connection.connection.execute("SET jit = off")


def planning_once(connection: Any) -> AbstractContextManager[None]:
    """Let PostgreSQL plan the statements of a block once, whatever their values.

    Use it for long statements that find few rows by keys, for which the values do not matter. It
    has no effect on SQLite, or behind a pooler.
    """
    prepared: AbstractContextManager[None] = (
        connection.planning_once() if is_prepared(connection) else nullcontext()
    )
    return prepared


@contextmanager
def planned_once(connection: Any) -> Iterator[CursorWrapper]:
    """Yield a cursor whose statements PostgreSQL plans once. See ``planning_once``."""
    with planning_once(connection), connection.cursor() as cursor:
        yield cursor


def with_constants(statement: str, values: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """Return a statement with its constants written into it, and the other values.

    Constants are numbers and texts such as "public" or "confirmed", never input. In a plan for all
    values, PostgreSQL would otherwise not know how rare they are, and could not use an index that
    has only the rows with them. Placeholders for numbers are negative.
    """
    first, *others = PLACEHOLDER.split(statement)
    remaining: list[Any] = []
    for value, text in zip(values, others, strict=True):
        if isinstance(value, str) and CONSTANT.fullmatch(value):
            first += f"'{value}'{text}"
        elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            first += f"{int(value)}{text}"
        else:
            first += f"%s{text}"
            remaining.append(value)
    return first, tuple(remaining)


def is_prepared(connection: Any) -> bool:
    """Return whether a connection prepares the statements that it repeats."""
    options = connection.settings_dict.get("OPTIONS", {})
    return connection.vendor == "postgresql" and bool(options.get("prepare_threshold"))
