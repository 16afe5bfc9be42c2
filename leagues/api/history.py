"""`campaigns/{id}/course/` and `honours/`: the course of a campaign, and its honours."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework.viewsets import ViewSet

from battles.selectors.standings import enrolments_of
from campaigns.models import Campaign
from clubs.services.permissions import find
from core.api.schema import KEY, path_key
from core.api.strict_input import ExactView
from leagues.api.standings import STANDINGS
from leagues.selectors.dashboard import dashboard
from leagues.selectors.honours import honours
from leagues.selectors.verdict import Verdict

WARBAND = STANDINGS["rows"][0]["warband"]
OTHER = "3f0a4c1e-52d8-4b7c-9a0f-6d0b7c2e9f10"
BATTLE = "c2b7f3d4-7f1b-4d8f-9b0a-2f4f6d8e1a33"
FIGHTER = "5d2b7f8e-9f4a-4d61-8a35-0c1f7b8e2d44"
COURSE: dict[str, Any] = {
    "days": ["2030-01-10", "2030-01-24"],
    "lines": [{"warband": WARBAND, "positions": [2, 1], "points": [0, 3]}],
    "records": [{"warband": WARBAND, "opponent": OTHER, "won": 1, "drawn": 0, "lost": 1}],
    "verdict": {
        "best": ["The Cardinal's Men"],
        "runners_up": ["The Crescent of Buda", "The Grey Company"],
        "runner_up": "The Crescent of Buda",
        "points": 3,
        "ahead": 0,
        "parted_by": "victory point difference",
        "over": False,
    },
    "ticker": [
        {
            "kind": "death",
            "day": "2030-01-24",
            "warband": WARBAND,
            "warband_name": "The Cardinal's Men",
            "people": [{"id": FIGHTER, "name": "Jussac", "how": "killed", "by": "Athos"}],
            "battle": BATTLE,
            "battle_name": "The Old Mill",
            "entry": None,
            "text": "",
            "author_name": "",
        }
    ],
}
PERSON: dict[str, Any] = {
    "id": FIGHTER,
    "name": "Jussac",
    "warband": WARBAND,
    "warband_name": "The Cardinal's Men",
    "colour": "#7a2e2e",
    "profile": "Officer",
    "rank": 2,
    "battles": 3,
    "earned": 9,
    "tallies": [{"key": "kills", "label": "Kills", "count": 2}],
    "strip": ["well", "hurt", "dead"],
}
FALLEN: dict[str, Any] = {
    **PERSON,
    "battle": BATTLE,
    "battle_name": "The Old Mill",
    "fought_on": "2030-01-24",
    "how": "killed",
    "slayer": {"id": OTHER, "name": "Athos", "colour": "#2e4a7a"},
    "by": "Athos",
}
HONOURS: dict[str, Any] = {
    "honours": [{"label": "Kills", "count": 2, "holders": [PERSON]}],
    "veterans": [PERSON],
    "memorial": [FALLEN],
}


class CourseLineSerializer(serializers.Serializer[Any]):
    """A warband's position and points after each day of play; null before its first battle."""

    warband = serializers.UUIDField()
    positions = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    points = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class HeadToHeadSerializer(serializers.Serializer[Any]):
    """The record of a warband against an opponent."""

    warband = serializers.UUIDField()
    opponent = serializers.UUIDField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()


class CampaignVerdictSerializer(serializers.Serializer[Any]):
    """The warbands in first place, and the reason; several if no tie-breaker separates them."""

    best = serializers.ListField(child=serializers.CharField())
    runners_up = serializers.ListField(
        child=serializers.CharField(),
        help_text="All warbands with the next highest points.",
    )
    runner_up = serializers.SerializerMethodField(
        help_text="The first of the runners-up; empty if there is none."
    )
    points = serializers.IntegerField()
    ahead = serializers.IntegerField(
        help_text="The lead of the best over the runners-up, in points."
    )
    parted_by = serializers.CharField(help_text="The tie-breaker that decided, as text.")
    over = serializers.BooleanField()

    def get_runner_up(self, verdict: Verdict) -> str:
        return next(iter(verdict.runners_up), "")


class TickerPersonSerializer(serializers.Serializer[Any]):
    """A fighter in the ticker. For the dead also how they died and, if known, the killer."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    how = serializers.CharField()
    by = serializers.CharField()


class TickerLineSerializer(serializers.Serializer[Any]):
    """Deaths or rank-ups of one warband, or the beginning of a journal entry."""

    kind = serializers.ChoiceField(["death", "rank-up", "journal"])
    day = serializers.DateField()
    warband = serializers.UUIDField(allow_null=True)
    warband_name = serializers.CharField()
    people = TickerPersonSerializer(many=True)
    battle = serializers.UUIDField(allow_null=True)
    battle_name = serializers.CharField()
    entry = serializers.UUIDField(allow_null=True)
    text = serializers.CharField()
    author_name = serializers.CharField()


class CourseSerializer(serializers.Serializer[Any]):
    """The course of a campaign: at most 30 days of play, including the last one."""

    days = serializers.ListField(child=serializers.DateField(), source="course.days")
    lines = CourseLineSerializer(many=True, source="course.lines")
    records = HeadToHeadSerializer(many=True, source="course.records")
    verdict = CampaignVerdictSerializer(allow_null=True)
    ticker = TickerLineSerializer(many=True)


class HonourTallySerializer(serializers.Serializer[Any]):
    """A tally of a fighter."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    count = serializers.IntegerField()


class RememberedSerializer(serializers.Serializer[Any]):
    """A fighter of the campaign. `strip` has the fate in each of the last battles here."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    warband = serializers.UUIDField()
    warband_name = serializers.CharField()
    colour = serializers.CharField()
    profile = serializers.CharField()
    rank = serializers.IntegerField()
    battles = serializers.IntegerField()
    earned = serializers.IntegerField(help_text="Experience; 0 if the rules have none.")
    tallies = HonourTallySerializer(many=True)
    strip = serializers.ListField(
        child=serializers.ChoiceField(["well", "hurt", "out", "dead", "gone", "away"])
    )


class SlayerSerializer(serializers.Serializer[Any]):
    """A fighter who killed another."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    colour = serializers.CharField()


class FallenSerializer(RememberedSerializer):
    """A dead fighter; without a battle if an organiser declared the death."""

    battle = serializers.UUIDField(allow_null=True)
    battle_name = serializers.CharField()
    fought_on = serializers.DateField(allow_null=True)
    how = serializers.CharField()
    slayer = SlayerSerializer(source="killer", allow_null=True)
    by = serializers.CharField(
        help_text="The name of the killer from the log, if not a fighter of the campaign."
    )


class HonourSerializer(serializers.Serializer[Any]):
    """A record and its holders, at most three."""

    label = serializers.CharField()  # type: ignore[assignment]
    count = serializers.IntegerField()
    holders = RememberedSerializer(many=True)


class HonoursSerializer(serializers.Serializer[Any]):
    """The honours of a campaign; the dead are sorted by date, latest first."""

    honours = HonourSerializer(many=True)
    veterans = RememberedSerializer(many=True)
    memorial = FallenSerializer(many=True)


class CourseViewSet(ExactView, ViewSet):
    """The course and the honours of a campaign."""

    @extend_schema(
        operation_id="campaigns_course_retrieve",
        summary="Read the course of a campaign",
        parameters=[path_key("campaign_id", "campaign")],
        responses=CourseSerializer,
        examples=[OpenApiExample("Course", COURSE, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def course(self, request: Request, campaign_id: str) -> Response:
        """Positions and points by day, head-to-head records, first place, latest events."""
        campaign = find(Campaign.objects.visible_to(request.user), UUID(campaign_id), "campaign")
        return Response(CourseSerializer(dashboard(campaign, enrolments_of(campaign))).data)

    @extend_schema(
        operation_id="campaigns_honours_retrieve",
        summary="Read a campaign's honours",
        parameters=[path_key("campaign_id", "campaign")],
        responses=HonoursSerializer,
        examples=[OpenApiExample("Honours", HONOURS, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def honours(self, request: Request, campaign_id: str) -> Response:
        """Its veterans, records and dead."""
        campaign = find(Campaign.objects.visible_to(request.user), UUID(campaign_id), "campaign")
        return Response(HonoursSerializer(honours(campaign)).data)


def register(router: DefaultRouter) -> None:
    """Add course and honours to the API."""
    router.register(rf"campaigns/(?P<campaign_id>{KEY})", CourseViewSet, basename="course")
