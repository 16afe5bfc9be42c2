from django.db import migrations, models

from core.models import first_folding


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0006_drafts_and_templates_of_rosters"),
    ]

    operations = [
        migrations.AddField(
            model_name="fighter",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        migrations.AddField(
            model_name="warband",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        *first_folding("warbands", warband=("name",), fighter=("name", "profile_name")),
    ]
