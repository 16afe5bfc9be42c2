"""The crests of warbands: the picture that somebody brought, or what one is drawn from."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from msgspec import Struct

from campaigns.models import Enrolment
from pictures.models import Picture, PictureKind
from pictures.selectors.pictures import ShownPicture
from warbands.models import User, Warband
from warbands.rulebook_values import faction_name


class Crest(Struct, frozen=True):
    """The crest of a warband or a club: its picture if the reader may see one, and what it is drawn from else.

    ``colour`` is that of its latest campaign, "" without any.
    """

    name: str
    colour: str = ""
    faction: str = ""
    picture: ShownPicture | None = None


def crests_of(warbands: Iterable[UUID], user: User) -> dict[UUID, Crest]:
    """The crests of warbands by their ids, with the pictures of those that the user may see. One query, none for
    nobody's."""
    wanted = set(warbands)
    if not wanted:
        return {}
    latest = Enrolment.objects.filter(warband=OuterRef("pk")).order_by("-enrolled_at").values("colour")[:1]
    rows = Warband.objects.filter(pk__in=wanted).annotate(colour=Subquery(latest)).order_by()
    own = Picture.objects.filter(kind=PictureKind.WARBAND, subject=OuterRef("pk"))
    rows = rows.only("name", "ruleset", "edition", "faction").annotate(
        picture=Subquery(own.values("pk")[:1]),
        width=Subquery(own.values("small_width")[:1]),
        height=Subquery(own.values("small_height")[:1]),
        seen=Exists(Warband.objects.visible_to(user).filter(pk=OuterRef("pk"))),
    )
    return {
        row.pk: Crest(
            row.name,
            row.colour or "",
            faction_name(row),
            ShownPicture(row.picture, row.pk, "", row.width, row.height) if row.picture and row.seen else None,
        )
        for row in rows
    }
