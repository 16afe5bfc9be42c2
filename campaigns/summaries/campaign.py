"""A campaign as its page, its document and the API show it."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from msgspec import Struct

from battles.standings import Standings, StandingsRow, enrolments_of
from battles.summaries.dashboard import Dashboard, dashboard
from battles.summaries.winners import winner_in_words
from campaigns.house_rules import HouseRuleValue, house_rule_values
from campaigns.models import Campaign, CampaignState, Enrolment, Format, Membership, Role
from campaigns.scoring import Scoring, scoring_under
from campaigns.terms import ruleset_of
from rulebook.ruleset import Words


class EnrolmentRow(Struct, frozen=True):
    """A warband in a campaign: its roster's points, what it has earned, and won-drawn-lost in this campaign.

    ``state`` is "playing", "withdrawn", or "finished" once the campaign is.
    """

    id: UUID
    warband: UUID
    name: str
    faction: str
    colour: str
    player: UUID
    player_name: str
    has_account: bool
    points: int
    fighters: int
    experience: int
    state: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    overruled: str = ""


class CampaignPage(Struct, frozen=True):
    """Everything that the front page of a campaign shows."""

    id: UUID
    name: str
    story: str
    club: UUID
    club_name: str
    ruleset: str
    ruleset_name: str
    edition: str
    words: Words
    format: str
    format_label: str
    state: str
    state_label: str
    points: int | None
    games: int | None
    visibility: str
    version: int
    started_at: datetime | None
    finished_at: datetime | None
    house_rules: tuple[HouseRuleValue, ...]
    scoring: Scoring
    role: str
    """The reader's role in the club, "" for somebody from outside."""
    enrolments: tuple[EnrolmentRow, ...]
    dashboard: Dashboard
    verdict: str = ""
    """Who has won a classic campaign, and why; empty in any other."""

    @property
    def organises(self) -> bool:
        """Whether the reader runs the campaign."""
        return self.role == Role.ORGANISER


def campaign_page(campaign: Campaign, user: User | AnonymousUser) -> CampaignPage:
    """The front page of a campaign for this reader. Eight queries at most, whatever the number of warbands and
    battles, and three more for a classic one; ``campaign.club`` should be selected with it."""
    rules = ruleset_of(campaign)
    enrolments = enrolments_of(campaign)
    shown = dashboard(campaign, enrolments)
    return CampaignPage(
        id=campaign.id,
        name=campaign.name,
        story=campaign.story,
        club=campaign.club_id,
        club_name=campaign.club.name,
        ruleset=campaign.ruleset,
        ruleset_name=rules.name,
        edition=campaign.edition,
        words=rules.words,
        format=campaign.format,
        format_label=Format(campaign.format).label,
        state=campaign.state,
        state_label=CampaignState(campaign.state).label,
        points=campaign.points,
        games=campaign.games,
        visibility=campaign.visibility,
        version=campaign.version,
        started_at=campaign.started_at,
        finished_at=campaign.finished_at,
        house_rules=house_rule_values(rules, campaign.house_rules),
        scoring=scoring_under(campaign.scoring, campaign.shown),
        role=role_of(user, campaign.club_id),
        enrolments=enrolment_rows(campaign, enrolments, shown.standings),
        dashboard=shown,
        verdict=winner_in_words(campaign),
    )


def enrolment_rows(campaign: Campaign, enrolments: Iterable[Enrolment], table: Standings) -> tuple[EnrolmentRow, ...]:
    """The campaign's warbands in the order in which they came, with what they have done in its battles. No queries."""
    played = {row.enrolment: row for row in table.rows}
    return tuple(_row(campaign, enrolment, played.get(enrolment.id)) for enrolment in enrolments)


def role_of(user: User | AnonymousUser, club_id: UUID) -> str:
    """The user's role in a club, "" for a stranger. One query."""
    if not user.is_authenticated:
        return ""
    return Membership.objects.filter(club=club_id, user=user.pk).values_list("role", flat=True).first() or ""


def _row(campaign: Campaign, enrolment: Enrolment, played: StandingsRow | None) -> EnrolmentRow:
    return EnrolmentRow(
        id=enrolment.id,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        faction=enrolment.warband.faction,
        colour=enrolment.colour,
        player=enrolment.player_id,
        player_name=enrolment.player.name,
        has_account=enrolment.player.user_id is not None,
        points=enrolment.warband.points,
        fighters=enrolment.warband.fighter_count,
        experience=enrolment.warband.experience,
        state=_state(campaign, enrolment),
        won=played.won if played else 0,
        drawn=played.drawn if played else 0,
        lost=played.lost if played else 0,
        overruled=enrolment.overruled,
    )


def _state(campaign: Campaign, enrolment: Enrolment) -> str:
    if enrolment.left_at is None:
        return "playing"
    return "finished" if enrolment.left_at == campaign.finished_at else "withdrawn"
