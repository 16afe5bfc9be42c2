"""``If-Match``: a change is made only if what it changes is still as the client has read it."""

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import parse_etags
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

from core.errors import Unavailable
from core.row_versions import OF_ROWS

HEADER = "If-Match"
PARAMETER = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string"},
    "description": "The `ETag` of this address, or if it cannot be read, of the nearest address "
    "above it that can, without parameters. If it has changed since, nothing is done (412).",
}
SERIALIZATION_FAILURE = "40001"
"""PostgreSQL's SQLSTATE for a row that somebody else changed since the transaction began."""
OF_OTHERS = ("HTTP_IF_", "CONTENT_", "HTTP_IDEMPOTENCY", "HTTP_RANGE")
ENCODINGS = ("-gzip", "-br", "-zstd")
"""The endings that proxies append to the ETag of a response that they compress."""

Handler = Callable[..., Any]


class PreconditionFailed(APIException):
    """The ETag of ``If-Match`` is not that of now (412)."""

    status_code = 412
    default_code = "precondition-failed"
    default_detail = "This has changed since you read it. Read it again, then repeat your change."


def etags_of(request: Request) -> frozenset[str]:
    """Return the ETags of ``If-Match`` in a request that writes. Raises ValidationError."""
    header = request.headers.get(HEADER, "").strip()
    if not header or request.method in ("GET", "HEAD", "OPTIONS"):
        return frozenset()
    etags = frozenset("*" if tag == "*" else plain_etag(tag) for tag in parse_etags(header))
    if not etags:
        sentence = f'{HEADER} has ETags in quotation marks, such as "33a64df5", or *.'
        raise ValidationError({HEADER: [sentence]})
    return etags


def plain_etag(etag: str) -> str:
    """Return the ETag of the content, however it was compressed on its way."""
    text = etag.removeprefix("W/").strip('"')
    for encoding in ENCODINGS:
        text = text.removesuffix(encoding)
    return text


def state_of(etag: str) -> str:
    """Return the part of a plain ETag that changes only with rows; the whole one without parts.

    >>> state_of("aa61b1.c0ffee"), state_of("33a64df5")
    ('c0ffee', '33a64df5')
    """
    return etag.rpartition(OF_ROWS)[2]


def done_if_unchanged(make: Callable[[Handler], Handler], handler: Handler, etags: Any) -> Handler:
    """Return a handler that calls ``make(handler)`` if one of the ETags is still the present one.

    ``make`` may answer from memory and not call the handler: then nothing is compared.
    """
    return partial(_answer, make, handler, etags)


def _answer(
    make: Callable[[Handler], Handler],
    handler: Handler,
    etags: frozenset[str],
    request: Request,
    *args: Any,
    **named: Any,
) -> Any:
    outermost = not connection.in_atomic_block
    try:
        with transaction.atomic():
            if outermost and connection.vendor == "postgresql":
                # The rows that the service locks must be those that were compared: a row that
                # somebody changed in between makes the transaction fail. On SQLite the
                # transaction holds the lock for writes from its beginning.
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            # Time alone changes the first part of some ETags, and so what they show as due.
            states = {state_of(etag) for etag in etags}
            unchanged = state_of(present_etag(request)) in states or "*" in etags
            return make(handler if unchanged else _refuse)(request, *args, **named)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") == SERIALIZATION_FAILURE:
            raise PreconditionFailed from error
        raise
    except IntegrityError as error:
        # Another request with the same Idempotency-Key came at the same moment.
        raise Unavailable("busy", "The server is busy. Try again in a moment.") from error


def _refuse(*_: Any, **__: Any) -> Any:
    raise PreconditionFailed


def present_etag(request: Request) -> str:
    """Return the ETag that the client would get now for the address of the request, or for the
    nearest address above it that can be read; "" if there is none.
    """
    path = request.path
    while path.strip("/"):
        response = _read(request._request, path)
        if response is not None and response.status_code != 405:
            return plain_etag(response.headers.get("ETag", ""))
        path = path.rstrip("/").rpartition("/")[0] + "/"
    return ""


def _read(request: HttpRequest, path: str) -> Any:
    """Return the answer to reading an address as the same user, or None if there is none."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    reading: Any = copy(request)
    reading.method, reading.path, reading.path_info = "GET", path, path
    reading.META = {
        name: value for name, value in request.META.items() if not name.startswith(OF_OTHERS)
    } | {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": ""}
    reading.__dict__.pop("headers", None)
    reading.__dict__.pop("GET", None)
    reading._body, reading.is_inner_read = b"", True
    response = match.func(reading, *match.args, **match.kwargs)
    return response.render() if hasattr(response, "render") else response
