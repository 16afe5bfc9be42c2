"""The API: one router, to which each app's `api` adds its own."""

from csp.decorators import csp_update
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import DefaultRouter

import battles.api
import campaigns.api
import documents.api
import warbands.api
from campaigns.api.calendars import CalendarLinkView
from config.me import MeView
from config.tokens import TokenViewSet
from inbox.api import DismissalView, InboxView

APPS = (warbands, campaigns, battles, documents)

router = DefaultRouter()
router.include_format_suffixes = False
router.register("tokens", TokenViewSet, basename="token")
for app in APPS:
    app.api.register(router)

# Swagger UI writes its styles itself; its scripts are our own files.
docs = csp_update({"style-src": ["'unsafe-inline'"]})(SpectacularSwaggerSplitView.as_view(url_name="schema"))

urlpatterns = [
    path("schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    path("docs/", docs, name="docs"),
    path("me/", MeView.as_view(), name="me"),
    path("me/inbox/", InboxView.as_view(), name="inbox"),
    path("me/inbox/dismissals/", DismissalView.as_view(), name="inbox-dismissals"),
    path("me/calendar/", CalendarLinkView.as_view(), name="me-calendar"),
    path("", include(router.urls)),
]
