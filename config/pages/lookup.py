"""Taking a page's row: hidden rows are not found, others' rows are not touched."""

from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

Row = TypeVar("Row", bound=Model)
Asker = User | AnonymousUser


class MemberRequest(HttpRequest):
    """The request of somebody who is signed in, as a page behind ``members_only`` gets it."""

    user: User


def visible(rows: Any, user: Asker, key: UUID) -> Any:
    """The row with this key among those that the user may see. Raises Http404."""
    row = rows.visible_to(user).filter(pk=key).first()
    if row is None:
        raise Http404
    return row


def may_edit(row: Model, user: Asker) -> bool:
    """Whether the user may change the row. One query, none for somebody who is not signed in."""
    rows: Any = type(row)._default_manager
    return user.is_authenticated and rows.editable_by(user).filter(pk=row.pk).exists()


def editable(rows: Any, user: Asker, key: UUID) -> Any:
    """The row, if the user may change it. Raises Http404 if it is hidden, PermissionDenied if it may only be seen."""
    row = visible(rows, user, key)
    if not may_edit(row, user):
        raise PermissionDenied
    return row


def among(rows: QuerySet[Row], key: UUID | str) -> Row:
    """The row with this key among rows that were found rightfully. Raises Http404."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise Http404
    return row
