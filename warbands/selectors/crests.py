"""The crests of warbands: an uploaded picture, or the data to draw one."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from core.compiled_queries import CompiledQuery
from core.users import User
from pictures.models import Picture
from pictures.selectors.pictures import Crest, ShownPicture
from pictures.subjects import PictureKind
from warbands.models import Warband
from warbands.selectors.access import WarbandAccess, latest_colour


def crest_of(row: Warband, access: WarbandAccess, pictures: Mapping[UUID, ShownPicture]) -> Crest:
    """Return the crest of a warband that the reader may see. No query."""
    return Crest(str(row.pk), access.colour, pictures.get(row.pk))


def crests_of(warbands: Iterable[UUID], user: User) -> dict[UUID, Crest]:
    """Return the crests of warbands by id, with the pictures that the user may see.

    One query, none without warbands.
    """
    warband_ids = set(warbands)
    if not warband_ids:
        return {}
    return crests_of_rows(crest_rows(Warband.objects.filter(pk__in=warband_ids), user))


def crests_in_campaign(campaign: UUID, user: User | AnonymousUser) -> dict[UUID, Crest]:
    """Return the crests of all warbands of a campaign, as ``crests_of`` does. One query."""
    return crests_of_rows(IN_CAMPAIGN.rows(campaign, user))


def crest_rows(warbands: QuerySet[Warband], user: User | AnonymousUser) -> QuerySet[Any]:
    """Return these warbands with what their crests show.

    ``seen`` says whether the user may see the warband.
    """
    rows = warbands.annotate(colour=latest_colour()).order_by()
    pictures = Picture.objects.filter(kind=PictureKind.WARBAND, subject=OuterRef("pk"))
    return rows.only("pk").annotate(
        picture=Subquery(pictures.values("pk")[:1]),
        width=Subquery(pictures.values("small_width")[:1]),
        height=Subquery(pictures.values("small_height")[:1]),
        seen=Exists(Warband.objects.visible_to(user).filter(pk=OuterRef("pk"))),
    )


def crests_of_rows(rows: Iterable[Any]) -> dict[UUID, Crest]:
    """Return the crests of ``crest_rows`` by id."""
    return {
        row.pk: Crest(
            str(row.pk),
            row.colour or "",
            ShownPicture(row.picture, row.pk, "", row.width, row.height)
            if row.picture and row.seen
            else None,
        )
        for row in rows
    }


IN_CAMPAIGN: CompiledQuery[Any] = CompiledQuery(
    lambda key, user: crest_rows(Warband.objects.filter(enrolments__campaign=key), user)
)
