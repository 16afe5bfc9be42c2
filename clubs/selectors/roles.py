"""The role of a user in a club."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User

from clubs.models import Membership


def role_of(user: User | AnonymousUser, club_id: UUID) -> str:
    """Return the user's role in a club, "" if the user is not a member. One query."""
    if not user.is_authenticated:
        return ""
    return (
        Membership.objects.filter(club=club_id, user=user.pk).values_list("role", flat=True).first()
        or ""
    )
