"""A running campaign for tests of standings: warbands named by letters, battles without a log."""

from datetime import date
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from battles.models import Battle, BattleState, Side
from battles.selectors.standings import Standings, standings
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round, Walkover
from campaigns.scoring import clean_scoring
from clubs.models import Club, Membership
from warbands.models import Warband


class Table:
    """A running campaign with warbands named by letters, and battles without a log."""

    def __init__(self, warbands: str, **scoring: Any) -> None:
        self.user = User.objects.create_user(f"organiser {uuid4()}")
        club = Club.objects.create(name="The Old Guard")
        self.campaign = Campaign.objects.create(
            club=club,
            name="W",
            ruleset="toy",
            edition="1",
            points=50,
            state="running",
            scoring=clean_scoring(scoring),
        )
        player = Membership.objects.create(club=club, name="Alice")
        self.warbands = [self._enrol(player, name) for name in warbands]

    def _enrol(self, player: Membership, name: str) -> Warband:
        warband = Warband.objects.create(
            owner=self.user, name=name, ruleset="toy", edition="1", faction="reds"
        )
        Enrolment.objects.create(
            campaign=self.campaign,
            warband=warband,
            player=player,
            colour="#123456",
            enrolled_at=timezone.now(),
        )
        return warband

    def fight(self, first: int, second: int, points: int, against: int, **details: Any) -> Battle:
        """Create a confirmed battle of two sides; the higher victory points win."""
        return self.brawl({first: (points, _outcome(points, against)), second: (against, _outcome(against, points))},
                          **details)  # fmt: skip

    def brawl(self, sides: dict[int, tuple[int, str]], **details: Any) -> Battle:
        """Create a confirmed battle with the victory points and outcome of each side."""
        battle = Battle.objects.create(
            **{
                "campaign": self.campaign,
                "ruleset": "toy",
                "edition": "1",
                "scenario": "brawl",
                "state": BattleState.CONFIRMED,
                "fought_on": date(2030, 1, 1),
                "created_by": self.user,
                **details,
            }
        )
        total = sum(points for points, _ in sides.values())
        Side.objects.bulk_create(
            Side(battle=battle, key=str(place), place=place, warband=self.warbands[number], role="side",
                 outcome=outcome, victory_points=points, victory_points_against=total - points)
            for place, (number, (points, outcome)) in enumerate(sides.items())
        )  # fmt: skip
        return battle

    def walkover(self, home: int, away: int, given: Walkover) -> Fixture:
        """Create a walkover in a round of its own."""
        number = self.campaign.rounds.count() + 1
        made = Round.objects.create(
            campaign=self.campaign, number=number, method=Method.ROUND_ROBIN
        )
        sides = {"home": self.enrolments[home], "away": self.enrolments[away]}
        return Fixture.objects.create(round=made, place=0, walkover=given, reason="Snow", **sides)

    @property
    def enrolments(self) -> list[Enrolment]:
        """The enrolments in the order of the warbands."""
        rows = {row.warband_id: row for row in self.campaign.enrolments.all()}
        return [rows[warband.pk] for warband in self.warbands]

    def read(self) -> Standings:
        """Return the current standings."""
        return standings(self.campaign)

    def order(self) -> list[tuple[int, str]]:
        """Return position and name of each row of the standings."""
        return [(row.position, row.name) for row in self.read().rows]


def _outcome(points: int, against: int) -> str:
    if points == against:
        return "drew"
    return "won" if points > against else "lost"
