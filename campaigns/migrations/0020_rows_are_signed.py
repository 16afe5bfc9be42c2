"""Sign rows. The upgrade trusts the rows that it finds, once (docs/decisions/signed-rows.md)."""

from typing import Any

from django.db import migrations, models

import warbands.signed
from warbands.signed import sign_rows_of

SIGNED = {
    "Club": ("name", "visibility", "time_zone", "battles_run_by"),
    "Membership": ("club", "user", "name", "role", "left_at"),
    "Campaign": (
        "club",
        "name",
        "ruleset",
        "edition",
        "format",
        "state",
        "points",
        "games",
        "house_rules",
        "scoring",
        "visibility",
        "started_at",
        "finished_at",
        "reopened_at",
        "scenarios",
        "dice_seed",
        "lots",
        "follows",
    ),
    "Enrolment": ("campaign", "warband", "player", "colour", "enrolled_at", "left_at", "overruled"),
    "Round": ("campaign", "number", "name", "method", "deadline", "order", "reach"),
    "Fixture": (
        "round",
        "place",
        "home",
        "away",
        "home_from",
        "away_from",
        "of_losers",
        "bye",
        "group",
        "deadline",
        "walkover",
        "reason",
        "given_up_by",
        "agreed",
        "postponed",
        "decided_by",
        "decided_at",
    ),
    "Substitute": ("fixture", "enrolment", "player"),
    "HandOver": (
        "warband",
        "giver",
        "giver_seat",
        "receiver",
        "receiver_seat",
        "made_by",
        "campaign",
        "state",
        "made_at",
        "settled_at",
    ),
    "JournalEntry": ("campaign", "author", "text", "on", "written_at", "edited_at", "removed_at"),
    "Merge": (
        "club",
        "member",
        "role_before",
        "seat",
        "seat_user",
        "name",
        "role",
        "joined_at",
        "moved",
        "merged_by",
        "merged_at",
        "undone_at",
    ),
    "SealedOrder": (
        "enrolment",
        "commitment",
        "sealed_by",
        "sealed_at",
        "sequence",
        "lapsed_at",
        "revealed_at",
        "text",
    ),
}
"""The columns that are signed when this runs."""


def sign_all(apps: Any, schema_editor: Any) -> None:
    """Sign every row as it stands."""
    for name, columns in SIGNED.items():
        sign_rows_of(apps.get_model("campaigns", name), columns, trusting=True)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0019_substitutes_for_fixtures"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="club",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="enrolment",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="fixture",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="handover",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="journalentry",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="membership",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="merge",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="round",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="sealedorder",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="substitute",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name="handover",
            name="campaign",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="+",
                to="campaigns.campaign",
            ),
        ),
        migrations.AlterField(
            model_name="handover",
            name="giver_seat",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="given_warbands",
                to="campaigns.membership",
            ),
        ),
        migrations.AlterField(
            model_name="handover",
            name="receiver_seat",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="+",
                to="campaigns.membership",
            ),
        ),
        migrations.RunPython(sign_all, migrations.RunPython.noop),
    ]
