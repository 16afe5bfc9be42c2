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

from battles.models import Battle
from battles.summaries.page import open_battle
from warbands.errors import NotFound

KEY = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""An id in an address; anything else is not found."""
AnyRow = TypeVar("AnyRow", bound=Model)
BATTLE_KEY = OpenApiParameter("battle_id", OpenApiTypes.UUID, OpenApiParameter.PATH, description="The battle's id.")


class Endpoint(GenericViewSet[AnyRow]):
    """An endpoint that knows who asks. Battles hidden from the asker are not found; services decide the rest."""

    lookup_value_regex = KEY

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        """Answer the request, with the ids of its address as ids."""
        return super().dispatch(request, *args, **{name: _key(value) for name, value in named.items()})

    @property
    def asker(self) -> User:
        """The signed-in user; the API lets nobody else in."""
        return cast("User", self.request.user)

    def validated(self, serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
        """What was sent, checked by a serializer. Raises ValidationError."""
        wanted = serializer(data=request.data, context=self.get_serializer_context())
        wanted.is_valid(raise_exception=True)
        return dict(wanted.validated_data)

    def battle(self, battle_id: UUID) -> Battle:
        """The battle, if the asker may see it. Raises NotFound."""
        battle = Battle.objects.visible_to(self.asker).filter(pk=battle_id).first()
        if battle is None:
            raise NotFound("unknown-battle", "There is no such battle here, or it is not yours to see.")
        return battle

    def in_full(self, battle_id: UUID, status: int = 200) -> Response:
        """The battle as it stands now, as the answer."""
        return answer(open_battle(battle_id, self.asker), status)

    def pages(self, rows: QuerySet[Any], show: Callable[[Iterable[Any]], Iterable[msgspec.Struct]]) -> Response:
        """One page of the rows, as ``show`` turns them into structures."""
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(msgspec.to_builtins(list(show(page or ()))))


def _key(value: Any) -> Any:
    return UUID(value) if isinstance(value, str) and re.fullmatch(KEY, value) else value


def answer(structure: msgspec.Struct, status: int = 200) -> Response:
    """A structure as the answer."""
    return Response(msgspec.to_builtins(structure), status=status)
