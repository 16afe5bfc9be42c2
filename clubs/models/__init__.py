"""Clubs, their members, and their club nights."""

from clubs.models.bots import ClubBot
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
from clubs.models.evenings import (
    DOORS_OPEN,
    Answer,
    Attendance,
    CalendarLink,
    Evening,
    EveningQuerySet,
    ForbiddenPair,
    Loan,
)
from clubs.models.history import (
    HistoryImport,
    HistoryImportQuerySet,
    PastFact,
    PastKind,
    PastOutcome,
)
from clubs.models.merges import UNDO_WITHIN, Merge, MergeQuerySet
from clubs.models.quotas import ClubQuota

__all__ = [
    "DOORS_OPEN",
    "UNDO_WITHIN",
    "VACANT",
    "Answer",
    "Attendance",
    "BattlesRunBy",
    "CalendarLink",
    "Club",
    "ClubBot",
    "ClubQuerySet",
    "ClubQuota",
    "Evening",
    "EveningQuerySet",
    "ForbiddenPair",
    "HistoryImport",
    "HistoryImportQuerySet",
    "Invitation",
    "Loan",
    "Membership",
    "MembershipQuerySet",
    "Merge",
    "MergeQuerySet",
    "PastFact",
    "PastKind",
    "PastOutcome",
    "Role",
    "clubs_of",
    "clubs_run_by",
]
