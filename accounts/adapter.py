"""What Muster decides about accounts; everything else is allauth's."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.mail import notify_account
from accounts.second_factors import lock_secret, unlock_secret
from accounts.throttle import (
    ACCOUNT,
    count_guess,
    expect_counted_guesses,
    forget_guesses,
    guess_keys,
)
from core.cleaning import clean_text
from core.display_names import account_name, is_name_kept
from core.errors import InvalidInput
from core.qr_codes import qr_code
from home.services.preferences import prefer

MAX_LETTERS = 150
"""Of each name in Django's own user."""
LOGINS = ("username", "email")


logger = logging.getLogger("muster.accounts")


class SecondFactors(DefaultMFAAdapter):
    """Secrets of second factors are stored under the installation's key."""

    def encrypt(self, text: str) -> str:
        """The secret as it is stored."""
        return lock_secret(text)

    def build_totp_svg(self, url: str) -> str:
        """The QR code of the set-up: allauth's has no ground of its own, and vanishes on a dark
        page."""
        return qr_code(url)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that no code fits where the installation's key is another one by now."""
        try:
            return unlock_secret(encrypted_text)
        except InvalidToken:
            logger.error(
                "A second factor cannot be read: SECRET_KEY has changed, and the old one is no "
                "fallback."
            )
            return generate_totp_secret()


def expect_visible(name: str) -> None:
    """Let pass a name of which something can be seen. Raises ValidationError."""
    try:
        clean_text("name", name, most=MAX_LETTERS)
    except InvalidInput as refusal:
        raise ValidationError(refusal.sentence, code=refusal.code) from refusal


def _guess_keys(credentials: dict[str, Any]) -> list[str]:
    """Return under which keys a guess is counted. Both logins of one account lead to the same."""
    logins = {account_name(credentials[key]) for key in LOGINS if credentials.get(key)}
    keys = {key for login in logins for key in guess_keys(login)}
    accounts = {key for key in keys if key.startswith(ACCOUNT)}
    return sorted(accounts or keys)


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """A club can close the door: accounts are then made in the admin site."""
        return bool(settings.SIGNUP_OPEN)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name under which somebody signs in. Django takes fillers for letters; people cannot
        see them.

        A name that history keeps for somebody who has left is taken for good
        (docs/decisions/leaving.md).
        """
        username = account_name(username)
        expect_visible(username)
        if is_name_kept(username):
            raise self.validation_error("username_taken")
        cleaned: str = super().clean_username(username, shallow)
        return cleaned

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Whose name or address and password these are, however the letters were typed; None:
        nobody's."""
        typed = {
            key: account_name(value)
            for key, value in credentials.items()
            if key in LOGINS and value
        }
        return super().authenticate(request, **{**credentials, **typed})

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try. Raises ValidationError if there were too many for this account, or none can
        be counted."""
        expect_counted_guesses()
        self._login_failed_rl_usage = count_guess(request, _guess_keys(credentials))
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        forget_guesses(request, _guess_keys(credentials))

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """A letter about a change of the account, by the outbox; also to an address that was
        replaced or removed."""
        values = context or {}
        extra = [address for address in (email, values.get("deleted_email")) if address]
        notify_account(user=user, template=template_prefix, values=values, extra=extra)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A letter that an account needs at once, signed with the name of the site instead of its
        host and port."""
        super().send_mail(template_prefix, email, {"site": settings.SITE_URL, **context})

    def save_user(
        self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True
    ) -> User:
        """The new account. Letters will speak the language of the page on which it was made."""
        made: User = super().save_user(request, user, form, commit)
        language = get_language()
        if commit and language != settings.LANGUAGE_CODE:
            prefer(user=made, language=language)
        return made
