"""What browsers and search engines ask for at addresses of their own: the icon, and which pages to leave out."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from config.pages.responses import open_to_all

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
"""Where nothing is public. Other pages decide by their rows, and show no search engine what is private."""


@require_safe
@open_to_all
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which addresses to leave out."""
    lines = ("User-agent: *", *(f"Disallow: {address}" for address in LEFT_OUT), "")
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@open_to_all
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for clients that do not read the link in a page."""
    return redirect(static("site/favicon.svg"))
