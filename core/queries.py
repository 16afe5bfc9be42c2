"""Database queries that read no more than they need.

``ids_of_any`` finds rows that belong to a user for one of several reasons. An OR over columns of
several tables cannot use their indexes and reads the whole table; a UNION uses one index after
another. ``JsonProjection`` reads a part of a long JSON column.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast


def ids_of_any(first: QuerySet[Any, Any], *others: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """Return the ids in any of these querysets, for `pk__in=`.

    A queryset of rows gives their ids; one of ``values`` gives its only column.
    """
    ids = _ids(first)
    return ids.union(*map(_ids, others)) if others else ids


def _ids(rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    rows = rows.order_by()
    return rows if rows.query.values_select else rows.values("pk")


class JsonProjection(Cast):
    """A JSON column as text, reduced to what concerns one fighter.

    PostgreSQL builds the part with the SQL of ``cut``, from the column (``{0}``) and the variables
    of its paths (``{1}``, in which ``$fighter`` is the fighter's id). SQLite returns the whole
    column, because it reads a file faster than it parses JSON. Code that decodes the text must
    therefore look for the fighter again.
    """

    def __init__(self, column: str, cut: str, fighter: UUID) -> None:
        super().__init__(column, TextField())
        self.cut, self.fighter = cut, fighter

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        """Return the SQL of the reduced column. The column has no parameters of its own."""
        column, _ = compiler.compile(self.source_expressions[0])
        variables = "jsonb_build_object('fighter', %s::text)"
        expression = self.cut.format(column, variables)
        return f"CAST({expression} AS text)", (str(self.fighter),) * expression.count(variables)
