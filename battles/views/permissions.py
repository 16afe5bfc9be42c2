"""Taking a battle for what only an organiser may do."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from battles.models import Battle
from core.views import MemberRequest, visible


def organised(rows: Any, request: MemberRequest, pk: UUID) -> Battle:
    """The battle, if the asker may decide it. Raises Http404 if it is hidden, PermissionDenied if it is not theirs."""
    battle: Battle = visible(rows, request.user, pk)
    if not Battle.objects.organised_by(request.user).filter(pk=pk).exists():
        raise PermissionDenied(gettext("Only an organiser may do this."))
    return battle
