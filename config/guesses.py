"""Where a password or a second factor could be guessed: a guess that cannot be counted is not taken.

allauth counts them in the cache, so many for each account and address. While the cache keeps nothing everything else
goes on without being counted; here the door stays shut for a moment instead.
"""

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from config.cache import counting

NOT_COUNTED = "guesses_not_counted"


def expect_counted_guesses() -> None:
    """Raises ValidationError ``NOT_COUNTED`` if guesses cannot be counted just now."""
    if not counting():
        sentence = gettext("Passwords and codes cannot be checked just now. Try again in a minute.")
        raise ValidationError(sentence, code=NOT_COUNTED)


class AuthenticateForm(mfa.AuthenticateForm):
    """The second factor, when one signs in."""

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ReauthenticateForm(mfa.ReauthenticateForm):
    """The second factor, before something delicate is changed."""

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ChangePasswordForm(account.ChangePasswordForm):
    """A new password; the old one is asked for."""

    def clean_oldpassword(self) -> Any:
        expect_counted_guesses()
        return super().clean_oldpassword()
