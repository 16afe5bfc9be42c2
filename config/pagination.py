"""How every list of the API is cut into pages."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request


class NumberedPages(PageNumberPagination):
    """`?page=2&page_size=50`; never more than 200 rows a page."""

    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows of the page. Raise NotFound with the number of the last page."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except NotFound as error:
            pages = self.django_paginator_class(queryset, self.get_page_size(request) or 1)
            sent = request.query_params.get(self.page_query_param, "")[:20]
            raise NotFound(f"There is no page {sent}; the last is {pages.num_pages}.") from error

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """As DRF describes it, in the words of OpenAPI 3.1: the first page has none before it, the last none behind."""
        described: dict[str, Any] = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]
            link["type"] = ["string", "null"]
        described["required"] = ["count", "next", "previous", "results"]
        return described
