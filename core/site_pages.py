"""Pages of the site itself: service worker, off-line page, theme, robots.txt and icon.

The service worker carries the version of all files that it keeps, so an upgrade is another worker
that deletes the old pages.
"""

import hashlib
import json
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import find, get_finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from core.bundles import BUNDLES, bundle_files, is_collected
from core.views import public_page, way_back

WORKER = "core/worker.js"
QUEUE = "site/js/offline-queue.js"
"""The part of a bundle that the worker runs by itself."""
FOLDER, KINDS = "site", (".svg", ".woff2")
SELDOM = "-more"
"""How typefaces end whose letters few pages have. Browsers keep them once they have fetched
them."""
VERSION_HEADER = "Muster-Version"
READER_HEADER = "Muster-Reader"


@require_safe
@public_page
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, for the whole site. Browsers ask for it anew each time, so that an
    upgrade reaches them."""
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
    """Says that there is no network, without a name of anybody: every device may keep it."""
    return HttpResponse(get_template("core/off_line.html").render())


def cacheable_offline(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """The page, marked as one that the device of its reader may keep: with whom it is for, and the
    files it goes with. Whoever is not signed in keeps nothing."""
    if request.user.is_authenticated:
        answer[VERSION_HEADER], answer[READER_HEADER] = files_version(), str(request.user.pk)
    return answer


@cache
def kept_files() -> tuple[str, ...]:
    """The names of all files that pages are made of, before they get their hashes."""
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
    """Names the files as they are, and the worker that keeps them: other content, another
    version."""
    digest = hashlib.sha256(get_template(WORKER).template.source.encode())  # type: ignore[attr-defined]
    for name in kept_files():
        digest.update(static(name).encode())
        if not is_collected():
            path = find(name)
            digest.update(Path(path).read_bytes() if isinstance(path, str) else b"")
    return digest.hexdigest()[:16]


COOKIE: Final = "theme"
SECONDS: Final = 365 * 24 * 60 * 60
"""How long a choice is kept."""
DEVICE: Final = ""
"""The theme of who has chosen none."""
THEMES: Final = (
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
    (DEVICE, gettext_lazy("As the device")),
)
BAR_COLOURS: Final = {"light": "#7c1d1d", "dark": "#1a1612"}
"""What browsers paint around a page, by its theme."""


def chosen_theme(request: HttpRequest) -> dict[str, Any]:
    """``theme`` for templates ("light", "dark", or "" as the device says), all ``themes``, and the
    colours around."""
    return {"theme": theme_of(request), "themes": THEMES, "bar_colours": BAR_COLOURS}


def theme_of(request: HttpRequest) -> str:
    """The theme that a cookie names, "" for any other word."""
    theme = request.COOKIES.get(COOKIE, DEVICE)
    return theme if theme in BAR_COLOURS else DEVICE


@require_POST
@public_page
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep a theme, and go back where the button stood. Whatever is no theme is as the device
    says."""
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
"""Where nothing is public. Other pages decide by their rows, and show no search engine what is
private."""


@require_safe
@public_page
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which addresses to leave out."""
    lines = ("User-agent: *", *(f"Disallow: {address}" for address in LEFT_OUT), "")
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@public_page
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for clients that do not read the link in a page."""
    return redirect(static("site/favicon.svg"))
