"""Seals the logs, and signs the results, of the battles that an installation has."""

from typing import Any

from django.db import migrations
from django.db.models import Prefetch

from battles.log_seals import battle_signature, log_seal, opening_seal


def seal_all(apps: Any, schema_editor: Any) -> None:
    """Chain the log of every battle that was submitted, and sign those that were confirmed."""
    battles = apps.get_model("battles", "Battle").objects
    combatants = Prefetch("combatants", apps.get_model("battles", "Combatant").objects.order_by("place"))
    ended = battles.filter(state__in=("submitted", "disputed", "confirmed", "void"))
    for key in ended.values_list("pk", flat=True):
        battle = battles.get(pk=key)
        sides = battle.sides.prefetch_related(combatants).order_by("place")
        battle.log_seal = log_seal(opening_seal(battle, sides), battle.events.order_by("sequence"))
        if battle.confirmed_at is not None:
            battle.signature = battle_signature(battle)
        battle.save(update_fields=["log_seal", "signature"])


def seal_nothing(apps: Any, schema_editor: Any) -> None:
    """The way back: the columns go with the migration before."""


class Migration(migrations.Migration):
    dependencies = [("battles", "0012_logs_are_sealed")]
    operations = [migrations.RunPython(seal_all, seal_nothing)]
