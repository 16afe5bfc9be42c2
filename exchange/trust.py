"""What a signature counts for here: the installation's own, trusted by a club, trusted no more, or unknown."""

from enum import StrEnum

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from msgspec import Struct

from exchange.keys import PublicKey, own_key
from exchange.models import TrustedKey


class Standing(StrEnum):
    """What somebody's key counts for."""

    OWN = "own"
    TRUSTED = "trusted"
    UNKNOWN = "unknown"


class Signer(Struct, frozen=True):
    """Who has signed: the fingerprint in groups, what the key counts for, the name that those who trust it gave it, and
    who they are: a club, or "" for the whole installation."""

    fingerprint: str
    standing: Standing
    name: str = ""
    address: str = ""
    club: str = ""


def standing_of(key: PublicKey, user: AbstractBaseUser | AnonymousUser) -> Signer:
    """What a key counts for a member: trusted by the installation, or by a club that the member is in. Two queries."""
    if own_key(key.fingerprint) == key.public:
        return Signer(key.groups, Standing.OWN)
    trusted = TrustedKey.objects.trusted_for(user).filter(fingerprint=key.fingerprint, public=key.public)
    row = trusted.select_related("club").order_by("club__name").first()
    if row is None:
        return Signer(key.groups, Standing.UNKNOWN)
    return Signer(key.groups, Standing.TRUSTED, row.name, row.address, row.club.name if row.club else "")
