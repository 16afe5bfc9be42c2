import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import campaigns.models.campaigns
import warbands.signed
from core.database_objects import word_indexes


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("clubs", "0001_initial"),
        ("warbands", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Campaign",
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
                ("story", models.TextField(blank=True, default="")),
                ("ruleset", models.CharField(max_length=40)),
                ("edition", models.CharField(max_length=20)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("linked", "Campaign with experience"),
                            ("classic", "Classic: 2 players, three small battles and a final"),
                            ("table", "League: battles count in standings"),
                        ],
                        default="linked",
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("points", models.PositiveIntegerField(blank=True, null=True)),
                ("games", models.PositiveIntegerField(blank=True, null=True)),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("scoring", models.JSONField(blank=True, default=dict)),
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("reopened_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("scenarios", models.JSONField(blank=True, default=list)),
                (
                    "dice_seed",
                    models.CharField(
                        default=campaigns.models.campaigns.fresh_seed, editable=False, max_length=64
                    ),
                ),
                ("lots", models.JSONField(blank=True, default=list)),
                ("example", models.BooleanField(default=False, editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="campaigns",
                        to="clubs.club",
                    ),
                ),
                (
                    "follows",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="followed_by",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Enrolment",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("colour", models.CharField(default="#7a2e2e", max_length=7)),
                ("enrolled_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                ("overruled", models.TextField(blank=True, default="")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enrolments",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enrolments",
                        to="clubs.membership",
                    ),
                ),
                (
                    "warband",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enrolments",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("campaign", "enrolled_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="HandOver",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("offered", "Offered"),
                            ("done", "Done"),
                            ("declined", "Declined"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="offered",
                        max_length=10,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="+",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "giver",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "giver_seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="given_warbands",
                        to="clubs.membership",
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
                (
                    "receiver",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "receiver_seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="+",
                        to="clubs.membership",
                    ),
                ),
                (
                    "warband",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hand_overs",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("-made_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="JournalEntry",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField(blank=True, default="")),
                ("on", models.DateField()),
                ("written_at", models.DateTimeField()),
                ("edited_at", models.DateTimeField(blank=True, null=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="journal_entries",
                        to="clubs.membership",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="journal",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "journal entries",
                "ordering": ("-written_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, default="", max_length=60)),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("round-robin", "Round robin"),
                            ("swiss", "Swiss"),
                            ("knockout", "Knockout"),
                            ("groups", "Group stage"),
                            ("ladder", "Ladder"),
                            ("by-hand", "By hand"),
                        ],
                        default="by-hand",
                        max_length=12,
                    ),
                ),
                ("deadline", models.DateField(blank=True, null=True)),
                ("order", models.JSONField(blank=True, default=list)),
                ("reach", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("campaign", "number"),
            },
        ),
        migrations.CreateModel(
            name="Fixture",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("place", models.PositiveSmallIntegerField()),
                ("of_losers", models.BooleanField(default=False)),
                ("bye", models.BooleanField(default=False)),
                ("group", models.CharField(blank=True, default="", max_length=2)),
                ("deadline", models.DateField(blank=True, null=True)),
                (
                    "walkover",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "None"),
                            ("home", "The first wins by walkover"),
                            ("away", "The second wins by walkover"),
                            ("nobody", "Both forfeit"),
                        ],
                        default="",
                        max_length=6,
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("given_up_by", models.JSONField(blank=True, default=list)),
                ("agreed", models.TextField(blank=True, default="")),
                ("postponed", models.TextField(blank=True, default="")),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "away",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaigns.enrolment",
                    ),
                ),
                (
                    "away_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="campaigns.fixture",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "home",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaigns.enrolment",
                    ),
                ),
                (
                    "home_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="campaigns.fixture",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fixtures",
                        to="campaigns.round",
                    ),
                ),
            ],
            options={
                "ordering": ("round", "place", "id"),
            },
        ),
        migrations.CreateModel(
            name="SealedOrder",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("commitment", models.CharField(editable=False, max_length=64)),
                ("sealed_at", models.DateTimeField()),
                ("sequence", models.PositiveIntegerField(editable=False, null=True)),
                ("lapsed_at", models.DateTimeField(blank=True, null=True)),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
                ("text", models.TextField(blank=True, default="", editable=False)),
                (
                    "enrolment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="order",
                        to="campaigns.enrolment",
                    ),
                ),
                (
                    "sealed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("sealed_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Substitute",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "enrolment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaigns.enrolment",
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="substitutes",
                        to="campaigns.fixture",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="substituted_fixtures",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": ("fixture", "id"),
            },
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("visibility__in", ("public", "unlisted"))),
                fields=["visibility", "-created_at", "id"],
                name="campaigns_open_newest_first",
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(fields=["-created_at", "id"], name="campaigns_newest_first"),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.UniqueConstraint(
                condition=models.Q(("example", True)),
                fields=("example",),
                name="one_example_campaign",
            ),
        ),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("left_at__isnull", True)),
                fields=("warband",),
                name="warband_in_one_running_campaign",
            ),
        ),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.UniqueConstraint(
                fields=("campaign", "warband"), name="warband_once_per_campaign"
            ),
        ),
        migrations.AddConstraint(
            model_name="handover",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "offered")),
                fields=("warband",),
                name="one_offer_of_a_warband_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="journalentry",
            index=models.Index(fields=["campaign", "-written_at"], name="journal_of_campaign"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="round_number_once_per_campaign"
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("deadline__isnull", False)),
                fields=["deadline"],
                name="fixtures_with_own_deadline",
            ),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("home__isnull", True),
                    ("away__isnull", True),
                    models.Q(("home", models.F("away")), _negated=True),
                    _connector="OR",
                ),
                name="fixture_between_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("bye", False),
                    models.Q(
                        ("away__isnull", True), ("away_from__isnull", True), ("home__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="bye_for_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("home__isnull", False), ("home_from__isnull", False), _connector="OR"
                    ),
                    models.Q(
                        ("bye", True),
                        ("away__isnull", False),
                        ("away_from__isnull", False),
                        _connector="OR",
                    ),
                ),
                name="fixture_has_sides",
            ),
        ),
        migrations.AddConstraint(
            model_name="substitute",
            constraint=models.UniqueConstraint(
                fields=("fixture", "enrolment"), name="one_substitute_for_a_side_of_a_fixture"
            ),
        ),
        migrations.CreateModel(
            name="TableGame",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="table_games",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="clubs.evening",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.membership",
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="table_games",
                        to="campaigns.fixture",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": (
                    "evening",
                    models.OrderBy(models.F("table"), nulls_last=True),
                    "id",
                ),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second__isnull", True),
                            models.Q(("first", models.F("second")), _negated=True),
                            _connector="OR",
                        ),
                        name="table_game_of_two",
                    ),
                ],
            },
        ),
        word_indexes("campaigns_campaign"),
    ]
