import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import clubs.models.clubs
from core.database_objects import word_indexes


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CalendarLink",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="calendar_link",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("sealed", models.BinaryField()),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Club",
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
                (
                    "time_zone",
                    models.CharField(
                        default=clubs.models.clubs.installation_time_zone, max_length=64
                    ),
                ),
                (
                    "battles_run_by",
                    models.CharField(
                        choices=[
                            ("those-who-play", "Organisers and the players of the battle"),
                            (
                                "every-player",
                                "Every player of the club",
                            ),
                        ],
                        default="those-who-play",
                        max_length=20,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("name", "id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("visibility__in", ("public", "unlisted"))),
                        fields=["visibility", "name", "id"],
                        name="clubs_open_to_all_by_name",
                    ),
                    models.Index(fields=["name", "id"], name="clubs_by_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubBot",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="bot",
                        serialize=False,
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="club_bot",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClubQuota",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="quota",
                        serialize=False,
                        to="clubs.club",
                    ),
                ),
                ("documents", models.PositiveIntegerField(blank=True, null=True)),
                ("pictures", models.PositiveIntegerField(blank=True, null=True)),
                ("megabytes", models.PositiveIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="HistoryImport",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("number", models.PositiveIntegerField()),
                ("counted", models.BooleanField(default=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="history_imports",
                        to="clubs.club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-made_at", "id")},
        ),
        migrations.CreateModel(
            name="Evening",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("series", models.UUIDField(blank=True, db_index=True, null=True)),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("place", models.CharField(blank=True, default="", max_length=120)),
                ("note", models.TextField(blank=True, default="")),
                ("cancelled_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, default="", max_length=300)),
                ("version", models.PositiveIntegerField(default=1)),
                ("changed_at", models.DateTimeField()),
                ("moved_at", models.DateTimeField(blank=True, null=True)),
                ("tables", models.PositiveSmallIntegerField(default=0)),
                ("large_tables", models.PositiveSmallIntegerField(default=0)),
                ("pairing_seed", models.PositiveIntegerField(default=1)),
                ("pairing_version", models.PositiveIntegerField(default=0)),
                ("published_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evenings",
                        to="clubs.club",
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
            ],
            options={
                "ordering": ("starts_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("folded", models.TextField(blank=True, default="", editable=False)),
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            (
                                "organiser",
                                "Organiser: runs campaigns and decides disputes",
                            ),
                            ("player", "Player: plays a warband and records battles"),
                            ("spectator", "Spectator: view only"),
                        ],
                        default="player",
                        max_length=10,
                    ),
                ),
                ("promotion", models.UUIDField(blank=True, editable=False, null=True)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("club", "name", "id"),
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("sealed", models.BinaryField(default=b"")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            (
                                "organiser",
                                "Organiser: runs campaigns and decides disputes",
                            ),
                            ("player", "Player: plays a warband and records battles"),
                            ("spectator", "Spectator: view only"),
                        ],
                        default="player",
                        max_length=10,
                    ),
                ),
                ("uses_left", models.PositiveIntegerField(default=1)),
                ("expires_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="clubs.club",
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
                    "seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "answer",
                    models.CharField(
                        choices=[
                            ("coming", "Going"),
                            ("perhaps", "Maybe"),
                            ("not-coming", "Not going"),
                        ],
                        max_length=10,
                    ),
                ),
                ("answered_at", models.DateTimeField()),
                ("by_organiser", models.BooleanField(default=False)),
                ("arrived_at", models.DateTimeField(blank=True, null=True)),
                ("no_show", models.BooleanField(default=False)),
                ("seeks_opponent", models.BooleanField(default=False)),
                (
                    "loan",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "I bring my own"),
                            ("needed", "I need one on loan"),
                            ("offered", "I can lend one"),
                        ],
                        default="",
                        max_length=7,
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attendances",
                        to="clubs.evening",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attendances",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": ("evening", "answered_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="ForbiddenPair",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="forbidden_pairs",
                        to="clubs.club",
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
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": ("club", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("first", "second"), name="forbidden_pair_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True),
                        name="forbidden_pair_of_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role_before",
                    models.CharField(
                        choices=[
                            (
                                "organiser",
                                "Organiser: runs campaigns and decides disputes",
                            ),
                            ("player", "Player: plays a warband and records battles"),
                            ("spectator", "Spectator: view only"),
                        ],
                        max_length=10,
                    ),
                ),
                ("seat", models.UUIDField()),
                ("name", models.CharField(max_length=80)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            (
                                "organiser",
                                "Organiser: runs campaigns and decides disputes",
                            ),
                            ("player", "Player: plays a warband and records battles"),
                            ("spectator", "Spectator: view only"),
                        ],
                        max_length=10,
                    ),
                ),
                ("joined_at", models.DateTimeField()),
                ("moved", models.JSONField(default=dict)),
                ("merged_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges",
                        to="clubs.club",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges",
                        to="clubs.membership",
                    ),
                ),
                (
                    "merged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-merged_at", "id"),
            },
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(fields=["club", "starts_at"], name="evening_of_club"),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("starts_at"))),
                name="evening_ends_later",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("club", "user"), name="member_once_per_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("club", "name"), name="member_name_once_per_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("user__isnull", False), ("role", "player"), _connector="OR"),
                name="only_players_lack_an_account",
            ),
        ),
        migrations.AddConstraint(
            model_name="attendance",
            constraint=models.UniqueConstraint(
                fields=("evening", "member"), name="one_answer_for_an_evening"
            ),
        ),
        word_indexes("clubs_club", "clubs_membership"),
        migrations.CreateModel(
            name="PastFact",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("row", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("result", "Result"),
                            ("champion", "Champion"),
                            ("death", "Death"),
                            ("member", "Member"),
                        ],
                        max_length=10,
                    ),
                ),
                ("season", models.CharField(blank=True, default="", max_length=100)),
                ("day", models.DateField(blank=True, null=True)),
                ("player", models.CharField(blank=True, default="", max_length=80)),
                ("warband", models.CharField(blank=True, default="", max_length=100)),
                ("score", models.IntegerField(blank=True, null=True)),
                ("opponent", models.CharField(blank=True, default="", max_length=80)),
                ("opponent_warband", models.CharField(blank=True, default="", max_length=100)),
                ("opponent_score", models.IntegerField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("won", "Won"), ("drew", "Drew"), ("lost", "Lost")],
                        default="",
                        max_length=5,
                    ),
                ),
                ("fighter", models.CharField(blank=True, default="", max_length=100)),
                ("note", models.CharField(blank=True, default="", max_length=300)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="facts",
                        to="clubs.historyimport",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="past_facts",
                        to="clubs.membership",
                    ),
                ),
                (
                    "opponent_member",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="past_games",
                        to="clubs.membership",
                    ),
                ),
            ],
            options={
                "ordering": ("batch", "row"),
                "indexes": [
                    models.Index(fields=["batch", "season", "kind"], name="past_facts_by_season")
                ],
            },
        ),
    ]
