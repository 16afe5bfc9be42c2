"""Base of the endpoints of this app."""

from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404
from rest_framework.response import Response

from clubs.models import Club
from clubs.services.permissions import find
from core.api import views
from core.compiled_queries import CompiledQuery

AnyRow = TypeVar("AnyRow", bound=Model)


def counted(rows: QuerySet[Any], parent: str) -> Coalesce:
    """Return the number of rows that have the outer row as their ``parent``, as an annotation."""
    mine = rows.order_by().filter(**{parent: OuterRef("pk")}).values(parent)
    return Coalesce(Subquery(mine.annotate(counted=Count("pk")).values("counted")), 0)


class Endpoint(views.Endpoint[AnyRow]):
    """An endpoint about clubs."""

    in_full: ClassVar[CompiledQuery[Any] | None] = None
    """The query for one row as the list shows it, if its SQL is built once."""

    def answer(self, key: UUID, status: int = 200) -> Response:
        """Return the current row as the list shows it. Raises Http404 if it is hidden."""
        row: Model | None
        if self.in_full is None:
            row = self.get_queryset().get(pk=key)
        else:
            row = self.in_full.first(key, self.asker)
        if row is None:
            raise Http404
        return Response(self.get_serializer(row).data, status=status)

    def club(self) -> Club:
        """Return the club of the address. Raises NotFound."""
        return find(Club.objects.visible_to(self.asker), self.kwargs["club_id"], "club")
