"""The role of a user in a club."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User

from clubs.models import Membership
from core.compiled_queries import CompiledQuery


def role_of(user: User | AnonymousUser, club_id: UUID) -> str:
    """Return the user's role in a club, "" if the user is not a member. One query."""
    if not user.is_authenticated:
        return ""
    return ROLE.first(club_id, user) or ""


ROLE: CompiledQuery[str] = CompiledQuery(
    lambda club, user: (
        Membership.objects.filter(club=club, user=user.pk).order_by().values_list("role", flat=True)
    )
)
