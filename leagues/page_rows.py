"""The rows that the tabs of a campaign and the hall screen of a club show."""

from uuid import UUID

from django.contrib.auth.models import User

from battles.models import Battle
from campaigns.models import (
    Campaign,
    Enrolment,
    Fixture,
    JournalEntry,
    Round,
    Substitute,
    TableGame,
)
from clubs.models import Club, Evening, Membership
from core.row_versions import Rows, RowVersions
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import Fighter, Warband

CAMPAIGN_ROWS = RowVersions()
HALL_ROWS = RowVersions()


@CAMPAIGN_ROWS.add
def of_campaign(key: UUID, reader: int) -> Rows:
    """Return the campaign with its warbands, battles and rounds, and its club's members."""
    warbands = Warband.objects.filter(enrolments__campaign=key)
    return (
        Campaign.objects.filter(pk=key),
        Campaign.objects.filter(followed_by=key),
        Campaign.objects.filter(follows=key),
        Club.objects.filter(campaigns=key),
        Membership.objects.filter(club__campaigns=key),
        User.objects.filter(memberships__club__campaigns=key),
        # A crest has the colour of the warband's latest campaign, which may be another one.
        Enrolment.objects.filter(warband__enrolments__campaign=key),
        # The warbands of the previous season, which can enter this one.
        Enrolment.objects.filter(campaign__followed_by=key),
        Warband.objects.filter(enrolments__campaign__followed_by=key),
        # The chronicles of the warbands: each change of them changes these rows.
        warbands,
        Fighter.objects.filter(warband__enrolments__campaign=key),
        Picture.objects.filter(kind=PictureKind.WARBAND, subject__in=warbands.values("pk")),
        # Every change of a side, a line-up or a log changes the row of its battle.
        Battle.objects.filter(campaign=key),
        Round.objects.filter(campaign=key),
        Fixture.objects.filter(round__campaign=key),
        Substitute.objects.filter(fixture__round__campaign=key),
        JournalEntry.objects.filter(campaign=key),
    )


@HALL_ROWS.add
def of_hall(key: UUID, reader: int) -> Rows:
    """Return the club with its nights and their games, and its campaigns with their play."""
    return (
        Club.objects.filter(pk=key),
        Membership.objects.filter(club=key),
        Evening.objects.filter(club=key),
        TableGame.objects.filter(evening__club=key),
        Campaign.objects.filter(club=key),
        Enrolment.objects.filter(campaign__club=key),
        # The chronicles of the warbands: each change of them changes these rows.
        Warband.objects.filter(enrolments__campaign__club=key),
        # Every change of a side, a line-up or a log changes the row of its battle.
        Battle.objects.filter(campaign__club=key),
        Fixture.objects.filter(round__campaign__club=key),
        Round.objects.filter(campaign__club=key),
        JournalEntry.objects.filter(campaign__club=key),
    )
