"""Sign in to the API with a token, and refuse what its scope does not allow."""

import binascii
from typing import Any

from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox import auth
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from core.compiled_queries import CompiledQuery
from core.models import Scope
from core.replica import PRIMARY
from core.tokens import includes, note_use, scope_of

TOKENS: CompiledQuery[AuthToken] = CompiledQuery(
    lambda key, _: AuthToken.objects.filter(digest=str(key)).select_related("user", "details"),
    database=PRIMARY,
    plan_once=True,
)


class TokenAuthentication(auth.TokenAuthentication):
    """Tokens as `Authorization: Token …` or, as many clients send them, `Bearer …`."""

    def authenticate(self, request: Request) -> Any:
        """Return the user and the token, or None without one. Raises AuthenticationFailed."""
        words = get_authorization_header(request).split()
        if len(words) == 2 and words[0].lower() == b"bearer":
            return self.authenticate_credentials(words[1])
        return super().authenticate(request)

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return the user and the token, with its details, in one query.

        Raises AuthenticationFailed. Expired tokens are deleted by a task at night.
        """
        try:
            digest = hash_token(token.decode())
        except (UnicodeDecodeError, TypeError, binascii.Error) as error:
            raise AuthenticationFailed("Invalid token.") from error
        row, now = TOKENS.first(digest), timezone.now()
        if row is None or (row.expiry is not None and row.expiry <= now):
            raise AuthenticationFailed("Invalid token.")
        answer = self.validate_user(row)
        note_use(row, now)
        return answer


class InsufficientScope(PermissionDenied):
    """The token may not do this, whatever its account may do."""

    default_code = "insufficient-scope"

    def __init__(self, scope: Scope, needed: Scope) -> None:
        super().__init__(
            f"This token has the scope “{scope}”. This request needs “{needed}”: create a token "
            "with that scope."
        )


def expect_scope(token: object, needed: Scope) -> None:
    """Check that a token has this scope. Sessions have all. Raises InsufficientScope."""
    scope = scope_of(token)
    if not includes(scope, needed):
        raise InsufficientScope(scope, needed)


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """The description of tokens in the schema."""

    target_class = "core.api.authentication.TokenAuthentication"
