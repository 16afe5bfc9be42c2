"""The rows of campaigns that the pages of warbands depend on, and those of a campaign's read."""

from uuid import UUID

from django.contrib.auth.models import User

from campaigns.models import Campaign, Enrolment, HandOver
from clubs.models import Club, Membership
from core.row_versions import Rows, RowVersions
from warbands.page_rows import FIGHTER_ROWS, WARBAND_ROWS

CAMPAIGN_READ_ROWS = RowVersions()


@CAMPAIGN_READ_ROWS.add
def of_campaign(key: UUID, reader: int) -> Rows:
    """Return the campaign, the one that follows it, and its enrolments, which are counted."""
    return (
        Campaign.objects.filter(pk=key),
        Campaign.objects.filter(follows=key),
        Enrolment.objects.filter(campaign=key),
    )


@WARBAND_ROWS.add
def of_warband(key: UUID, reader: int) -> Rows:
    """Return the campaigns of the warband with their clubs, its players, and its transfers."""
    return (
        Enrolment.objects.filter(warband=key),
        Campaign.objects.filter(enrolments__warband=key),
        Club.objects.filter(campaigns__enrolments__warband=key),
        Membership.objects.filter(enrolments__warband=key),
        HandOver.objects.filter(warband=key),
        *(
            User.objects.filter(pk__in=HandOver.objects.filter(warband=key).values(who))
            for who in ("giver", "receiver")
        ),
        Membership.objects.filter(given_warbands__warband=key),
        Membership.objects.filter(
            pk__in=HandOver.objects.filter(warband=key).values("receiver_seat")
        ),
    )


@FIGHTER_ROWS.add
def of_fighter(key: UUID, reader: int) -> Rows:
    """Return the campaigns of the fighter's warband with their clubs."""
    return (
        Enrolment.objects.filter(warband__fighters=key),
        Campaign.objects.filter(enrolments__warband__fighters=key),
        Club.objects.filter(campaigns__enrolments__warband__fighters=key),
        HandOver.objects.filter(warband__fighters=key),
    )
