"""`warbands/`: master rosters."""

from uuid import UUID

import django_filters
from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import serializer_class
from core.api.post_fields import APPOINT, PostsField
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response
from core.page_cache import cached_read
from warbands.api.base import Endpoint
from warbands.api.examples import (
    APPOINTED,
    ARRANGED,
    BOUGHT,
    MUSTERED,
    PROBLEMS,
    WARBAND_PAGE,
    WARBAND_ROW,
)
from warbands.models import Warband
from warbands.page_rows import WARBAND_ROWS
from warbands.selectors.warband_list import WarbandRow, listed_warbands, warband_rows
from warbands.selectors.warband_page import ProblemList, WarbandPage, problem_list, warband_page
from warbands.services.posts import Furnishing, appoint, furnish_warband
from warbands.services.roster_order import Arrangement, Arranging, arrange_warband
from warbands.services.warbands import (
    CopyTerms,
    NewWarband,
    WarbandEdit,
    archive_warband,
    copy_warband,
    edit_warband,
    muster_warband,
)


class WarbandFilter(django_filters.FilterSet):
    """Filters of warbands."""

    search = django_filters.CharFilter(
        field_name="name", lookup_expr="icontains", label="Part of the name"
    )
    ruleset = django_filters.CharFilter(label="Key of the rule system")
    faction = django_filters.CharFilter(label="Key of the faction")
    owner = django_filters.CharFilter(field_name="owner__username", label="The owner's name")
    campaign = django_filters.UUIDFilter(
        method="in_campaign", label="Id of the campaign that it is in"
    )
    mine = django_filters.BooleanFilter(
        method="of_asker", label="Only those that one owns or keeps, or only others"
    )
    archived = django_filters.BooleanFilter(
        field_name="archived_at", lookup_expr="isnull", exclude=True, label="In the archive or not"
    )
    ordering = django_filters.OrderingFilter(fields=["name", "points", "experience", "created_at"])

    class Meta:
        model = Warband
        fields = ["visibility"]

    def in_campaign(self, rows: QuerySet[Warband], name: str, campaign: UUID) -> QuerySet[Warband]:
        """Return the warbands in this campaign, each once."""
        return rows.filter(enrolments__campaign=campaign, enrolments__left_at__isnull=True)

    def of_asker(self, rows: QuerySet[Warband], name: str, mine: bool) -> QuerySet[Warband]:
        """Return the warbands that the user owns or manages."""
        own_warbands = Q(owner=self.request.user) | Q(keeper=self.request.user)
        return rows.filter(own_warbands) if mine else rows.exclude(own_warbands)


MusterSerializer = serializer_class(NewWarband, name="MusterSerializer")
WarbandEditSerializer = serializer_class(WarbandEdit)
CopySerializer = serializer_class(CopyTerms, name="CopySerializer")


class ArchiveSerializer(ExactSerializer):
    """The new state of a warband: archived or not."""

    archived = serializers.BooleanField(default=True)


FurnishSerializer = serializer_class(Furnishing, name="FurnishSerializer")


GroupSerializer = serializer_class(
    Arranging, name="GroupSerializer", doc="A group by its name, with its fighters in their order."
)
ArrangeSerializer = serializer_class(Arrangement, name="ArrangeSerializer")


PAGE = OpenApiExample("Warband", WARBAND_PAGE, response_only=True)


class WarbandViewSet(Endpoint[Warband]):
    """Warbands: yours, those in your clubs' campaigns, and public ones."""

    queryset = Warband.objects.none()
    filterset_class = WarbandFilter

    @extend_schema(
        summary="List warbands",
        responses=WarbandRow,
        examples=[OpenApiExample("Warband", WARBAND_ROW, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Unlisted warbands of others are left out."""
        return self.filtered_pages(
            listed_warbands(self.asker), lambda rows: warband_rows(rows, self.asker)
        )

    @extend_schema(summary="Read a warband", responses=WarbandPage, examples=[PAGE])
    @cached_read(WARBAND_ROWS)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Header, fighters with their cards, problems, and your rights."""
        return self._page(pk)

    @extend_schema(
        summary="Create a warband",
        request=MusterSerializer,
        responses={201: WarbandPage},
        examples=[
            OpenApiExample("Create", MUSTERED, request_only=True),
            OpenApiExample("Created", WARBAND_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """Create an empty warband with the newest edition of the rules."""
        return self._page(
            muster_warband(user=self.asker, **self.validated(MusterSerializer, request)).pk, 201
        )

    @extend_schema(
        summary="Change a warband's name, story or visibility",
        request=WarbandEditSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Make public", {"visibility": "public"}, request_only=True), PAGE],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Absent fields stay unchanged. A new name appears in the history."""
        edit_warband(
            warband_id=pk, user=self.asker, **self.validated(WarbandEditSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="Copy a warband",
        request=CopySerializer,
        responses={201: WarbandPage},
        examples=[
            OpenApiExample(
                "Original roster", {"name": "Once more", "starting": True}, request_only=True
            ),
            OpenApiExample("Copied", WARBAND_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, pk: UUID) -> Response:
        """Create your own warband with the same fighters, without experience and wounds."""
        copied = copy_warband(
            warband_id=pk, user=self.asker, **self.validated(CopySerializer, request)
        )
        return self._page(copied.pk, 201)

    @extend_schema(
        summary="Archive or restore a warband",
        request=ArchiveSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Restore", {"archived": False}, request_only=True), PAGE],
    )
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: UUID) -> Response:
        """Archived warbands cannot change. Not possible in a campaign."""
        archive_warband(
            warband_id=pk, user=self.asker, **self.validated(ArchiveSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="List a roster's problems",
        responses=ProblemList,
        examples=[OpenApiExample("Problems", PROBLEMS, response_only=True)],
    )
    @action(detail=True, filter_backends=[])
    def problems(self, request: Request, pk: UUID) -> Response:
        """Every problem with its fighters. An empty list means a legal roster."""
        return struct_response(problem_list(self.warband(pk)))

    @extend_schema(
        summary="Change the warband's purchases",
        request=FurnishSerializer,
        responses=WarbandPage,
        examples=[
            OpenApiExample("While it is built", BOUGHT, request_only=True),
            OpenApiExample(
                "In play", BOUGHT | {"reason": "Forgotten at enrolment."}, request_only=True
            ),
            PAGE,
        ],
    )
    @action(detail=True, methods=["post"])
    def furnish(self, request: Request, pk: UUID) -> Response:
        """In a campaign, only organisers can change purchases with a cost, with a reason."""
        furnish_warband(
            warband_id=pk, user=self.asker, **self.validated(FurnishSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="Set the warband roles",
        request={"application/json": APPOINT},
        responses=WarbandPage,
        examples=[
            OpenApiExample("Appoint", APPOINTED, request_only=True),
            PAGE,
        ],
    )
    @action(detail=True, methods=["post"])
    def appoint(self, request: Request, pk: UUID) -> Response:
        """Possible at any time. Send one id for each role, or several where it takes several."""
        appoint(warband_id=pk, user=self.asker, posts=PostsField().run_validation(request.data))
        return self._page(pk)

    @extend_schema(
        summary="Set the roster order",
        request=ArrangeSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Two groups", ARRANGED, request_only=True), PAGE],
    )
    @action(detail=True, methods=["post"])
    def arrange(self, request: Request, pk: UUID) -> Response:
        """Send the groups in order, each with its fighters. Possible at any time. Fighters that are
        not listed stay in their group, at its end."""
        data = self.validated(ArrangeSerializer, request)
        groups = [Arranging(each["name"], tuple(each["fighters"])) for each in data.pop("groups")]
        arrange_warband(warband_id=pk, groups=groups, user=self.asker, **data)
        return self._page(pk)

    def _page(self, pk: UUID, status: int = 200) -> Response:
        return struct_response(warband_page(self.warband(pk), self.asker), status)
