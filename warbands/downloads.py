"""Spreadsheets as answers: CSV with the name of a file."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.encoding import escape_uri_path
from rest_framework.renderers import BaseRenderer, JSONRenderer

from warbands.spreadsheets.grid import BYTE_ORDER_MARK
from warbands.spreadsheets.writing import file_name


class CsvRenderer(BaseRenderer):
    """Lets clients ask for text/csv; what is refused is told in JSON all the same."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """A refusal as JSON."""
        rendered: bytes = JSONRenderer().render(data)
        return rendered


CSV_OR_JSON = (JSONRenderer, CsvRenderer)


def csv_answer(text: str, name: str) -> HttpResponse:
    """The text as a file to keep."""
    answer = HttpResponse(BYTE_ORDER_MARK + text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{escape_uri_path(file_name(name))}.csv"
    return answer
