import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Picture",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("fighter", "Portrait of a fighter"),
                            ("warband", "Crest of a warband"),
                            ("club", "Crest of a club"),
                            ("battle", "Photo of a battle"),
                        ],
                        max_length=10,
                    ),
                ),
                ("subject", models.UUIDField()),
                ("caption", models.CharField(blank=True, default="", max_length=200)),
                ("digest", models.CharField(max_length=64)),
                ("large", models.FileField(max_length=200, upload_to="")),
                ("small", models.FileField(max_length=200, upload_to="")),
                ("large_width", models.PositiveIntegerField()),
                ("large_height", models.PositiveIntegerField()),
                ("small_width", models.PositiveIntegerField()),
                ("small_height", models.PositiveIntegerField()),
                ("size", models.PositiveIntegerField(default=0)),
                ("club", models.UUIDField(blank=True, editable=False, null=True)),
                ("added_at", models.DateTimeField()),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("added_at", "id"),
                "indexes": [
                    models.Index(fields=["kind", "subject"], name="picture_kind_subject"),
                    models.Index(fields=["-added_at", "id"], name="picture_newest_first"),
                    models.Index(fields=["club"], name="picture_club"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "battle"), _negated=True),
                        fields=("kind", "subject"),
                        name="one_picture_but_of_battles",
                    )
                ],
            },
        ),
    ]
