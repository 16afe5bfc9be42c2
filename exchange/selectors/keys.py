"""Trusted keys, and the trust in the signer of a file: this installation, a key that a club trusts,
or unknown."""

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
    """What somebody's key counts for."""

    OWN = "own"
    TRUSTED = "trusted"
    UNKNOWN = "unknown"


class Signer(Struct, frozen=True):
    """Who has signed: the fingerprint in groups, what the key counts for, the name that those who
    trust it gave it, and who they are: a club, or "" for the whole installation."""

    fingerprint: str
    standing: KeyTrust
    name: str = ""
    address: str = ""
    club: str = ""


def standing_of(key: PublicKey, user: AbstractBaseUser | AnonymousUser) -> Signer:
    """What a key counts for a member: trusted by the installation, or by a club that the member is
    in. Two queries."""
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
    """A key of another installation: what it is called, its fingerprint in groups, who trusts it
    since when."""

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
    """The keys that a club trusts, or without one the whole installation; those in force first. One
    query."""
    rows = (
        TrustedKey.objects.visible_to(user).filter(club=club).select_related("club", "trusted_by")
    )
    return tuple(sorted(map(key_row, rows), key=lambda row: row.withdrawn_at is not None))


def key_row(row: TrustedKey) -> KeyRow:
    """A key as pages and the API show it; ``club`` and ``trusted_by`` should be selected with
    it."""
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
