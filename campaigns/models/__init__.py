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
from campaigns.models.fixtures import Fixture, FixtureQuerySet, Method, Round, Substitute, Walkover
from campaigns.models.hand_overs import HandOver, HandOverState
from campaigns.models.journal import JournalEntry
from campaigns.models.merges import UNDO_WITHIN, Merge, MergeQuerySet
from campaigns.models.orders import SealedOrder

__all__ = [
    "UNDO_WITHIN",
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
    "Merge",
    "MergeQuerySet",
    "Method",
    "Role",
    "Round",
    "SealedOrder",
    "Substitute",
    "Walkover",
    "clubs_of",
    "clubs_run_by",
    "fresh_seed",
]
