"""The crests of warbands: an uploaded picture, or the data to draw one."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery

from core.users import User
from pictures.models import Picture
from pictures.selectors.pictures import Crest, ShownPicture
from pictures.subjects import PictureKind
from warbands.models import Warband
from warbands.rulebook_values import faction_name


def crests_of(warbands: Iterable[UUID], user: User) -> dict[UUID, Crest]:
    """Return the crests of warbands by id, with the pictures that the user may see.

    One query, none without warbands.
    """
    warband_ids = set(warbands)
    if not warband_ids:
        return {}
    seats = Warband.objects.filter(pk=OuterRef("pk"), enrolments__isnull=False)
    latest = seats.order_by("-enrolments__enrolled_at").values("enrolments__colour")[:1]
    rows = Warband.objects.filter(pk__in=warband_ids).annotate(colour=Subquery(latest)).order_by()
    pictures = Picture.objects.filter(kind=PictureKind.WARBAND, subject=OuterRef("pk"))
    rows = rows.only("name", "ruleset", "edition", "faction").annotate(
        picture=Subquery(pictures.values("pk")[:1]),
        width=Subquery(pictures.values("small_width")[:1]),
        height=Subquery(pictures.values("small_height")[:1]),
        seen=Exists(Warband.objects.visible_to(user).filter(pk=OuterRef("pk"))),
    )
    return {
        row.pk: Crest(
            row.name,
            row.colour or "",
            faction_name(row),
            ShownPicture(row.picture, row.pk, "", row.width, row.height)
            if row.picture and row.seen
            else None,
        )
        for row in rows
    }
