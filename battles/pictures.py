"""Register the rows of this app that can have pictures."""

from django.contrib.auth.models import User

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle
from pictures.subjects import PictureKind, SubjectKind, register


def register_subjects() -> None:
    """Register photos of battles."""
    register(PictureKind.BATTLE, SubjectKind(owners=Battle.objects.all, record=_record_battle))


def _record_battle(verb: Verb, battle: Battle, user: User) -> None:
    record(verb, battle, user=user, campaign=battle.campaign_id)
