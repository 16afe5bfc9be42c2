import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import campaigns.models


def give_each_its_own_seed(apps, schema_editor):
    """A new column takes one default for all rows; a seed has to be each campaign's own."""
    campaign = apps.get_model("campaigns", "Campaign")
    for key in campaign.objects.values_list("pk", flat=True):
        campaign.objects.filter(pk=key).update(dice_seed=campaigns.models.fresh_seed())


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0002_seats_and_reasons"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="dice_seed",
            field=models.CharField(default=campaigns.models.fresh_seed, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="campaign",
            name="lots",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="campaign",
            name="scenarios",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(give_each_its_own_seed, migrations.RunPython.noop),
        migrations.CreateModel(
            name="SealedOrder",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed", models.BinaryField(editable=False)),
                ("commitment", models.CharField(editable=False, max_length=64)),
                ("sealed_at", models.DateTimeField()),
                ("lapsed_at", models.DateTimeField(blank=True, null=True)),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
                ("text", models.TextField(blank=True, default="", editable=False)),
                (
                    "enrolment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="order", to="campaigns.enrolment"
                    ),
                ),
                (
                    "sealed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"ordering": ("sealed_at", "id")},
        ),
    ]
