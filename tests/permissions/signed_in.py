"""Clients that stay signed in: signing in again for each of thousands of requests takes longer than
many requests."""

from http.cookies import SimpleCookie

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from tests.conftest import api_of, browser_of


class SignedIn:
    """A user's browser and API client, as they are after signing in."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.api = api_of(user)
        self._sign_in()

    def _sign_in(self) -> None:
        self._browser = browser_of(self.user)
        self._session = self._browser.session
        self._key = self._session.session_key or ""

    @property
    def browser(self) -> Client:
        """Return the browser with no cookie but its session's; signs in again if that has ended."""
        if not self._session.exists(self._key):
            self._sign_in()
        self._browser.cookies = SimpleCookie({settings.SESSION_COOKIE_NAME: self._key})
        return self._browser

    def client_of(self, route: str) -> Client | APIClient:
        """Return the API client for routes of the API, else the browser."""
        return self.api if route.startswith("/api/") else self.browser
