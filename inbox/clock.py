"""By whose clock times are shown."""

from django.conf import settings

from inbox.kept import forget, kept
from inbox.models import Preferences

SECONDS = 3600
"""How long the name of a zone is kept; choosing another forgets it."""


def zone_name(user_id: int) -> str:
    """The name of the time zone that a member has chosen, or this installation's. One query, mostly none."""

    def chosen() -> str:
        names = Preferences.objects.filter(user=user_id).values_list("time_zone", flat=True)
        return names.first() or settings.TIME_ZONE

    return kept(_key(user_id), SECONDS, chosen)


def forget_zone(user_id: int) -> None:
    """Another one was chosen."""
    forget(_key(user_id))


def _key(user_id: int) -> str:
    return f"inbox-zone:{user_id}"
