"""The rights of a reader in a warband, and the colour of its crest."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from msgspec import Struct

from core.compiled_queries import CompiledQuery
from core.users import User as Reader
from warbands.models import Warband


class WarbandPermissions(Struct, frozen=True):
    """The reader's rights: edit the warband, and override the rules in it with a reason."""

    edit: bool = False
    overrule: bool = False


class WarbandAccess(Struct, frozen=True):
    """A reader's rights in a visible warband, and the colour of its latest campaign or ""."""

    rights: WarbandPermissions
    colour: str


def access_of(warband: UUID, user: Reader) -> WarbandAccess | None:
    """Return the reader's rights in a warband, or None if it is hidden or missing. One query."""
    for visible, edit, overrule, colour in ACCESS.rows(warband, user):
        if visible:
            return WarbandAccess(WarbandPermissions(bool(edit), bool(overrule)), str(colour or ""))
    return None


def rights_of(warband: Warband, user: User | AnonymousUser) -> WarbandPermissions:
    """Return what a user may do with a warband. One query, none for anonymous users."""
    access = access_of(warband.pk, user) if user.is_authenticated else None
    return access.rights if access else WarbandPermissions()


def latest_colour() -> Subquery:
    """Return the colour that the outer query's warband has in its latest campaign."""
    seats = Warband.objects.filter(pk=OuterRef("pk"), enrolments__isnull=False)
    return Subquery(seats.order_by("-enrolments__enrolled_at").values("enrolments__colour")[:1])


def _access(warband: UUID, reader: Reader) -> QuerySet[Warband, tuple[object, ...]]:
    this = Warband.objects.filter(pk=OuterRef("pk"))
    rows = Warband.objects.filter(pk=warband).order_by()
    return rows.annotate(
        visible=Exists(this.visible_to(reader)),
        edit=Exists(this.editable_by(reader)),
        overrule=Exists(this.organised_by(reader)),
        colour=latest_colour(),
    ).values_list("visible", "edit", "overrule", "colour")


ACCESS: CompiledQuery[tuple[object, ...]] = CompiledQuery(_access)
