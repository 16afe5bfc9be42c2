"""Clubs, their members, and their club nights."""

from clubs.models.clubs import (
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
from clubs.models.evenings import Answer, Attendance, CalendarLink, Evening, EveningQuerySet
from clubs.models.merges import UNDO_WITHIN, Merge, MergeQuerySet
from clubs.models.quotas import ClubQuota

__all__ = [
    "UNDO_WITHIN",
    "VACANT",
    "Answer",
    "Attendance",
    "BattlesRunBy",
    "CalendarLink",
    "Club",
    "ClubQuerySet",
    "ClubQuota",
    "Evening",
    "EveningQuerySet",
    "Invitation",
    "Membership",
    "MembershipQuerySet",
    "Merge",
    "MergeQuerySet",
    "Role",
    "clubs_of",
    "clubs_run_by",
]
