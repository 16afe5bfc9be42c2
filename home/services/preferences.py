"""Preferences of members, their e-mail addresses, and dismissed cards."""

from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import NotFound
from home.member_time import last_morning
from home.models import Dismissal, Mail, Preferences
from home.selectors.card_kinds import KINDS, CardOfRows
from home.selectors.cards import DISMISSIBLE

SALT = "inbox.unsubscribe"


def preferences_of(user: User) -> Preferences:
    """Return the preferences of a member; if there are none, the defaults, not stored.

    One query.
    """
    return Preferences.objects.filter(user=user).first() or Preferences(user=user)


@transaction.atomic
def prefer(
    *,
    user: User,
    mail: str | None = None,
    time_zone: str | None = None,
    language: str | None = None,
) -> Preferences:
    """Store the preferences of a member; None leaves a value as it is.

    The caller has checked the values.

    Digests begin the next morning, so that a change of preferences sends none at once.
    """
    preferences = locked_preferences(user)
    preferences.mail = preferences.mail if mail is None else mail
    preferences.time_zone = preferences.time_zone if time_zone is None else time_zone
    preferences.language = preferences.language if language is None else language
    preferences.digested_on = last_morning(
        preferences.mail, timezone.now().astimezone(preferences.zone)
    )
    preferences.save()
    return preferences


def locked_preferences(user: User) -> Preferences:
    """Return the row of a member, created if missing, and locked until the transaction ends."""
    Preferences.objects.get_or_create(user=user)
    return Preferences.objects.select_for_update().get(user=user)


def mail_address(user: User) -> str:
    """Return the address for e-mails to a member: a confirmed one, preferably the primary one.

    If this installation does not confirm addresses, as it sends no e-mail, return that of the
    account. Return "" if there is none.
    """
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address = confirmed.values_list("email", flat=True).first()
    if address is None and settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        address = user.email
    return address or ""


def dismiss(*, user: User, kind: str, subject: UUID) -> None:
    """Dismiss a card permanently.

    Raises NotFound (`unknown-card`) if there is no such card or it cannot be dismissed.
    """
    dismissals = Dismissal.objects.filter(user=user, kind=kind, subject=subject)
    if kind in DISMISSIBLE and dismissals.exists():
        return
    kind_of_card = KINDS.get(kind)
    if not isinstance(kind_of_card, CardOfRows) or not kind_of_card.can_dismiss(
        user, subject, timezone.localdate()
    ):
        raise NotFound(
            "unknown-card",
            gettext("Task not found, or it cannot be dismissed."),
            field="subject",
        )
    Dismissal.objects.get_or_create(user=user, kind=kind, subject=subject)


def unsubscribing_token(user: User) -> str:
    """Return the token of the link in a letter. It allows nothing but to stop the letters."""
    return signing.Signer(salt=SALT).sign(str(user.pk))


def unsubscribe(token: str) -> User:
    """Send no more letters to the member of the token. Raises NotFound (`unknown-link`)."""
    user = subscriber(token)
    prefer(user=user, mail=Mail.NEVER)
    return user


def subscriber(token: str) -> User:
    """Return the member of a token. Raises NotFound (`unknown-link`)."""
    try:
        return User.objects.get(pk=signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        raise NotFound(
            "unknown-link",
            gettext("This unsubscribe link is not valid. Sign in and change your e-mail settings."),
        ) from None
