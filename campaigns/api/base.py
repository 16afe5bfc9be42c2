"""What the endpoints of this app share."""

from typing import Any, TypeVar, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from campaigns.models import Campaign, Club
from campaigns.services.checks import find
from config.schema import KEY

AnyRow = TypeVar("AnyRow", bound=Model)


def counted(rows: QuerySet[Any], parent: str) -> Coalesce:
    """How many of the rows have the outer row as their ``parent``, for annotating it."""
    mine = rows.order_by().filter(**{parent: OuterRef("pk")}).values(parent)
    return Coalesce(Subquery(mine.annotate(counted=Count("pk")).values("counted")), 0)


class Endpoint(GenericViewSet[AnyRow]):
    """An endpoint that knows who asks. Rows hidden from the asker are not found; services decide the rest."""

    lookup_value_regex = KEY

    def dispatch(self, request: HttpRequest, *args: Any, **keys: str) -> HttpResponseBase:
        """Answer the request, with the ids of its address as ids."""
        return super().dispatch(request, *args, **{name: UUID(key) for name, key in keys.items()})

    @property
    def asker(self) -> User:
        """The signed-in user; the API lets nobody else in."""
        return cast("User", self.request.user)

    @property
    def drawing_schema(self) -> bool:
        """Whether nobody asks: the schema is being written."""
        return getattr(self, "swagger_fake_view", False)

    def validated(
        self, serializer: type[serializers.Serializer[Any]], request: Request, **options: Any
    ) -> dict[str, Any]:
        """What was sent, checked by a serializer. Raises ValidationError."""
        wanted = serializer(data=request.data, context=self.get_serializer_context(), **options)
        wanted.is_valid(raise_exception=True)
        return dict(wanted.validated_data)

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
