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
    """Which warbands."""

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
        """Those that are enrolled now, once each."""
        return rows.filter(enrolments__campaign=campaign, enrolments__left_at__isnull=True)

    def of_asker(self, rows: QuerySet[Warband], name: str, mine: bool) -> QuerySet[Warband]:
        """Those that the asker owns or keeps for somebody."""
        own_warbands = Q(owner=self.request.user) | Q(keeper=self.request.user)
        return rows.filter(own_warbands) if mine else rows.exclude(own_warbands)


MusterSerializer = serializer_class(NewWarband, name="MusterSerializer")
WarbandEditSerializer = serializer_class(WarbandEdit)
CopySerializer = serializer_class(CopyTerms, name="CopySerializer")


class ArchiveSerializer(ExactSerializer):
    """Into the archive, or back."""

    archived = serializers.BooleanField(default=True)


FurnishSerializer = serializer_class(Furnishing, name="FurnishSerializer")


GroupSerializer = serializer_class(
    Arranging, name="GroupSerializer", doc="A group by its name, with its fighters in their order."
)
ArrangeSerializer = serializer_class(Arrangement, name="ArrangeSerializer")


PAGE = OpenApiExample("Warband", WARBAND_PAGE, response_only=True)


class WarbandViewSet(Endpoint[Warband]):
    """Warbands: one's own, those of one's clubs' campaigns, and the public ones."""

    queryset = Warband.objects.none()
    filterset_class = WarbandFilter

    @extend_schema(
        summary="List warbands",
        responses=WarbandRow,
        examples=[OpenApiExample("Warband", WARBAND_ROW, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """Unlisted ones of strangers are left out."""
        return self.pages(listed_warbands(self.asker), lambda rows: warband_rows(rows, self.asker))

    @extend_schema(summary="Read a warband", responses=WarbandPage, examples=[PAGE])
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Header, fighters with their cards, problems, and what the asker may do."""
        return self._page(pk)

    @extend_schema(
        summary="Muster a warband",
        request=MusterSerializer,
        responses={201: WarbandPage},
        examples=[
            OpenApiExample("Muster", MUSTERED, request_only=True),
            OpenApiExample("Mustered", WARBAND_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        """A new, empty warband under the newest edition of the rules."""
        return self._page(
            muster_warband(user=self.asker, **self.validated(MusterSerializer, request)).pk, 201
        )

    @extend_schema(
        summary="Change a warband's name, story or visibility",
        request=WarbandEditSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Show it", {"visibility": "public"}, request_only=True), PAGE],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """What is absent stays. A new name goes into the chronicle."""
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
                "As it set out", {"name": "Once more", "starting": True}, request_only=True
            ),
            OpenApiExample("Copied", WARBAND_PAGE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, pk: UUID) -> Response:
        """A draft of one's own with the same fighters; experience and wounds stay behind."""
        copied = copy_warband(
            warband_id=pk, user=self.asker, **self.validated(CopySerializer, request)
        )
        return self._page(copied.pk, 201)

    @extend_schema(
        summary="Put a warband into the archive, or fetch it back",
        request=ArchiveSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Fetch it back", {"archived": False}, request_only=True), PAGE],
    )
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: UUID) -> Response:
        """In the archive nothing changes. Not while it is in a campaign."""
        archive_warband(
            warband_id=pk, user=self.asker, **self.validated(ArchiveSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="What is wrong with a roster",
        responses=ProblemList,
        examples=[OpenApiExample("Problems", PROBLEMS, response_only=True)],
    )
    @action(detail=True, filter_backends=[])
    def problems(self, request: Request, pk: UUID) -> Response:
        """Every problem at once, with those concerned; an empty list is a legal roster."""
        return struct_response(problem_list(self.warband(pk)))

    @extend_schema(
        summary="Buy what the warband has as a whole",
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
        """In play this is for organisers, with a reason; only what costs nothing is free."""
        furnish_warband(
            warband_id=pk, user=self.asker, **self.validated(FurnishSerializer, request)
        )
        return self._page(pk)

    @extend_schema(
        summary="Fill the posts of a warband",
        request={"application/json": APPOINT},
        responses=WarbandPage,
        examples=[
            OpenApiExample("Appoint", APPOINTED, request_only=True),
            PAGE,
        ],
    )
    @action(detail=True, methods=["post"])
    def appoint(self, request: Request, pk: UUID) -> Response:
        """Possible at any time: somebody new is named when the last one fell. One id, or several
        where a post takes several."""
        appoint(warband_id=pk, user=self.asker, posts=PostsField().run_validation(request.data))
        return self._page(pk)

    @extend_schema(
        summary="Put a roster in order",
        request=ArrangeSerializer,
        responses=WarbandPage,
        examples=[OpenApiExample("Two groups", ARRANGED, request_only=True), PAGE],
    )
    @action(detail=True, methods=["post"])
    def arrange(self, request: Request, pk: UUID) -> Response:
        """The groups in their order, each with the fighters who are to stand in it; possible at any
        time. Who is not named stays in its group, behind those who are."""
        data = self.validated(ArrangeSerializer, request)
        groups = [Arranging(each["name"], tuple(each["fighters"])) for each in data.pop("groups")]
        arrange_warband(warband_id=pk, groups=groups, user=self.asker, **data)
        return self._page(pk)

    def _page(self, pk: UUID, status: int = 200) -> Response:
        return struct_response(warband_page(self.warband(pk), self.asker), status)
