"""`clubs/{id}/members/` and `members/{id}/`: who belongs to a club, and as what."""

from typing import Any
from uuid import UUID

import django_filters
from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import Endpoint
from clubs.models import VACANT, Membership, MembershipQuerySet
from clubs.services.members import (
    Guest,
    MemberEdit,
    RemovalPreview,
    add_guest,
    change_role,
    preview_removal,
    remove_member,
    rename_member,
)
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.api.strict_input import ExactSerializer
from core.api.views import struct_response

MEMBER: dict[str, Any] = {
    "id": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77",
    "club": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    "name": "Gaston",
    "role": "player",
    "has_account": False,
    "me": False,
    "joined_at": "2030-01-31T20:00:00Z",
    "left_at": None,
}


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """A member of a club.

    A member without an account is a guest player; organisers keep the guest's warbands.
    """

    has_account = serializers.SerializerMethodField()
    me = serializers.SerializerMethodField(help_text="Whether this is you.")

    class Meta:
        model = Membership
        fields = ["id", "club", "name", "role", "has_account", "me", "joined_at", "left_at"]
        read_only_fields = fields

    def get_has_account(self, member: Membership) -> bool:
        return not member.vacant

    def get_me(self, member: Membership) -> bool:
        return member.user_id is not None and member.user_id == self.context["request"].user.pk


GuestSerializer = serializer_class(Guest)


class AnyChange(ExactSerializer):
    """Input that must contain at least one change."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send a name, a role, or both.", code="empty")
        return attrs


MemberEditSerializer = serializer_class(MemberEdit, AnyChange)


class MemberFilter(django_filters.FilterSet):
    """Filter of members."""

    has_account = django_filters.BooleanFilter(method="filter_has_account")
    ordering = django_filters.OrderingFilter(fields=["name", "role", "joined_at"])

    class Meta:
        model = Membership
        fields = ["role"]

    def filter_has_account(
        self, rows: MembershipQuerySet, name: str, has_account: bool
    ) -> MembershipQuerySet:
        """Return the members with an account, or those without."""
        return rows.exclude(VACANT) if has_account else rows.vacant()


@extend_schema_view(
    list=extend_schema(summary="List a club's members", parameters=[path_key("club_id", "club")]),
    create=extend_schema(parameters=[path_key("club_id", "club")]),
)
class ClubMemberViewSet(mixins.ListModelMixin, Endpoint[Membership]):
    """The members of a club, without those who have left."""

    serializer_class = MemberSerializer
    filterset_class = MemberFilter

    def get_queryset(self) -> QuerySet[Membership]:
        if self.drawing_schema:
            return Membership.objects.none()
        return self.club().memberships.present().with_accounts()

    @extend_schema(
        summary="Add a guest player",
        request=GuestSerializer,
        responses={201: MemberSerializer},
        examples=[
            OpenApiExample("Guest", {"name": "Gaston"}, request_only=True),
            OpenApiExample("Added", MEMBER, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """Add a guest player.

        For organisers, who keep the guest's warbands until the guest accepts an invitation.
        """
        member = add_guest(
            club_id=club_id, user=self.asker, **self.validated(GuestSerializer, request)
        )
        return Response(self.get_serializer(member).data, status=201)


@extend_schema_view(retrieve=extend_schema(summary="Read a member"))
class MemberViewSet(mixins.RetrieveModelMixin, Endpoint[Membership]):
    """One member of a club."""

    serializer_class = MemberSerializer

    def get_queryset(self) -> QuerySet[Membership]:
        return Membership.objects.visible_to(self.asker)

    @extend_schema(
        summary="Change a member's name or role",
        request=MemberEditSerializer,
        responses=MemberSerializer,
        examples=[
            OpenApiExample("Promote", {"role": "organiser"}, request_only=True),
            OpenApiExample(
                "Changed", MEMBER | {"has_account": True, "role": "organiser"}, response_only=True
            ),
        ],
    )
    @transaction.atomic
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Change a member.

        Members can change their own name, organisers all names and roles. A club must keep one
        organiser.
        """
        changes = self.validated(MemberEditSerializer, request)
        if "name" in changes:
            rename_member(member_id=pk, user=self.asker, name=changes["name"])
        if "role" in changes:
            change_role(member_id=pk, user=self.asker, role=changes["role"])
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(summary="Preview leaving or removal", responses=RemovalPreview)
    @action(detail=True, methods=["get"])
    def removal(self, request: Request, pk: UUID) -> Response:
        """Return the effect of leaving or removal, and the problems that prevent it."""
        return struct_response(preview_removal(member_id=pk, user=self.asker))

    @extend_schema(
        summary="Leave the club, or remove a member", request=None, responses=no_content()
    )
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Leave the club or remove a member.

        The name of a member who has played stays in standings and histories.
        """
        remove_member(member_id=pk, user=self.asker)
        return Response(status=204)
