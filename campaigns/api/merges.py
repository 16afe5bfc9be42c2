"""`members/{id}/merge/`, `clubs/{id}/merges/` and `merges/{id}/`: two members of a club become
one."""

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_view,
)
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.services.merging import MergePreview, merge_members, preview_merge, undo_merge
from clubs.api import members
from clubs.api.base import Endpoint
from clubs.api.members import MEMBER, MemberSerializer
from clubs.models import Merge
from clubs.services.permissions import expect_organiser
from core.api.schema import path_key
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response


class MergeSerializer(ExactSerializer):
    """The member who stays."""

    into = serializers.UUIDField()


class MergedSerializer(serializers.ModelSerializer[Merge]):
    """A merge of two members."""

    class Meta:
        model = Merge
        fields = ["id", "club", "member", "seat", "name", "merged_at", "undone_at"]
        read_only_fields = fields


class MemberViewSet(members.MemberViewSet):
    """One member of a club."""

    @extend_schema(
        summary="Preview a merge of two members",
        parameters=[
            OpenApiParameter(
                "into", OpenApiTypes.UUID, required=True, description="The member who stays."
            )
        ],
        responses=MergePreview,
    )
    @action(detail=True, methods=["get"])
    def merge(self, request: Request, pk: UUID) -> Response:
        """Preview a merge.

        For organisers. Returns what would move from a guest player to the other member, and
        conflicts.
        """
        expect_organiser(self.get_object().club_id, self.asker)
        serializer = MergeSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        return struct_response(
            preview_merge(seat_id=pk, user=self.asker, **serializer.validated_data)
        )

    @extend_schema(
        summary="Merge a member into another",
        request=MergeSerializer,
        responses={201: MergedSerializer},
        examples=[OpenApiExample("Merge", {"into": MEMBER["id"]}, request_only=True)],
    )
    @merge.mapping.post
    def merge_now(self, request: Request, pk: UUID) -> Response:
        """Merge a guest player into another member.

        For organisers. Everything moves to the other member, and the guest is removed.
        """
        merge = merge_members(
            seat_id=pk, user=self.asker, **self.validated(MergeSerializer, request)
        )
        return Response(MergedSerializer(merge).data, status=201)


@extend_schema_view(
    list=extend_schema(summary="List a club's merges", parameters=[path_key("club_id", "club")])
)
class ClubMergeViewSet(mixins.ListModelMixin, Endpoint[Merge]):
    """The merged members of a club, for its organisers."""

    serializer_class = MergedSerializer

    def get_queryset(self) -> QuerySet[Merge]:
        if self.drawing_schema:
            return Merge.objects.none()
        club = self.club()
        expect_organiser(club.pk, self.asker)
        return club.merges.all()


class MergeViewSet(Endpoint[Merge]):
    """A merge of two members, for the organisers of the club."""

    serializer_class = MergedSerializer

    def get_queryset(self) -> QuerySet[Merge]:
        return Merge.objects.visible_to(self.asker)

    @extend_schema(
        summary="Undo merge",
        request=None,
        responses=MemberSerializer,
        examples=[OpenApiExample("Back again", MEMBER, response_only=True)],
    )
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: UUID) -> Response:
        """Undo the merge within 30 days, unless a warband has been transferred again.

        Returns the restored member.
        """
        member = undo_merge(merge_id=pk, user=self.asker)
        return Response(MemberSerializer(member, context=self.get_serializer_context()).data)
