"""Parts of every endpoint of the API:

the user, the checked input, and answers made from structures.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

import django_filters
import msgspec
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.api.field_choice import NAME as FIELDS
from core.api.schema import KEY
from core.api.strict_input import ExactView

AnyRow = TypeVar("AnyRow", bound=Model)


class FirstPage(Generic[AnyRow]):
    """The rows of the first page of a list and the number of all, for the paginator.

    Both are read when the paginator needs them, by queries whose SQL is built once.
    """

    def __init__(self, number: Callable[[], int], rows: Callable[[], list[AnyRow]]) -> None:
        self.number, self.rows = number, rows

    def count(self) -> int:
        """Return the number of rows on all pages."""
        return self.number()

    def __getitem__(self, part: slice) -> list[AnyRow]:
        """Return the rows of a part of the page. An empty part takes no query."""
        return self.rows()[part] if part.stop else []


class Endpoint(ExactView, GenericViewSet[AnyRow]):
    """An endpoint with a user.

    Rows hidden from the user are not found; services decide the rest.
    """

    lookup_value_regex = KEY

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        """Answer the request; ids in its address come as ids, not as text."""
        keys = {
            name: UUID(key)
            for name, key in named.items()
            if isinstance(key, str) and re.fullmatch(KEY, key)
        }
        return super().dispatch(request, *args, **{**named, **keys})

    @property
    def asker(self) -> User:
        """Return the signed-in user; in ``public_reads`` perhaps an ``AnonymousUser``."""
        return cast("User", self.request.user)

    @property
    def drawing_schema(self) -> bool:
        """Return whether the schema is being written, without a user."""
        return getattr(self, "swagger_fake_view", False)

    def validated(
        self, serializer: type[serializers.Serializer[Any]], request: Request, **options: Any
    ) -> dict[str, Any]:
        """Return the data, checked by a serializer. Raises ValidationError."""
        context = {**self.get_serializer_context(), **options.pop("context", {})}
        bound = serializer(data=request.data, context=context, **options)
        bound.is_valid(raise_exception=True)
        return dict(bound.validated_data)

    def wants_first_page(self, *filters: str) -> bool:
        """Return whether a list is requested with these filters only: no page, size or order."""
        return self.request.query_params.keys() <= {*filters, FIELDS}

    def pages(
        self,
        rows: QuerySet[Any] | FirstPage[Any],
        show: Callable[[Iterable[Any]], Iterable[msgspec.Struct]],
    ) -> Response:
        """Return one page of the rows, converted to structures by ``show``."""
        page = self.paginate_queryset(cast("QuerySet[Any]", rows))
        return self.get_paginated_response(msgspec.to_builtins(list(show(page or ()))))


def struct_response(structure: msgspec.Struct, status: int = 200) -> Response:
    """Return a structure as the answer."""
    return Response(msgspec.to_builtins(structure), status=status)


def period_filters(
    column: str,
) -> tuple[django_filters.IsoDateTimeFilter, django_filters.IsoDateTimeFilter]:
    """Return the filters ``since`` and ``until`` of a history, which both include their moment."""
    return (
        django_filters.IsoDateTimeFilter(field_name=column, lookup_expr="gte"),
        django_filters.IsoDateTimeFilter(field_name=column, lookup_expr="lte"),
    )
