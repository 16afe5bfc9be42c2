"""`clubs/{id}/invitations/`, `invitations/{id}/`, `invitations/accept/`: links into a club."""

from typing import Any, ClassVar
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import Endpoint
from clubs.api.members import MEMBER, MemberSerializer
from clubs.models import Invitation
from clubs.services.invitations import Accept, Invite, accept_invitation, invite, revoke_invitation
from clubs.services.permissions import expect_organiser
from core.api.inputs import serializer_class
from core.api.schema import no_content, path_key
from core.models import Scope
from core.secret_links import join_path

INVITATION: dict[str, Any] = {
    "id": "0a0f3a6b-64a7-4a0f-a8a5-a6a3b8b7a1c5",
    "club": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    "role": "player",
    "seat": None,
    "uses_left": 5,
    "expires_at": "2030-02-14T20:00:00Z",
    "usable": True,
    "created_at": "2030-01-31T20:00:00Z",
    "secret": "x6Q2…",
    "link": "https://muster.example.org/join/?secret=x6Q2…",
}


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An invitation with its secret and its link; both are empty if the secret was not stored."""

    secret = serializers.CharField(read_only=True)
    link = serializers.SerializerMethodField(help_text="The link to share.")
    usable = serializers.SerializerMethodField(help_text=("Whether people can still join with it."))

    class Meta:
        model = Invitation
        fields = [
            "id",
            "club",
            "role",
            "seat",
            "uses_left",
            "expires_at",
            "usable",
            "created_at",
            "secret",
            "link",
        ]
        read_only_fields = fields

    def get_link(self, invitation: Invitation) -> str:
        secret = invitation.secret
        return self.context["request"].build_absolute_uri(join_path(secret)) if secret else ""

    def get_usable(self, invitation: Invitation) -> bool:
        return invitation.usable(timezone.now())


InviteSerializer = serializer_class(Invite)
AcceptSerializer = serializer_class(Accept)


class InvitationFilter(django_filters.FilterSet):
    """Filter of invitations."""

    seat = django_filters.UUIDFilter(field_name="seat", label="The guest player that it is for")
    ordering = django_filters.OrderingFilter(fields=["created_at", "expires_at"])

    class Meta:
        model = Invitation
        fields = ["role", "seat"]


@extend_schema_view(
    list=extend_schema(
        summary="List a club's invitations", parameters=[path_key("club_id", "club")]
    ),
    create=extend_schema(parameters=[path_key("club_id", "club")]),
)
class ClubInvitationViewSet(mixins.ListModelMixin, Endpoint[Invitation]):
    """The invitations of a club, for its organisers."""

    # Links let people join, perhaps as organisers.
    token_scopes: ClassVar = {"list": Scope.ORGANISE, "retrieve": Scope.ORGANISE}

    serializer_class = InvitationSerializer
    filterset_class = InvitationFilter

    def get_queryset(self) -> QuerySet[Invitation]:
        if self.drawing_schema:
            return Invitation.objects.none()
        club = self.club()
        expect_organiser(club.pk, self.asker)
        return club.invitations.all()

    @extend_schema(
        summary="Create an invitation",
        request=InviteSerializer,
        responses={201: InvitationSerializer},
        examples=[
            OpenApiExample(
                "Five players", {"role": "player", "uses": 5, "days": 14}, request_only=True
            ),
            OpenApiExample("A seat", {"seat": MEMBER["id"]}, request_only=True),
            OpenApiExample("Issued", INVITATION, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """Create a link into the club. Organisers can read it again while it is open."""
        issued = invite(
            club_id=club_id, user=self.asker, **self.validated(InviteSerializer, request)
        )
        return Response(self.get_serializer(issued.invitation).data, status=201)


@extend_schema_view(
    retrieve=extend_schema(
        summary="Read an invitation",
        examples=[OpenApiExample("Invitation", INVITATION, response_only=True)],
    )
)
class InvitationViewSet(mixins.RetrieveModelMixin, Endpoint[Invitation]):
    """One invitation, for the organisers of its club. Anyone with the secret can accept it."""

    # Links let people join, perhaps as organisers.
    token_scopes: ClassVar = {"list": Scope.ORGANISE, "retrieve": Scope.ORGANISE}

    serializer_class = InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        return Invitation.objects.visible_to(self.asker)

    @extend_schema(summary="Revoke an invitation", request=None, responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        "Revoke the invitation. Its link stops working."
        revoke_invitation(invitation_id=pk, user=self.asker)
        return Response(status=204)

    @extend_schema(
        summary="Accept an invitation",
        request=AcceptSerializer,
        responses={201: MemberSerializer},
        examples=[
            OpenApiExample("Accept", {"secret": "x6Q2…", "name": "Bob"}, request_only=True),
            OpenApiExample(
                "Joined", MEMBER | {"name": "Bob", "has_account": True, "me": True},
                response_only=True, status_codes=["201"],
            ),
        ],
    )  # fmt: skip
    @action(detail=False, methods=["post"])
    def accept(self, request: Request) -> Response:
        """Join the club.

        If the invitation is for a guest player, take over the guest's warbands too.
        """
        member = accept_invitation(user=self.asker, **self.validated(AcceptSerializer, request))
        return Response(
            MemberSerializer(member, context=self.get_serializer_context()).data, status=201
        )
