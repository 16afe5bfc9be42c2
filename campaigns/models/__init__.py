"""Clubs, who belongs to them, and the campaigns that they run."""

from campaigns.models.calendars import CalendarLink
from campaigns.models.campaigns import Campaign, CampaignQuerySet, CampaignState, Enrolment, Format, fresh_seed
from campaigns.models.clubs import (
    VACANT,
    BattlesRunBy,
    Club,
    ClubQuerySet,
    Invitation,
    Membership,
    MembershipQuerySet,
    Role,
    clubs_of,
    clubs_run_by,
)
from campaigns.models.evenings import Answer, Attendance, Evening, EveningQuerySet
from campaigns.models.fixtures import Fixture, FixtureQuerySet, Method, Round, Walkover
from campaigns.models.hand_overs import HandOver, HandOverState
from campaigns.models.journal import JournalEntry
from campaigns.models.orders import SealedOrder

__all__ = [
    "VACANT",
    "Answer",
    "Attendance",
    "BattlesRunBy",
    "CalendarLink",
    "Campaign",
    "CampaignQuerySet",
    "CampaignState",
    "Club",
    "ClubQuerySet",
    "Enrolment",
    "Evening",
    "EveningQuerySet",
    "Fixture",
    "FixtureQuerySet",
    "Format",
    "HandOver",
    "HandOverState",
    "Invitation",
    "JournalEntry",
    "Membership",
    "MembershipQuerySet",
    "Method",
    "Role",
    "Round",
    "SealedOrder",
    "Walkover",
    "clubs_of",
    "clubs_run_by",
    "fresh_seed",
]
