"""Who am I, and what do I prefer?"""

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
from home.models import TIME_ZONES, Mail
from home.services.preferences import mail_address, prefer, preferences_of

CHOICES = ("mail", "time_zone", "language")
"""What a member prefers."""


class LeavingSerializer(PasswordAgain):
    """Who one is, and what the history of clubs calls one from then on."""

    kept = serializers.ChoiceField(
        choices=[(each.value, each.value) for each in KeptForHistory],
        help_text="What history calls you: by the present name, by another one, or by none.",
    )
    name = serializers.CharField(required=False, help_text="The other name: at most 80 characters.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What was sent, if it proves who asks and has the other name where history is to call you
        by one."""
        if attrs["kept"] == KeptForHistory.OTHER and "name" not in attrs:
            sentence = "History is to call you by another name: send it as “name”."
            raise serializers.ValidationError(
                {"name": serializers.ErrorDetail(sentence, "required")}
            )
        return super().validate(attrs)


class MeSerializer(OnlyKnownNames, serializers.ModelSerializer[User]):
    """The signed-in user, with what they prefer."""

    mail = serializers.ChoiceField(
        choices=Mail.choices, required=False, help_text="When to be told by mail of what waits."
    )
    time_zone = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text="In which pages show times and digests come, as in Europe/Berlin; empty for this "
        "installation's.",
    )
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES,
        required=False,
        allow_blank=True,
        help_text="Of pages and letters; empty for what the browser asks for. The API speaks "
        "English.",
    )
    mail_address = serializers.SerializerMethodField(
        help_text="Where mail goes; empty without a confirmed address."
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
        """The name, if it is one of the list. Raises ValidationError."""
        if name and name not in TIME_ZONES:
            raise serializers.ValidationError(
                "There is no such time zone. Names are like Europe/Berlin."
            )
        return name

    def get_mail_address(self, user: User) -> str:
        """Where mail goes."""
        return mail_address(user)

    def to_representation(self, instance: User) -> dict[str, Any]:
        """The account and what is preferred. Two queries."""
        preferences = preferences_of(instance)
        instance.mail = preferences.mail  # type: ignore[attr-defined]
        instance.time_zone = preferences.time_zone  # type: ignore[attr-defined]
        instance.language = preferences.language  # type: ignore[attr-defined]
        return super().to_representation(instance)

    def update(self, instance: User, validated_data: dict[str, Any]) -> User:
        """Change names and preferences, as far as they were sent."""
        preferences = {name: validated_data.pop(name) for name in CHOICES if name in validated_data}
        if preferences:
            prefer(user=instance, **preferences)
        return super().update(instance, validated_data)


PREFER = {"mail": "daily", "time_zone": "Europe/Berlin", "language": "de"}


@extend_schema_view(
    get=extend_schema(summary="The signed-in user"),
    patch=extend_schema(
        summary="The signed-in user", examples=[OpenApiExample("Prefer", PREFER, request_only=True)]
    ),
)
class MeView(ExactView, generics.RetrieveUpdateAPIView[User]):
    """One's own account. Names and preferences can be changed here, everything else on the account
    pages."""

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
        """At once and for good: see `me/deletion/` for what would happen."""
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
    """What would happen if one's account were deleted."""

    @extend_schema(summary="What deleting your account would do", responses=LeavingPreview)
    def get(self, request: Request) -> Response:
        """What stands in the way, and what becomes of clubs, warbands and battles. Nothing is
        written."""
        return struct_response(preview_leaving(_account(request)))


class OwnDataView(ExactView, APIView):
    """All that Muster holds of whoever asks."""

    throttle_classes = (*APIView.throttle_classes, OwnDataThrottle)

    @extend_schema(
        summary="Download all your data",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """A zip of JSON lists, of the pictures that you have uploaded, and of an overview to read;
        six times an hour.

        A token is enough, as it stands for the whole account. Who is signed in by a session has to
        have given the password within the last minutes: on the account page, which asks for it.
        """
        session = isinstance(request.successful_authenticator, SessionAuthentication)
        if session and not did_recently_reauthenticate(request._request):
            raise PasswordWanted()
        return data_answer(_account(request))


class PasswordWanted(exceptions.PermissionDenied):
    """Something delicate is asked for by a session: whoever sits there shall show who they are."""

    default_code = "password_wanted"
    default_detail = "Give your password again first: by the page “Your data” of the account."


def _account(request: Request) -> User:
    return cast("User", request.user)
