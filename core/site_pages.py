"""Pages of the site itself: service worker, offline page, theme, robots.txt, security.txt, icon.

The service worker contains the version of all files that it keeps. An upgrade is therefore a new
worker, which deletes the old pages.
"""

import hashlib
import json
from datetime import timedelta
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import find, get_finders
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.shortcuts import redirect
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from core.bundles import BUNDLES, bundle_files, is_collected
from core.views import public_page, way_back

WORKER = "core/worker.js"
QUEUE = "site/js/offline-queue.js"
"""The part of a bundle that the worker runs on its own."""
FOLDER, KINDS = "site", (".svg", ".woff2")
SELDOM = "-more"
"""The suffix of typefaces with letters that few pages need. Browsers keep them after the first
download."""
VERSION_HEADER = "Muster-Version"
READER_HEADER = "Muster-Reader"


@require_safe
@public_page
def worker(request: HttpRequest) -> HttpResponse:
    """Return the site's service worker. Browsers revalidate it, so they notice upgrades."""
    worker_settings = {
        "version": files_version(),
        "files": [static(name) for name in kept_files()],
        "offLine": reverse("off-line"),
        "signIn": reverse("account_login"),
        "signOut": reverse("account_logout"),
    }
    source = get_template(WORKER).render(
        {"known": json.dumps(worker_settings), "queue": static(QUEUE)}
    )
    answer = HttpResponse(source, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    answer["Service-Worker-Allowed"] = "/"
    return answer


@require_safe
@public_page
def off_line(request: HttpRequest) -> HttpResponse:
    """Return the offline page. It names nobody, so every device may keep it."""
    return HttpResponse(get_template("core/off_line.html").render())


def cacheable_offline(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Mark a page as one that the user's device may keep, with its reader and its files' version.

    Pages of visitors who are not signed in are not marked.
    """
    if request.user.is_authenticated:
        answer[VERSION_HEADER], answer[READER_HEADER] = files_version(), str(request.user.pk)
    return answer


@cache
def kept_files() -> tuple[str, ...]:
    """Return the names, without hashes, of all files that pages use."""
    files = (PurePosixPath(name) for finder in get_finders() for name, _ in finder.list(None))
    names = {
        str(file)
        for file in files
        if file.parts[0] == FOLDER and file.suffix in KINDS and not file.stem.endswith(SELDOM)
    }
    return tuple(
        sorted({*names, QUEUE, *(name for bundle in BUNDLES for name in bundle_files(bundle))})
    )


@cache
def files_version() -> str:
    """Return a version of the files and the service worker, which changes with their content."""
    digest = hashlib.sha256(get_template(WORKER).template.source.encode())  # type: ignore[attr-defined]
    for name in kept_files():
        digest.update(static(name).encode())
        if not is_collected():
            path = find(name)
            digest.update(Path(path).read_bytes() if isinstance(path, str) else b"")
    return digest.hexdigest()[:16]


COOKIE: Final = "theme"
SECONDS: Final = 365 * 24 * 60 * 60
"""The time for which a device keeps the chosen theme, in seconds."""
DEVICE: Final = ""
"""The theme of users who have not chosen one: the system default."""
THEMES: Final = (
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
    (DEVICE, gettext_lazy("System default")),
)
BAR_COLOURS: Final = {"light": "#7c1d1d", "dark": "#1a1612"}
"""The colours that browsers use around a page, by theme."""


def chosen_theme(request: HttpRequest) -> dict[str, Any]:
    """Return ``theme`` ("light", "dark", or "" for the default), ``themes`` and ``bar_colours``."""
    return {"theme": theme_of(request), "themes": THEMES, "bar_colours": BAR_COLOURS}


def theme_of(request: HttpRequest) -> str:
    """Return the theme from the cookie, or "" if it is missing or unknown."""
    theme = request.COOKIES.get(COOKIE, DEVICE)
    return theme if theme in BAR_COLOURS else DEVICE


@require_POST
@public_page
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Save a theme and return to the page of the button. Unknown themes mean the default."""
    response = redirect(way_back(request, "/"))
    theme = request.POST.get("theme", DEVICE)
    if theme in BAR_COLOURS:
        response.set_cookie(
            COOKIE, theme, SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


LEFT_OUT: Final = (
    "/account/",
    "/accounts/",
    "/admin/",
    "/api/",
    "/archives/",
    "/calendar.ics",
    "/exports/",
    "/imports/",
    "/inbox/",
    "/invitations/",
    "/join/",
    "/passports/",
    "/search/",
    "/unsubscribe/",
)
"""Paths without public pages. Other pages check each row and hide private rows from search
engines."""


SECURITY_PERIOD: Final = timedelta(days=180)
"""The time for which security.txt is valid after it is read."""


@require_safe
@public_page
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which lists the paths that search engines must skip."""
    lines = (
        "User-agent: *",
        *(f"Disallow: {address}" for address in LEFT_OUT),
        f"Sitemap: {request.build_absolute_uri('/sitemap.xml')}",
        "",
    )
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@public_page
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116): where to report a vulnerability; 404 without a contact."""
    if not settings.SECURITY_CONTACT:
        return HttpResponseNotFound()
    lines = (
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {timezone.now() + SECURITY_PERIOD:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: en, de",
        f"Canonical: {request.build_absolute_uri()}",
        "",
    )
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@public_page
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for clients that ignore the link in the page."""
    return redirect(static("site/favicon.svg"))
