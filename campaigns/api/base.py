"""What the endpoints of this app share."""

from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from rest_framework import serializers
from rest_framework.response import Response

from campaigns.models import Campaign, Club
from campaigns.services.checks import find
from core.api import views

AnyRow = TypeVar("AnyRow", bound=Model)


class PlainDateField(serializers.DateField):
    """A day in years that calendars know: summer time and weeks can be reckoned on either side of it."""

    def to_internal_value(self, value: Any) -> Any:
        day = super().to_internal_value(value)
        if not 2000 <= day.year <= 2200:
            self.fail("invalid", format="YYYY-MM-DD, from 2000 to 2200")
        return day


def counted(rows: QuerySet[Any], parent: str) -> Coalesce:
    """How many of the rows have the outer row as their ``parent``, for annotating it."""
    mine = rows.order_by().filter(**{parent: OuterRef("pk")}).values(parent)
    return Coalesce(Subquery(mine.annotate(counted=Count("pk")).values("counted")), 0)


class Endpoint(views.Endpoint[AnyRow]):
    """An endpoint about clubs and campaigns."""

    def answer(self, key: UUID, status: int = 200) -> Response:
        """The row as it stands now, as the list shows it."""
        return Response(self.get_serializer(self.get_queryset().get(pk=key)).data, status=status)

    def club(self) -> Club:
        """The club of the address. Raises NotFound."""
        return find(Club.objects.visible_to(self.asker), self.kwargs["club_id"], "club")

    def campaign(self) -> Campaign:
        """The campaign of the address, with its club. Raises NotFound."""
        campaigns = Campaign.objects.visible_to(self.asker).select_related("club")
        return find(campaigns, self.kwargs["campaign_id"], "campaign")
