"""Sign rows. The upgrade trusts the rows that it finds, once (docs/decisions/signed-rows.md)."""

from typing import Any

from django.db import migrations, models

import warbands.signed
from battles.log_seals import BATTLES, battle_signature
from core.derived_keys import signing_key
from warbands.signed import sign_rows_of

SIGNED = {
    "Battle": (
        "client_id",
        "campaign",
        "fixture",
        "ruleset",
        "edition",
        "scenario",
        "state",
        "friendly",
        "part",
        "fought_on",
        "place_in_day",
        "points_limit",
        "house_rules",
        "dice_seed",
        "decision",
        "revision",
        "created_by",
        "submitted_by",
        "submitted_at",
        "confirmed_at",
    ),
    "Side": (
        "battle",
        "key",
        "place",
        "warband",
        "role",
        "substitute",
        "extras",
        "plan",
        "figures",
        "verdict",
        "dispute",
        "decided_by",
        "decided_at",
    ),
    "Revision": ("battle", "number", "reason", "result_before", "difference", "made_by", "made_at"),
    "Dispute": (
        "battle",
        "side",
        "reason",
        "raised_by",
        "raised_at",
        "answer",
        "answer_reason",
        "answered_by",
        "answered_at",
    ),
}
"""The columns that are signed when this runs."""


def sign_all(apps: Any, schema_editor: Any) -> None:
    """Sign every row as it stands."""
    for name, columns in SIGNED.items():
        sign_rows_of(apps.get_model("battles", name), columns, trusting=True)


def sign_results_anew(apps: Any, schema_editor: Any) -> None:
    """Sign results with the day and the number of dice, where the former signature holds."""
    battles = apps.get_model("battles", "Battle").objects
    for key in list(battles.exclude(signature="").values_list("pk", flat=True)):
        battle = battles.get(pk=key)
        result = [str(battle.pk), battle.state, battle.revision, battle.last_sequence, battle.log_seal, battle.result]
        place = battle.place_in_day
        played = [battle.fought_on.isoformat(), f"{place.timestamp():.6f}" if place else None]
        # Battles of before had no place in their day, and their signature does not cover when they were played.
        forms = [[*result, *played]] + ([] if place else [result])
        if any(signing_key(BATTLES, form, battle.signature) is not None for form in forms):
            battles.filter(pk=battle.pk).update(signature=battle_signature(battle))


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0018_disputes_are_kept"),
        ("campaigns", "0020_rows_are_signed"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="dispute",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="revision",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="side",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name="battle",
            name="fixture",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="battles",
                to="campaigns.fixture",
            ),
        ),
        migrations.AlterField(
            model_name="side",
            name="substitute",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="substituted_sides",
                to="campaigns.membership",
            ),
        ),
        migrations.RunPython(sign_results_anew, migrations.RunPython.noop),
        migrations.RunPython(sign_all, migrations.RunPython.noop),
    ]
