"""Sign in to the API with a token."""

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox import auth
from rest_framework.authentication import get_authorization_header
from rest_framework.request import Request


class TokenAuthentication(auth.TokenAuthentication):
    """Tokens as `Authorization: Token …` or, as many clients send them, `Bearer …`."""

    def authenticate(self, request: Request) -> Any:
        """Return the user and the token, or None without one. Raises AuthenticationFailed."""
        words = get_authorization_header(request).split()
        if len(words) == 2 and words[0].lower() == b"bearer":
            return self.authenticate_credentials(words[1])
        return super().authenticate(request)


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """The description of tokens in the schema."""

    target_class = "core.api.authentication.TokenAuthentication"
