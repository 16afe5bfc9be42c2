"""All addresses. An app's pages are in its `urls` module; the API is put together in `config.api`."""

import sys

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views import defaults

from config import api, health, problems
from config.admin import view_on_site
from config.waiting import while_database_waits

# One door: with the second factor, and with a lock on guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("health/<slug:name>", health.component),
    path("api/v1/", include(api)),
    path("accounts/", include("allauth.urls")),
    path("admin/r/<path:content_type_id>/<path:object_id>/", admin.site.admin_view(view_on_site)),
    path("admin/", admin.site.urls),
    path("", include("config.pages.urls")),
    path("", include("warbands.urls")),
    path("", include("campaigns.urls")),
    path("", include("battles.urls")),
    path("", include("pictures.urls")),
    path("", include("documents.urls")),
    path("", include("inbox.urls")),
    path("", include("search.urls")),
    path("", include("exchange.urls")),
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
    # Django calls this while it handles the error, from any layer: views, middleware, sessions.
    waiting = while_database_waits(request, sys.exception())
    if waiting is not None:
        return waiting
    if problems.is_for_programs(request):
        return problems.json_response(problems.FAULT, request)
    return defaults.server_error(request)
