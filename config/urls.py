"""All URLs. An app's pages are in its `urls` module; `config.api_router` has the API."""

import sys

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from django.views import defaults

from accounts import views as account_views
from accounts.admin import view_on_site
from config import api_router
from core import site_pages
from core.api import problems
from core.middleware import while_database_waits
from home.views.home import home
from operations import health
from operations.views import club_use

# The admin uses the site's sign-in, with second factors and limits on guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


def _account_urls() -> list[URLResolver]:
    """Return allauth's pages, with those of accounts elsewhere only if there is a provider."""
    if settings.PROVIDERS:
        return [path("accounts/", include("allauth.urls"))]
    return [
        path("accounts/", include("allauth.account.urls")),
        path("accounts/2fa/", include("allauth.mfa.urls")),
    ]


urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("health/<slug:name>", health.component),
    path("api/v1/", include(api_router)),
    *_account_urls(),
    path("admin/r/<path:content_type_id>/<path:object_id>/", admin.site.admin_view(view_on_site)),
    path("admin/use/", admin.site.admin_view(club_use), name="club-use"),
    path("admin/", admin.site.urls),
    path("", home, name="home"),
    path("theme/", site_pages.choose_theme, name="theme"),
    path("service-worker.js", site_pages.worker, name="service-worker"),
    path("off-line/", site_pages.off_line, name="off-line"),
    path("robots.txt", site_pages.robots, name="robots"),
    path(".well-known/security.txt", site_pages.security, name="security"),
    path("favicon.ico", site_pages.favicon, name="favicon"),
    path("account/", account_views.account, name="account"),
    path("account/calendar/", account_views.make_calendar_link, name="make-calendar-link"),
    path(
        "account/calendar/revoke/", account_views.revoke_calendar_link, name="revoke-calendar-link"
    ),
    path("account/data/", account_views.data, name="own-data"),
    path("account/data/archive/", account_views.archive, name="own-data-archive"),
    path("account/deletion/", account_views.leave, name="delete-account"),
    path("account/tokens/", account_views.make_token, name="make-token"),
    path("account/tokens/<str:key>/revoke/", account_views.revoke_token, name="revoke-token"),
    path("clubs/<uuid:pk>/bot-tokens/", account_views.club_bot, name="club-bot"),
    path(
        "clubs/<uuid:pk>/bot-tokens/<uuid:token_id>/revoke/",
        account_views.revoke_club_token,
        name="revoke-club-token",
    ),
    path("", include("warbands.urls")),
    path("", include("reference.urls")),
    path("", include("home.urls")),
    path("", include("clubs.urls")),
    path("", include("campaigns.urls")),
    path("", include("battles.urls")),
    path("", include("leagues.urls")),
    path("", include("pictures.urls")),
    path("", include("documents.urls")),
    path("", include("search.urls")),
    path("", include("exchange.urls")),
    path("", include("outbox.urls")),
]


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_for_programs(request):
        return problems.json_response(problems.BAD_REQUEST, request)
    return defaults.bad_request(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_for_programs(request):
        return problems.json_response(problems.FORBIDDEN, request)
    return defaults.permission_denied(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_for_programs(request):
        return problems.json_response(problems.NOT_FOUND, request)
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    # Django calls this while it handles an error of any layer: views, middleware, sessions.
    waiting = while_database_waits(request, sys.exception())
    if waiting is not None:
        return waiting
    if problems.is_for_programs(request):
        return problems.json_response(problems.FAULT, request)
    return defaults.server_error(request)
