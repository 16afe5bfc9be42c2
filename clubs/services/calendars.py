"""Secret calendar addresses: made, made anew, revoked."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from clubs.models import CalendarLink
from core.secret_links import CALENDARS, digest_of, fresh_secret, sealed_secret


@transaction.atomic
def make_calendar_link(*, user: User) -> str:
    """The secret of the user's new calendar address; one that there was before leads nowhere from
    now on."""
    secret = fresh_secret()
    kept = {
        "digest": digest_of(secret),
        "sealed": sealed_secret(secret, CALENDARS),
        "made_at": timezone.now(),
    }
    CalendarLink.objects.update_or_create(user=user, defaults=kept)
    return secret


def revoke_calendar_link(*, user: User) -> None:
    """The user's calendar address leads nowhere from now on."""
    CalendarLink.objects.filter(user=user).delete()
