"""Muster's own decisions about accounts. allauth does everything else."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
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
from core.time_zones import time_zones
from home.services.preferences import prefer

MAX_LETTERS = 150
"""The maximum length of each name in Django's own user model."""
LOGINS = ("username", "email")


logger = logging.getLogger("muster.accounts")


class SecondFactors(DefaultMFAAdapter):
    """An adapter that stores the secrets of second factors encrypted."""

    def encrypt(self, text: str) -> str:
        """Return the encrypted secret for the database."""
        return lock_secret(text)

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code of the set-up.

        allauth's own QR code has no background, so it is invisible on a dark page.
        """
        return qr_code(url)

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret, or a random one if the installation's key has changed since."""
        try:
            return unlock_secret(encrypted_text)
        except InvalidToken:
            logger.error(
                "A second factor cannot be read: SECRET_KEY has changed, and the old one is not "
                "among the fallbacks."
            )
            return generate_totp_secret()


def expect_visible(name: str) -> None:
    """Raise ValidationError if no character of the name can be seen."""
    try:
        clean_text("name", name, most=MAX_LETTERS)
    except InvalidInput as refusal:
        raise ValidationError(refusal.sentence, code=refusal.code) from refusal


def _guess_keys(credentials: dict[str, Any]) -> list[str]:
    """Return the keys under which a guess is counted. Both logins of an account have the same."""
    logins = {account_name(credentials[key]) for key in LOGINS if credentials.get(key)}
    keys = {key for login in logins for key in guess_keys(login)}
    accounts = {key for key in keys if key.startswith(ACCOUNT)}
    return sorted(accounts or keys)


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether sign-up is open. If it is closed, accounts are created in the admin."""
        return bool(settings.SIGNUP_OPEN)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the user name in its stored form. Raises ValidationError.

        It must have visible characters, unlike in Django. A name that history keeps for a former
        member can never be used again (docs/decisions/campaigns.md).
        """
        username = account_name(username)
        expect_visible(username)
        if is_name_kept(username):
            raise self.validation_error("username_taken")
        cleaned: str = super().clean_username(username, shallow)
        return cleaned

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the account with this login and password, or None. Logins are normalised first."""
        typed = {
            key: account_name(value)
            for key, value in credentials.items()
            if key in LOGINS and value
        }
        return super().authenticate(request, **{**credentials, **typed})

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a sign-in attempt.

        Raises ValidationError if there were too many for this account or they cannot be counted.
        """
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
        """Queue an e-mail about a change of the account, also to a replaced or removed address."""
        values = context or {}
        extra = [address for address in (email, values.get("deleted_email")) if address]
        notify_account(user=user, template=template_prefix, values=values, extra=extra)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail that an account needs at once, with the site's address in it."""
        super().send_mail(template_prefix, email, {"site": settings.SITE_URL, **context})

    def save_user(
        self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True
    ) -> User:
        """Return the new account, with the language of the page and the browser's time zone."""
        made: User = super().save_user(request, user, form, commit)
        chosen: dict[str, Any] = {}
        if get_language() != settings.LANGUAGE_CODE:
            chosen["language"] = get_language()
        zone = request.POST.get("time_zone", "")
        if zone != settings.TIME_ZONE and zone in time_zones():
            chosen["time_zone"] = zone
        if commit and chosen:
            prefer(user=made, **chosen)
        return made


class AccountsElsewhere(DefaultSocialAccountAdapter):
    """Muster's decisions about accounts of other sites that people sign in with."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Return whether sign-up is open, as for accounts with a password."""
        return bool(settings.SIGNUP_OPEN)

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the configured providers. They are only in the settings: no query."""
        return [
            app
            for each in settings.PROVIDERS
            for app in [
                SocialApp(
                    provider=each.key,
                    name=each.name,
                    client_id=each.client_id,
                    secret=each.secret,
                    **each.app_options,
                )
            ]
            if provider in (None, app.provider, app.provider_id)
            and client_id in (None, app.client_id)
        ]
