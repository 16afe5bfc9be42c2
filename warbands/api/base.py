"""What the endpoints of this app share."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from warbands.errors import NotFound
from warbands.models import Fighter, Warband

KEY = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""An id in an address; anything else is not found."""
AnyRow = TypeVar("AnyRow", bound=Model)
WARBAND_KEY = OpenApiParameter("warband_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The warband's id.")


class Endpoint(GenericViewSet[AnyRow]):
    """An endpoint that knows who asks. Rows hidden from the asker are not found; services decide the rest."""

    lookup_value_regex = KEY

    @property
    def asker(self) -> User:
        """The signed-in user; the API lets nobody else in."""
        return cast("User", self.request.user)

    @property
    def drawing_schema(self) -> bool:
        """Whether nobody asks: the schema is being written."""
        return getattr(self, "swagger_fake_view", False)

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        """Answer; ids in the address come as ids, not as text."""
        return super().dispatch(request, *args, **{name: _key(value) for name, value in named.items()})

    def validated(self, serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
        """What was sent, checked by a serializer. Raises ValidationError."""
        wanted = serializer(data=request.data, context=self.get_serializer_context())
        wanted.is_valid(raise_exception=True)
        return dict(wanted.validated_data)

    def warband(self, warband_id: UUID) -> Warband:
        """The warband, if the asker may see it. Raises NotFound."""
        warband = Warband.objects.visible_to(self.asker).select_related("owner", "keeper").filter(pk=warband_id).first()
        if warband is None:
            raise NotFound("unknown-warband", "There is no such warband here, or it is not yours to see.")
        return warband

    def fighter(self, fighter_id: UUID) -> Fighter:
        """The fighter with its warband, if the asker may see that. Raises NotFound."""
        visible = Fighter.objects.filter(warband__in=Warband.objects.visible_to(self.asker))
        fighter = visible.select_related("warband").filter(pk=fighter_id).first()
        if fighter is None:
            raise NotFound("unknown-fighter", "There is no such fighter here, or it is not yours to see.")
        return fighter

    def pages(self, rows: QuerySet[Any], show: Callable[[Iterable[Any]], Iterable[msgspec.Struct]]) -> Response:
        """One page of the filtered rows, as ``show`` turns them into structures."""
        page = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(msgspec.to_builtins(list(show(page or ()))))


def _key(value: Any) -> Any:
    return UUID(value) if isinstance(value, str) and re.fullmatch(KEY, value) else value


def answer(structure: msgspec.Struct, status: int = 200) -> Response:
    """A structure as the answer."""
    return Response(msgspec.to_builtins(structure), status=status)


class ReasonSerializer(serializers.Serializer[Any]):
    """What a change may say beside itself."""

    reason = serializers.CharField(
        max_length=300, required=False, allow_blank=True, help_text="Why the rules are overruled, if they are."
    )
    sequence = serializers.IntegerField(
        min_value=0, required=False, help_text="The length of the chronicle as it was read: 409 if it has gone on."
    )
