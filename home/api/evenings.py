"""`clubs/{id}/evenings/`, `evenings/{id}/`: when a club plays, and who comes."""

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
SHOWN = OpenApiExample("Evening", EVENING, response_only=True)


NewEveningsSerializer = serializer_class(NewEvenings)
ChangedEveningSerializer = serializer_class(ChangedEvening)
RestoringSerializer = serializer_class(Restoring)
CancellingSerializer = serializer_class(Cancelling)
AnswerSerializer = serializer_class(EveningAnswer, name="AnswerSerializer")


class EveningFilter(django_filters.FilterSet):
    """Which evenings."""

    since = django_filters.IsoDateTimeFilter(
        field_name="ends_at", lookup_expr="gte", label="Not over by then"
    )
    until = django_filters.IsoDateTimeFilter(
        field_name="starts_at", lookup_expr="lte", label="Begun by then"
    )
    series = django_filters.UUIDFilter(label="Made together")
    ordering = django_filters.OrderingFilter(fields=["starts_at"])

    class Meta:
        model = Evening
        fields: list[str] = []


class ClubEveningViewSet(Endpoint[Evening]):
    """The evenings of a club."""

    filterset_class = EveningFilter

    def get_queryset(self) -> QuerySet[Evening]:
        if self.drawing_schema:
            return Evening.objects.none()
        return self.club().evenings.select_related("club")

    @extend_schema(
        summary="List a club's evenings",
        parameters=[path_key("club_id", "club")],
        responses=EveningCard,
        examples=[SHOWN],
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """In the order of their dates; those that are cancelled say so. Strangers are not told who
        comes."""
        return self.pages(
            self.filter_queryset(self.get_queryset()),
            lambda evenings: evening_cards(evenings, self.asker),
        )

    @extend_schema(
        summary="Make evenings",
        parameters=[path_key("club_id", "club")],
        request=NewEveningsSerializer,
        responses={201: EveningCard},
        examples=[
            OpenApiExample("Ten Thursdays", NEW, request_only=True),
            OpenApiExample("The first of them", EVENING, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """One, or one a week up to a season, each a row of its own. The answer is the first of
        them. For organisers."""
        made = make_evenings(
            club_id=club_id, user=self.asker, **self.validated(NewEveningsSerializer, request)
        )
        return struct_response(evening_card(made[0], self.asker), 201)


class EveningViewSet(Endpoint[Evening]):
    """One evening."""

    def get_queryset(self) -> QuerySet[Evening]:
        return Evening.objects.visible_to(self.asker).select_related("club")

    def card(self, key: UUID) -> Response:
        """The evening as it stands now."""
        return struct_response(evening_card(find(self.get_queryset(), key, "evening"), self.asker))

    @extend_schema(summary="Read an evening", responses=EveningCard, examples=[SHOWN])
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """When, where, who comes."""
        return self.card(pk)

    @extend_schema(
        summary="Change an evening",
        request=ChangedEveningSerializer,
        responses=EveningCard,
        examples=[
            OpenApiExample("Elsewhere", {"place": "The Red Lion"}, request_only=True),
            OpenApiExample(
                "From now on elsewhere", {"place": "The Red Lion", "later": True}, request_only=True
            ),
            SHOWN,
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """For organisers. What is absent stays, and so do the answers.

        With `later`, what is changed about it is changed about those of its series that come after
        it: they move as many days, and get the same hours.
        """
        changes = self.validated(ChangedEveningSerializer, request, partial=True)
        change_evening(evening_id=pk, user=self.asker, **changes)
        return self.card(pk)

    @extend_schema(
        summary="Cancel an evening",
        request=CancellingSerializer,
        responses=EveningCard,
        examples=[
            OpenApiExample("Why", {"reason": "The cellar is flooded."}, request_only=True),
            SHOWN,
        ],
    )
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: UUID) -> Response:
        """It stays in every calendar, and says there that it is cancelled. For organisers."""
        cancel_evening(
            evening_id=pk, user=self.asker, **self.validated(CancellingSerializer, request)
        )
        return self.card(pk)

    @extend_schema(
        summary="Let a cancelled evening take place",
        request=RestoringSerializer,
        responses=EveningCard,
        examples=[OpenApiExample("And the later ones", {"later": True}, request_only=True), SHOWN],
    )
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: UUID) -> Response:
        """For organisers."""
        restore_evening(
            evening_id=pk, user=self.asker, **self.validated(RestoringSerializer, request)
        )
        return self.card(pk)

    @extend_schema(
        summary="Say whether you come",
        request=AnswerSerializer,
        responses=EveningCard,
        examples=[OpenApiExample("I come", {"answer": "coming"}, request_only=True), SHOWN],
    )
    @action(detail=True, methods=["post"], url_path="answer", url_name="answer")
    def give_answer(self, request: Request, pk: UUID) -> Response:
        """For members of the club; the last answer counts. Organisers can answer for players
        without an account."""
        answer_evening(evening_id=pk, user=self.asker, **self.validated(AnswerSerializer, request))
        return self.card(pk)
