"""The theme of the pages: light, dark, or as the device says. A cookie keeps it, so that nothing flashes."""

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from config.pages.responses import open_to_all, way_back

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
    """``theme`` for templates ("light", "dark", or "" as the device says), all ``themes``, and the colours around."""
    return {"theme": theme_of(request), "themes": THEMES, "bar_colours": BAR_COLOURS}


def theme_of(request: HttpRequest) -> str:
    """The theme that a cookie names, "" for any other word."""
    said = request.COOKIES.get(COOKIE, DEVICE)
    return said if said in BAR_COLOURS else DEVICE


@require_POST
@open_to_all
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep a theme, and go back where the button stood. Whatever is no theme is as the device says."""
    response = redirect(way_back(request, "/"))
    theme = request.POST.get("theme", DEVICE)
    if theme in BAR_COLOURS:
        response.set_cookie(COOKIE, theme, SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
