"""`battles/{id}/sides/{key}/combatants/`, `battles/{id}/events/`, `battles/{id}/corrections/`."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, cast
from uuid import UUID

import django_filters
import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from msgspec import Struct
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from battles.api.base import BATTLE_KEY, LOG, Endpoint
from battles.api.examples import (
    BATTLE,
    CORRECTION,
    DIFFERENCE,
    EVENT_LINE,
    EVENTS,
    FORCE,
    LOGGED,
    REVISION,
    SIDE_FIELDED,
)
from battles.api.first_pages import first_events
from battles.api.serializers import (
    CorrectionSerializer,
    EventsSerializer,
    ForceSerializer,
    as_list,
    correction_of,
    events_of,
    force_of,
    place_of_data,
    place_of_event,
)
from battles.api.throttles import BatchThrottle, LogThrottle
from battles.models import BattleEvent, Revision
from battles.page_rows import BATTLE_ROWS
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.battle_page import (
    OpenBattle,
    RevisionLine,
    event_rows,
    revision_lines,
    wording_of,
)
from battles.selectors.log_sentences import EventLine
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import correct_battle, preview_correction
from battles.services.fielding import check_force, field_combatants
from battles.services.logbook import MAX_EVENTS, log_events
from battles.services.substitutes import BattleSubstitute, name_substitute
from core.api.inputs import serializer_class
from core.api.strict_input import Place
from core.api.views import struct_response
from core.models import Scope
from core.page_cache import cached_read
from rulebook.ruleset import CampaignTerms, Problem

SIDE_KEY = OpenApiParameter(
    "side", OpenApiTypes.STR, OpenApiParameter.PATH, description='The key of the side: "a", "b", …'
)


NEW_EVENT = {"$ref": "#/components/schemas/NewEventRequest"}
ONE_EVENT_OR_SEVERAL = {
    "oneOf": [
        {"$ref": "#/components/schemas/EventsRequest"},
        {"type": "array", "items": NEW_EVENT, "minItems": 1, "maxItems": MAX_EVENTS},
        NEW_EVENT,
    ]
}


class SideFielded(Struct, frozen=True):
    """The battle as it stands now, and what the rules warn of in this side's force."""

    warnings: tuple[Problem, ...]
    battle: OpenBattle


class LoggedEvents(Struct, frozen=True):
    """The events as they were logged. ``version`` is the battle's, once they were in its log."""

    events: tuple["LoggedRow", ...]
    version: int


class LoggedRow(Struct, frozen=True):
    """An event in the log."""

    client_id: UUID
    sequence: int
    kind: str
    data: Mapping[str, Any]
    turn: int | None
    version: int
    recorded_at: datetime


class CombatantsViewSet(Endpoint[BattleEvent]):
    """Line-ups."""

    queryset = BattleEvent.objects.none()
    token_scopes = {"combatants": Scope.LOG}
    filter_backends = ()
    pagination_class = None
    serializer_class = ForceSerializer

    @extend_schema(
        operation_id="battles_sides_combatants_update",
        summary="Choose a side's line-up",
        parameters=[BATTLE_KEY, SIDE_KEY, LOG],
        request=ForceSerializer,
        responses=SideFielded,
        examples=[
            OpenApiExample("Force", FORCE, request_only=True),
            OpenApiExample("Fielded", SIDE_FIELDED, response_only=True),
        ],
    )
    @action(detail=False, methods=["put"])
    def combatants(self, request: Request, battle_id: UUID, side: str) -> Response:
        """Replace the line-up with these fighters, as they are now. Try `dry_run` first.

        Possible until the log is submitted.
        """
        battle = self.battle(battle_id)
        posts = [post.key for post in ruleset_of_battle(battle).posts(CampaignTerms(faction=""))]
        data = self.validated(ForceSerializer, request, context={"beside": posts})
        force = force_of(data, cast("Mapping[str, Any]", request.data), posts)
        about: dict[str, Any] = {
            "battle_id": battle.pk,
            "side": side,
            "force": force,
            "user": self.asker,
        }
        warnings = (
            check_force(**about)
            if data["dry_run"]
            else field_combatants(**about, version=data.get("version"))
        )
        return struct_response(SideFielded(warnings, self.open_battle(battle.pk)))


SubstituteSerializer = serializer_class(BattleSubstitute, name="SubstituteSerializer")


class SubstituteViewSet(Endpoint[BattleEvent]):
    """Substitutes of players."""

    queryset = BattleEvent.objects.none()
    filter_backends = ()
    pagination_class = None
    serializer_class = SubstituteSerializer

    @extend_schema(
        operation_id="battles_sides_substitute_update",
        summary="Name a substitute for a side",
        parameters=[BATTLE_KEY, SIDE_KEY, LOG],
        request=SubstituteSerializer,
        responses=OpenBattle,
        examples=[
            OpenApiExample(
                "Name", {"player": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77"}, request_only=True
            ),
            OpenApiExample("Remove", {"player": None}, request_only=True),
            OpenApiExample("Battle", BATTLE, response_only=True),
        ],
    )
    @action(detail=False, methods=["put"])
    def substitute(self, request: Request, battle_id: UUID, side: str) -> Response:
        """Name a substitute. The owner can do this until confirmation, organisers always.

        The substitute can choose the line-up, log, submit and confirm for this side, in this battle
        only.
        """
        data = self.validated(SubstituteSerializer, request)
        battle = self.battle(battle_id)
        name_substitute(battle_id=battle.pk, side=side, user=self.asker, **data)
        return struct_response(self.open_battle(battle.pk))


class EventFilter(django_filters.FilterSet):
    """Filters of events."""

    kind = django_filters.CharFilter(label="Kind of event: wound, turn, correction ...")
    after = django_filters.NumberFilter(
        field_name="sequence", lookup_expr="gt", label="After this event"
    )
    ordering = django_filters.OrderingFilter(fields=["sequence"])

    class Meta:
        model = BattleEvent
        fields: list[str] = []


class EventViewSet(Endpoint[BattleEvent]):
    """The log of a battle."""

    queryset = BattleEvent.objects.none()
    filterset_class = EventFilter
    serializer_class = EventsSerializer
    public_reads = frozenset({"list"})
    token_scopes = {"create": Scope.LOG}
    place: Place

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the usual throttles, and for logging those of logs and batches."""
        return [
            *super().get_throttles(),
            *([LogThrottle(), BatchThrottle()] if self.action == "create" else []),
        ]

    @extend_schema(
        operation_id="battles_events_list",
        summary="Read a battle's log",
        parameters=[BATTLE_KEY],
        responses=EventLine,
        examples=[OpenApiExample("Line", EVENT_LINE, response_only=True)],
    )
    @cached_read(BATTLE_ROWS, "battle_id")
    def list(self, request: Request, battle_id: UUID) -> Response:
        """List the events in order, each with a sentence. `after` returns only newer ones.

        `after` is the number of the last event that you have. Send the `ETag` of a response as
        `If-None-Match`: an unchanged page is 304 without a body.
        """
        battle = self.battle(battle_id)
        rows = (
            first_events(battle_id)
            if self.wants_first_page()
            else self.filter_queryset(event_rows(battle_id))
        )
        return self.pages(rows, lambda events: [*map(wording_of(battle).line, events)])

    @extend_schema(
        operation_id="battles_events_create",
        summary="Log events",
        parameters=[BATTLE_KEY],
        request={"application/json": ONE_EVENT_OR_SEVERAL},
        responses={201: LoggedEvents},
        examples=[
            OpenApiExample("Several", EVENTS, request_only=True),
            OpenApiExample("A bare list", EVENTS["events"], request_only=True),
            OpenApiExample("One", EVENTS["events"][0], request_only=True),
            OpenApiExample("Logged", LOGGED, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, battle_id: UUID) -> Response:
        """Log one event, a list of events, or a list with the version that you have seen.

        All of them are logged, or none. An event that is sent again with the same `client_id` is
        logged once and returned as it was then.
        """
        self.place = partial(place_of_event, request.data)
        serializer = EventsSerializer(data=as_list(request.data))
        serializer.is_valid(raise_exception=True)
        self.place = partial(place_of_data, request.data)
        battle = self.battle(battle_id)
        events = log_events(
            battle_id=battle.pk,
            events=events_of(serializer.validated_data),
            user=self.asker,
            version=serializer.validated_data.get("version"),
        )
        rows = tuple(_logged_row(event) for event in events)
        return struct_response(LoggedEvents(rows, max(row.version for row in rows)), 201)


class CorrectionViewSet(Endpoint[Revision]):
    """Corrections of a confirmed battle."""

    queryset = Revision.objects.none()
    filter_backends = ()
    serializer_class = CorrectionSerializer
    place: Place

    @extend_schema(
        operation_id="battles_corrections_list",
        summary="Read a battle's corrections",
        parameters=[BATTLE_KEY],
        responses=RevisionLine,
        examples=[OpenApiExample("Correction", REVISION, response_only=True)],
    )
    def list(self, request: Request, battle_id: UUID) -> Response:
        """List the corrections, oldest first, each with its reason and its changes."""
        return self.pages(
            self.battle(battle_id).revisions.select_related("made_by").order_by("number"),
            revision_lines,
        )

    @extend_schema(
        operation_id="battles_corrections_create",
        summary="Correct a confirmed battle",
        parameters=[BATTLE_KEY],
        request=CorrectionSerializer,
        responses={200: CorrectionDifference, 201: RevisionLine},
        examples=[
            OpenApiExample("Dry run", CORRECTION | {"dry_run": True}, request_only=True),
            OpenApiExample("Correction", CORRECTION, request_only=True),
            OpenApiExample("Changes", DIFFERENCE, response_only=True, status_codes=["200"]),
            OpenApiExample("Corrected", REVISION, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, battle_id: UUID) -> Response:
        """Correct a confirmed battle with further events. Only organisers can do this.

        With `dry_run` (200) you see what would change, and each later choice that would become
        impossible. Committing (201) while one of them is neither in `undo` nor, with a reason, in
        `stand` is answered 409 `open-conflicts`.
        """
        data = self.validated(CorrectionSerializer, request)
        self.place = partial(place_of_data, request.data)
        battle, correction = self.battle(battle_id), correction_of(data)
        if data["dry_run"]:
            return struct_response(
                preview_correction(battle_id=battle.pk, user=self.asker, correction=correction)
            )
        revision = correct_battle(
            battle_id=battle.pk, user=self.asker, correction=correction, version=data.get("version")
        )
        return Response(msgspec.to_builtins(revision_lines([revision])[0]), status=201)


def _logged_row(event: BattleEvent) -> LoggedRow:
    return LoggedRow(
        client_id=event.client_id,
        sequence=event.sequence,
        kind=event.kind,
        data=event.data,
        turn=event.turn,
        version=event.version,
        recorded_at=event.recorded_at,
    )
