"""Handing out the file of a picture, for the API and the pages alike."""

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from pictures.models import FORMATS, Picture

HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
"""Whoever keeps a copy asks again each time: what may be seen today may be hidden tomorrow."""


def file_answer(request: HttpRequest, picture: Picture, size: str) -> HttpResponseBase:
    """The picture in one of ``SIZES``, or "not modified" to whoever has it already, or 404 if its
    file is gone."""
    tag = f'"{picture.digest}-{size}"'
    not_modified = get_conditional_response(request, etag=tag)
    if not_modified is not None:
        answer: HttpResponseBase = not_modified
    else:
        file = picture.small if size == "small" else picture.large
        ending = str(file).rpartition(".")[2]
        try:
            answer = FileResponse(
                file.open("rb"), content_type=FORMATS[ending], filename=f"{size}.{ending}"
            )
        except FileNotFoundError:
            return HttpResponse(status=404)
    for name, value in HEADERS.items():
        answer.headers[name] = value
    answer.headers["ETag"] = tag
    return answer
