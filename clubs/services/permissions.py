"""Permissions, checked here for all services.

Hidden rows are not found, and visible rows of others cannot be changed.
"""

from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from clubs.models import Club, Membership, Role
from core.errors import Forbidden, NotFound

AnyRow = TypeVar("AnyRow", bound=Model)


def find(rows: QuerySet[AnyRow], key: UUID, what: str) -> AnyRow:
    """Return the row with this key among those that the user may see.

    Raises NotFound "unknown-<what>".
    """
    row = rows.filter(pk=key).first()
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
    club = find(locked(Club.objects.visible_to(user)), club_id, "club")
    expect_organiser(club.pk, user)
    return club


def expect_organiser(club_id: UUID, user: User) -> None:
    """Check that the user organises the club. Raises Forbidden."""
    if not Membership.objects.filter(club=club_id, user=user, role=Role.ORGANISER).exists():
        raise Forbidden(
            "organisers-only",
            gettext("Only organisers can do this. Ask one of them."),
        )


def locked(rows: QuerySet[AnyRow]) -> QuerySet[AnyRow]:
    """Return the rows, locked until the transaction ends; new rows may still refer to them."""
    return rows.select_for_update(of=("self",), no_key=True)
