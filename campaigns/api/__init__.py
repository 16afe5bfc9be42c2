"""Campaigns in the API (`campaigns/` itself is in ``leagues.api.campaigns``)."""

from rest_framework.routers import DefaultRouter

from campaigns.api.enrolments import CampaignEnrolmentViewSet, EnrolmentViewSet
from campaigns.api.hand_overs import HandOverViewSet, WarbandHandOverViewSet
from campaigns.api.log import CampaignJournalViewSet, JournalViewSet, LogViewSet
from campaigns.api.merges import ClubMergeViewSet, MemberViewSet, MergeViewSet
from core.api.schema import KEY


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register(rf"clubs/(?P<club_id>{KEY})/merges", ClubMergeViewSet, basename="club-merge")
    router.register("merges", MergeViewSet, basename="merge")
    router.register("members", MemberViewSet, basename="member")
    router.register(
        rf"campaigns/(?P<campaign_id>{KEY})/enrolments",
        CampaignEnrolmentViewSet,
        "campaign-enrolment",
    )
    router.register(rf"campaigns/(?P<campaign_id>{KEY})/log", LogViewSet, basename="campaign-log")
    router.register(
        rf"campaigns/(?P<campaign_id>{KEY})/journal",
        CampaignJournalViewSet,
        basename="campaign-journal",
    )
    router.register("journal", JournalViewSet, basename="journal")
    router.register("enrolments", EnrolmentViewSet, basename="enrolment")
    router.register(
        rf"warbands/(?P<warband_id>{KEY})/hand-over", WarbandHandOverViewSet, "warband-hand-over"
    )
    router.register("hand-overs", HandOverViewSet, basename="hand-over")
