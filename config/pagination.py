"""How every list of the API is cut into pages."""

from rest_framework.pagination import PageNumberPagination


class NumberedPages(PageNumberPagination):
    """`?page=2&page_size=50`; never more than 200 rows a page."""

    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = 200
