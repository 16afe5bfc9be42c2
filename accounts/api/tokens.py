"""Tokens for scripts:

`Authorization: Token <token>`. Only a hash is stored, and each token expires.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, cast
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from knox.models import AuthToken
from rest_framework import exceptions, serializers, status, viewsets
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.services.bots import bot_tokens, make_bot_token, revoke_bot_token
from accounts.services.tokens import make_token, revoke_token
from accounts.throttle import NOT_COUNTED, tell_of_used_code
from clubs.models import Club
from clubs.services.permissions import expect_organiser, find
from core.api.inputs import serializer_class
from core.api.schema import KEY, no_content, path_key
from core.api.strict_input import ExactSerializer, ExactView
from core.api.views import Endpoint
from core.inputs import fields_of, parse
from core.models import Scope, TokenDetails
from core.tokens import TokenTerms, tokens_of


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


TokenTermsSerializer = serializer_class(TokenTerms)
SignInForTokenSerializer = serializer_class(
    TokenTerms, SignInSerializer, name="SignInSerializer", doc=SignInSerializer.__doc__ or ""
)


class TokenDetailsSerializer(serializers.Serializer[Any]):
    """A token, without its secret."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(choices=Scope.choices)
    start = serializers.CharField(
        source="token.token_key", help_text="The first characters of the token."
    )
    created = serializers.DateTimeField(source="token.created")
    expires = serializers.DateTimeField(source="token.expiry", allow_null=True)
    last_used = serializers.DateTimeField(
        source="last_used_at",
        allow_null=True,
        help_text="Last use, to within a minute; null if it was never used.",
    )


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is shown only once."""

    token = serializers.CharField()
    expires = serializers.DateTimeField()
    id = serializers.UUIDField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(choices=Scope.choices)


def new_token(details: TokenDetails, secret: str) -> Response:
    """Return the answer to a request that created a token."""
    shown = {
        "token": secret,
        "expires": details.token.expiry,
        "id": details.pk,
        "name": details.name,
        "scope": details.scope,
    }
    return Response(TokenSerializer(shown).data, status=status.HTTP_201_CREATED)


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


TOKEN_ID = path_key("id", "token")
NEW_TOKEN = {
    "token": "8f0c1f…",
    "expires": "2030-01-31T20:00:00Z",
    "id": "0b9d9f5e-3a51-4b0c-9a68-6b0a8f8f2d11",
    "name": "Scoreboard",
    "scope": "log",
}


@extend_schema_view(
    create=extend_schema(
        summary="Get a token",
        request=SignInForTokenSerializer,
        responses={201: TokenSerializer},
        auth=[],
        examples=[
            OpenApiExample(
                "Sign in", {"username": "alice", "password": "correct horse"}, request_only=True
            ),
            OpenApiExample(
                "Sign in for a bot that logs battles",
                {
                    "username": "alice",
                    "password": "correct horse",
                    "name": "Scoreboard",
                    "scope": "log",
                    "days": 90,
                },
                request_only=True,
            ),
            OpenApiExample("Token", NEW_TOKEN, response_only=True, status_codes=["201"]),
        ],
    ),
)
class TokenViewSet(ExactView, viewsets.ViewSet):
    """Your tokens."""

    throttle_scope = "tokens"
    lookup_value_regex = KEY
    # A token may always revoke itself.
    token_scopes: ClassVar = {"create": Scope.READ, "current": Scope.READ}

    def get_permissions(self) -> Sequence[Any]:
        return [AllowAny()] if self.action == "create" else super().get_permissions()

    def get_authenticators(self) -> list[BaseAuthentication]:
        # A stale token or session must not stop anybody from asking for a new one.
        return (
            [] if self.request and self.request.method == "POST" else super().get_authenticators()
        )

    def create(self, request: Request) -> Response:
        """A token for a user name and a password."""
        serializer = SignInForTokenSerializer(data=request.data, context={"request": request})
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        return new_token(*make_token(user=data["user"], terms=terms_of(data)))

    @extend_schema(summary="List your tokens", responses=TokenDetailsSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Your valid tokens, the newest first. The tokens themselves are not stored."""
        rows = tokens_of(cast("User", request.user))
        return Response(TokenDetailsSerializer(rows, many=True).data)

    @extend_schema(
        summary="Revoke a token", request=None, responses=no_content(), parameters=[TOKEN_ID]
    )
    def destroy(self, request: Request, pk: str) -> Response:
        """Programs that use it can no longer sign in."""
        revoke_token(user=cast("User", request.user), token_id=UUID(pk))
        return Response(status=status.HTTP_204_NO_CONTENT)

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


class ClubBotTokensViewSet(Endpoint[TokenDetails]):
    """Tokens of a club's bot, an account for programs. Its organisers create and revoke them."""

    serializer_class = TokenDetailsSerializer
    queryset = TokenDetails.objects.none()
    filter_backends = ()
    pagination_class = None

    @extend_schema(
        summary="List the tokens of a club's bot",
        parameters=[path_key("club_id", "club")],
        responses=TokenDetailsSerializer(many=True),
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """The valid tokens, the newest first."""
        club = find(Club.objects.visible_to(self.asker), club_id, "club")
        expect_organiser(club.pk, self.asker)
        return Response(TokenDetailsSerializer(bot_tokens(club), many=True).data)

    @extend_schema(
        summary="Create a token for a club's bot",
        parameters=[path_key("club_id", "club")],
        request=TokenTermsSerializer,
        responses={201: TokenSerializer},
        examples=[
            OpenApiExample("Discord", {"name": "Discord", "scope": "log"}, request_only=True),
            OpenApiExample("Token", NEW_TOKEN, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """The first token also adds the bot to the club, as an organiser."""
        terms = terms_of(self.validated(TokenTermsSerializer, request))
        return new_token(*make_bot_token(club_id=club_id, user=self.asker, terms=terms))

    @extend_schema(
        summary="Revoke a token of a club's bot",
        request=None,
        responses=no_content(),
        parameters=[path_key("club_id", "club"), TOKEN_ID],
    )
    def destroy(self, request: Request, club_id: UUID, pk: UUID) -> Response:
        """Programs that use it can no longer sign in."""
        revoke_bot_token(club_id=club_id, user=self.asker, token_id=pk)
        return Response(status=status.HTTP_204_NO_CONTENT)


def terms_of(data: dict[str, Any]) -> TokenTerms:
    """Return the terms of a token from checked input."""
    return parse(TokenTerms, {name: data[name] for name in fields_of(TokenTerms) if name in data})


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
    every = list(Authenticator.objects.filter(user=user))
    if not every:
        return True
    # A passkey needs a browser. Its owner can send a recovery code, or create tokens on the page.
    factors = [factor for factor in every if factor.type != Authenticator.Type.WEBAUTHN]
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
