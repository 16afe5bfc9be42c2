"""The signed-in user: account, settings and data."""

from typing import Any, ClassVar, cast

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.conf import settings
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import exceptions, generics, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.adapter import expect_visible
from accounts.api.tokens import PasswordAgain
from accounts.data_export.archive import OwnDataThrottle, data_answer
from accounts.services.deletion import (
    KeptForHistory,
    LeavingPreview,
    delete_account,
    preview_leaving,
)
from core.api.schema import no_content
from core.api.strict_input import ExactView, OnlyKnownNames
from core.api.views import struct_response
from core.models import Scope
from home.models import TIME_ZONES, Mail
from home.services.preferences import mail_address, prefer, preferences_of

CHOICES = ("mail", "time_zone", "language")
"""Settings of a member."""


class LeavingSerializer(PasswordAgain):
    """Password of the user, and the name that stays in the history of clubs."""

    kept = serializers.ChoiceField(
        choices=[(each.value, each.value) for each in KeptForHistory],
        help_text="Your name in the history of clubs: the present one, another one, or none.",
    )
    name = serializers.CharField(required=False, help_text="The other name, at most 80 characters.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check who asks, and that a new name is given if one is to stay in the history."""
        if attrs["kept"] == KeptForHistory.OTHER and "name" not in attrs:
            sentence = "History is to call you by another name: send it as “name”."
            raise serializers.ValidationError(
                {"name": serializers.ErrorDetail(sentence, "required")}
            )
        return super().validate(attrs)


class MeSerializer(OnlyKnownNames, serializers.ModelSerializer[User]):
    """The signed-in user and their settings."""

    mail = serializers.ChoiceField(
        choices=Mail.choices, required=False, help_text="When Muster e-mails you about your tasks."
    )
    time_zone = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text="Time zone of pages and digests, such as Europe/Berlin; empty for this site's.",
    )
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES,
        required=False,
        allow_blank=True,
        help_text="Language of pages and e-mails; empty for that of the browser. The API is in "
        "English.",
    )
    mail_address = serializers.SerializerMethodField(
        help_text="Your confirmed e-mail address, or empty."
    )

    class Meta:
        model = User
        fields = [
            "id",
            "username",
            "email",
            "first_name",
            "last_name",
            "date_joined",
            "mail",
            "time_zone",
            "language",
            "mail_address",
        ]
        read_only_fields = ["id", "username", "email", "date_joined"]
        extra_kwargs: ClassVar = {
            name: {"validators": [expect_visible]} for name in ("first_name", "last_name")
        }

    def validate_time_zone(self, name: str) -> str:
        """Return the name if it is a known time zone. Raises ValidationError."""
        if name and name not in TIME_ZONES:
            raise serializers.ValidationError("Unknown time zone. Example: Europe/Berlin.")
        return name

    def get_mail_address(self, user: User) -> str:
        """Return the address for e-mails."""
        return mail_address(user)

    def to_representation(self, instance: User) -> dict[str, Any]:
        """Return the account and its settings. Two queries."""
        preferences = preferences_of(instance)
        instance.mail = preferences.mail  # type: ignore[attr-defined]
        instance.time_zone = preferences.time_zone  # type: ignore[attr-defined]
        instance.language = preferences.language  # type: ignore[attr-defined]
        return super().to_representation(instance)

    def update(self, instance: User, validated_data: dict[str, Any]) -> User:
        """Change the names and settings that were sent."""
        preferences = {name: validated_data.pop(name) for name in CHOICES if name in validated_data}
        if preferences:
            prefer(user=instance, **preferences)
        return super().update(instance, validated_data)


PREFER = {"mail": "daily", "time_zone": "Europe/Berlin", "language": "de"}


@extend_schema_view(
    get=extend_schema(summary="Read your account"),
    patch=extend_schema(
        summary="Read your account", examples=[OpenApiExample("Prefer", PREFER, request_only=True)]
    ),
)
class MeView(ExactView, generics.RetrieveUpdateAPIView[User]):
    """Your account.

    You can change names and settings here, everything else on the account pages.
    """

    serializer_class = MeSerializer
    http_method_names = ["get", "patch", "delete", "head", "options"]

    @extend_schema(
        summary="Delete your account",
        request=LeavingSerializer,
        responses=no_content(),
        examples=[
            OpenApiExample(
                "Leave no name", {"password": "correct horse", "kept": "none"}, request_only=True
            ),
            OpenApiExample(
                "Leave another name",
                {"password": "correct horse", "kept": "other", "name": "The Old Captain"},
                request_only=True,
            ),
        ],
    )
    def delete(self, request: Request, *args: Any, **named: Any) -> Response:
        """Deletion is immediate and cannot be undone: see `me/deletion/` for its effects."""
        serializer = LeavingSerializer(data=request.data, context={"request": request})
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        delete_account(
            user=self.get_object(), kept=KeptForHistory(data["kept"]), name=data.get("name", "")
        )
        return Response(status=204)

    def get_object(self) -> User:
        return get_object_or_404(User, username=self.request.user.get_username())


class DeletionView(ExactView, APIView):
    """Effects of deleting your account."""

    @extend_schema(summary="Preview the deletion of your account", responses=LeavingPreview)
    def get(self, request: Request) -> Response:
        """Reasons against deletion, and the effects on clubs, warbands and battles.

        Nothing is written.
        """
        return struct_response(preview_leaving(_account(request)))


class OwnDataView(ExactView, APIView):
    """All data that Muster has about you."""

    throttle_classes = (*APIView.throttle_classes, OwnDataThrottle)
    token_scopes: ClassVar = {"get": Scope.ORGANISE}

    @extend_schema(
        summary="Download all your data",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """A zip of JSON lists, your uploaded pictures, and an overview to read;

        six times an hour. A token is enough. A session must have entered the password within the
        last minutes, on the account page.
        """
        session = isinstance(request.successful_authenticator, SessionAuthentication)
        if session and not did_recently_reauthenticate(request._request):
            raise PasswordWanted()
        return data_answer(_account(request))


class PasswordWanted(exceptions.PermissionDenied):
    """The session must enter the password again for a sensitive request."""

    default_code = "password_wanted"
    default_detail = "Give your password again first: by the page “Your data” of the account."


def _account(request: Request) -> User:
    return cast("User", request.user)
