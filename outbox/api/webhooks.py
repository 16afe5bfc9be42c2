"""Webhooks of a club, what was sent to them, and sending it again."""

from typing import Any, ClassVar
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from django.utils import translation
from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import Club
from clubs.services.permissions import expect_organiser, find
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.api.views import Endpoint
from core.models import Scope
from outbox.failures import failure_sentence
from outbox.models import Delivery, DeliveryState, Webhook
from outbox.services.deliveries import send_again
from outbox.services.webhooks import (
    NewWebhook,
    WebhookEdit,
    add_webhook,
    edit_webhook,
    remove_webhook,
)

CLUB_KEY = path_key("club_id", "club")
WEBHOOK_KEY = path_key("webhook_id", "webhook")
WEBHOOK: dict[str, Any] = {
    "id": "5f2b7a0c-6a3a-4a3c-9d0d-0f4f0f1c2a77",
    "club": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    "kind": "program",
    "name": "Our website",
    "host": "club.example.org",
    "language": "en-gb",
    "active": True,
    "created_at": "2030-01-31T20:00:00Z",
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…",
}
DELIVERY: dict[str, Any] = {
    "id": "d9a3c0b2-2e7b-4d3f-8c1e-6a5b4c3d2e1f",
    "webhook": WEBHOOK["id"],
    "webhook_id": "2f3d1c0a-6d0e-4a57-9a8e-0a5c0f6f7b11",
    "cursor": 4711,
    "type": "battle.confirmed",
    "at": "2030-01-31T21:30:00Z",
    "subject": "The Old Mill",
    "state": "failed",
    "attempts": 10,
    "status": 500,
    "failure": "refused",
    "explanation": "The receiver has a fault (500).",
    "next_attempt_at": None,
    "finished_at": "2030-02-03T21:30:00Z",
}


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook. Its address is not shown again: the path can be a secret."""

    host = serializers.CharField(read_only=True, help_text="The host of the address.")
    secret = serializers.SerializerMethodField(
        help_text="The secret that signs; empty for a channel in Discord."
    )

    class Meta:
        model = Webhook
        fields = (
            "id",
            "club",
            "kind",
            "name",
            "host",
            "language",
            "active",
            "created_at",
            "secret",
        )
        read_only_fields = fields

    def get_secret(self, webhook: Webhook) -> str:
        return webhook.secret if webhook.is_program else ""


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """A change on its way to a webhook."""

    webhook_id = serializers.UUIDField(
        source="change_id",
        read_only=True,
        help_text="The header `webhook-id` of each attempt, and the `id` in `changes/`.",
    )
    cursor = serializers.IntegerField(
        source="change.cursor",
        read_only=True,
        allow_null=True,
        help_text="The place of the change in `changes/`; null for a moment, until it has one.",
    )
    type = serializers.CharField(source="change.entry.verb", read_only=True)
    at = serializers.DateTimeField(source="change.entry.at", read_only=True)
    subject = serializers.CharField(source="change.entry.subject_name", read_only=True)
    explanation = serializers.SerializerMethodField(
        help_text="Why the last attempt failed, for people; empty if it did not."
    )
    next_attempt_at = serializers.SerializerMethodField(
        help_text="When it is sent next; null if it is finished."
    )

    class Meta:
        model = Delivery
        fields = (
            "id",
            "webhook",
            "webhook_id",
            "cursor",
            "type",
            "at",
            "subject",
            "state",
            "attempts",
            "status",
            "failure",
            "explanation",
            "next_attempt_at",
            "finished_at",
        )
        read_only_fields = fields
        extra_kwargs: ClassVar = {
            "status": {"help_text": "The HTTP status of the last answer; null without one."},
            "failure": {
                "help_text": "Why the last attempt failed, as a code: `refused` (see `status`), "
                "`no-connection`, `unknown-host`, `too-slow`, ... Empty if it did not."
            },
        }

    def get_explanation(self, delivery: Delivery) -> str:
        with translation.override("en-gb"):
            return failure_sentence(delivery)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_next_attempt_at(self, delivery: Delivery) -> Any:
        waiting = delivery.state == DeliveryState.WAITING
        return serializers.DateTimeField().to_representation(delivery.due_at) if waiting else None


NewWebhookSerializer = serializer_class(NewWebhook)
WebhookEditSerializer = serializer_class(WebhookEdit)


class DeliveryFilter(django_filters.FilterSet):
    """Filter of deliveries."""

    class Meta:
        model = Delivery
        fields = ("state",)


@extend_schema_view(
    list=extend_schema(
        summary="List a club's webhooks",
        parameters=[CLUB_KEY],
        examples=[OpenApiExample("Webhook", WEBHOOK, response_only=True)],
    )
)
class ClubWebhookViewSet(mixins.ListModelMixin, Endpoint[Webhook]):
    """The webhooks of a club, for its organisers."""

    # With the secret, anyone can send in the name of the club.
    token_scopes: ClassVar = {"list": Scope.ORGANISE}

    serializer_class = WebhookSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Webhook]:
        if self.drawing_schema:
            return Webhook.objects.none()
        club = find(Club.objects.visible_to(self.asker), self.kwargs["club_id"], "club")
        expect_organiser(club.pk, self.asker)
        return club.webhooks.all()

    @extend_schema(
        summary="Add a webhook",
        parameters=[CLUB_KEY],
        request=NewWebhookSerializer,
        responses={201: WebhookSerializer},
        examples=[
            OpenApiExample(
                "A program",
                {"name": "Our website", "address": "https://club.example.org/muster-hook"},
                request_only=True,
            ),
            OpenApiExample("Added", WEBHOOK, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """Send what happens in the club from now on. A club can have 10 webhooks."""
        data = self.validated(NewWebhookSerializer, request)
        webhook = add_webhook(club_id=club_id, user=self.asker, **data)
        return Response(self.get_serializer(webhook).data, status=201)


@extend_schema_view(
    retrieve=extend_schema(
        summary="Read a webhook",
        examples=[OpenApiExample("Webhook", WEBHOOK, response_only=True)],
    )
)
class WebhookViewSet(mixins.RetrieveModelMixin, Endpoint[Webhook]):
    """One webhook, for the organisers of its club."""

    token_scopes: ClassVar = {"retrieve": Scope.ORGANISE}

    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        return Webhook.objects.visible_to(self.asker)

    @extend_schema(
        summary="Edit a webhook",
        request=WebhookEditSerializer,
        responses=WebhookSerializer,
        examples=[
            OpenApiExample("Pause", {"active": False}, request_only=True),
            OpenApiExample("Paused", WEBHOOK | {"active": False}, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change the fields that are sent. The secret and the kind stay as they are.

        What happens while a webhook is not `active` is not sent later.
        """
        data = self.validated(WebhookEditSerializer, request, partial=True)
        webhook = edit_webhook(webhook_id=pk, user=self.asker, **data)
        return Response(self.get_serializer(webhook).data)

    @extend_schema(summary="Remove a webhook", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Remove the webhook with its list of deliveries."""
        remove_webhook(webhook_id=pk, user=self.asker)
        return Response(status=204)


@extend_schema_view(
    list=extend_schema(
        summary="List the deliveries of a webhook",
        parameters=[WEBHOOK_KEY],
        examples=[OpenApiExample("Delivery", DELIVERY, response_only=True)],
    )
)
class WebhookDeliveryViewSet(mixins.ListModelMixin, Endpoint[Delivery]):
    """The deliveries to a webhook in the last 30 days, newest first."""

    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilter

    def get_queryset(self) -> QuerySet[Delivery]:
        if self.drawing_schema:
            return Delivery.objects.none()
        rows = Webhook.objects.visible_to(self.asker)
        webhook = find(rows, self.kwargs["webhook_id"], "webhook")
        return webhook.deliveries.select_related("change__entry", "webhook")


class DeliveryViewSet(Endpoint[Delivery]):
    """One delivery."""

    serializer_class = DeliverySerializer

    def get_queryset(self) -> QuerySet[Delivery]:
        return Delivery.objects.filter(webhook__in=Webhook.objects.visible_to(self.asker))

    @extend_schema(
        summary="Send a delivery again",
        request=None,
        responses=DeliverySerializer,
        examples=[
            OpenApiExample("Queued", DELIVERY | {"state": "waiting"}, response_only=True),
        ],
    )
    @action(detail=True, methods=["post"])
    def again(self, request: Request, pk: UUID) -> Response:
        """Queue a finished delivery once more, with the same `webhook-id`."""
        delivery = send_again(delivery_id=pk, user=self.asker)
        return Response(self.get_serializer(delivery).data)
