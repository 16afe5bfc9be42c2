"""Register the rows of this app that can have pictures."""

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import User

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle
from pictures.subjects import PictureKind, SubjectKind, register


def register_subjects() -> None:
    """Register photos of battles."""
    register(
        PictureKind.BATTLE,
        SubjectKind(owners=Battle.objects.all, record=_record_battle, clubs=clubs_of_battles),
    )


def _record_battle(verb: Verb, battle: Battle, user: User) -> None:
    record(verb, battle, user=user, campaign=battle.campaign_id)


def clubs_of_battles(ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the club of each of these battles that is part of a campaign. One query."""
    rows = Battle.objects.filter(pk__in=ids, campaign__isnull=False).order_by()
    return dict(rows.values_list("pk", "campaign__club"))
