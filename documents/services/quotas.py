"""The club that a document belongs to, and the room that it may take there."""

from uuid import UUID

from battles.pictures import clubs_of_battles
from campaigns.models import Campaign
from clubs.models import Evening
from core.quotas import Use, expect_room
from documents.models import SUBJECT_OF, Document, DocumentKind, SubjectKind
from warbands.pictures import clubs_of_fighters, clubs_of_warbands


def club_of(kind: DocumentKind, subject: UUID) -> UUID | None:
    """Return the club of a document's subject; None outside of clubs. Two queries at most."""
    match SUBJECT_OF[kind]:
        case SubjectKind.CAMPAIGN:
            campaign = Campaign.objects.filter(pk=subject).values_list("club", flat=True)
            return campaign.order_by().first()
        case SubjectKind.BATTLE:
            return clubs_of_battles([subject]).get(subject)
        case SubjectKind.WARBAND:
            return clubs_of_warbands([subject]).get(subject)
        case SubjectKind.FIGHTER:
            return clubs_of_fighters([subject]).get(subject)
        case SubjectKind.EVENING:
            club = Evening.objects.filter(pk=subject).values_list("club", flat=True)
            return club.order_by().first()
        case _:
            return None


def expect_room_for(document: Document, *, documents: int = 0, size: int = 0) -> None:
    """Check that a document, or more bytes of it, may be kept.

    Call it in the transaction that writes the row. Documents about a rule system belong
    to everybody and to nobody. Raises StateConflict (`quota-reached`).
    """
    if SUBJECT_OF[DocumentKind(document.kind)] != SubjectKind.RULESET:
        added = Use(documents=documents, size=size)
        expect_room(club=document.club, user_id=document.asked_by_id, added=added)
