"""The rows of this app that can have pictures."""

from django.contrib.auth.models import User

from audit.verbs import Verb
from pictures.subjects import PictureKind, SubjectKind, register
from warbands.models import Fighter, Warband
from warbands.services.locking import record_warband


def register_subjects() -> None:
    """Register portraits of fighters and crests of warbands."""
    register(
        PictureKind.FIGHTER,
        SubjectKind(
            owners=Warband.objects.all,
            of=lambda warbands: Fighter.objects.filter(warband__in=warbands.values("pk")),
            record=_record_fighter,
        ),
    )
    register(PictureKind.WARBAND, SubjectKind(owners=Warband.objects.all, record=record_warband))


def _record_fighter(verb: Verb, fighter: Fighter, user: User) -> None:
    record_warband(verb, fighter.warband, user, fighter=fighter.name)
