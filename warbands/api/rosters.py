"""`warbands/{id}/fighters/`: the roster, and recruiting."""

from collections.abc import Iterable
from uuid import UUID

import django_filters
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import serializer_class
from core.api.views import struct_response
from rulebook.ruleset import Fate
from warbands.api.base import WARBAND_KEY, Endpoint
from warbands.api.examples import CARD, RECRUITED, RECRUITS
from warbands.models import Fighter
from warbands.selectors.fighter_card import FighterCard
from warbands.selectors.warband_page import Recruits, recruits_page, roster_cards
from warbands.services.roster import NewFighter, NewFighters, recruit_fighters

NewFighterSerializer = serializer_class(
    NewFighter, doc="One or several fighters of the same build."
)
RecruitSerializer = serializer_class(NewFighters, name="RecruitSerializer")


class FighterFilter(django_filters.FilterSet):
    """Filters of fighters."""

    search = django_filters.CharFilter(
        field_name="name", lookup_expr="icontains", label="Part of the name"
    )
    fate = django_filters.ChoiceFilter(
        choices=[(fate.value, fate.value) for fate in Fate], label="Condition"
    )
    ordering = django_filters.OrderingFilter(
        fields=["place", "name", "rank", "points", "experience", "battles"]
    )

    class Meta:
        model = Fighter
        fields = ["rank"]


@extend_schema(parameters=[WARBAND_KEY])
class RosterViewSet(Endpoint[Fighter]):
    """The fighters of a warband."""

    queryset = Fighter.objects.none()
    filterset_class = FighterFilter

    @extend_schema(
        summary="List a warband's fighters",
        responses=FighterCard,
        examples=[OpenApiExample("Fighter", CARD, response_only=True)],
    )
    def list(self, request: Request, warband_id: UUID) -> Response:
        """In roster order, including dead and retired fighters."""
        warband = self.warband(warband_id)
        rows = (
            Fighter.objects.filter(warband=warband)
            .select_related("rank_up_offer")
            .order_by("place", "id")
        )

        def cards(page: Iterable[Fighter]) -> Iterable[FighterCard]:
            return roster_cards(warband, page)

        return self.filtered_pages(rows, cards)

    @extend_schema(
        summary="Recruit fighters",
        request=RecruitSerializer,
        responses={201: Recruits},
        examples=[
            OpenApiExample("Six of a kind and one more", RECRUITS, request_only=True),
            OpenApiExample("Recruited", RECRUITED, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request, warband_id: UUID) -> Response:
        """Add any fighters before a campaign. In a campaign the rules decide, and organisers can
        override them."""
        data = self.validated(RecruitSerializer, request)
        fighters = [NewFighter(**fighter) for fighter in data.pop("fighters")]
        joined = recruit_fighters(warband_id=warband_id, fighters=fighters, user=self.asker, **data)
        return struct_response(recruits_page(self.warband(warband_id), joined), 201)
