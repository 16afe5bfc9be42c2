"""The limits of clubs, which ``core.quotas`` compares with what they keep."""

from uuid import UUID

from django.conf import settings

from clubs.models import ClubQuota
from core.quotas import Limits, register_club_limits


def register_limits() -> None:
    """Register the limits of clubs."""
    register_club_limits(lock_limits)


def limits_of(quota: ClubQuota | None) -> Limits:
    """Return the limits of a club: its own, or else those of the installation."""
    own = (quota.documents, quota.pictures, quota.megabytes) if quota else (None, None, None)
    usual = (settings.CLUB_MAX_DOCUMENTS, settings.CLUB_MAX_PICTURES, settings.CLUB_MAX_DISK_MB)
    documents, pictures, megabytes = (
        default if limit is None else limit for limit, default in zip(own, usual, strict=True)
    )
    return Limits(documents=documents, pictures=pictures, megabytes=megabytes)


def lock_limits(club: UUID) -> Limits:
    """Return the limits of a club, locked until the end of the transaction if there are any.

    Nothing else locks these rows, so the holder of one never waits for somebody who wants it.
    """
    quota = ClubQuota.objects.filter(pk=club).first()
    if limits_of(quota).is_open:
        return Limits()
    ClubQuota.objects.get_or_create(pk=club)
    return limits_of(ClubQuota.objects.select_for_update().get(pk=club))
