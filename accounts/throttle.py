"""Refuse guesses of passwords and second factors while they cannot be counted.

allauth counts guesses in the cache and limits them for each account and address. While the cache is
down, all other requests continue without being counted, but sign-in is refused for that time.
"""

import time
from collections.abc import Iterator
from typing import Any

from allauth.account import app_settings
from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.utils import filter_users_by_username
from allauth.core.internal import ratelimit
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.mail import notify_account
from core.cache import counting

NOT_COUNTED = "guesses_not_counted"
ALLAUTH, ACTION = "allauth.account", "login_failed"
ACCOUNT = "account:"
CHECKING = 2.0
"""The seconds that the check of a password may take after it was counted. Hashing takes less than
one."""
PAUSE = 0.1


def expect_counted_guesses() -> None:
    """Raise ValidationError (`guesses_not_counted`) if guesses cannot be counted now."""
    if not counting():
        sentence = gettext(
            "Passwords and codes cannot be checked at the moment. Try again in a minute."
        )
        raise ValidationError(sentence, code=NOT_COUNTED)


def guess_keys(login: str) -> list[str]:
    """Return the keys under which a guess is counted: one for each account of the login.

    User name and address of an account count together. An unconfirmed address can belong to several
    accounts. A login without an account is counted as it was typed.
    """
    users = [
        *filter_users_by_username(login),
        *filter_users_by_email(login, prefer_verified=True, for_login=True),
    ]
    return [f"{ACCOUNT}{key}" for key in sorted({user.pk for user in users})] or [
        f"login:{login.lower()}"
    ]


def count_guess(request: HttpRequest, keys: list[str]) -> ratelimit.RateLimitUsage | None:
    """Count a guess under all keys. Return None if there were too many.

    The returned usage can be rolled back. Guesses are counted before they are checked, so that
    sending many at once has no advantage. A correct password is removed from the count again. While
    one is being checked, others wait: correct passwords that arrive together all succeed.
    """
    deadline = time.monotonic() + CHECKING
    while (
        (usage := _count(request, keys)) is None
        and time.monotonic() < deadline
        and _in_check(request, keys)
    ):
        time.sleep(PAUSE)
    return usage


def forget_guesses(request: HttpRequest, keys: list[str]) -> None:
    """Forget wrong guesses for an account, for example after its password was reset."""
    for rate, key in _rates(keys):
        if key is not None:
            ratelimit.clear(request, app=ALLAUTH, action=ACTION, config={ACTION: rate}, key=key)


def _count(request: HttpRequest, keys: list[str]) -> ratelimit.RateLimitUsage | None:
    counted = ratelimit.RateLimitUsage(usage=[])
    for rate, key in _rates(keys):
        usage = ratelimit.consume(
            request, app=ALLAUTH, action=ACTION, config={ACTION: rate}, key=key
        )
        if usage is None:
            counted.rollback()
            return None
        counted.usage += usage.usage
    return counted


def _in_check(request: HttpRequest, keys: list[str]) -> bool:
    """Return whether a guess was counted so recently that it may still be correct."""
    moments: list[float] = []
    for text, key in _rates(keys):
        for rate in ratelimit.parse_rates(text):
            name = ratelimit.get_cache_key(request, app=ALLAUTH, action=ACTION, rate=rate, key=key)
            moments += cache.get(name, [])[:1]
    return max(moments, default=0.0) > time.time() - CHECKING


def _rates(keys: list[str]) -> Iterator[tuple[str, str | None]]:
    """Yield allauth's rates for guesses with their keys: an account, or None for an address."""
    for rate in (app_settings.RATE_LIMITS[ACTION] or "").split(","):
        for key in keys if rate.endswith("/key") else [None]:
            yield rate, key


def tell_of_used_code(factor: Authenticator) -> None:
    """Send an e-mail to an account's owner after a recovery code was used."""
    if factor.type == Authenticator.Type.RECOVERY_CODES:
        # allauth has marked the code as used on another instance of the row.
        factor.refresh_from_db(fields=["data"])
        left = len(factor.wrap().get_unused_codes())
        notify_account(
            user=factor.user, template="mfa/email/recovery_code_used", values={"left": left}
        )


class AuthenticateForm(mfa.AuthenticateForm):
    """The form for the second factor at sign-in."""

    def save(self) -> None:
        super().save()
        tell_of_used_code(self.authenticator)

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ReauthenticateForm(mfa.ReauthenticateForm):
    """The form for the second factor before a sensitive change."""

    def save(self) -> None:
        super().save()
        tell_of_used_code(self.authenticator)

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ChangePasswordForm(account.ChangePasswordForm):
    """The form for a new password. Wrong old passwords count as guesses, as at sign-in."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return password
