"""A club as its page and the API show it."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Q
from msgspec import Struct

from campaigns.models import Campaign, CampaignState, Club, Membership, Role


class MemberRow(Struct, frozen=True):
    """A member. ``account`` is the account's name, which organisers alone are told. ``me`` marks the reader."""

    id: UUID
    name: str
    role: str
    has_account: bool
    account: str
    me: bool


class CampaignRow(Struct, frozen=True):
    """A campaign in a list: ``warbands`` counts those that are in it, or were at its end."""

    id: UUID
    name: str
    ruleset: str
    format: str
    state: str
    state_label: str
    points: int
    warbands: int
    created_at: datetime


class ClubPage(Struct, frozen=True):
    """Everything that the page of a club shows."""

    id: UUID
    name: str
    story: str
    visibility: str
    role: str
    """The reader's role, "" for somebody from outside."""
    members: tuple[MemberRow, ...]
    campaigns: tuple[CampaignRow, ...]

    @property
    def organises(self) -> bool:
        """Whether the reader runs the club."""
        return self.role == Role.ORGANISER


def club_page(club: Club, user: User | AnonymousUser) -> ClubPage:
    """The page of a club for this reader, with the campaigns that the reader may see listed. Two queries."""
    members = list(club.memberships.present().select_related("user"))
    role = next((member.role for member in members if _is(member, user)), "")
    return ClubPage(
        id=club.id,
        name=club.name,
        story=club.story,
        visibility=club.visibility,
        role=role,
        members=tuple(_member(member, user, role == Role.ORGANISER) for member in members),
        campaigns=campaign_rows(club, user),
    )


def campaign_rows(club: Club, user: User | AnonymousUser) -> tuple[CampaignRow, ...]:
    """The campaigns of a club that the reader may see listed, newest first. One query."""
    taking_part = Q(enrolments__left_at=None) | Q(enrolments__left_at__gte=F("finished_at"))
    listed = club.campaigns.listed_for(user).annotate(warbands=Count("enrolments", filter=taking_part))
    return tuple(_campaign(campaign, campaign.warbands) for campaign in listed.order_by("-created_at", "id"))


def _campaign(campaign: Campaign, warbands: int) -> CampaignRow:
    return CampaignRow(
        id=campaign.id,
        name=campaign.name,
        ruleset=campaign.ruleset,
        format=campaign.format,
        state=campaign.state,
        state_label=CampaignState(campaign.state).label,
        points=campaign.points,
        warbands=warbands,
        created_at=campaign.created_at,
    )


def _is(member: Membership, user: User | AnonymousUser) -> bool:
    return member.user_id is not None and member.user_id == user.pk


def _member(member: Membership, user: User | AnonymousUser, open_book: bool) -> MemberRow:
    return MemberRow(
        id=member.id,
        name=member.name,
        role=member.role,
        has_account=member.user is not None,
        account=member.user.get_username() if member.user and open_book else "",
        me=_is(member, user),
    )
