"""`clubs/{id}/evenings/`, `evenings/{id}/`: the club nights, and who is going."""

from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.examples import EVENING
from clubs.api.base import Endpoint
from clubs.models import Evening
from clubs.services.evenings import (
    Cancelling,
    ChangedEvening,
    EveningAnswer,
    NewEvenings,
    Restoring,
    answer_evening,
    cancel_evening,
    change_evening,
    make_evenings,
    restore_evening,
)
from clubs.services.permissions import find
from core.api.inputs import serializer_class
from core.api.schema import path_key
from core.api.views import struct_response
from home.selectors.evenings import EveningCard, evening_card, evening_cards

NEW = {
    "starts_at": "2030-02-07T19:00:00Z",
    "ends_at": "2030-02-07T23:00:00Z",
    "place": "The Three Tuns",
    "weeks": 10,
}
SHOWN = OpenApiExample("Club night", EVENING, response_only=True)


NewEveningsSerializer = serializer_class(NewEvenings)
ChangedEveningSerializer = serializer_class(ChangedEvening)
RestoringSerializer = serializer_class(Restoring)
CancellingSerializer = serializer_class(Cancelling)
AnswerSerializer = serializer_class(EveningAnswer, name="AnswerSerializer")


class EveningFilter(django_filters.FilterSet):
    """A filter of club nights."""

    since = django_filters.IsoDateTimeFilter(
        field_name="ends_at", lookup_expr="gte", label="Ends at or after this time"
    )
    until = django_filters.IsoDateTimeFilter(
        field_name="starts_at", lookup_expr="lte", label="Starts at or before this time"
    )
    series = django_filters.UUIDFilter(label="Created together, with this id")
    ordering = django_filters.OrderingFilter(fields=["starts_at"])

    class Meta:
        model = Evening
        fields: list[str] = []


class ClubEveningViewSet(Endpoint[Evening]):
    """The club nights of a club."""

    filterset_class = EveningFilter

    def get_queryset(self) -> QuerySet[Evening]:
        if self.drawing_schema:
            return Evening.objects.none()
        return self.club().evenings.select_related("club")

    @extend_schema(
        summary="List a club's club nights",
        parameters=[path_key("club_id", "club")],
        responses=EveningCard,
        examples=[SHOWN],
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """Return club nights by date, including cancelled ones. Only members see who is going."""
        return self.pages(
            self.filter_queryset(self.get_queryset()),
            lambda evenings: evening_cards(evenings, self.asker),
        )

    @extend_schema(
        summary="Add club nights",
        parameters=[path_key("club_id", "club")],
        request=NewEveningsSerializer,
        responses={201: EveningCard},
        examples=[
            OpenApiExample("Ten Thursdays", NEW, request_only=True),
            OpenApiExample("First club night", EVENING, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """Add one club night, or one a week for up to 30 weeks. Return the first one. Only for
        organisers."""
        made = make_evenings(
            club_id=club_id, user=self.asker, **self.validated(NewEveningsSerializer, request)
        )
        return struct_response(evening_card(made[0], self.asker), 201)


class EveningViewSet(Endpoint[Evening]):
    """A club night."""

    def get_queryset(self) -> QuerySet[Evening]:
        return Evening.objects.visible_to(self.asker).select_related("club")

    def card(self, key: UUID) -> Response:
        """Return the current club night."""
        return struct_response(evening_card(find(self.get_queryset(), key, "evening"), self.asker))

    @extend_schema(summary="Read a club night", responses=EveningCard, examples=[SHOWN])
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Return when and where it is, and who is going."""
        return self.card(pk)

    @extend_schema(
        summary="Edit a club night",
        request=ChangedEveningSerializer,
        responses=EveningCard,
        examples=[
            OpenApiExample("Another place", {"place": "The Red Lion"}, request_only=True),
            OpenApiExample(
                "Another place, also for later club nights",
                {"place": "The Red Lion", "later": True},
                request_only=True,
            ),
            SHOWN,
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change the fields that are sent. Members keep their answers. Only for organisers.

        With `later`, the later club nights of its series change too: they move by the same number
        of days, and get the same times.
        """
        changes = self.validated(ChangedEveningSerializer, request, partial=True)
        change_evening(evening_id=pk, user=self.asker, **changes)
        return self.card(pk)

    @extend_schema(
        summary="Cancel a club night",
        request=CancellingSerializer,
        responses=EveningCard,
        examples=[
            OpenApiExample(
                "With a reason", {"reason": "The cellar is flooded."}, request_only=True
            ),
            SHOWN,
        ],
    )
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: UUID) -> Response:
        """Cancel a club night. It stays in calendars, marked as cancelled. Only for organisers."""
        cancel_evening(
            evening_id=pk, user=self.asker, **self.validated(CancellingSerializer, request)
        )
        return self.card(pk)

    @extend_schema(
        summary="Restore a cancelled club night",
        request=RestoringSerializer,
        responses=EveningCard,
        examples=[
            OpenApiExample("Also later club nights", {"later": True}, request_only=True),
            SHOWN,
        ],
    )
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: UUID) -> Response:
        """Restore a cancelled club night. Only for organisers."""
        restore_evening(
            evening_id=pk, user=self.asker, **self.validated(RestoringSerializer, request)
        )
        return self.card(pk)

    @extend_schema(
        summary="Answer a club night",
        request=AnswerSerializer,
        responses=EveningCard,
        examples=[OpenApiExample("Going", {"answer": "coming"}, request_only=True), SHOWN],
    )
    @action(detail=True, methods=["post"], url_path="answer", url_name="answer")
    def give_answer(self, request: Request, pk: UUID) -> Response:
        """Answer whether you are going. Your last answer counts.

        Organisers can answer for any `member`, for example for one who phoned. Members can change
        it.
        """
        given = answer_evening(
            evening_id=pk, user=self.asker, **self.validated(AnswerSerializer, request)
        )
        return struct_response(evening_card(given.evening, self.asker))
