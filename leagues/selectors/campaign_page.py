"""The content of a campaign's page, for pages, documents and the API."""

from collections.abc import Callable, Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from msgspec import Struct

from battles.selectors.standings import Standings, StandingsRow, enrolments_of
from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import HouseRuleValue, house_rule_values
from campaigns.models import Campaign, CampaignState, Enrolment, Format
from campaigns.scoring import Scoring, scoring_under
from clubs.models import Role
from clubs.selectors.roles import role_of
from core.ruleset_words import translated_words
from core.users import Visibility
from leagues.selectors.dashboard import Dashboard, dashboard
from leagues.selectors.seasons import winner_in_words
from rulebook.ruleset import Words


class EnrolmentRow(Struct, frozen=True):
    """A warband in a campaign: its roster's points, its experience, and its record here.

    ``state`` is "playing", "withdrawn", or "finished" if it played to the end.
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


class Season(Struct, frozen=True):
    """A campaign before or after another."""

    id: UUID
    name: str


class CarryOn(Struct, frozen=True):
    """A warband of the previous season that can enter this one, by its enrolment there."""

    enrolment: UUID
    name: str
    colour: str
    player_name: str


class CampaignPage(Struct, frozen=True):
    """The content of a campaign's main page."""

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
    """The user's role in the club, "" for a non-member."""
    enrolments: tuple[EnrolmentRow, ...]
    dashboard: Dashboard
    verdict: str = ""
    """A sentence that says who has won a classic campaign, and why; empty for other formats."""
    before: Season | None = None
    after: Season | None = None
    """The previous and the next season, if the user can see them."""
    followed: bool = False
    carry_on: tuple[CarryOn, ...] = ()
    """The warbands of the previous season that are not in this one and that the user can enter."""
    entered: bool = False
    """True if the user plays a warband in it now."""

    @property
    def organises(self) -> bool:
        """Return whether the user organises the campaign."""
        return self.role == Role.ORGANISER


def campaign_page(
    campaign: Campaign,
    user: User | AnonymousUser,
    progress: Callable[[Campaign, Iterable[Enrolment]], Dashboard] = dashboard,
) -> CampaignPage:
    """Return the content of a campaign's main page for this user.

    ``progress`` returns the dashboard, which may have been kept.

    Takes at most nine queries, whatever the number of warbands and battles, three more for a
    classic campaign, and one more for a campaign that follows another. The caller should load
    ``campaign.club``, ``follows`` and ``followed_by`` with it.
    """
    rules = ruleset_of_campaign(campaign)
    enrolments = enrolments_of(campaign)
    shown, role = progress(campaign, enrolments), role_of(user, campaign.club_id)
    return CampaignPage(
        id=campaign.id,
        name=campaign.name,
        story=campaign.story,
        club=campaign.club_id,
        club_name=campaign.club.name,
        ruleset=campaign.ruleset,
        ruleset_name=rules.name,
        edition=campaign.edition,
        words=translated_words(rules.words),
        format=campaign.format,
        format_label=str(Format(campaign.format).label),
        state=campaign.state,
        state_label=str(CampaignState(campaign.state).label),
        points=campaign.points,
        games=campaign.games,
        visibility=campaign.visibility,
        version=campaign.version,
        started_at=campaign.started_at,
        finished_at=campaign.finished_at,
        house_rules=house_rule_values(rules, campaign.house_rules),
        scoring=scoring_under(campaign.scoring, campaign.shown),
        role=role,
        enrolments=enrolment_rows(campaign, enrolments, shown.standings),
        dashboard=shown,
        verdict=winner_in_words(campaign),
        before=_season(campaign.follows, role),
        after=_season(getattr(campaign, "followed_by", None), role),
        followed=getattr(campaign, "followed_by", None) is not None,
        carry_on=_carry_on(campaign, enrolments, user, role),
        entered=has_entered(enrolments, user),
    )


def has_entered(enrolments: Iterable[Enrolment], user: User | AnonymousUser) -> bool:
    """Return whether the user plays a warband that is in the campaign now. No queries."""
    return user.is_authenticated and any(
        enrolment.left_at is None and enrolment.player.user_id == user.pk
        for enrolment in enrolments
    )


def _season(campaign: Campaign | None, role: str) -> Season | None:
    """Return a campaign of the same club as a season, if this role in the club can see it."""
    hidden = campaign is None or (not role and campaign.visibility == Visibility.PRIVATE)
    return None if campaign is None or hidden else Season(campaign.pk, campaign.name)


def _carry_on(
    campaign: Campaign, enrolments: Iterable[Enrolment], user: User | AnonymousUser, role: str
) -> tuple[CarryOn, ...]:
    """Return the warbands of the previous season that the user can enter while this one is open.

    Takes one query if the campaign follows another, else none.
    """
    if (
        campaign.follows is None
        or campaign.state == CampaignState.FINISHED
        or role not in (Role.ORGANISER, Role.PLAYER)
    ):
        return ()
    here = {enrolment.warband_id for enrolment in enrolments}
    free = campaign.follows.enrolments.filter(
        left_at=campaign.follows.finished_at, warband__archived_at=None
    )
    rows = free.exclude(warband__in=Enrolment.objects.current().values("warband")).select_related(
        "warband", "player"
    )
    return tuple(
        CarryOn(row.pk, row.warband.name, row.colour, row.player.name)
        for row in rows.order_by("enrolled_at", "pk")
        if row.warband_id not in here
        and (role == Role.ORGANISER or user.pk in (row.warband.owner_id, row.warband.keeper_id))
    )


def enrolment_rows(
    campaign: Campaign, enrolments: Iterable[Enrolment], table: Standings
) -> tuple[EnrolmentRow, ...]:
    """Return the campaign's warbands in the order of enrolment, with their records. No queries."""
    played = {row.enrolment: row for row in table.rows}
    return tuple(_row(campaign, enrolment, played.get(enrolment.id)) for enrolment in enrolments)


def _row(campaign: Campaign, enrolment: Enrolment, played: StandingsRow | None) -> EnrolmentRow:
    return EnrolmentRow(
        id=enrolment.id,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        faction=enrolment.warband.faction,
        colour=enrolment.colour,
        player=enrolment.player_id,
        player_name=enrolment.player.name,
        has_account=not enrolment.player.vacant,
        points=enrolment.warband.points,
        fighters=enrolment.warband.fighter_count,
        experience=enrolment.warband.experience,
        state=_state(campaign, enrolment),
        won=played.won + played.walkovers if played else 0,
        drawn=played.drawn if played else 0,
        lost=played.lost + played.forfeits if played else 0,
        overruled=enrolment.overruled,
    )


def _state(campaign: Campaign, enrolment: Enrolment) -> str:
    if enrolment.left_at is None:
        return "playing"
    return "finished" if enrolment.left_at == campaign.finished_at else "withdrawn"
