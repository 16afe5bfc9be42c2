"""Members of clubs and invitations in the API (`members/` itself is in
``campaigns.api.merges``)."""

from rest_framework.routers import DefaultRouter

from clubs.api.history import (
    ClubHistoryImportViewSet,
    HistoryImportViewSet,
    HistoryViewSet,
)
from clubs.api.invitations import ClubInvitationViewSet, InvitationViewSet
from clubs.api.members import ClubMemberViewSet
from core.api.schema import KEY


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register(rf"clubs/(?P<club_id>{KEY})/members", ClubMemberViewSet, basename="club-member")
    router.register(
        rf"clubs/(?P<club_id>{KEY})/invitations", ClubInvitationViewSet, basename="club-invitation"
    )
    router.register(
        rf"clubs/(?P<club_id>{KEY})/history-imports",
        ClubHistoryImportViewSet,
        basename="club-history-import",
    )
    router.register(rf"clubs/(?P<club_id>{KEY})/history", HistoryViewSet, basename="club-history")
    router.register("history-imports", HistoryImportViewSet, basename="history-import")
    router.register("invitations", InvitationViewSet, basename="invitation")
