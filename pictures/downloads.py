"""The response with the file of a picture, for the API and the pages."""

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from core.file_stores import StoreError
from pictures.models import FORMATS, Picture

HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
"""Browsers must revalidate each time, because a picture that is visible now may be hidden later."""


def file_answer(request: HttpRequest, picture: Picture, size: str) -> HttpResponseBase:
    """Return the picture in one of ``SIZES``, or "not modified" if the client has it.

    Return 404 if the file is missing. Raises StoreError.
    """
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
        except OSError as error:
            raise StoreError(error.errno, str(error)) from error
    for name, value in HEADERS.items():
        answer.headers[name] = value
    answer.headers["ETag"] = tag
    return answer
