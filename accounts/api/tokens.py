"""Tokens for scripts:

`Authorization: Token <token>`. Only a hash is stored, and each token expires.
"""

from collections.abc import Sequence
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from knox.models import AuthToken
from knox.settings import knox_settings
from rest_framework import exceptions, serializers, status, viewsets
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.mail import notify_account
from accounts.throttle import NOT_COUNTED, tell_of_used_code
from core.api.schema import no_content
from core.api.strict_input import ExactSerializer, ExactView


class SignInSerializer(ExactSerializer):
    """User name and password for a token.

    `code` is only for accounts with two-factor authentication.
    """

    username = serializers.CharField(help_text="User name or e-mail address.")
    password = serializers.CharField(trim_whitespace=False, write_only=True)
    code = serializers.CharField(
        required=False,
        help_text="Code of the authenticator app, if the account has two-factor authentication.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check the user name and password.

        A wrong guess counts like one on the sign-in page: the limit of each account covers both.
        """
        try:
            user = self._user(attrs["username"], attrs["password"])
            if user is None:
                raise serializers.ValidationError(
                    "The user name or the password is wrong.", code="wrong_credentials"
                )
            if not second_factor_holds(user, attrs.get("code", "")):
                raise serializers.ValidationError({"code": _code_wanted(attrs)})
        except ValidationError as error:
            raise (
                GuessesNotCounted() if error.code == NOT_COUNTED else TooManyGuesses()
            ) from error
        return attrs | {"user": user}

    def _user(self, login: str, password: str) -> User | None:
        request = self.context["request"]._request
        user: User | None = get_adapter().authenticate(
            request, username=login, email=login, password=password
        )
        return user if user and user.is_active else None


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is shown only once."""

    token = serializers.CharField()
    expires = serializers.DateTimeField()


class NoTokenUsed(serializers.ValidationError):
    """The user asked for `tokens/current/` without signing in with a token."""


class TooManyGuesses(exceptions.Throttled):
    """The account is locked for a moment, on pages as well: too many wrong passwords or codes."""

    default_code = "too_many_guesses"

    def __init__(self) -> None:
        super().__init__(wait=300, detail="Too many wrong passwords or codes for this account.")


class GuessesNotCounted(exceptions.APIException):
    """Nobody can sign in while guesses cannot be counted."""

    status_code = 503
    default_code = "guesses_not_counted"
    default_detail = "Passwords and codes cannot be checked at the moment. Try again in a minute."
    wait = 60


@extend_schema_view(
    create=extend_schema(
        summary="Get a token",
        request=SignInSerializer,
        responses={201: TokenSerializer},
        auth=[],
        examples=[
            OpenApiExample(
                "Sign in", {"username": "alice", "password": "correct horse"}, request_only=True
            ),
            OpenApiExample(
                "Token", {"token": "8f0c1f…", "expires": "2030-01-31T20:00:00Z"}, response_only=True
            ),
        ],
    ),
)
class TokenViewSet(ExactView, viewsets.ViewSet):
    """Your tokens."""

    throttle_scope = "tokens"

    def get_permissions(self) -> Sequence[Any]:
        return [AllowAny()] if self.action == "create" else super().get_permissions()

    def get_authenticators(self) -> list[BaseAuthentication]:
        # A stale token or session must not stop anybody from asking for a new one.
        return (
            [] if self.request and self.request.method == "POST" else super().get_authenticators()
        )

    def create(self, request: Request) -> Response:
        """A token for a user name and a password."""
        serializer = SignInSerializer(data=request.data, context={"request": request})
        serializer.is_valid(raise_exception=True)
        row, token = make_token(user=serializer.validated_data["user"])
        answer = TokenSerializer({"token": token, "expires": row.expiry})
        return Response(answer.data, status=status.HTTP_201_CREATED)

    @extend_schema(summary="Revoke the token in use", request=None, responses=no_content())
    @action(detail=False, methods=["delete"], url_path="current")
    def current(self, request: Request) -> Response:
        """Revoke the token that signs this request."""
        if not isinstance(request.auth, AuthToken):
            raise NoTokenUsed("This request was not sent with a token.", code="no_token")
        request.auth.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(summary="Revoke every token", request=None, responses=no_content())
    @action(detail=False, methods=["delete"], url_path="all")
    def all(self, request: Request) -> Response:
        """Revoke all your tokens, on every device."""
        AuthToken.objects.filter(user_id=request.user.pk).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


@transaction.atomic
def make_token(*, user: User) -> tuple[AuthToken, str]:
    """Return a new token and its secret, which is known only now, and e-mail the owner of the
    account.
    """
    row, token = AuthToken.objects.create(user=user, expiry=knox_settings.TOKEN_TTL)
    notify_account(user=user, template="account/email/token_created")
    return row, token


class PasswordAgain(ExactSerializer):
    """Password for a sensitive request.

    `code` is only for accounts with two-factor authentication.
    """

    password = serializers.CharField(
        trim_whitespace=False, write_only=True, help_text="The password of the account."
    )
    code = serializers.CharField(
        required=False,
        help_text="Code of the authenticator app, if the account has two-factor authentication.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check the password. Wrong guesses count like those on the sign-in page."""
        request = self.context["request"]
        name = request.user.get_username()
        try:
            user = get_adapter().authenticate(
                request._request, username=name, email=name, password=attrs["password"]
            )  # fmt: skip
            if user is None or user.pk != request.user.pk:
                raise serializers.ValidationError({"password": _WRONG_PASSWORD})
            if not second_factor_holds(user, attrs.get("code", "")):
                raise serializers.ValidationError({"code": _code_wanted(attrs)})
        except ValidationError as error:
            raise (
                GuessesNotCounted() if error.code == NOT_COUNTED else TooManyGuesses()
            ) from error
        return attrs


_WRONG_PASSWORD = serializers.ErrorDetail(
    "This is not the password of this account.", code="wrong_password"
)


def second_factor_holds(user: User, code: str) -> bool:
    """Return whether the account has no second factor, or the code is right.

    A recovery code is used up. Raises Django's ValidationError after too many wrong codes for this
    account.
    """
    factors = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.WEBAUTHN)
    if not factors:
        return True
    if not code:
        return False
    forget_guesses = check_rate_limit(user)
    used = next((factor for factor in factors if factor.wrap().validate_code(code)), None)
    if used is not None:
        forget_guesses()
        tell_of_used_code(used)
    return used is not None


def _code_wanted(attrs: dict[str, Any]) -> serializers.ErrorDetail:
    if "code" in attrs:
        return serializers.ErrorDetail("This code is wrong or was used already.", code="wrong_code")
    return serializers.ErrorDetail(
        "This account has two-factor authentication. Send a code.", code="code_required"
    )
