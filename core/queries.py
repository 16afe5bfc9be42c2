"""Questions to the database that read no more than they need.

``ids_of_any`` finds rows that belong to a user for one of several reasons: an OR over columns of
several tables cannot use their indexes and reads the whole table, a UNION asks one index after the
other. ``JsonProjection`` reads a part of a long JSON column.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast


def ids_of_any(first: QuerySet[Any, Any], *others: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """The ids in any of these lists, for `pk__in=`. A list of rows gives their ids, one of values
    its only column."""
    return _ids(first).union(*map(_ids, others))


def _ids(rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    rows = rows.order_by()
    return rows if rows.query.values_select else rows.values("pk")


class JsonProjection(Cast):
    """A column of JSON as text, without what does not concern a fighter: PostgreSQL builds what
    ``cut`` says from the column (``{0}``) and the variables of its paths (``{1}``, in which
    ``$fighter`` is the fighter).

    SQLite reads its file faster than it takes JSON apart: there it is the whole. So whoever decodes
    an excerpt looks again for the fighter.
    """

    def __init__(self, column: str, cut: str, fighter: UUID) -> None:
        super().__init__(column, TextField())
        self.cut, self.fighter = cut, fighter

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        """What is cut out. The column has no parameters of its own."""
        column, _ = compiler.compile(self.source_expressions[0])
        variables = "jsonb_build_object('fighter', %s::text)"
        expression = self.cut.format(column, variables)
        return f"CAST({expression} AS text)", (str(self.fighter),) * expression.count(variables)
