"""The rows of this app that can have pictures."""

from collections.abc import Collection
from uuid import UUID

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
            clubs=clubs_of_fighters,
        ),
    )
    register(
        PictureKind.WARBAND,
        SubjectKind(owners=Warband.objects.all, record=record_warband, clubs=clubs_of_warbands),
    )


def _record_fighter(verb: Verb, fighter: Fighter, user: User) -> None:
    record_warband(verb, fighter.warband, user, fighter=fighter.name)


def clubs_of_warbands(ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the club of each of these warbands that is in a running campaign. One query."""
    present = Warband.objects.filter(
        pk__in=ids, enrolments__isnull=False, enrolments__left_at__isnull=True
    )
    return dict(present.order_by().values_list("pk", "enrolments__campaign__club"))


def clubs_of_fighters(ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the club of each of these fighters whose warband is in a running campaign.

    Two queries.
    """
    warbands = dict(Fighter.objects.filter(pk__in=ids).order_by().values_list("pk", "warband"))
    clubs = clubs_of_warbands(set(warbands.values()))
    return {fighter: clubs[warband] for fighter, warband in warbands.items() if warband in clubs}
