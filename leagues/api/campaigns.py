"""`campaigns/`, with a preview of the end of a campaign."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from campaigns.api import campaigns
from campaigns.api.examples import CAMPAIGN_IN_FULL
from campaigns.api.serializers import CampaignInFullSerializer, FinishSerializer
from campaigns.models import Campaign
from campaigns.services.campaigns import finish_campaign
from clubs.services.permissions import expect_organiser, find
from core.api.views import struct_response
from leagues.api.examples import PULSE
from leagues.selectors.ending import CampaignEnding, campaign_ending
from leagues.selectors.pulse import Pulse, campaign_pulse


class CampaignViewSet(campaigns.CampaignViewSet):
    """Campaigns of your clubs, and public ones."""

    @extend_schema(
        summary="Finish a campaign",
        request=FinishSerializer,
        responses=PolymorphicProxySerializer(
            component_name="FinishAnswer",
            serializers=[CampaignInFullSerializer, CampaignEnding],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("What is open?", {"dry_run": True}, request_only=True),
            OpenApiExample("Finish", {"version": 2}, request_only=True),
            OpenApiExample(
                "Finished",
                CAMPAIGN_IN_FULL | {"state": "finished", "version": 3},
                response_only=True,
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, pk: UUID) -> Response:
        """For organisers, once every battle is confirmed or void.

        Its warbands can then enter another campaign.
        """
        sent = self.validated(FinishSerializer, request)
        if sent.pop("dry_run"):
            campaign = find(Campaign.objects.visible_to(self.asker), pk, "campaign")
            expect_organiser(campaign.club_id, self.asker)
            return struct_response(campaign_ending(campaign))
        finish_campaign(campaign_id=pk, user=self.asker, **sent)
        return self.answer(pk)

    @extend_schema(
        summary="Read the pulse of a campaign",
        responses=Pulse,
        examples=[OpenApiExample("Pulse", PULSE, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def pulse(self, request: Request, pk: UUID) -> Response:
        """For organisers: who drifts away, the gap between warbands, games that no longer matter,
        and three suggestions."""
        rows = Campaign.objects.visible_to(self.asker).select_related("club")
        campaign = find(rows, pk, "campaign")
        expect_organiser(campaign.club_id, self.asker)
        return struct_response(campaign_pulse(campaign, timezone.localdate()))


def register(router: DefaultRouter) -> None:
    """Add the endpoints of campaigns."""
    router.register("campaigns", CampaignViewSet, basename="campaign")
