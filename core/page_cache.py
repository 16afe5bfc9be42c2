"""Answer requests for unchanged pages: with 304 if the browser has the page, else with a copy.

The key of a copy contains the versions of all rows that the page shows (``core.row_versions``), its
address, its reader and everything else that a page depends on. So a copy need not be deleted after
a change: nobody asks for its key any more. Copies contain no CSRF tokens and no form keys; each
answer gets new ones (docs/decisions/web.md).
"""

import hashlib
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Any, TypeVar, cast
from uuid import UUID

import msgspec
from django.apps import apps
from django.conf import settings
from django.contrib import messages
from django.core.cache import caches
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.template.response import SimpleTemplateResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from rest_framework.request import Request

from core.computed_values import ComputedValues
from core.form_keys import new_form_key
from core.row_versions import OF_ROWS, RowVersions, Versions
from core.site_pages import files_version, theme_of
from core.typed_text import SESSION_KEY as TYPED

CACHE = "pages"
SECONDS = 900
"""The time for which a copy is kept."""
CSRF_TOKENS = re.compile(
    rb'(name="csrfmiddlewaretoken" value="|"X-CSRFToken": ")(?:[A-Za-z0-9]{64})?"'
)
FORM_KEYS = re.compile(rb'(name="form_key" value=")[^"]*"')
KEY = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MESSAGES_IN_SESSION = "_messages"
OWN_HEADERS = ("Content-Length", "Set-Cookie", "ETag", "Vary")
"""Headers that are not part of a copy: each answer gets its own."""

View = Callable[..., HttpResponseBase]
T = TypeVar("T")
COMPUTED: ComputedValues[Any] = ComputedValues(300)
"""Values that pages show, kept by the versions of their rows: a few megabytes."""


class Copy(msgspec.Struct, array_like=True):
    """A page in the cache: its headers and its compressed body."""

    headers: dict[str, str]
    body: bytes


def cached_page(
    versions: RowVersions,
    argument: str = "pk",
    *,
    counts_cards: bool = False,
    without_query: bool = False,
) -> Callable[[View], View]:
    """Answer with 304 or a copy while the rows of a page are unchanged.

    ``argument`` is the name of the view's argument with the key for ``versions``. The number of
    to-do cards in the header is part of the copy's key, unless ``counts_cards`` is True: use it for
    pages on which the number follows from their own rows, or that show none. ``without_query`` is
    for lists of which ``versions`` are the rows of the first page: addresses with a ``?`` are not
    kept.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            if not _is_repeatable(request) or (without_query and request.GET):
                return view(request, *args, **named)
            rows = _rows_of(request, versions, named.get(argument))
            frame = _frame_of(request, counts_cards)
            shown = (request.get_full_path(), rows.server, rows.hashes, *frame)
            key = _cache_key(*_circumstances(request), *shown)
            etag = _etag(request, key)
            unchanged = get_conditional_response(request, etag=etag)
            if unchanged is not None:
                unchanged.headers["ETag"] = etag
                return unchanged
            copy = _stored_page(request, key)
            if copy is not None:
                copy.headers["ETag"] = etag
                return copy
            response = view(request, *args, **named)
            if _is_repeatable_response(request, response):
                _store_page(key, response)
                response.headers["ETag"] = etag
            return response

        answer.row_versions = versions  # type: ignore[attr-defined]
        return answer

    return decorate


def cached_read(
    versions: RowVersions, argument: str = "pk", *, parameter: str = ""
) -> Callable[[View], View]:
    """Answer a read of the API with 304 or a copy while its rows are unchanged.

    Use it for methods of an endpoint, which are called after the request was checked. ``argument``
    is the name of the method's argument with the key for ``versions``. For a list, ``parameter`` is
    the name of the filter with this key: without it, a list is not kept.
    """

    def decorate(read: View) -> View:
        @wraps(read)
        def answer(view: Any, request: Request, *args: Any, **named: Any) -> HttpResponseBase:
            # A view that is not an Endpoint gets the key as text.
            text = str(request.query_params.get(parameter, "") if parameter else named[argument])
            if parameter and not KEY.fullmatch(text):
                return read(view, request, *args, **named)
            rows = _rows_of(request._request, versions, UUID(text))
            state = _state(request._request, rows)
            key = _cache_key(ten_minutes(), state)
            etag = f'"{key[-40:]}{OF_ROWS}{state}"'
            response: Any = get_conditional_response(request._request, etag=etag)
            if response is None:
                response = _stored(key) or read(view, request, *args, **named)
                if response.status_code != 200:
                    return cast("HttpResponseBase", response)
                if isinstance(response, SimpleTemplateResponse):
                    response.add_post_render_callback(partial(_store, key))
            response.headers["ETag"] = etag
            return cast("HttpResponseBase", response)

        answer.row_versions = versions  # type: ignore[attr-defined]
        return answer

    return decorate


def for_this_request(response: HttpResponse) -> None:
    """Mark a page that must be made for each request, such as one with a new id in its form."""
    response.is_for_this_request = True  # type: ignore[attr-defined]


def _is_repeatable(request: HttpRequest) -> bool:
    """Return whether the page depends only on its rows, its reader and its address.

    Pages with messages or restored text do not, as these are shown once. Parts of pages for scripts
    (`HX-Request`) are not kept either.
    """
    return (
        request.method in ("GET", "HEAD")
        and not settings.DEBUG
        and "HX-Request" not in request.headers
        and "messages" not in request.COOKIES
        and not {TYPED, MESSAGES_IN_SESSION}.intersection(request.session.keys())
    )


def computed_with_rows(
    request: HttpRequest, name: str, values: tuple[Any, ...], table: str, compute: Callable[[], T]
) -> T:
    """Return a value that a page shows. Compute it only if its rows, reader or time have changed.

    Use it in views with ``cached_page``, for a value that uses little of the rows of ``table``:
    ``values`` is everything that it uses of them. Other changes of these rows do not count; changes
    of the page's other rows do. The caller must not change the result.
    """
    versions: Versions | None = getattr(request, "row_versions", None)
    if versions is None:
        return compute()
    depends_on = (name, values, versions.without(table), *_circumstances(request))
    return cast("T", COMPUTED.value(depends_on, compute))


def without_rows(request: HttpRequest, *models: type[Model]) -> frozenset[type[Model]]:
    """Return those of the models that have no row among the rows of the page. No query.

    Use it in views with ``cached_page``, to leave out reads that would find nothing. The models
    must be among those of the page's rows. Empty for a request whose rows were not compared.
    """
    versions: Versions | None = getattr(request, "row_versions", None)
    if versions is None:
        return frozenset()
    return frozenset(each for each in models if not versions.has_rows(each._meta.db_table))


def _rows_of(request: HttpRequest, versions: RowVersions, row_key: UUID | None) -> Versions:
    """Return the versions of the rows of a page or read, and keep them with the request."""
    rows = versions.read(row_key, request.user.pk)
    request.row_versions = rows  # type: ignore[attr-defined]
    return rows


def _cache_key(*depends_on: Any) -> str:
    """Return the key of a copy, which depends on these values and the code."""
    content = repr((code_version(), *depends_on))
    digest = salted_hmac("muster.page-copies", content, algorithm="sha256")
    return f"page-{digest.hexdigest()}"


def _state(request: HttpRequest, rows: Versions) -> str:
    """Return the second part of the ETag of a read, which does not change with time.

    It depends on the rows, the reader and the address. ``If-Match`` compares it alone.
    """
    depends_on = (request.get_full_path(), *_reading(request), rows.server, rows.hashes)
    digest = salted_hmac("muster.row-states", repr(depends_on), algorithm="sha256")
    return digest.hexdigest()[:40]


def _circumstances(request: HttpRequest) -> tuple[Any, ...]:
    """Return what every page depends on besides its rows: host, language, time and reader."""
    return (*_reading(request), ten_minutes())


def ten_minutes() -> str:
    """Return the present ten minutes as text, such as "+0100 2026-11-30 21:4".

    Pages show what is due today and which club nights are over, so no copy is used longer. They are
    ten minutes of the reader's clock, so that a new day begins with a new copy in every time zone.
    When clocks are set back, the same hour comes twice, with another distance from UTC.
    """
    return timezone.localtime().strftime("%z %Y-%m-%d %H:%M")[:-1]


def _reading(request: HttpRequest) -> tuple[Any, ...]:
    """Return who reads a page, in which language and time zone, and on which host."""
    return (
        request.build_absolute_uri("/"),
        get_language(),
        timezone.get_current_timezone_name(),
        request.user.pk,
    )


def _frame_of(request: HttpRequest, counts_cards: bool) -> tuple[str, ...]:
    """Return what the frame of a page (header, menu, style sheets) depends on.

    That is the version of static files, the theme, the sign-in and the number of to-do cards.
    """
    about = (files_version(), theme_of(request))
    if not request.user.is_authenticated:
        return about
    number = "" if counts_cards else str(getattr(request, "inbox_number", ""))
    return (*about, request.COOKIES.get("sign_in", ""), number)


def _etag(request: HttpRequest, key: str) -> str:
    """Return the ETag of the page for this browser.

    It depends on the CSRF cookie, as the page contains tokens made from it. It is weak, because
    these tokens differ in each answer.
    """
    token = request.META.get("CSRF_COOKIE", "")
    digest = salted_hmac("muster.page-etags", f"{key} {token}", algorithm="sha256").hexdigest()
    return f'W/"{digest[:40]}"'


def _is_repeatable_response(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response is a complete page without anything that is shown only once."""
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and not getattr(response, "is_for_this_request", False)
        and not getattr(messages.get_messages(request), "_queued_messages", [])
        and "no-store" not in response.headers.get("Cache-Control", "")
    )


def _store_page(key: str, response: Any) -> None:
    """Store a page without the tokens and keys of its forms."""
    _store(key, response, CSRF_TOKENS.sub(rb'\1"', FORM_KEYS.sub(rb'\1"', response.content)))


def _store(key: str, response: Any, body: bytes | None = None) -> None:
    """Store a response, or another body with its headers. Do nothing if the cache fails."""
    headers = {name: value for name, value in response.headers.items() if name not in OWN_HEADERS}
    body = response.content if body is None else body
    copy = msgspec.msgpack.encode(Copy(headers, zlib.compress(body, 1)))
    with suppress(OSError):
        caches[CACHE].set(key, copy, SECONDS)


def _stored(key: str) -> HttpResponse | None:
    """Return a response from the copy with this key; None without one, or if the cache fails."""
    stored = None
    with suppress(OSError):
        stored = caches[CACHE].get(key)
    if stored is None:
        return None
    copy = msgspec.msgpack.decode(stored, type=Copy)
    return HttpResponse(zlib.decompress(copy.body), headers=copy.headers)


def _stored_page(request: HttpRequest, key: str) -> HttpResponse | None:
    """Return the copy of a page with new tokens and keys in its forms, or None."""
    copy = _stored(key)
    if copy is None:
        return None
    body = copy.content
    if CSRF_TOKENS.search(body):
        token = get_token(request).encode()
        body = CSRF_TOKENS.sub(lambda place: place[1] + token + b'"', body)
    if request.user.is_authenticated:
        reader = request.user.pk
        body = FORM_KEYS.sub(lambda place: place[1] + new_form_key(reader).encode() + b'"', body)
    copy.content = body
    return copy


OTHER_FOLDERS = ("rulebook", "drawings", "templates", "locale")
"""The folders of code besides those of the apps."""
KINDS_OF_CODE = {".py", ".html", ".toml", ".mo"}


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return a version of the code, which changes with every upgrade.

    It is a hash of names, sizes and times of the files. Servers with the same image have the same.
    """
    digest = hashlib.sha256(settings.VERSION.encode())
    root = Path(settings.BASE_DIR)
    folders = {Path(app.path) for app in apps.get_app_configs()}
    folders = {folder for folder in folders if folder.parent == root}
    for folder in sorted(folders | {root / name for name in OTHER_FOLDERS}):
        for file in sorted(folder.rglob("*")):
            if file.suffix in KINDS_OF_CODE:
                facts = file.stat()
                digest.update(f"{file} {facts.st_size} {facts.st_mtime_ns}".encode())
    return digest.hexdigest()[:16]
