"""The API: one router, to which the `api` module of each app adds its views."""

from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import DefaultRouter

import battles.api
import campaigns.api
import clubs.api
import documents.api
import exchange.api
import home.api
import leagues.api
import outbox.api
import pictures.api
import reference.api
import warbands.api
from accounts.api.me import DeletionView, MeView, OwnDataView
from accounts.api.tokens import ClubBotTokensViewSet, TokenViewSet
from core.api.schema import KEY, DrawnOnce
from home.api.calendars import CalendarLinkView
from home.api.inbox import DevicesView, DeviceView, DismissalView, InboxView
from outbox.api.changes import ChangesView
from search.api import SearchView

APPS = (
    reference,
    warbands,
    home,
    clubs,
    campaigns,
    battles,
    leagues,
    pictures,
    documents,
    exchange,
    outbox,
)

router = DefaultRouter()
router.include_format_suffixes = False
router.register("tokens", TokenViewSet, basename="token")
router.register(
    f"clubs/(?P<club_id>{KEY})/bot-tokens", ClubBotTokensViewSet, basename="club-bot-token"
)
for app in APPS:
    app.api.register(router)

urlpatterns = [
    path("schema/", SpectacularJSONAPIView.as_view(generator_class=DrawnOnce), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("me/", MeView.as_view(), name="me"),
    path("me/data/", OwnDataView.as_view(), name="me-data"),
    path("me/deletion/", DeletionView.as_view(), name="me-deletion"),
    path("search/", SearchView.as_view(), name="search"),
    path("changes/", ChangesView.as_view(), name="changes"),
    path("me/inbox/", InboxView.as_view(), name="inbox"),
    path("me/inbox/dismissals/", DismissalView.as_view(), name="inbox-dismissals"),
    path("me/devices/", DevicesView.as_view(), name="me-devices"),
    path("me/devices/<uuid:device_id>/", DeviceView.as_view(), name="me-device"),
    path("me/calendar/", CalendarLinkView.as_view(), name="me-calendar"),
    path("", include(router.urls)),
]
