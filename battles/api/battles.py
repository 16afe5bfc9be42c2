"""`battles/`: planning, describing, starting, submitting, reviewing, voiding."""

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
    SHEET_PREVIEW,
)
from battles.api.serializers import (
    BattleVersionSerializer,
    ConfirmSerializer,
    CountInSerializer,
    DecideSerializer,
    DescribeSerializer,
    DisputeSerializer,
    EventsSerializer,
    PlanSerializer,
    RestoreSerializer,
    VoidSerializer,
    answers_of,
    as_list,
    consent_of,
    day_of,
    events_of,
    place_of_data,
    place_of_event,
)
from battles.models import Battle
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
from core.api.views import struct_response
from core.inputs import parse
from rulebook.registry import newest_ruleset

IN_FULL = OpenApiExample("Battle", BATTLE, response_only=True)
RULESET = OpenApiParameter(
    "ruleset",
    OpenApiTypes.STR,
    description="The key of the rule system; absent: that of your newest warband.",
)
SEEN = OpenApiExample("As I saw it", {"version": 7}, request_only=True)


class BattleFilter(django_filters.FilterSet):
    """Which battles."""

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
    """Battles: planned, under way, under review, settled."""

    queryset = Battle.objects.none()
    filterset_class = BattleFilter
    serializer_class = PlanSerializer

    @extend_schema(
        summary="List battles",
        responses=BattleRow,
        examples=[OpenApiExample("Battles", BATTLE_ROW, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Those of one's clubs' campaigns, one's own, and those of public campaigns; newest
        first."""
        battles: QuerySet[Battle] = self.filter_queryset(Battle.objects.listed_for(self.asker))
        return self.pages(battles.for_rows(), battle_rows)  # type: ignore[attr-defined]

    @extend_schema(
        parameters=[LOG], summary="Read a battle", responses=OpenBattle, examples=[IN_FULL]
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Sides, combatants, score, awards with their reasons, the log in words, corrections, and
        what you may do."""
        return self.in_full(self.battle(pk).pk)

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
        """For players and organisers of the campaign's club; a one-off battle for who brings one of
        its warbands."""
        battle = plan_battle(
            user=self.asker, plan=parse(BattlePlan, self.validated(PlanSerializer, request))
        )
        return self.in_full(battle.pk, 201)

    @extend_schema(
        summary="List whom a one-off battle may be planned against",
        parameters=[RULESET],
        responses=Opponents,
        examples=[OpenApiExample("Opponents", OPPONENTS, response_only=True)],
        filters=False,
    )
    @action(detail=False, methods=["get"], pagination_class=None)
    def opponents(self, request: Request) -> Response:
        """Your own, those of club mates and what is public; of a private warband its name, player
        and points alone.

        Who is near at hand and cannot be chosen stands in `excluded` with the `reason`.
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
        """What is absent stays. Title and story in any state of the battle, its day until it is
        confirmed.

        Another day of a confirmed battle, or another place in its day, is a correction: for
        organisers, with a `reason`. With `dry_run` you see what would change; later choices that
        become impossible are answered in `undo` and `stand` (409 `open-conflicts`).
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
        """Before it begins, in a campaign in which all its warbands are enrolled:
        `card.may_count_in` names it."""
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
        """Everybody fielded is taken as they are at this hour."""
        start_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Submit a battle's log",
        request=BattleVersionSerializer,
        responses=OpenBattle,
        examples=[SEEN, IN_FULL],
    )
    @action(detail=True, methods=["post"])
    def submit(self, request: Request, pk: UUID) -> Response:
        """The log is folded into the result sheet. Your own sides count as confirmed."""
        submit_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        summary="Preview what confirming will do",
        responses=ConfirmationPreview,
        examples=[OpenApiExample("Confirmation preview", CONFIRMATION_PREVIEW, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def preview(self, request: Request, pk: UUID) -> Response:
        """Each fighter's fate and experience with reasons, each side's victory points line by line.
        Writes nothing."""
        return struct_response(preview_confirmation(self.battle(pk).pk))

    @extend_schema(
        summary="Preview what a log would come to with more events",
        request=EventsSerializer,
        responses=SheetPreview,
        examples=[
            OpenApiExample("Several", EVENTS, request_only=True),
            OpenApiExample("Came to", SHEET_PREVIEW, response_only=True),
        ],
    )
    @preview.mapping.post
    def preview_events(self, request: Request, pk: UUID) -> Response:
        """While it is under way, as if they were logged; `problems` of those left out. Writes and
        throws nothing."""
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
        """Once every side has confirmed, the battle is written into the chronicles of its warbands.

        A battle that was played before others that are confirmed is written in its place. Where
        later facts become impossible (409 `open-conflicts`), each is in `undo` or, with a reason,
        in `stand`; where it changes something else for others (409 `late-battle`), send
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
        """With a reason. The organiser decides, or who logged it opens the log again."""
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
        """For organisers: confirm it for everybody, or open the log again. Nobody has to wait for a
        slow opponent.

        Of a late battle it takes `dry_run`, `undo`, `stand` and `accept_changes` as `confirm` does.
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
        summary="Open a submitted log again",
        request=BattleVersionSerializer,
        responses=OpenBattle,
        examples=[SEEN, IN_FULL],
    )
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, pk: UUID) -> Response:
        """Before it is confirmed. Nobody has confirmed it then."""
        reopen_battle(
            battle_id=self.battle(pk).pk,
            user=self.asker,
            **self.validated(BattleVersionSerializer, request),
        )
        return self.in_full(pk)

    @extend_schema(
        parameters=[LOG],
        summary="Void battle",
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
        """It shall not count. A confirmed one is struck from the chronicles: try `dry_run`
        first."""
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
        """For organisers. One that was confirmed counts again in its place; any other goes on where
        it was."""
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
