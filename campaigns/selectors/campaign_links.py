"""The campaigns that warbands are in."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from campaigns.models import Campaign, Enrolment
from core.users import User
from warbands.links import CampaignLink
from warbands.models import Warband


def campaigns_of_warbands(warbands: Iterable[Warband], user: User) -> Mapping[UUID, CampaignLink]:
    """Return the campaign of each warband, if it is in one that the user can see. One query."""
    enrolments = Enrolment.objects.current().select_related("campaign", "player")
    visible = enrolments.filter(
        warband__in=list(warbands), campaign__in=Campaign.objects.visible_to(user)
    )
    return {
        enrolment.warband_id: CampaignLink(
            enrolment.campaign_id, enrolment.campaign.name, enrolment.colour, enrolment.player.name
        )
        for enrolment in visible
    }
