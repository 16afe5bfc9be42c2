"""The rows of this app that can have pictures."""

from django.contrib.auth.models import User

from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club
from pictures.subjects import PictureKind, SubjectKind, register


def register_subjects() -> None:
    """Register crests of clubs."""
    register(
        PictureKind.CLUB,
        SubjectKind(
            owners=Club.objects.all,
            record=_record_club,
            clubs=lambda ids: {club: club for club in ids},
        ),
    )


def _record_club(verb: Verb, club: Club, user: User) -> None:
    record(verb, club, user=user, club=club.pk)
