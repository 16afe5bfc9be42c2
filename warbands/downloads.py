"""HTTP responses that download spreadsheets as CSV files."""

from django.http import HttpResponse
from django.utils.encoding import escape_uri_path

from core.csv_files import BYTE_ORDER_MARK
from warbands.spreadsheets.writing import file_name


def csv_answer(text: str, name: str) -> HttpResponse:
    """Return a response that downloads the text as a CSV file."""
    answer = HttpResponse(BYTE_ORDER_MARK + text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = (
        f"attachment; filename*=UTF-8''{escape_uri_path(file_name(name))}.csv"
    )
    return answer
