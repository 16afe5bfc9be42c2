"""`battles/`: planning, describing, starting, submitting, reviewing, voiding."""

import re
from functools import partial
from uuid import UUID

import django_filters
from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
)
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.api.base import LOG, Endpoint
from battles.api.examples import (
    BATTLE,
    BATTLE_ROW,
    CAMPAIGN_ID,
    CONFIRMATION_PREVIEW,
    DIFFERENCE,
    EVENTS,
    OPPONENTS,
    PLAN,
    REPORT,
    SHEET_PREVIEW,
)
from battles.api.first_pages import first_battles
from battles.api.serializers import (
    BattleVersionSerializer,
    ConfirmSerializer,
    CountInSerializer,
    DecideSerializer,
    DescribeSerializer,
    DisputeSerializer,
    EventsSerializer,
    PlanSerializer,
    ReportSerializer,
    RestoreSerializer,
    VoidSerializer,
    answers_of,
    as_list,
    consent_of,
    day_of,
    events_of,
    place_in_report,
    place_of_data,
    place_of_event,
    report_of,
)
from battles.api.throttles import BatchThrottle, LogThrottle
from battles.models import Battle
from battles.page_rows import BATTLE_ROWS, CAMPAIGN_BATTLES_ROWS
from battles.selectors.battle_page import OpenBattle
from battles.selectors.battle_rows import BattleRow, battle_rows
from battles.selectors.confirmation_preview import ConfirmationPreview, preview_confirmation
from battles.selectors.opponents import Opponents, opponents, own_system
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import (
    Correction,
    correct_battle,
    preview_correction,
    preview_restore,
    preview_void,
    restore_battle,
    void_battle,
)
from battles.services.days import is_correction
from battles.services.fielding import start_battle
from battles.services.planning import BattlePlan, count_in_campaign, describe_battle, plan_battle
from battles.services.reporting import report_battle, try_report
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    preview_confirming,
    reopen_battle,
    submit_battle,
)
from battles.services.sheet_preview import SheetPreview, preview_sheet
from core.api.schema import KEY
from core.api.views import struct_response
from core.inputs import parse
from core.models import Scope
from core.page_cache import cached_read
from rulebook.registry import newest_ruleset

IN_FULL = OpenApiExample("Battle", BATTLE, response_only=True)
RULESET = OpenApiParameter(
    "ruleset",
    OpenApiTypes.STR,
    description="The key of the rule system; absent: that of your newest warband.",
)
SEEN = OpenApiExample("Version seen", {"version": 7}, request_only=True)


class BattleFilter(django_filters.FilterSet):
    """Filters of battles."""

    campaign = django_filters.UUIDFilter(
        field_name="campaign", label="The campaign that it belongs to"
    )
    warband = django_filters.UUIDFilter(
        field_name="sides__warband", label="A warband that is in it"
    )
    fighter = django_filters.UUIDFilter(
        field_name="sides__combatants__fighter", label="A fighter that is in it"
    )
    fought_after = django_filters.DateFilter(
        field_name="fought_on", lookup_expr="gte", label="On this day or later"
    )
    fought_before = django_filters.DateFilter(
        field_name="fought_on", lookup_expr="lte", label="On this day or earlier"
    )
    one_off = django_filters.BooleanFilter(
        field_name="campaign", lookup_expr="isnull", label="Outside any campaign"
    )
    ordering = django_filters.OrderingFilter(
        fields=["fought_on", "created_at", "confirmed_at", "title", "state"]
    )

    class Meta:
        model = Battle
        fields = ["state", "scenario", "ruleset", "friendly"]


class BattleViewSet(Endpoint[Battle]):
    """Battles in every state."""

    queryset = Battle.objects.none()
    filterset_class = BattleFilter
    public_reads = frozenset({"list", "retrieve"})
    token_scopes = dict.fromkeys(
        ("create", "report", "start", "submit", "preview_events", "confirm", "dispute"), Scope.LOG
    )
    serializer_class = PlanSerializer

    @extend_schema(
        summary="List battles",
        responses=BattleRow,
        examples=[OpenApiExample("Battles", BATTLE_ROW, response_only=True)],
    )
    @cached_read(CAMPAIGN_BATTLES_ROWS, parameter="campaign")
    def list(self, request: Request) -> Response:
        """List the battles of your clubs' campaigns, your own, and those of public campaigns.

        The newest come first.
        """
        campaign = request.query_params.get("campaign", "")
        if self.wants_first_page("campaign") and re.fullmatch(KEY, campaign):
            return self.pages(first_battles(UUID(campaign), self.asker), battle_rows)
        battles: QuerySet[Battle] = self.filter_queryset(Battle.objects.listed_for(self.asker))
        return self.pages(battles.for_rows(), battle_rows)  # type: ignore[attr-defined]

    @extend_schema(
        parameters=[LOG], summary="Read a battle", responses=OpenBattle, examples=[IN_FULL]
    )
    @cached_read(BATTLE_ROWS)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Return sides, combatants, score, awards with reasons, the log as text, corrections, and
        your permissions."""
        return self.visible_in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Plan a battle",
        request=PlanSerializer,
        responses={201: OpenBattle},
        examples=[
            OpenApiExample("Plan", PLAN, request_only=True),
            OpenApiExample("Planned", BATTLE, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Plan a battle. Players and organisers of the campaign's club can do this.

        A one-off battle can be planned by the owner of one of its warbands.
        """
        battle = plan_battle(
            user=self.asker, plan=parse(BattlePlan, self.validated(PlanSerializer, request))
        )
        return self.in_full(battle.pk, 201)

    @extend_schema(
        parameters=[LOG],
        summary="Report a battle that was played",
        request=ReportSerializer,
        responses={201: OpenBattle, 200: ConfirmationPreview},
        examples=[
            OpenApiExample("Report", REPORT, request_only=True),
            OpenApiExample("Submitted", BATTLE, response_only=True, status_codes=["201"]),
            OpenApiExample(
                "Dry run", CONFIRMATION_PREVIEW, response_only=True, status_codes=["200"]
            ),
        ],
        filters=False,
    )
    @action(
        detail=False,
        methods=["post"],
        pagination_class=None,
        throttle_classes=[*APIView.throttle_classes, LogThrottle, BatchThrottle],
    )
    def report(self, request: Request) -> Response:
        """Plan, start, log and submit a battle in one request: all of it, or nothing.

        Your own sides are confirmed. `dry_run` returns the effects of confirming.
        """
        data = self.validated(ReportSerializer, request)
        self.place = place_in_report
        if data["dry_run"]:
            return struct_response(try_report(user=self.asker, report=report_of(data)))
        return self.in_full(report_battle(user=self.asker, report=report_of(data)).pk, 201)

    @extend_schema(
        summary="List opponents for a one-off battle",
        parameters=[RULESET],
        responses=Opponents,
        examples=[OpenApiExample("Opponents", OPPONENTS, response_only=True)],
        filters=False,
    )
    @action(detail=False, methods=["get"], pagination_class=None)
    def opponents(self, request: Request) -> Response:
        """List your own warbands, those of club mates, and public ones.

        Of a private warband you see only name, player and points. `excluded` lists warbands that
        cannot be chosen, with the `reason`.
        """
        key = request.query_params.get("ruleset") or own_system(self.asker)
        return struct_response(opponents(self.asker, newest_ruleset(key)))

    @extend_schema(
        parameters=[LOG],
        summary="Change a battle's title, story or day",
        request=DescribeSerializer,
        responses=PolymorphicProxySerializer(
            component_name="DescribeAnswer",
            serializers=[OpenBattle, CorrectionDifference],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("A title", {"title": "The ford at dawn"}, request_only=True),
            OpenApiExample("Put off", {"fought_on": "2030-03-14"}, request_only=True),
            IN_FULL,
            OpenApiExample("Dry run", DIFFERENCE, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change the title, the story or the day. Absent values do not change.

        Title and story can change in every state, the day until the battle is confirmed. For a
        confirmed battle a new day, or another place in it, is a correction by an organiser with a
        `reason`. `dry_run` returns the changes. Answer later choices that become impossible in
        `undo` and `stand` (409 `open-conflicts`).
        """
        data, battle = self.validated(DescribeSerializer, request), self.battle(pk)
        description = {name: data[name] for name in ("title", "story", "version") if name in data}
        day = day_of(data)
        if not is_correction(battle, day):
            if not data["dry_run"]:
                describe_battle(battle_id=battle.pk, user=self.asker, day=day, **description)
            return self.in_full(pk)
        correction = Correction((), data["reason"], answers_of(data), day)
        if data["dry_run"]:
            return struct_response(
                preview_correction(battle_id=battle.pk, user=self.asker, correction=correction)
            )
        with transaction.atomic():
            version = description.pop("version", None)
            correct_battle(
                battle_id=battle.pk, user=self.asker, correction=correction, version=version
            )
            if description:
                describe_battle(battle_id=battle.pk, user=self.asker, **description)
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Count a one-off battle in a campaign",
        request=CountInSerializer,
        responses=OpenBattle,
        examples=[
            OpenApiExample("Campaign", {"campaign": CAMPAIGN_ID, "version": 2}, request_only=True),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["post"], url_path="count-in")
    def count_in(self, request: Request, pk: UUID) -> Response:
        """Make a planned battle count in a campaign with all its warbands (`card.may_count_in`)."""
        data = self.validated(CountInSerializer, request)
        count_in_campaign(
            battle_id=self.battle(pk).pk,
            campaign_id=data["campaign"],
            user=self.asker,
            version=data.get("version"),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Start a battle",
        request=BattleVersionSerializer,
        responses=OpenBattle,
        examples=[SEEN, IN_FULL],
    )
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: UUID) -> Response:
        """Start the battle. The line-ups are copied as the fighters are now."""
        start_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Submit a result",
        request=BattleVersionSerializer,
        responses=OpenBattle,
        examples=[SEEN, IN_FULL],
    )
    @action(detail=True, methods=["post"])
    def submit(self, request: Request, pk: UUID) -> Response:
        """Compute the result from the log. Your own sides are confirmed."""
        submit_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        summary="Preview the effects of confirming",
        responses=ConfirmationPreview,
        examples=[OpenApiExample("Confirmation preview", CONFIRMATION_PREVIEW, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def preview(self, request: Request, pk: UUID) -> Response:
        """Return each fighter's fate and experience, and each side's victory points, with reasons.

        Nothing is written.
        """
        return struct_response(preview_confirmation(self.battle(pk).pk))

    @extend_schema(
        summary="Preview the result with more events",
        request=EventsSerializer,
        responses=SheetPreview,
        examples=[
            OpenApiExample("Several", EVENTS, request_only=True),
            OpenApiExample("Came to", SHEET_PREVIEW, response_only=True),
        ],
    )
    @preview.mapping.post
    def preview_events(self, request: Request, pk: UUID) -> Response:
        """Return the result as if the events were logged, and the `problems` of invalid ones.

        The battle must be in progress. Nothing is written, and no dice are rolled.
        """
        self.place = partial(place_of_event, request.data)
        serializer = EventsSerializer(data=as_list(request.data))
        serializer.is_valid(raise_exception=True)
        events = events_of(serializer.validated_data)
        self.place = partial(place_of_data, request.data)
        return struct_response(
            preview_sheet(battle_id=self.battle(pk).pk, events=events, user=self.asker)
        )

    @extend_schema(
        parameters=[LOG],
        summary="Confirm a submitted battle",
        request=ConfirmSerializer,
        responses=PolymorphicProxySerializer(
            component_name="ConfirmAnswer",
            serializers=[OpenBattle, CorrectionDifference],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("For my side", {"version": 7}, request_only=True),
            OpenApiExample("What would it change?", {"dry_run": True}, request_only=True),
            IN_FULL,
            OpenApiExample("Dry run", DIFFERENCE, response_only=True),
        ],
    )
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: UUID) -> Response:
        """Confirm for a side. Once all sides have confirmed, the battle counts for its warbands.

        A battle that was played before confirmed ones is inserted in its place. If later facts
        become impossible (409 `open-conflicts`), answer each in `undo` or, with a reason, in
        `stand`. If it changes something else for others (409 `late-battle`), send
        `accept_changes`. Try `dry_run` first.
        """
        wish = self.validated(ConfirmSerializer, request)
        consent, battle = consent_of(wish), self.battle(pk)
        if wish.pop("dry_run"):
            side, answers = wish.get("side"), consent.answers
            return struct_response(
                preview_confirming(battle_id=battle.pk, user=self.asker, side=side, answers=answers)
            )
        confirm_side(battle_id=battle.pk, user=self.asker, consent=consent, **wish)
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Dispute a submitted battle",
        request=DisputeSerializer,
        responses=OpenBattle,
        examples=[
            OpenApiExample("Dispute", {"reason": "Porthos only fell."}, request_only=True),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["post"])
    def dispute(self, request: Request, pk: UUID) -> Response:
        """Dispute the result, with a reason. An organiser decides, or a player reopens the log."""
        dispute_side(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(DisputeSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Decide a submitted battle",
        request=DecideSerializer,
        responses=PolymorphicProxySerializer(
            component_name="DecideAnswer",
            serializers=[OpenBattle, CorrectionDifference],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample(
                "As logged",
                {"decision": "as-logged", "reason": "Three of us saw it."},
                request_only=True,
            ),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, pk: UUID) -> Response:
        """Confirm the battle for all sides, or reopen its log. Only organisers can do this.

        For a late battle send `dry_run`, `undo`, `stand` and `accept_changes` as for `confirm`.
        """
        wish = self.validated(DecideSerializer, request)
        wish["decision"] = Decision(wish["decision"])
        consent, battle = consent_of(wish), self.battle(pk)
        if wish.pop("dry_run"):
            return struct_response(
                preview_confirming(battle_id=battle.pk, user=self.asker, answers=consent.answers)
            )
        decide_battle(battle_id=battle.pk, user=self.asker, consent=consent, **wish)
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Reopen a submitted log",
        request=BattleVersionSerializer,
        responses=OpenBattle,
        examples=[SEEN, IN_FULL],
    )
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, pk: UUID) -> Response:
        """Reopen the log of a submitted battle. All confirmations are reset."""
        reopen_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Void a battle",
        request=VoidSerializer,
        responses=PolymorphicProxySerializer(
            component_name="VoidAnswer",
            serializers=[OpenBattle, CorrectionDifference],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("What would it change?", {"dry_run": True}, request_only=True),
            OpenApiExample("Void", {"reason": "Played with the wrong lists."}, request_only=True),
            IN_FULL,
            OpenApiExample("Dry run", DIFFERENCE, response_only=True),
        ],
    )
    @action(detail=True, methods=["post"])
    def void(self, request: Request, pk: UUID) -> Response:
        """Void the battle, so that it does not count.

        A confirmed one is removed from the chronicles: try `dry_run` first.
        """
        data = self.validated(VoidSerializer, request)
        battle, answers = self.battle(pk), answers_of(data)
        if data["dry_run"]:
            return struct_response(
                preview_void(battle_id=battle.pk, user=self.asker, answers=answers)
            )
        void_battle(
            battle_id=battle.pk,
            user=self.asker,
            reason=data["reason"],
            answers=answers,
            version=data.get("version"),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Restore a voided battle",
        request=RestoreSerializer,
        responses=PolymorphicProxySerializer(
            component_name="RestoreAnswer",
            serializers=[OpenBattle, CorrectionDifference],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("What would it change?", {"dry_run": True}, request_only=True),
            OpenApiExample("Restore", {"reason": "It was the other battle."}, request_only=True),
            IN_FULL,
            OpenApiExample("Dry run", DIFFERENCE, response_only=True),
        ],
    )
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: UUID) -> Response:
        """Restore a voided battle. Only organisers can do this.

        A battle that was confirmed counts again in its place; any other continues where it stopped.
        """
        data = self.validated(RestoreSerializer, request)
        battle, answers = self.battle(pk), answers_of(data)
        if data["dry_run"]:
            return struct_response(
                preview_restore(battle_id=battle.pk, user=self.asker, answers=answers)
            )
        restore_battle(
            battle_id=battle.pk,
            user=self.asker,
            reason=data["reason"],
            answers=answers,
            version=data.get("version"),
        )
        return self.in_full(pk)
