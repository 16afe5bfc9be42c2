"""Where a password or a second factor could be guessed: a guess that cannot be counted is not taken.

allauth counts them in the cache, so many for each account and address. While the cache keeps nothing everything else
goes on without being counted; here the door stays shut for a moment instead.
"""

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from config.account_mail import notify_account
from config.cache import counting

NOT_COUNTED = "guesses_not_counted"


def expect_counted_guesses() -> None:
    """Raises ValidationError ``NOT_COUNTED`` if guesses cannot be counted just now."""
    if not counting():
        sentence = gettext("Passwords and codes cannot be checked just now. Try again in a minute.")
        raise ValidationError(sentence, code=NOT_COUNTED)


def tell_of_used_code(factor: Authenticator) -> None:
    """Write to the owner of an account for which a recovery code was taken in place of the second factor."""
    if factor.type == Authenticator.Type.RECOVERY_CODES:
        # allauth has marked the code as used on a row that it read again.
        factor.refresh_from_db(fields=["data"])
        left = len(factor.wrap().get_unused_codes())
        notify_account(user=factor.user, template="mfa/email/recovery_code_used", values={"left": left})


class AuthenticateForm(mfa.AuthenticateForm):
    """The second factor, when one signs in."""

    def save(self) -> None:
        super().save()
        tell_of_used_code(self.authenticator)

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ReauthenticateForm(mfa.ReauthenticateForm):
    """The second factor, before something delicate is changed."""

    def save(self) -> None:
        super().save()
        tell_of_used_code(self.authenticator)

    def clean_code(self) -> Any:
        expect_counted_guesses()
        return super().clean_code()


class ChangePasswordForm(account.ChangePasswordForm):
    """A new password; the old one is asked for."""

    def clean_oldpassword(self) -> Any:
        expect_counted_guesses()
        return super().clean_oldpassword()
