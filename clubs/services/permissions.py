"""Permissions, checked here for all services.

Hidden rows are not found, and visible rows of others cannot be changed.
"""

from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from clubs.models import Club, Evening, Membership, Role
from core.compiled_queries import CompiledQuery
from core.errors import Forbidden, NotFound

AnyRow = TypeVar("AnyRow", bound=Model)


def find(rows: QuerySet[AnyRow], key: UUID, what: str) -> AnyRow:
    """Return the row with this key among those that the user may see.

    Raises NotFound "unknown-<what>".
    """
    return expect_row(rows.filter(pk=key).first(), what)


def expect_row(row: AnyRow | None, what: str) -> AnyRow:
    """Return a row that was looked up. Raises NotFound "unknown-<what>" for None."""
    if row is None:
        raise NotFound(
            f"unknown-{what}",
            gettext("Not found: this %(what)s does not exist, or you don't have access to it.")
            % {"what": what},
            field=what,
        )
    return row


def organised_club(club_id: UUID, user: User) -> Club:
    """Return the club, locked.

    Raises NotFound if it is hidden from the user, Forbidden if the user is not an organiser.
    """
    club = expect_row(LOCKED_CLUB.first(club_id, user), "club")
    expect_organiser(club.pk, user)
    return club


def locked_evening(evening_id: UUID, user: User) -> Evening:
    """Return the club night with its club, locked. Raises NotFound if the user cannot see it."""
    return expect_row(LOCKED_EVENING.first(evening_id, user), "evening")


def present_member(club_id: UUID, user: User) -> Membership | None:
    """Return the user's membership in a club; None if they are not or no longer a member."""
    return PRESENT_MEMBER.first(club_id, user)


def expect_organiser(club_id: UUID, user: User) -> None:
    """Check that the user organises the club. Raises Forbidden."""
    if not ORGANISER.rows(club_id, user):
        raise Forbidden(
            "organisers-only",
            gettext("Only organisers can do this. Ask one of them."),
        )


def locked(rows: QuerySet[AnyRow]) -> QuerySet[AnyRow]:
    """Return the rows, locked until the transaction ends; new rows may still refer to them."""
    return rows.select_for_update(of=("self",), no_key=True)


LOCKED_CLUB: CompiledQuery[Club] = CompiledQuery(
    lambda key, user: locked(Club.objects.visible_to(user).filter(pk=key)).order_by()
)
"""The club, if the user may see it. It is locked."""
LOCKED_EVENING: CompiledQuery[Evening] = CompiledQuery(
    lambda key, user: (
        locked(Evening.objects.visible_to(user).filter(pk=key)).select_related("club").order_by()
    )
)
"""The club night with its club, if the user may see it. The club is not locked."""
PRESENT_MEMBER: CompiledQuery[Membership] = CompiledQuery(
    lambda key, user: (
        Membership.objects.present().filter(club=key, user=user.pk, user__isnull=False).order_by()
    )
)


def _organiser(key: UUID, user: Any) -> QuerySet[Any, Any]:
    """Return the id of the user's membership in a club, if the user organises it."""
    own = Membership.objects.filter(user=user.pk, user__isnull=False)
    return own.filter(club=key, role=Role.ORGANISER).order_by().values_list("pk", flat=True)


ORGANISER: CompiledQuery[UUID] = CompiledQuery(_organiser)
