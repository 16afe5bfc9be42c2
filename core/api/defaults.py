"""Defaults of the API: the JSON parser, the answer to OPTIONS, and pagination."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from rest_framework.exceptions import NotFound, ParseError
from rest_framework.metadata import SimpleMetadata
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request


class StorableJSON(JSONParser):
    """Parser for JSON that a database can store:

    no endless nesting, no NUL, no half characters, no infinite numbers. Raises ParseError.
    """

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            storable = is_storable(data)
        except RecursionError as error:
            raise ParseError("This JSON is nested too deeply.") from error
        if not storable:
            raise ParseError(
                "This JSON contains a NUL, half a character or an infinite number. Remove it."
            )
        return data


def is_storable(value: Any) -> bool:
    """Return whether every text in the value can be written as UTF-8 without a NUL, and every
    number is finite.
    """
    match value:
        case str():
            return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
        case float():
            return isfinite(value)
        case dict():
            return all(is_storable(name) and is_storable(inner) for name, inner in value.items())
        case list():
            return all(map(is_storable, value))
    return True


class NameAndMethods(SimpleMetadata):
    """Name and media types of an address.

    The methods are in `Allow`, fields and bodies in the schema.
    """

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """Return None:

        the framework would look for a row and a form even at an address without them.
        """
        return {}


class NumberedPages(PageNumberPagination):
    """`?page=2&page_size=50`; never more than 200 rows a page."""

    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(
        self, queryset: Any, request: Request, view: Any = None
    ) -> list[Any] | None:
        """Return the rows of the page. Raise NotFound with the number of the last page."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except NotFound as error:
            pages = self.django_paginator_class(queryset, self.get_page_size(request) or 1)
            sent = request.query_params.get(self.page_query_param, "")[:20]
            raise NotFound(f"There is no page {sent}; the last is {pages.num_pages}.") from error

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Return DRF's description in OpenAPI 3.1:

        the first page has no previous one, the last no next one.
        """
        described: dict[str, Any] = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]
            link["type"] = ["string", "null"]
        described["required"] = ["count", "next", "previous", "results"]
        return described
