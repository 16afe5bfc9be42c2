"""Whose keys are trusted here."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from msgspec import Struct

from campaigns.models import Club
from core.display_names import shown_name
from exchange.keys import in_groups
from exchange.models import TrustedKey


class KeyRow(Struct, frozen=True):
    """A key of another installation: what it is called, its fingerprint in groups, who trusts it since when."""

    id: UUID
    name: str
    address: str
    fingerprint: str
    public: str
    club: UUID | None
    club_name: str
    trusted_by: str
    trusted_at: datetime
    withdrawn_at: datetime | None


def trusted_keys(user: AbstractBaseUser | AnonymousUser, club: Club | None) -> tuple[KeyRow, ...]:
    """The keys that a club trusts, or without one the whole installation; those in force first. One query."""
    rows = TrustedKey.objects.visible_to(user).filter(club=club).select_related("club", "trusted_by")
    return tuple(sorted(map(key_row, rows), key=lambda row: row.withdrawn_at is not None))


def key_row(row: TrustedKey) -> KeyRow:
    """A key as pages and the API show it; ``club`` and ``trusted_by`` should be selected with it."""
    return KeyRow(
        id=row.pk,
        name=row.name,
        address=row.address,
        fingerprint=in_groups(row.fingerprint),
        public=row.public,
        club=row.club_id,
        club_name=row.club.name if row.club else "",
        trusted_by=shown_name(row.trusted_by),
        trusted_at=row.trusted_at,
        withdrawn_at=row.withdrawn_at,
    )
