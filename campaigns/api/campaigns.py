"""`campaigns/`: planning, changing, starting, finishing; house rules."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_view,
)
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import Endpoint
from campaigns.api.examples import CAMPAIGN_IN_FULL, HOUSE_RULE, PLAN, PREVIEW
from campaigns.api.serializers import (
    CampaignEditSerializer,
    CampaignInFullSerializer,
    CampaignPlanSerializer,
    CampaignSerializer,
    FollowSerializer,
    HouseRulesEditSerializer,
    HouseRuleSerializer,
    ReopenSerializer,
    RulesPreviewSerializer,
    StartSerializer,
    VersionSerializer,
    house_rules_of,
)
from campaigns.models import Campaign, Enrolment
from campaigns.page_rows import CAMPAIGN_READ_ROWS
from campaigns.services.campaigns import (
    cancel_campaign,
    edit_campaign,
    follow_campaign,
    plan_campaign,
    start_campaign,
)
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from campaigns.services.reopening import Reopening, preview_reopening, reopen_campaign
from clubs.api.base import counted
from clubs.models import Membership, Role
from core.api.schema import no_content
from core.api.views import struct_response
from core.compiled_queries import CompiledQuery
from core.page_cache import cached_read


class CampaignFilter(django_filters.FilterSet):
    """Filter of campaigns."""

    club = django_filters.UUIDFilter(field_name="club", label="The club's id")
    name = django_filters.CharFilter(lookup_expr="icontains", label="Part of the name")
    warband = django_filters.UUIDFilter(
        field_name="enrolments__warband", label="A warband that is or was in the campaign"
    )
    ordering = django_filters.OrderingFilter(
        fields=["name", "created_at", "started_at", "finished_at", "points"]
    )

    class Meta:
        model = Campaign
        fields = ["club", "name", "state", "ruleset", "format", "visibility", "warband"]


def _annotated(rows: QuerySet[Campaign], user: Any) -> QuerySet[Campaign]:
    """Annotate campaigns with what the serializers show besides their columns."""
    runs = Membership.objects.filter(club=OuterRef("club"), user=user.pk, role=Role.ORGANISER)
    following = Campaign.objects.visible_to(user).filter(follows=OuterRef("pk"))
    return rows.annotate(
        organises=Exists(runs.filter(user__isnull=False)),
        warbands=counted(Enrolment.objects.current(), "campaign"),
        next=Subquery(following.order_by().values("pk")[:1]),
    )


IN_FULL: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: _annotated(Campaign.objects.visible_to(user).filter(pk=key).order_by(), user)
)


@extend_schema_view(
    list=extend_schema(summary="List campaigns", responses=CampaignSerializer(many=True)),
    retrieve=extend_schema(
        summary="Read a campaign",
        examples=[OpenApiExample("Campaign", CAMPAIGN_IN_FULL, response_only=True)],
    ),
)
class CampaignViewSet(mixins.ListModelMixin, Endpoint[Campaign]):
    """Campaigns of your clubs, and public ones."""

    in_full = IN_FULL
    filterset_class = CampaignFilter
    public_reads = frozenset({"list", "retrieve"})

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Campaign]]:
        return CampaignSerializer if self.action == "list" else CampaignInFullSerializer

    def get_queryset(self) -> QuerySet[Campaign]:
        campaigns = Campaign.objects
        return _annotated(
            campaigns.listed_for(self.asker)
            if self.action == "list"
            else campaigns.visible_to(self.asker),
            self.asker,
        )

    @cached_read(CAMPAIGN_READ_ROWS)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        return self.answer(pk)

    @extend_schema(
        summary="Create campaign",
        request=CampaignPlanSerializer,
        responses={201: CampaignInFullSerializer},
        examples=[
            OpenApiExample("Plan", PLAN, request_only=True),
            OpenApiExample("Planned", CAMPAIGN_IN_FULL, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Create a campaign under the newest edition of a rule system. For organisers."""
        campaign = plan_campaign(user=self.asker, **self.validated(CampaignPlanSerializer, request))
        return self.answer(campaign.pk, 201)

    @extend_schema(
        summary="Change a campaign",
        request=CampaignEditSerializer,
        responses=CampaignInFullSerializer,
        examples=[
            OpenApiExample(
                "Rename", {"version": 1, "name": "The Longer Winter"}, request_only=True
            ),
            OpenApiExample("Changed", CAMPAIGN_IN_FULL | {"version": 2}, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change a campaign.

        For organisers. Points and format are fixed once a warband has entered.
        """
        edit_campaign(
            campaign_id=pk, user=self.asker, **self.validated(CampaignEditSerializer, request)
        )
        return self.answer(pk)

    @extend_schema(
        summary="Cancel a planned campaign",
        request=None,
        parameters=[
            OpenApiParameter(
                "version",
                int,
                description="The version that you read. 409 if the campaign has changed since.",
            )
        ],
        responses=no_content(),
    )
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Delete a planned campaign and release its warbands.

        For organisers. Finish a campaign that has started instead.
        """
        serializer = VersionSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        cancel_campaign(campaign_id=pk, user=self.asker, **serializer.validated_data)
        return Response(status=204)

    @extend_schema(
        summary="Start a campaign",
        request=StartSerializer,
        responses=CampaignInFullSerializer,
        examples=[
            OpenApiExample("Start", {"version": 1}, request_only=True),
            OpenApiExample(
                "Classic",
                {"version": 1, "scenarios": ["duel", "capture", "raid"]},
                request_only=True,
            ),
            OpenApiExample(
                "Running", CAMPAIGN_IN_FULL | {"state": "running", "version": 2}, response_only=True
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: UUID) -> Response:
        """Start the campaign.

        For organisers. It needs at least 2 warbands; exactly 2 in the classic format.
        """
        start_campaign(campaign_id=pk, user=self.asker, **self.validated(StartSerializer, request))
        return self.answer(pk)

    @extend_schema(
        summary="Reopen a finished campaign",
        request=ReopenSerializer,
        responses=PolymorphicProxySerializer(
            component_name="ReopenAnswer",
            serializers=[CampaignInFullSerializer, Reopening],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample("Preview", {"dry_run": True}, request_only=True),
            OpenApiExample("Reopen", {"version": 3}, request_only=True),
            OpenApiExample(
                "Running", CAMPAIGN_IN_FULL | {"state": "running", "version": 4}, response_only=True
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, pk: UUID) -> Response:
        """Reopen the campaign.

        For organisers. The warbands that played to its end return, except those that have entered
        another campaign, are archived, or whose player has left the club.
        """
        data = self.validated(ReopenSerializer, request)
        if data.pop("dry_run"):
            return struct_response(preview_reopening(campaign_id=pk, user=self.asker))
        reopen_campaign(campaign_id=pk, user=self.asker, **data)
        return self.answer(pk)

    @extend_schema(
        summary="Create the next season",
        request=FollowSerializer,
        responses={201: CampaignInFullSerializer},
        examples=[
            OpenApiExample("Follow", {"name": "The Next Winter"}, request_only=True),
            OpenApiExample(
                "Planned",
                CAMPAIGN_IN_FULL | {"name": "The Next Winter", "follows": CAMPAIGN_IN_FULL["id"]},
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    @action(detail=True, methods=["post"], url_path="follow-up")
    def follow_up(self, request: Request, pk: UUID) -> Response:
        """Create the next season of a finished campaign. For organisers.

        It has the same terms and house rules unless you send others. Enter its warbands with
        `campaigns/{id}/enrolments/`; they keep their fighters and history.
        """
        campaign = follow_campaign(
            campaign_id=pk, user=self.asker, **self.validated(FollowSerializer, request)
        )
        return self.answer(campaign.pk, 201)

    @extend_schema(
        summary="Read the house rules",
        responses=HouseRuleSerializer(many=True),
        examples=[OpenApiExample("House rule", HOUSE_RULE, response_only=True)],
        filters=False,
    )
    @action(
        detail=True,
        methods=["get"],
        url_path="house-rules",
        pagination_class=None,
        filterset_class=None,
    )
    def house_rules(self, request: Request, pk: UUID) -> Response:
        """Return every house rule of the rule system with its value in this campaign."""
        return Response(house_rules_of(self.get_object()))

    @extend_schema(
        summary="Change the house rules, or preview a change",
        request=HouseRulesEditSerializer,
        responses=RulesPreviewSerializer,
        examples=[
            OpenApiExample(
                "Dry run",
                {"house_rules": {"prices": "printed"}, "dry_run": True},
                request_only=True,
            ),
            OpenApiExample(
                "Change",
                {
                    "house_rules": {"prices": "printed"},
                    "version": 1,
                    "reason": "As in the rulebook.",
                },
                request_only=True,
            ),
            OpenApiExample("What changes", PREVIEW, response_only=True),
        ],
        filters=False,
    )
    @house_rules.mapping.post
    def change_house_rules(self, request: Request, pk: UUID) -> Response:
        """Change the house rules from now on.

        For organisers. The change appears in the history of every warband in the campaign.
        """
        data = self.validated(HouseRulesEditSerializer, request)
        if data.pop("dry_run"):
            preview = preview_house_rules(
                campaign_id=pk, user=self.asker, house_rules=data["house_rules"]
            )
        else:
            preview = change_house_rules(campaign_id=pk, user=self.asker, **data)
        return Response(RulesPreviewSerializer(preview).data)
