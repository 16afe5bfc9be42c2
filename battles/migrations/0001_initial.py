import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import battles.models
import warbands.signed
from core.database_objects import word_indexes


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        ("clubs", "0001_initial"),
        ("warbands", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Battle",
            fields=[
                ("folded", models.TextField(blank=True, default="", editable=False)),
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("client_id", models.UUIDField(blank=True, null=True)),
                ("ruleset", models.CharField(max_length=40)),
                ("edition", models.CharField(max_length=20)),
                ("scenario", models.CharField(max_length=40)),
                ("title", models.CharField(blank=True, default="", max_length=120)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("under-way", "In progress"),
                            ("submitted", "Submitted"),
                            ("disputed", "Disputed"),
                            ("confirmed", "Confirmed"),
                            ("void", "Void"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("friendly", models.BooleanField(default=False)),
                (
                    "part",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Single battle"),
                            ("small-game", "Small game"),
                            ("final", "Final"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("fought_on", models.DateField()),
                ("place_in_day", models.DateTimeField(editable=False, null=True)),
                ("points_limit", models.PositiveIntegerField(blank=True, null=True)),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("set_up", models.JSONField(blank=True, default=dict)),
                ("story", models.TextField(blank=True, default="")),
                (
                    "dice_seed",
                    models.CharField(
                        default=battles.models.fresh_seed, editable=False, max_length=64
                    ),
                ),
                ("dice_used", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(blank=True, null=True)),
                ("log_seal", models.CharField(default="", editable=False, max_length=64)),
                ("signature", models.CharField(default="", editable=False, max_length=64)),
                ("decision", models.TextField(blank=True, default="")),
                ("revision", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=1)),
                ("shared_version", models.PositiveIntegerField(default=1, editable=False)),
                ("last_sequence", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("follow_ups_due_since", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="battles",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="battles",
                        to="campaigns.fixture",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-fought_on", "-created_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="StoredPlay",
            fields=[
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="stored_play",
                        serialize=False,
                        to="battles.battle",
                    ),
                ),
                ("sequence", models.PositiveIntegerField()),
                ("fingerprint", models.CharField(max_length=64)),
                ("play", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="BattleEvent",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("sequence", models.PositiveIntegerField()),
                ("client_id", models.UUIDField()),
                ("kind", models.CharField(max_length=30)),
                ("data", models.JSONField(default=dict)),
                ("asked", models.JSONField(blank=True, null=True)),
                ("first_die", models.PositiveIntegerField(blank=True, null=True)),
                ("dice", models.JSONField(blank=True, default=list)),
                ("turn", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("revision", models.PositiveIntegerField(default=0)),
                ("recorded_as", models.PositiveBigIntegerField(editable=False, null=True)),
                ("recorded_at", models.DateTimeField()),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="battles.battle",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("battle", "sequence"),
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("reason", models.TextField()),
                ("result_before", models.JSONField()),
                ("difference", models.JSONField()),
                ("made_at", models.DateTimeField()),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="battles.battle",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("battle", "number"),
            },
        ),
        migrations.CreateModel(
            name="SecretChoice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("occasion", models.CharField(max_length=64)),
                ("field", models.CharField(max_length=60)),
                ("turn", models.PositiveSmallIntegerField(default=0)),
                ("sealed", models.BinaryField()),
                ("client_id", models.UUIDField(default=uuid.uuid4)),
                ("made_at", models.DateTimeField(auto_now=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="secret_choices",
                        to="battles.battle",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Side",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("key", models.CharField(max_length=20)),
                ("place", models.PositiveSmallIntegerField()),
                ("role", models.CharField(max_length=30)),
                ("extras", models.JSONField(blank=True, default=dict)),
                ("plan", models.JSONField(blank=True, default=list)),
                ("figures", models.JSONField(blank=True, default=list)),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("outcome", models.CharField(blank=True, default="", max_length=5)),
                ("victory_points", models.IntegerField(default=0)),
                ("victory_points_against", models.IntegerField(default=0)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("confirmed", "Confirmed"),
                            ("disputed", "Disputed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("dispute", models.TextField(blank=True, default="")),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sides",
                        to="battles.battle",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "substitute",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="substituted_sides",
                        to="clubs.membership",
                    ),
                ),
                (
                    "warband",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sides",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("battle", "place"),
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("reason", models.TextField()),
                ("raised_at", models.DateTimeField()),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Open"),
                            ("as-logged", "Confirmed as logged"),
                            ("reopened", "The log was reopened"),
                            ("withdrawn", "Withdrawn and confirmed"),
                            ("voided", "The battle was voided"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("answer_reason", models.TextField(blank=True, default="")),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disputes",
                        to="battles.battle",
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "side",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disputes",
                        to="battles.side",
                    ),
                ),
            ],
            options={
                "ordering": ("battle", "raised_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Combatant",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("place", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=100)),
                ("rank", models.PositiveSmallIntegerField()),
                ("points", models.PositiveIntegerField()),
                ("build", models.JSONField()),
                ("condition", models.JSONField(default=dict)),
                ("posts", models.JSONField(blank=True, default=list)),
                (
                    "fighter",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="appearances",
                        to="warbands.fighter",
                    ),
                ),
                (
                    "side",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="combatants",
                        to="battles.side",
                    ),
                ),
            ],
            options={
                "ordering": ("side", "place"),
            },
        ),
        migrations.CreateModel(
            name="StoredOutcome",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("sequence", models.PositiveIntegerField()),
                ("outcome", models.JSONField(null=True)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stored_outcomes",
                        to="battles.battle",
                    ),
                ),
            ],
            options={
                "ordering": ("battle", "sequence"),
            },
        ),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(
                fields=["campaign", "state", "-fought_on"], name="battle_campaign_state"
            ),
        ),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(
                fields=["-fought_on", "-created_at", "id"], name="battle_newest_first"
            ),
        ),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(fields=["ruleset", "scenario"], name="battle_of_scenario"),
        ),
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(
                condition=models.Q(("follow_ups_due_since__isnull", False)),
                fields=["follow_ups_due_since"],
                name="battle_follow_ups_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.UniqueConstraint(
                fields=("created_by", "client_id"), name="battle_made_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    models.Q(("part", ""), _negated=True),
                    models.Q(("state", "void"), _negated=True),
                ),
                fields=("campaign", "part", "scenario"),
                name="part_of_a_campaign_played_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "void"), _negated=True),
                fields=("fixture",),
                name="fixture_played_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="battleevent",
            constraint=models.UniqueConstraint(
                fields=("battle", "sequence"), name="event_has_one_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="battleevent",
            constraint=models.UniqueConstraint(
                fields=("battle", "client_id"), name="event_sent_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                fields=("battle", "number"), name="revision_has_one_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="secretchoice",
            constraint=models.UniqueConstraint(
                fields=("battle", "occasion", "field"), name="secret_choice_made_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="side",
            constraint=models.UniqueConstraint(
                fields=("battle", "key"), name="side_key_once_per_battle"
            ),
        ),
        migrations.AddConstraint(
            model_name="side",
            constraint=models.UniqueConstraint(
                fields=("battle", "warband"), name="warband_once_per_battle"
            ),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(fields=["raised_by", "answered_at"], name="dispute_of_member"),
        ),
        migrations.AddConstraint(
            model_name="combatant",
            constraint=models.UniqueConstraint(
                fields=("side", "fighter"), name="combatant_once_per_side"
            ),
        ),
        migrations.AddConstraint(
            model_name="storedoutcome",
            constraint=models.UniqueConstraint(
                fields=("battle", "sequence"), name="outcome_once_per_event"
            ),
        ),
        word_indexes("battles_battle"),
    ]
