"""Clubs and campaigns in the API."""

from rest_framework.routers import DefaultRouter

from campaigns.api.audit import ClubAuditViewSet
from campaigns.api.campaigns import CampaignViewSet
from campaigns.api.clubs import ClubViewSet
from campaigns.api.enrolments import CampaignEnrolmentViewSet, EnrolmentViewSet
from campaigns.api.evenings import ClubEveningViewSet, EveningViewSet
from campaigns.api.hand_overs import HandOverViewSet, WarbandHandOverViewSet
from campaigns.api.invitations import ClubInvitationViewSet, InvitationViewSet
from campaigns.api.log import CampaignJournalViewSet, JournalViewSet, LogViewSet
from campaigns.api.members import ClubMemberViewSet, ClubMergeViewSet, MemberViewSet, MergeViewSet
from core.api.schema import KEY


def register(router: DefaultRouter) -> None:
    """Add this app's endpoints to the API."""
    router.register("clubs", ClubViewSet, basename="club")
    router.register(rf"clubs/(?P<club_id>{KEY})/members", ClubMemberViewSet, basename="club-member")
    router.register(rf"clubs/(?P<club_id>{KEY})/invitations", ClubInvitationViewSet, basename="club-invitation")
    router.register(rf"clubs/(?P<club_id>{KEY})/evenings", ClubEveningViewSet, basename="club-evening")
    router.register(rf"clubs/(?P<club_id>{KEY})/audit", ClubAuditViewSet, basename="club-audit")
    router.register("evenings", EveningViewSet, basename="evening")
    router.register(rf"clubs/(?P<club_id>{KEY})/merges", ClubMergeViewSet, basename="club-merge")
    router.register("merges", MergeViewSet, basename="merge")
    router.register("members", MemberViewSet, basename="member")
    router.register("invitations", InvitationViewSet, basename="invitation")
    router.register("campaigns", CampaignViewSet, basename="campaign")
    router.register(rf"campaigns/(?P<campaign_id>{KEY})/enrolments", CampaignEnrolmentViewSet, "campaign-enrolment")
    router.register(rf"campaigns/(?P<campaign_id>{KEY})/log", LogViewSet, basename="campaign-log")
    router.register(rf"campaigns/(?P<campaign_id>{KEY})/journal", CampaignJournalViewSet, basename="campaign-journal")
    router.register("journal", JournalViewSet, basename="journal")
    router.register("enrolments", EnrolmentViewSet, basename="enrolment")
    router.register(rf"warbands/(?P<warband_id>{KEY})/hand-over", WarbandHandOverViewSet, "warband-hand-over")
    router.register("hand-overs", HandOverViewSet, basename="hand-over")
