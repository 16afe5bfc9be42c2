"""Rows that belong to a user for one of several reasons, without reading the whole table.

An OR over columns of several tables cannot use their indexes: the database looks at every row of
the installation. A UNION of lists of ids asks one index after the other.
"""

from typing import Any

from django.db.models import QuerySet


def ids_of_any(first: QuerySet[Any, Any], *others: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """The ids in any of these lists, for `pk__in=`. A list of rows gives their ids, one of values
    its only column."""
    return _ids(first).union(*map(_ids, others))


def _ids(rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    rows = rows.order_by()
    return rows if rows.query.values_select else rows.values("pk")
