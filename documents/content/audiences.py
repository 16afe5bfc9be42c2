"""The intended readers of a document's file.

A file shows the same to everybody who may see its subject. If more people may see that later, or
fewer may see something in it, the file must not be read any more: it is made again.
"""

import hashlib
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from battles.models import Battle
from campaigns.models import Campaign, Enrolment
from clubs.models import Evening
from core.users import Visibility
from documents.models import SUBJECT_OF, DocumentKind, SubjectKind
from warbands.models import Warband

ABOUT_PRIVATE_BATTLES = (DocumentKind.HISTORY, DocumentKind.MEMORIAL)
"""The kinds about a warband or fighter with battles that not everybody may see."""


def audience_of(kind: DocumentKind, subject: UUID) -> str:
    """Return what decides which private things a document may show, as a hash; "" for nothing.

    Two queries at most.
    """
    about = SUBJECT_OF[kind]
    match about:
        case SubjectKind.CAMPAIGN:
            visibilities = ("visibility", "club__visibility")
            return _hash(Campaign.objects.filter(pk=subject).values_list(*visibilities))
        case SubjectKind.BATTLE:
            return _hash(Battle.objects.filter(pk=subject).values_list("campaign__visibility"))
        case SubjectKind.EVENING:
            club = Evening.objects.filter(pk=subject).values_list("club__visibility")
            hidden = Campaign.objects.filter(
                ~Q(visibility=Visibility.PUBLIC), club__evenings=subject
            )
            return _hash(club, hidden.values_list("pk"))
        case _ if kind in ABOUT_PRIVATE_BATTLES:
            warband = Q(pk=subject) if about == SubjectKind.WARBAND else Q(fighters=subject)
            warbands = Warband.objects.filter(warband).order_by()
            campaigns = Enrolment.objects.filter(warband__in=warbands.values("pk"))
            readers = ("campaign", "campaign__club", "campaign__visibility")
            return _hash(warbands.values_list("visibility"), campaigns.values_list(*readers))
    return ""


def _hash(*rows: "QuerySet[Any, Any] | Iterable[Any]") -> str:
    """Return 32 hex digits for the rows in any order."""
    ordered = [sorted(map(str, each)) for each in rows]
    return hashlib.sha256(repr(ordered).encode()).hexdigest()[:32]
