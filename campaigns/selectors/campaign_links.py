"""The campaigns that warbands are in."""

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from django.db.models import QuerySet

from campaigns.models import Campaign, Enrolment
from core.compiled_queries import CompiledQuery, Reader
from core.users import User
from warbands.links import CampaignLink
from warbands.models import Warband


def campaigns_of_warbands(warbands: Iterable[Warband], user: User) -> Mapping[UUID, CampaignLink]:
    """Return the campaign of each warband, if it is in one that the user can see. One query."""
    ids = [warband.pk for warband in warbands]
    visible = OF_WARBAND.rows(ids[0], user) if len(ids) == 1 else _visible(ids, user)
    return {
        enrolment.warband_id: CampaignLink(
            enrolment.campaign_id, enrolment.campaign.name, enrolment.colour, enrolment.player.name
        )
        for enrolment in visible
    }


def _visible(warbands: Collection[UUID], user: Reader) -> QuerySet[Enrolment, Enrolment]:
    return (
        Enrolment.objects.current()
        .select_related("campaign", "player")
        .filter(warband__in=warbands, campaign__in=Campaign.objects.visible_to(user))
    )


OF_WARBAND = CompiledQuery(lambda key, user: _visible([key], user))
