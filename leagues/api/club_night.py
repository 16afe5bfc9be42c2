"""`evenings/{id}/pairings/`, check-in and wishes; `clubs/{id}/forbidden-pairs/`."""

from typing import Any
from uuid import UUID

import msgspec
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from clubs.models import Club, Evening, ForbiddenPair, Membership
from clubs.services.check_in import (
    Absence,
    CheckIn,
    KeepApart,
    WalkIn,
    Wishes,
    add_walk_in,
    allow_pair,
    check_in,
    edit_wishes,
    forbid_pair,
)
from clubs.services.permissions import expect_organiser, find
from core.api.inputs import serializer_class
from core.api.schema import KEY, no_content, path_key
from core.api.views import Endpoint, struct_response
from core.errors import Forbidden
from leagues.api.examples import NIGHT, NIGHT_GAME, NIGHT_MEMBER, NIGHT_OTHER
from leagues.selectors.club_night import (
    KeptApart,
    NightPairings,
    forbidden_pairs,
    night_pairings,
)
from leagues.services.club_night import (
    Draw,
    GameStart,
    PlayerSwap,
    TableMove,
    draw_pairings,
    mark_no_show,
    move_game,
    pair_late_comers,
    publish_pairings,
    remove_walk_in,
    start_game,
    swap_players,
)

EVENING = path_key("evening_id", "club night")
CLUB = path_key("club_id", "club")
SHOWN = OpenApiExample("Pairings", NIGHT, response_only=True)

DrawSerializer = serializer_class(Draw)
PlayerSwapSerializer = serializer_class(PlayerSwap)
TableMoveSerializer = serializer_class(TableMove)
GameStartSerializer = serializer_class(GameStart)
CheckInSerializer = serializer_class(CheckIn)
AbsenceSerializer = serializer_class(Absence)
WalkInSerializer = serializer_class(WalkIn)
WishesSerializer = serializer_class(Wishes)
KeepApartSerializer = serializer_class(KeepApart)


def _example(value: dict[str, Any]) -> list[OpenApiExample]:
    return [OpenApiExample("Request", value, request_only=True), SHOWN]


class NightViewSet(Endpoint[Evening]):
    """The pairings of a club night. Only members of the club see them."""

    def card(self, key: UUID) -> Response:
        """Return the current pairings. Raises NotFound, Forbidden."""
        rows = Evening.objects.visible_to(self.asker).select_related("club")
        evening = find(rows, key, "evening")
        members = Membership.objects.present().filter(club=evening.club_id)
        if not self.asker.is_authenticated or not members.filter(user=self.asker).exists():
            raise Forbidden("members-only", gettext("Only members of the club can do this."))
        return struct_response(night_pairings(evening, self.asker))

    @extend_schema(
        summary="Read the pairings of a club night",
        operation_id="evenings_pairings_retrieve",
        parameters=[EVENING],
        responses=NightPairings,
        examples=[SHOWN],
    )
    @action(detail=False, methods=["get"])
    def pairings(self, request: Request, evening_id: UUID) -> Response:
        """Return the games by table, who is there, and who waits for a game.

        Members see games after they are published, organisers always.
        """
        return self.card(evening_id)

    @extend_schema(
        summary="Draw the pairings of a club night",
        operation_id="evenings_pairings_draw",
        parameters=[EVENING],
        request=DrawSerializer,
        responses=NightPairings,
        examples=_example({"tables": 12, "large_tables": 2, "seed": 1}),
    )
    @action(detail=False, methods=["post"], url_path="pairings/draw")
    def draw(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. Pairs all who are going or checked in, except games that have begun.

        Due fixtures come first, then pairs who have not met, long ago before last week, equal
        points and records. The same seed gives the same draft.
        """
        draw_pairings(
            evening_id=evening_id, user=self.asker, **self.validated(DrawSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Pair late comers",
        operation_id="evenings_pairings_late",
        parameters=[EVENING],
        request=None,
        responses=NightPairings,
        examples=[SHOWN],
    )
    @action(detail=False, methods=["post"], url_path="pairings/late")
    def late(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. Only those without a game are paired: all other games stay."""
        pair_late_comers(evening_id=evening_id, user=self.asker)
        return self.card(evening_id)

    @extend_schema(
        summary="Let two players of a club night change places",
        operation_id="evenings_pairings_swap",
        parameters=[EVENING],
        request=PlayerSwapSerializer,
        responses=NightPairings,
        examples=_example({"first": NIGHT_MEMBER, "second": NIGHT_OTHER}),
    )
    @action(detail=False, methods=["post"], url_path="pairings/swap")
    def swap(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. One of the two may sit out. Games that have begun stay."""
        swap_players(
            evening_id=evening_id, user=self.asker, **self.validated(PlayerSwapSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Move a game to a table",
        operation_id="evenings_pairings_table",
        parameters=[EVENING],
        request=TableMoveSerializer,
        responses=NightPairings,
        examples=_example({"game": NIGHT_GAME, "table": 3}),
    )
    @action(detail=False, methods=["post"], url_path="pairings/table")
    def table(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. A game that is there gets the old table."""
        move_game(
            evening_id=evening_id, user=self.asker, **self.validated(TableMoveSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Publish the pairings of a club night",
        operation_id="evenings_pairings_publish",
        parameters=[EVENING],
        request=None,
        responses=NightPairings,
        examples=[SHOWN],
    )
    @action(detail=False, methods=["post"], url_path="pairings/publish")
    def publish(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. Members see the games from now on, and players are notified."""
        publish_pairings(evening_id=evening_id, user=self.asker)
        return self.card(evening_id)

    @extend_schema(
        summary="Mark a game as begun",
        operation_id="evenings_pairings_begun",
        parameters=[EVENING],
        request=GameStartSerializer,
        responses=NightPairings,
        examples=_example({"game": NIGHT_GAME, "begun": True}),
    )
    @action(detail=False, methods=["post"], url_path="pairings/begun")
    def begun(self, request: Request, evening_id: UUID) -> Response:
        """For its players and organisers. A game whose battle has begun counts as begun anyway."""
        start_game(
            evening_id=evening_id, user=self.asker, **self.validated(GameStartSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Check in at a club night",
        operation_id="evenings_check_in",
        parameters=[EVENING],
        request=CheckInSerializer,
        responses=NightPairings,
        examples=_example({}),
    )
    @action(detail=False, methods=["post"], url_path="check-in")
    def arrive(self, request: Request, evening_id: UUID) -> Response:
        """Check yourself in, from six hours before it begins. Organisers check in any `member`."""
        check_in(
            evening_id=evening_id, user=self.asker, **self.validated(CheckInSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Add a walk-in to a club night",
        operation_id="evenings_walk_in",
        parameters=[EVENING],
        request=WalkInSerializer,
        responses=NightPairings,
        examples=_example({"name": "Konrad"}),
    )
    @action(detail=False, methods=["post"], url_path="walk-ins")
    def walk_in(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. Adds a guest player, checked in."""
        add_walk_in(
            evening_id=evening_id, user=self.asker, **self.validated(WalkInSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Remove a guest player who was added by mistake",
        operation_id="evenings_walk_in_destroy",
        parameters=[EVENING, path_key("member_id", "member")],
        responses=no_content(),
    )
    @action(detail=False, methods=["delete"], url_path=rf"walk-ins/(?P<member_id>{KEY})")
    def remove(self, request: Request, evening_id: UUID, member_id: UUID) -> Response:
        """For organisers. Only guests who have played nothing and came to no other club night.

        The opponent sits out until paired again. To move the guest's answer and game to a member
        instead, merge the two.
        """
        remove_walk_in(evening_id=evening_id, user=self.asker, member_id=UUID(str(member_id)))
        return Response(status=204)

    @extend_schema(
        summary="Mark a no-show",
        operation_id="evenings_no_show",
        parameters=[EVENING],
        request=AbsenceSerializer,
        responses=NightPairings,
        examples=_example({"member": NIGHT_MEMBER}),
    )
    @action(detail=False, methods=["post"], url_path="no-shows")
    def no_show(self, request: Request, evening_id: UUID) -> Response:
        """For organisers. The opponent sits out until paired again. A check-in undoes it."""
        mark_no_show(
            evening_id=evening_id, user=self.asker, **self.validated(AbsenceSerializer, request)
        )
        return self.card(evening_id)

    @extend_schema(
        summary="Set your wishes for a club night",
        operation_id="evenings_wishes",
        parameters=[EVENING],
        request=WishesSerializer,
        responses=NightPairings,
        examples=_example({"seeks_opponent": True, "loan": "needed"}),
    )
    @action(detail=False, methods=["put"])
    def wishes(self, request: Request, evening_id: UUID) -> Response:
        """Say that you look for an opponent, and whether you need or lend a warband."""
        edit_wishes(
            evening_id=evening_id, user=self.asker, **self.validated(WishesSerializer, request)
        )
        return self.card(evening_id)


class ForbiddenPairViewSet(Endpoint[ForbiddenPair]):
    """Members who are never paired at club nights. Only organisers see them."""

    queryset = ForbiddenPair.objects.none()
    # All at once, as there are few.
    pagination_class = None

    def organised(self, club_id: UUID) -> None:
        """Check that the user organises the club. Raises NotFound, Forbidden."""
        club = find(Club.objects.visible_to(self.asker), club_id, "club")
        if not self.asker.is_authenticated:
            raise Forbidden("organisers-only", gettext("Only organisers can do this."))
        expect_organiser(club.pk, self.asker)

    @extend_schema(
        summary="List pairs that are never paired",
        parameters=[CLUB],
        responses={200: KeptApart},
    )
    def list(self, request: Request, club_id: UUID) -> Response:
        """For organisers."""
        self.organised(club_id)
        return Response(msgspec.to_builtins(forbidden_pairs(club_id)))

    @extend_schema(
        summary="Keep two members apart at club nights",
        parameters=[CLUB],
        request=KeepApartSerializer,
        responses={201: KeptApart},
        examples=[
            OpenApiExample(
                "Pair", {"first": NIGHT_MEMBER, "second": NIGHT_OTHER}, request_only=True
            )
        ],
    )
    def create(self, request: Request, club_id: UUID) -> Response:
        """For organisers. They are never paired, though an organiser can pair them by hand."""
        pair = forbid_pair(
            club_id=club_id, user=self.asker, **self.validated(KeepApartSerializer, request)
        )
        row = next(each for each in forbidden_pairs(club_id) if each.id == pair.pk)
        return struct_response(row, 201)

    @extend_schema(summary="Allow a pair again", parameters=[CLUB], responses=no_content())
    def destroy(self, request: Request, club_id: UUID, pk: UUID) -> Response:
        """For organisers."""
        allow_pair(club_id=club_id, user=self.asker, pair_id=pk)
        return Response(status=204)


def register(router: DefaultRouter) -> None:
    """Add the pairings of club nights to the API."""
    router.register(rf"evenings/(?P<evening_id>{KEY})", NightViewSet, basename="night")
    router.register(
        rf"clubs/(?P<club_id>{KEY})/forbidden-pairs",
        ForbiddenPairViewSet,
        basename="forbidden-pair",
    )
