"""Who am I, and what do I prefer?"""

from typing import Any

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers

from inbox.models import TIME_ZONES, Mail
from inbox.services.preferences import mail_address, prefer, preferences_of


class MeSerializer(serializers.ModelSerializer[User]):
    """The signed-in user, with what they prefer."""

    mail = serializers.ChoiceField(
        choices=Mail.choices, required=False, help_text="When to be told by mail of what waits."
    )
    time_zone = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text="In which pages show times and digests come, as in Europe/Berlin; empty for this installation's.",
    )
    mail_address = serializers.SerializerMethodField(help_text="Where mail goes; empty without a confirmed address.")

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
            "mail_address",
        ]
        read_only_fields = ["id", "username", "email", "date_joined"]

    def validate_time_zone(self, name: str) -> str:
        """The name, if it is one of the list. Raises ValidationError."""
        if name and name not in TIME_ZONES:
            raise serializers.ValidationError("There is no such time zone. Names are like Europe/Berlin.")
        return name

    def get_mail_address(self, user: User) -> str:
        """Where mail goes."""
        return mail_address(user)

    def to_representation(self, instance: User) -> dict[str, Any]:
        """The account and what is preferred. Two queries."""
        preferences = preferences_of(instance)
        instance.mail = preferences.mail  # type: ignore[attr-defined]
        instance.time_zone = preferences.time_zone  # type: ignore[attr-defined]
        return super().to_representation(instance)

    def update(self, instance: User, validated_data: dict[str, Any]) -> User:
        """Change names and preferences, as far as they were sent."""
        wanted = {name: validated_data.pop(name) for name in ("mail", "time_zone") if name in validated_data}
        if wanted:
            prefer(user=instance, **wanted)
        return super().update(instance, validated_data)


@extend_schema(
    summary="The signed-in user",
    examples=[
        OpenApiExample("Prefer", {"mail": "daily", "time_zone": "Europe/Berlin"}, request_only=True),
    ],
)
class MeView(generics.RetrieveUpdateAPIView[User]):
    """One's own account. Names and preferences can be changed here, everything else on the account pages."""

    serializer_class = MeSerializer
    http_method_names = ["get", "patch", "head", "options"]

    def get_object(self) -> User:
        return get_object_or_404(User, username=self.request.user.get_username())
