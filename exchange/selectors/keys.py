"""Trusted keys, and how far a reader trusts the signer of a file."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from msgspec import Struct

from clubs.models import Club
from core.display_names import display_name
from core.signatures import PublicKey, in_groups
from exchange.models import TrustedKey
from exchange.signing import own_key


class KeyTrust(StrEnum):
    """The degree of trust in a key."""

    OWN = "own"
    TRUSTED = "trusted"
    UNKNOWN = "unknown"


class Signer(Struct, frozen=True):
    """The signer of a file: the fingerprint in groups and how far its key is trusted.

    ``name`` and ``address`` come from the one that trusts the key: ``club``, or the installation
    if ``club`` is "".
    """

    fingerprint: str
    standing: KeyTrust
    name: str = ""
    address: str = ""
    club: str = ""


def standing_of(key: PublicKey, user: AbstractBaseUser | AnonymousUser) -> Signer:
    """Return how far a key is trusted for a member: by the installation or by one of their clubs.

    Takes two queries.
    """
    if own_key(key.fingerprint) == key.public:
        return Signer(key.groups, KeyTrust.OWN)
    trusted = TrustedKey.objects.trusted_for(user).filter(
        fingerprint=key.fingerprint, public=key.public
    )
    row = trusted.select_related("club").order_by("club__name").first()
    if row is None:
        return Signer(key.groups, KeyTrust.UNKNOWN)
    return Signer(
        key.groups, KeyTrust.TRUSTED, row.name, row.address, row.club.name if row.club else ""
    )


class KeyRow(Struct, frozen=True):
    """A key of another installation: its name, its fingerprint in groups, and who trusts it."""

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
    """Return the keys that a club trusts, those in force first. One query.

    Without a club, return those that the whole installation trusts.
    """
    rows = (
        TrustedKey.objects.visible_to(user).filter(club=club).select_related("club", "trusted_by")
    )
    return tuple(sorted(map(key_row, rows), key=lambda row: row.withdrawn_at is not None))


def key_row(row: TrustedKey) -> KeyRow:
    """Return a key as pages and the API show it.

    Select ``club`` and ``trusted_by`` with the row, to save queries.
    """
    return KeyRow(
        id=row.pk,
        name=row.name,
        address=row.address,
        fingerprint=in_groups(row.fingerprint),
        public=row.public,
        club=row.club_id,
        club_name=row.club.name if row.club else "",
        trusted_by=display_name(row.trusted_by),
        trusted_at=row.trusted_at,
        withdrawn_at=row.withdrawn_at,
    )
