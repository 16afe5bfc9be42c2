"""What Muster decides about accounts; everything else is allauth's."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """A club can close the door: accounts are then made in the admin site."""
        return bool(settings.SIGNUP_OPEN)
