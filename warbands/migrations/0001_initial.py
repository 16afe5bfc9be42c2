import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.database_objects import append_only, word_indexes
from warbands.chronicle_seals import sign_register


def create_register(apps, schema_editor):
    """Make the signed register of chronicles that have begun: none yet."""
    register = apps.get_model("warbands", "ChronicleRegister")(pk=1)
    sign_register(register, [])
    register.save()


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Fighter",
            fields=[
                ("folded", models.TextField(blank=True, default="", editable=False)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("profile_name", models.CharField(max_length=100)),
                ("rank", models.PositiveSmallIntegerField()),
                ("points", models.PositiveIntegerField()),
                ("experience", models.IntegerField(default=0)),
                ("fate", models.CharField(max_length=12)),
                ("battles", models.PositiveIntegerField(default=0)),
                ("place", models.PositiveIntegerField(default=0)),
                ("condition", models.JSONField(default=dict)),
                ("state", models.JSONField(default=dict)),
                ("story", models.TextField(blank=True, default="")),
            ],
            options={
                "ordering": ("warband", "place", "id"),
            },
        ),
        migrations.CreateModel(
            name="Warband",
            fields=[
                ("folded", models.TextField(blank=True, default="", editable=False)),
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("ruleset", models.CharField(max_length=40)),
                ("edition", models.CharField(max_length=20)),
                ("faction", models.CharField(max_length=60)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "Private: the owner, and the clubs where it plays"),
                            ("unlisted", "Unlisted: anyone with the link"),
                            ("public", "Public: everyone"),
                        ],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("story", models.TextField(blank=True, default="")),
                ("points", models.PositiveIntegerField(default=0)),
                ("fighter_count", models.PositiveIntegerField(default=0)),
                ("experience", models.IntegerField(default=0)),
                ("state", models.JSONField(default=dict)),
                ("sequence", models.PositiveIntegerField(default=0)),
                ("head_seal", models.CharField(default="", max_length=64)),
                ("head_signature", models.CharField(default="", editable=False, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                (
                    "keeper",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="kept_warbands",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="warbands",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="UnsentTask",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("task", models.CharField(max_length=100)),
                ("arguments", models.JSONField()),
                ("kept_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ChronicleRegister",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                ("digest", models.CharField(default="", max_length=64)),
                ("signature", models.CharField(default="", max_length=64)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="one_register_of_chronicles"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RankUpOffer",
            fields=[
                (
                    "fighter",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="rank_up_offer",
                        serialize=False,
                        to="warbands.fighter",
                    ),
                ),
                ("sequence", models.PositiveIntegerField()),
                ("steps", models.JSONField(default=list)),
                ("prepared_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RosterDraft",
            fields=[
                (
                    "warband",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="draft",
                        serialize=False,
                        to="warbands.warband",
                    ),
                ),
                ("content", models.JSONField(default=dict)),
                ("version", models.PositiveIntegerField(default=0)),
                ("undo", models.JSONField(default=list)),
                ("carried_out", models.JSONField(default=list)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.AddField(
            model_name="fighter",
            name="warband",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="fighters",
                to="warbands.warband",
            ),
        ),
        migrations.CreateModel(
            name="ExperienceEntry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("sequence", models.PositiveIntegerField()),
                ("line", models.PositiveIntegerField()),
                ("amount", models.IntegerField()),
                ("balance", models.IntegerField()),
                ("code", models.CharField(max_length=40)),
                ("sentence", models.CharField(max_length=300)),
                ("rule", models.CharField(max_length=120)),
                (
                    "fighter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ledger",
                        to="warbands.fighter",
                    ),
                ),
                (
                    "warband",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ledger",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("warband", "id"),
            },
        ),
        migrations.CreateModel(
            name="ChronicleEntry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("sequence", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("payload", models.JSONField()),
                ("subject", models.UUIDField(db_index=True, null=True)),
                ("recorded_at", models.DateTimeField()),
                ("recorded_as", models.CharField(editable=False, max_length=80, null=True)),
                ("previous_seal", models.CharField(max_length=64)),
                ("seal", models.CharField(max_length=64)),
                (
                    "recorded_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "warband",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chronicle",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("warband", "sequence"),
            },
        ),
        migrations.CreateModel(
            name="RosterTemplate",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("ruleset", models.CharField(max_length=40)),
                ("faction", models.CharField(max_length=60)),
                ("points", models.PositiveIntegerField(default=0)),
                ("content", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roster_templates",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.AddIndex(
            model_name="warband",
            index=models.Index(fields=["ruleset", "faction"], name="warband_ruleset_faction"),
        ),
        migrations.AddIndex(
            model_name="warband",
            index=models.Index(
                condition=models.Q(("visibility__in", ("public", "unlisted"))),
                fields=["visibility", "name", "id"],
                name="warbands_open_by_name",
            ),
        ),
        migrations.AddIndex(
            model_name="fighter",
            index=models.Index(fields=["warband", "fate"], name="fighter_warband_fate"),
        ),
        migrations.AddIndex(
            model_name="experienceentry",
            index=models.Index(fields=["fighter", "id"], name="ledger_of_a_fighter"),
        ),
        migrations.AddIndex(
            model_name="experienceentry",
            index=models.Index(fields=["warband", "id"], name="ledger_of_a_warband"),
        ),
        migrations.AddConstraint(
            model_name="experienceentry",
            constraint=models.UniqueConstraint(
                fields=("warband", "sequence", "line"), name="ledger_line_has_one_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="chronicleentry",
            constraint=models.UniqueConstraint(
                fields=("warband", "sequence"), name="chronicle_entry_has_one_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="chronicleentry",
            constraint=models.UniqueConstraint(
                fields=("warband", "previous_seal"), name="chronicle_does_not_fork"
            ),
        ),
        migrations.AddConstraint(
            model_name="rostertemplate",
            constraint=models.UniqueConstraint(
                fields=("owner", "ruleset", "faction", "name"), name="template_has_one_name"
            ),
        ),
        append_only("warbands_chronicleentry", "chronicle"),
        migrations.RunPython(create_register, migrations.RunPython.noop),
        word_indexes("warbands_warband", "warbands_fighter"),
    ]
