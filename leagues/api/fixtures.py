"""`campaigns/{id}/fixtures/`, `rounds/` and `fixtures/`: pairings and their deadlines."""

from uuid import UUID

import msgspec
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from battles.models import Battle
from battles.services.substitutes import FixtureSubstitute, name_fixture_substitute
from campaigns.models import Campaign, Enrolment, Fixture, Round
from clubs.services.permissions import find
from core.api.inputs import serializer_class
from core.api.schema import KEY, no_content, path_key
from core.api.strict_input import ExactSerializer
from core.api.views import Endpoint, struct_response
from core.inputs import parse
from leagues.api.examples import AWAY, DRAFT, FIXTURE, HOME, LATER, OWN, ROUND, TERMS
from leagues.selectors.fixtures import (
    FixtureRow,
    OpenFixture,
    RoundRow,
    campaign_fixtures,
    fixture_of,
    open_fixtures,
)
from leagues.services.fixtures import (
    Challenge,
    FixtureEdit,
    FixtureImpact,
    Link,
    NewFixture,
    RoundEdit,
    Swap,
    WalkoverTerms,
    add_fixture,
    add_latecomer,
    challenge,
    delete_fixture,
    delete_round,
    edit_fixture,
    edit_round,
    give_walkover,
    link_battle,
    preview_walkover,
    swap_entrants,
)
from leagues.services.rounds import RoundsDraft, RoundTerms, draft_rounds, make_rounds

CAMPAIGN = path_key("campaign_id", "campaign")
IN_FULL = OpenApiExample("Fixture", FIXTURE, response_only=True)


class Rounds(msgspec.Struct, frozen=True):
    """Rounds in order."""

    rounds: tuple[RoundRow, ...]


class RoundFixtures(msgspec.Struct, frozen=True):
    """Fixtures of several rounds, in order."""

    fixtures: tuple[FixtureRow, ...]


class DraftSerializer(ExactSerializer):
    """The options of a preview: a dry run, and the fingerprint of the draft that was seen."""

    fingerprint = serializers.CharField(
        max_length=64,
        required=False,
        help_text="Of a draft: 409 if the pairings have changed since.",
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Return the pairings and save nothing."
    )


class DryRunSerializer(ExactSerializer):
    """The option of a dry run."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return what would change and save nothing."
    )


RoundTermsSerializer = serializer_class(RoundTerms, DraftSerializer)
RoundEditSerializer = serializer_class(RoundEdit)
NewFixtureSerializer = serializer_class(NewFixture)
ChallengeSerializer = serializer_class(Challenge)
FixtureEditSerializer = serializer_class(FixtureEdit)
SwapSerializer = serializer_class(Swap)
WalkoverSerializer = serializer_class(WalkoverTerms, DryRunSerializer, name="WalkoverSerializer")
LinkSerializer = serializer_class(Link)


FixtureSubstituteSerializer = serializer_class(FixtureSubstitute)


class _Endpoint(Endpoint[Battle]):
    """The base of the endpoints of fixtures: rows as the pages show them."""

    queryset = Battle.objects.none()
    serializer_class = FixtureEditSerializer
    pagination_class = None

    def round(self, row: Round, status: int = 200) -> Response:
        """Return a round in its present state."""
        rounds = campaign_fixtures(row.campaign, timezone.localdate())
        return struct_response(next(each for each in rounds if each.id == row.pk), status)

    def fixture(self, pk: UUID, status: int = 200) -> Response:
        """Return a fixture in its present state. Raises NotFound."""
        rows = Fixture.objects.visible_to(self.asker).select_related("round__campaign")
        row = find(rows, pk, "fixture")
        round_and_fixture = fixture_of(row.round.campaign, pk, timezone.localdate())
        assert round_and_fixture is not None  # noqa: S101 - it was found a moment ago
        return struct_response(round_and_fixture[1], status)


class CampaignFixturesViewSet(_Endpoint):
    """The rounds of a campaign."""

    public_reads = frozenset({"of_campaign"})

    @extend_schema(
        operation_id="campaigns_fixtures_list",
        summary="List a campaign's rounds with their fixtures",
        parameters=[CAMPAIGN],
        responses=Rounds,
        examples=[OpenApiExample("Rounds", {"rounds": [ROUND]}, response_only=True)],
    )
    @action(detail=False, methods=["get"], url_path="fixtures")
    def of_campaign(self, request: Request, campaign_id: UUID) -> Response:
        """In order. `current` marks the round that is played now. Void battles do not count."""
        campaign = find(Campaign.objects.visible_to(self.asker), campaign_id, "campaign")
        return struct_response(Rounds(campaign_fixtures(campaign, timezone.localdate())))

    @extend_schema(
        operation_id="campaigns_rounds_create",
        summary="Create rounds, or preview them",
        parameters=[CAMPAIGN],
        request=RoundTermsSerializer,
        responses={201: Rounds, 200: RoundsDraft},
        examples=[
            OpenApiExample("A Swiss round", TERMS, request_only=True),
            OpenApiExample("Dry run", TERMS | {"dry_run": True}, request_only=True),
            OpenApiExample("Made", {"rounds": [ROUND]}, response_only=True, status_codes=["201"]),
            OpenApiExample("Draft", DRAFT, response_only=True, status_codes=["200"]),
        ],
    )
    @action(detail=False, methods=["post"], url_path="rounds")
    def make(self, request: Request, campaign_id: UUID) -> Response:
        """For organisers. Open fixtures of earlier rounds do not count yet and stay open."""
        campaign = find(Campaign.objects.visible_to(self.asker), campaign_id, "campaign")
        sent = self.validated(RoundTermsSerializer, request)
        dry_run, fingerprint = sent.pop("dry_run"), sent.pop("fingerprint", "")
        terms = parse(RoundTerms, sent)
        if dry_run:
            return struct_response(
                draft_rounds(campaign_id=campaign_id, user=self.asker, terms=terms)
            )
        made = make_rounds(
            campaign_id=campaign_id, user=self.asker, terms=terms, fingerprint=fingerprint
        )
        keys = {each.pk for each in made}
        rows = campaign_fixtures(campaign, timezone.localdate())
        return struct_response(Rounds(tuple(row for row in rows if row.id in keys)), 201)


class RoundViewSet(_Endpoint):
    """A round."""

    def _round(self, pk: UUID) -> Round:
        return find(Round.objects.visible_to(self.asker).select_related("campaign"), pk, "round")

    @extend_schema(
        summary="Read a round",
        responses=RoundRow,
        examples=[OpenApiExample("Round", ROUND, response_only=True)],
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """With its fixtures. A ladder also has its present order."""
        return self.round(self._round(pk))

    @extend_schema(
        summary="Change a round's name or deadline",
        request=RoundEditSerializer,
        responses=RoundRow,
        examples=[
            OpenApiExample(
                "A week more", {"deadline": "2030-03-21", "version": 1}, request_only=True
            ),
            OpenApiExample("Round", ROUND, response_only=True),
        ],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """For organisers. Null removes the deadline."""
        row = self._round(pk)
        sent = {"deadline": row.deadline, **self.validated(RoundEditSerializer, request)}
        edit_round(round_id=pk, user=self.asker, **sent)
        return self.round(self._round(pk))

    @extend_schema(summary="Delete a round", responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """For organisers, while none of its fixtures is planned, played or decided."""
        delete_round(round_id=pk, user=self.asker)
        return Response(status=204)

    @extend_schema(
        summary="Add a fixture or a bye to a round",
        request=NewFixtureSerializer,
        responses={201: FixtureRow},
        examples=[
            OpenApiExample(
                "Fixture", {"home": HOME["enrolment"], "away": AWAY["enrolment"]}, request_only=True
            ),
            OpenApiExample("Bye", {"home": HOME["enrolment"]}, request_only=True),
            OpenApiExample("Added", FIXTURE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def fixtures(self, request: Request, pk: UUID) -> Response:
        """For organisers.

        Each warband has one game or one bye in a round. A second game needs `agreed`, the reason.
        """
        self._round(pk)
        row = add_fixture(
            round_id=pk, user=self.asker, **self.validated(NewFixtureSerializer, request)
        )
        return self.fixture(row.pk, 201)

    @extend_schema(
        summary="Challenge an opponent on a ladder",
        request=ChallengeSerializer,
        responses={201: FixtureRow},
        examples=[
            OpenApiExample(
                "Challenge",
                {"challenger": HOME["enrolment"], "opponent": AWAY["enrolment"]},
                request_only=True,
            ),
            OpenApiExample("Challenged", FIXTURE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def challenges(self, request: Request, pk: UUID) -> Response:
        """For the warband's player and organisers.

        The opponent must be above and within reach. The winner takes the higher place.
        """
        row = challenge(
            round_id=pk, user=self.asker, **self.validated(ChallengeSerializer, request)
        )
        return self.fixture(row.pk, 201)


class FixtureViewSet(_Endpoint):
    """Fixtures: two warbands that will play each other, or one with a bye."""

    @extend_schema(
        operation_id="fixtures_list",
        summary="List your open fixtures",
        responses={200: OpenFixture},
        examples=[OpenApiExample("Open fixture", OWN, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """In running campaigns, the earliest deadline first.

        Includes fixtures whose battle is planned or in progress.
        """
        return Response(msgspec.to_builtins(open_fixtures(self.asker, timezone.localdate())))

    @extend_schema(summary="Read a fixture", responses=FixtureRow, examples=[IN_FULL])
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Its state follows from its battle.

        Plan a battle with `fixture`, or one between the two warbands: it is linked automatically.
        """
        return self.fixture(pk)

    @extend_schema(
        summary="Move a fixture's deadline",
        request=FixtureEditSerializer,
        responses=FixtureRow,
        examples=[OpenApiExample("Later", LATER, request_only=True), IN_FULL],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """For organisers. Null restores the round's deadline."""
        edit_fixture(
            fixture_id=pk, user=self.asker, **self.validated(FixtureEditSerializer, request)
        )
        return self.fixture(pk)

    @extend_schema(summary="Delete a fixture", responses=no_content())
    def destroy(self, request: Request, pk: UUID) -> Response:
        """For organisers, while it is not planned, played or decided."""
        delete_fixture(fixture_id=pk, user=self.asker)
        return Response(status=204)

    @extend_schema(
        summary="Swap pairings",
        request=SwapSerializer,
        responses=FixtureRow,
        examples=[
            OpenApiExample(
                "Swap",
                {"leaving": HOME["enrolment"], "coming": AWAY["enrolment"]},
                request_only=True,
            ),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["post"])
    def swap(self, request: Request, pk: UUID) -> Response:
        """For organisers. The two swap places within the round; a bye can be swapped too."""
        swap_entrants(fixture_id=pk, user=self.asker, **self.validated(SwapSerializer, request))
        return self.fixture(pk)

    @extend_schema(
        summary="Set a result without a battle",
        request=WalkoverSerializer,
        responses=PolymorphicProxySerializer(
            component_name="WalkoverAnswer",
            serializers=[FixtureRow, FixtureImpact],  # type: ignore[list-item]  # see core.api.schema
            resource_type_field_name=None,
        ),
        examples=[
            OpenApiExample(
                "Walkover", {"walkover": "home", "reason": "Snowed in."}, request_only=True
            ),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["put"])
    def walkover(self, request: Request, pk: UUID) -> Response:
        """For organisers, with a reason. After a draw in a knockout it decides who advances.

        A dry run returns the standings, fixtures and rounds that would change.
        """
        sent = self.validated(WalkoverSerializer, request)
        if sent.pop("dry_run"):
            return struct_response(preview_walkover(fixture_id=pk, user=self.asker, **sent))
        give_walkover(fixture_id=pk, user=self.asker, **sent)
        return self.fixture(pk)

    @extend_schema(
        summary="Link a battle to a fixture",
        request=LinkSerializer,
        responses=FixtureRow,
        examples=[
            OpenApiExample(
                "Battle", {"battle": "3b0c9d5e-7a1f-4c2d-8e6b-5f4a3c2b1d00"}, request_only=True
            ),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["put"])
    def battle(self, request: Request, pk: UUID) -> Response:
        """For users who can log the battle.

        It must be a battle of the campaign between these two, without a fixture.
        """
        link_battle(fixture_id=pk, user=self.asker, **self.validated(LinkSerializer, request))
        return self.fixture(pk)

    @extend_schema(
        summary="Name a substitute for a fixture",
        request=FixtureSubstituteSerializer,
        responses=FixtureRow,
        examples=[
            OpenApiExample(
                "Name",
                {"enrolment": HOME["enrolment"], "player": AWAY["player"]},
                request_only=True,
            ),
            IN_FULL,
        ],
    )
    @action(detail=True, methods=["put"])
    def substitute(self, request: Request, pk: UUID) -> Response:
        """For the warband's owner and organisers, until a battle is planned.

        After that use `battles/{id}/sides/{side}/substitute/`. The battle starts with the
        substitute.
        """
        name_fixture_substitute(
            fixture_id=pk, user=self.asker, **self.validated(FixtureSubstituteSerializer, request)
        )
        return self.fixture(pk)


class LatecomerViewSet(_Endpoint):
    """Fixtures of an enrolment."""

    @extend_schema(
        operation_id="enrolments_fixtures_create",
        summary="Create fixtures for a latecomer",
        parameters=[path_key("enrolment_id", "enrolment")],
        request=None,
        responses={201: RoundFixtures},
        examples=[
            OpenApiExample(
                "Fixtures", {"fixtures": [FIXTURE]}, response_only=True, status_codes=["201"]
            )
        ],
    )
    @action(detail=False, methods=["post"], url_path="fixtures")
    def join(self, request: Request, enrolment_id: UUID) -> Response:
        """For organisers.

        Adds one fixture against each other entrant in the open rounds of a round robin, first
        against those with a bye.
        """
        row = find(
            Enrolment.objects.visible_to(self.asker).select_related("campaign"),
            enrolment_id,
            "enrolment",
        )
        made = {each.pk for each in add_latecomer(enrolment_id=enrolment_id, user=self.asker)}
        rounds = campaign_fixtures(row.campaign, timezone.localdate())
        return struct_response(
            RoundFixtures(
                tuple(
                    each for round_row in rounds for each in round_row.fixtures if each.id in made
                )
            ),
            201,
        )


def register(router: DefaultRouter) -> None:
    """Add rounds and fixtures to the API."""
    router.register(
        rf"campaigns/(?P<campaign_id>{KEY})", CampaignFixturesViewSet, basename="campaign-fixtures"
    )
    router.register(
        rf"enrolments/(?P<enrolment_id>{KEY})", LatecomerViewSet, basename="enrolment-fixtures"
    )
    router.register("rounds", RoundViewSet, basename="round")
    router.register("fixtures", FixtureViewSet, basename="fixture")
