"""How every list of the API is cut into pages."""

from typing import Any

from rest_framework.pagination import PageNumberPagination


class NumberedPages(PageNumberPagination):
    """`?page=2&page_size=50`; never more than 200 rows a page."""

    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """As DRF describes it, in the words of OpenAPI 3.1: the first page has none before it, the last none behind."""
        described: dict[str, Any] = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]
            link["type"] = ["string", "null"]
        described["required"] = ["count", "next", "previous", "results"]
        return described
