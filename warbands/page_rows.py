"""The rows that the pages of warbands and fighters show. Other apps add theirs."""

from uuid import UUID

from django.contrib.auth.models import User

from core.row_versions import Rows, RowVersions
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import Fighter, RankUpOffer, Warband

WARBAND_ROWS = RowVersions()
FIGHTER_ROWS = RowVersions()


@WARBAND_ROWS.add
def of_warband(key: UUID, reader: int) -> Rows:
    """Return the warband with its fighters, their pictures, and the accounts of its players."""
    return (
        Warband.objects.filter(pk=key),
        Fighter.objects.filter(warband=key),
        RankUpOffer.objects.filter(fighter__warband=key),
        User.objects.filter(warbands=key),
        User.objects.filter(kept_warbands=key),
        Picture.objects.filter(kind=PictureKind.WARBAND, subject=key),
        Picture.objects.filter(
            kind=PictureKind.FIGHTER,
            subject__in=Fighter.objects.filter(warband=key).values("pk"),
        ),
    )


@FIGHTER_ROWS.add
def of_fighter(key: UUID, reader: int) -> Rows:
    """Return the fighter with its warband: its chronicle has the fighter's history."""
    comrades = Fighter.objects.filter(warband__fighters=key)
    return (
        Warband.objects.filter(fighters=key),
        comrades,
        RankUpOffer.objects.filter(fighter=key),
        Picture.objects.filter(kind=PictureKind.FIGHTER, subject=key),
        Picture.objects.filter(
            kind=PictureKind.WARBAND,
            subject__in=Warband.objects.filter(fighters=key).values("pk"),
        ),
    )
