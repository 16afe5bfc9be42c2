"""`manage.py renew_keys`: encrypt and sign again with the present SECRET_KEY."""

from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Model

from accounts.second_factors import lock_secret, rewritten
from audit.services.proof import sign_audit
from battles.models import SecretChoice
from battles.services.secret_choices import PURPOSE as CHOICES
from battles.services.verification import sign_battles
from campaigns.models import SealedOrder
from campaigns.order_seals import ORDERS
from clubs.models import CalendarLink, Invitation
from core.derived_keys import lock
from core.secret_links import CALENDARS, INVITATIONS
from exchange.models import SigningKey
from exchange.signing import SIGNING_KEYS
from outbox.models import WEBHOOKS, Webhook
from warbands.services.verification import sign_chronicles
from warbands.signed import sign_rows

SEALED: tuple[tuple[type[Model], bytes], ...] = (
    (SealedOrder, ORDERS),
    (SecretChoice, CHOICES),
    (Invitation, INVITATIONS),
    (CalendarLink, CALENDARS),
    (SigningKey, SIGNING_KEYS),
    (Webhook, WEBHOOKS),
)
"""Models whose column ``sealed`` is encrypted, and the purpose of each."""


class Command(BaseCommand):
    help = (
        "Encrypt and sign everything again with the current SECRET_KEY. You can remove "
        "SECRET_KEY_FALLBACKS afterwards."
    )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        lost = renew_second_factors() + sum(renew_column(*each) for each in SEALED)
        unsigned = sum(
            sign(trusting=False) for sign in (sign_chronicles, sign_battles, sign_audit, sign_rows)
        )
        if lost or unsigned:
            raise CommandError(
                f"No key could decrypt {lost} values or verify {unsigned} signatures. Nothing was "
                "changed. "
                "See SECRET_KEY_FALLBACKS, and check_chronicle."
            )
        self.stdout.write("Everything is encrypted and signed with the current SECRET_KEY.")


def renew_second_factors() -> int:
    """Encrypt the secrets of second factors with the present key. Return how many no key opens."""
    lost = 0
    for factor in Authenticator.objects.select_for_update().exclude(
        type=Authenticator.Type.WEBAUTHN
    ):
        try:
            factor.data = rewritten(factor.data, lock_secret)
        except InvalidToken:
            lost += 1
            continue
        factor.save(update_fields=["data"])
    return lost


def renew_column(rows: type[Model], purpose: bytes) -> int:
    """Do the same for the column ``sealed`` of these rows. Empty values stay empty."""
    lost = 0
    for key, sealed in rows._default_manager.select_for_update().values_list("pk", "sealed"):
        try:
            renewed = lock(purpose).rotate(bytes(sealed)) if sealed else b""
        except InvalidToken:
            lost += 1
            continue
        rows._default_manager.filter(pk=key).update(sealed=renewed)
    return lost
