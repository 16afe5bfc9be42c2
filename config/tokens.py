"""Tokens for scripts: `Authorization: Token <token>`. Only a hash is kept, and each token ends by itself."""

from collections.abc import Sequence
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from knox.models import AuthToken
from knox.settings import knox_settings
from rest_framework import serializers, status, viewsets
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.schema import no_content


class SignInSerializer(serializers.Serializer[Any]):
    """Who asks for a token. `code` only for accounts with a second factor."""

    username = serializers.CharField(help_text="User name or e-mail address.")
    password = serializers.CharField(trim_whitespace=False, write_only=True)
    code = serializers.CharField(required=False, help_text="Second factor, if the account has one.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        request = self.context["request"]
        user = authenticate(request._request, username=attrs["username"], password=attrs["password"])
        user = user or authenticate(request._request, email=attrs["username"], password=attrs["password"])
        if user is None:
            raise serializers.ValidationError("User name and password do not fit.", code="wrong_credentials")
        if not second_factor_holds(user, attrs.get("code", "")):
            raise serializers.ValidationError({"code": _code_wanted(attrs)})
        return attrs | {"user": user}


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is shown this once."""

    token = serializers.CharField()
    expires = serializers.DateTimeField()


class NoTokenUsed(serializers.ValidationError):
    """`tokens/current/` was asked for by somebody who is signed in without a token."""


@extend_schema_view(
    create=extend_schema(
        summary="Get a token",
        request=SignInSerializer,
        responses={201: TokenSerializer},
        auth=[],
        examples=[
            OpenApiExample("Sign in", {"username": "alice", "password": "correct horse"}, request_only=True),
            OpenApiExample("Token", {"token": "8f0c1f…", "expires": "2030-01-31T20:00:00Z"}, response_only=True),
        ],
    ),
)
class TokenViewSet(viewsets.ViewSet):
    """Tokens of one's own."""

    throttle_scope = "tokens"

    def get_permissions(self) -> Sequence[Any]:
        return [AllowAny()] if self.action == "create" else super().get_permissions()

    def get_authenticators(self) -> list[BaseAuthentication]:
        # A stale token or session must not stop anybody from asking for a new one.
        return [] if self.request and self.request.method == "POST" else super().get_authenticators()

    def create(self, request: Request) -> Response:
        """A token for a user name and a password."""
        asked = SignInSerializer(data=request.data, context={"request": request})
        asked.is_valid(raise_exception=True)
        row, token = AuthToken.objects.create(user=asked.validated_data["user"], expiry=knox_settings.TOKEN_TTL)
        answer = TokenSerializer({"token": token, "expires": row.expiry})
        return Response(answer.data, status=status.HTTP_201_CREATED)

    @extend_schema(summary="Revoke the token in use", request=None, responses=no_content())
    @action(detail=False, methods=["delete"], url_path="current")
    def current(self, request: Request) -> Response:
        """Revoke the token that signs this request."""
        if not isinstance(request.auth, AuthToken):
            raise NoTokenUsed("This request was not signed with a token.", code="no_token")
        request.auth.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(summary="Revoke every token", request=None, responses=no_content())
    @action(detail=False, methods=["delete"], url_path="all")
    def all(self, request: Request) -> Response:
        """Revoke all tokens of one's own, on every machine."""
        AuthToken.objects.filter(user_id=request.user.pk).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


def second_factor_holds(user: User, code: str) -> bool:
    """True when the account has no second factor, or the code is a good one. A recovery code is used up by it."""
    factors = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.WEBAUTHN)
    return not factors or any(factor.wrap().validate_code(code) for factor in factors)


def _code_wanted(attrs: dict[str, Any]) -> serializers.ErrorDetail:
    if "code" in attrs:
        return serializers.ErrorDetail("This code is wrong or used up.", code="wrong_code")
    return serializers.ErrorDetail("This account has a second factor.", code="code_required")
