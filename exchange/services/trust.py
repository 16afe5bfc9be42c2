"""Trust keys of other installations, and withdraw trust.

Organisers do this for their club, and staff for the whole installation.
"""

import json
from typing import Annotated
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club
from clubs.services.permissions import expect_organiser, organised_club
from core.cleaning import field_error
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from core.inputs import Input, column, field, validate
from exchange.models import TrustedKey
from exchange.signing import PublicKey, is_sound_point, own_key, public_key
from warbands.signed import create_signed, save_signed

FORMAT = "muster-key"
VERSION = 1
MAX_BYTES = 10_000
MAX_ADDRESS = 200
KEY_DIGITS = 64


class KeyFile(Struct, frozen=True):
    """The file that passes on a public key.

    Its reader must compare the fingerprint with the owner over another channel.
    """

    format: str
    version: int
    public: str
    fingerprint: str
    address: str = ""


class Trust(Input, frozen=True, kw_only=True):
    """A key to trust.

    Compare its fingerprint with its owner first, by telephone or face to face.
    """

    public: Annotated[
        str,
        field(api="64 hex digits, or the text of a key file.", min_length=1, max_length=MAX_BYTES),
    ]
    name: Annotated[
        str,
        column(
            TrustedKey,
            "name",
            _("Owner of the key"),
            _("The name that members will see. Example: The Swords of York."),
            api="What people here call the other installation.",
            min_length=1,
            line=True,
        ),
    ]
    address: Annotated[str, column(TrustedKey, "address", _("Web address"), line=True)] = ""


def key_file() -> bytes:
    """Return the public key of this installation as a file."""
    key = public_key()
    file = KeyFile(FORMAT, VERSION, key.public, key.fingerprint, settings.SITE_URL)
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def read_key(text: str) -> tuple[PublicKey, str]:
    """Return the key in a key file or in bare hex digits, and the address in the file.

    Raises InvalidInput (`not-a-key`, `weak-key`).
    """
    public, address = "".join(text.split()).lower(), ""
    if text.lstrip().startswith("{"):
        try:
            file = msgspec.convert(json.loads(text), KeyFile)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            raise _no_key() from error
        public, address = file.public.lower(), file.address[:MAX_ADDRESS]
        if file.format != FORMAT or file.version != VERSION:
            raise _no_key()
    if len(public) != KEY_DIGITS or set(public) - set("0123456789abcdef"):
        raise _no_key()
    if not is_sound_point(bytes.fromhex(public)):
        sentence = gettext(
            "Anyone can forge signatures of this key. Ask the other site for its public key."
        )
        raise field_error("public", "weak-key", sentence)
    return PublicKey(public), address


@transaction.atomic
def trust_key(
    *, user: User, public: str, name: str, address: str = "", club: UUID | None = None
) -> TrustedKey:
    """Trust what this key signs, for a club or for the whole installation.

    The former is for organisers of the club, and the latter for staff. Raises NotFound, Forbidden,
    InvalidInput (`not-a-key`, `weak-key`, `own-key`) and StateConflict (`trusted-already`).
    """
    trusting = organised_club(club, user) if club else None
    if trusting is None:
        _expect_staff(user)
    key, _ = read_key(public)
    if own_key(key.fingerprint):
        raise field_error(
            "public",
            "own-key",
            gettext("This is the key of this site. It is always trusted."),
        )
    if (
        TrustedKey.objects.select_for_update()
        .in_force()
        .filter(club=trusting, fingerprint=key.fingerprint)
        .exists()
    ):
        raise StateConflict(
            "trusted-already", gettext("This key is already trusted."), field="public"
        )
    terms = validate(Trust(public=key.public, name=name, address=address))
    row = create_signed(
        TrustedKey,
        club=trusting,
        fingerprint=key.fingerprint,
        public=key.public,
        name=terms.name,
        address=terms.address,
        trusted_by=user,
    )
    record(Verb.KEY_TRUSTED, row, user=user, club=club, fingerprint=key.groups)
    return row


@transaction.atomic
def withdraw_trust(*, user: User, key_id: UUID) -> TrustedKey:
    """Withdraw the trust in a key. What was imported with it stays.

    A second call changes nothing. Raises NotFound and Forbidden.
    """
    row = (
        TrustedKey.objects.select_for_update(of=("self",))
        .visible_to(user)
        .filter(pk=key_id)
        .first()
    )
    if row is None:
        raise NotFound("unknown-key", gettext("Key not found, or you don't have access."))
    if row.club_id is None:
        _expect_staff(user)
    else:
        expect_organiser(row.club_id, user)
    if row.withdrawn_at is None:
        row.withdrawn_at, row.withdrawn_by = timezone.now(), user
        save_signed(row, "withdrawn_at", "withdrawn_by")
        record(
            Verb.TRUST_WITHDRAWN,
            row,
            user=user,
            club=row.club_id,
            fingerprint=PublicKey(row.public).groups,
        )
    return row


def may_trust(user: AbstractBaseUser | AnonymousUser, club: Club | None) -> bool:
    """Return whether the user may trust keys for a club; without one, for the installation."""
    if club is None:
        return bool(getattr(user, "is_staff", False))
    return (
        user.is_authenticated and club.memberships.filter(user=user.pk, role="organiser").exists()
    )


def _expect_staff(user: User) -> None:
    if not user.is_staff:
        sentence = gettext(
            "Only the staff of this site can trust a key for all clubs. Trust it for your club "
            "instead."
        )
        raise Forbidden("staff-only", sentence)


def _no_key() -> InvalidInput:
    sentence = gettext(
        "This is not a public key. Use the key file of another Muster site, or its 64 hex digits."
    )
    return field_error("public", "not-a-key", sentence)
