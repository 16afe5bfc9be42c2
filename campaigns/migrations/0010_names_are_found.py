from django.db import migrations, models

from core.models import first_folding


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0009_journal_and_following_campaigns"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        migrations.AddField(
            model_name="club",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        *first_folding("campaigns", club=("name",), campaign=("name",)),
    ]
