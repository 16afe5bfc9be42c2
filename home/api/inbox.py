"""The inbox in the API: the cards of the home page."""

from typing import Any, cast
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.schema import no_content
from core.api.strict_input import ExactSerializer, ExactView
from home.models import Device
from home.selectors.cards import DISMISSIBLE, Inbox, inbox_of
from home.services import devices
from home.services.preferences import dismiss

EXAMPLE: dict[str, Any] = {
    "number": 1,
    "cards": [
        {
            "kind": "confirm",
            "subject": "7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10",
            "occasion": "2026-03-07T21:40:00+00:00",
            "title": "The ford at dawn: Compagnie du Cardinal – Der schwarze Haufen",
            "sentence": "alice entered the result. Confirm or dispute it.",
            "button": "Check result",
            "url": "/battles/7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10/",
            "others_wait": True,
            "dismissible": False,
            "deadline": None,
            "since": "2026-03-07T21:40:00Z",
        }
    ],
    "coming": "",
}


class DismissalSerializer(ExactSerializer):
    """The card to dismiss."""

    kind = serializers.ChoiceField(choices=sorted(DISMISSIBLE))
    subject = serializers.UUIDField()


class InboxView(ExactView, APIView):
    """Your tasks."""

    @extend_schema(
        summary="Read your tasks",
        responses=Inbox,
        examples=[OpenApiExample("A battle to confirm", EXAMPLE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """Return a card for each task, most urgent first, as on the home page. `others_wait` is
        true if others cannot continue before. `deadline` is the last day for the task."""
        return Response(msgspec.to_builtins(inbox_of(cast("User", request.user))))


class DismissalView(ExactView, APIView):
    """Dismissed cards."""

    @extend_schema(
        summary="Dismiss a card",
        request=DismissalSerializer,
        responses=no_content(),
        examples=[
            OpenApiExample(
                "Dismiss",
                {"kind": "enrol", "subject": "7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Dismiss a card permanently, if it is `dismissible`. Repeating this changes nothing."""
        serializer = DismissalSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        dismiss(user=cast("User", request.user), **serializer.validated_data)
        return Response(status=204)


class DeviceSerializer(serializers.ModelSerializer[Device]):
    """A browser or program that gets notifications. Its push address is never shown."""

    class Meta:
        model = Device
        fields = ["id", "name", "added_at", "told_at"]


class DevicesSerializer(serializers.Serializer[Any]):
    """Your devices, and the public key for subscriptions; it is empty if this site sends no
    notifications."""

    public_key = serializers.CharField(help_text="The applicationServerKey, in base64url.")
    devices = DeviceSerializer(many=True)


class KeysSerializer(ExactSerializer):
    """The encryption keys of a subscription, in base64url."""

    p256dh = serializers.CharField(max_length=100)
    auth = serializers.CharField(max_length=40)


class SubscriptionSerializer(ExactSerializer):
    """A push subscription, as a browser writes it in JSON."""

    endpoint = serializers.CharField(
        max_length=1000, help_text="The address at a supported push service."
    )
    expirationTime = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="As the browser sends it. Ignored.",
    )
    keys = KeysSerializer()
    name = serializers.CharField(
        max_length=60,
        required=False,
        help_text="A name for the device (default: the browser's name)",
    )


SUBSCRIPTION: dict[str, Any] = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6S"
        "RpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
    "name": "Firefox, Android",
}


class DevicesView(ExactView, APIView):
    """Your devices."""

    @extend_schema(
        summary="List your devices",
        responses=DevicesSerializer,
        examples=[
            OpenApiExample(
                "A phone",
                {
                    "public_key": SUBSCRIPTION["keys"]["p256dh"],
                    "devices": [
                        {
                            "id": "7d3c0a52-6d5f-4a34-9d0e-6a3f6f0a6f10",
                            "name": "Firefox, Android",
                            "added_at": "2026-03-01T18:00:00Z",
                            "told_at": None,
                        }
                    ],
                },
                response_only=True,
            )
        ],
    )
    def get(self, request: Request) -> Response:
        """Return your devices, newest first. `told_at` is the time of the last notification."""
        rows = devices.devices_of(cast("User", request.user))
        return Response(
            {"public_key": devices.public_key(), "devices": DeviceSerializer(rows, many=True).data}
        )

    @extend_schema(
        summary="Add a device",
        request=SubscriptionSerializer,
        responses={201: DeviceSerializer},
        examples=[OpenApiExample("A phone", SUBSCRIPTION, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Show new tasks on a device from now on. Repeating this changes nothing. The push service
        must be one that this site supports."""
        serializer = SubscriptionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        device = devices.add_device(
            user=cast("User", request.user),
            endpoint=data["endpoint"],
            key=data["keys"]["p256dh"],
            secret=data["keys"]["auth"],
            name=data.get("name") or devices.browser_name(request.headers.get("User-Agent", "")),
        )
        return Response(DeviceSerializer(device).data, status=201)


class DeviceView(ExactView, APIView):
    """A device."""

    @extend_schema(summary="Remove a device", responses=no_content())
    def delete(self, request: Request, device_id: UUID) -> Response:
        """Remove a device. It gets no more notifications."""
        devices.remove_device(user=cast("User", request.user), device_id=device_id)
        return Response(status=204)
