from django.db import migrations, models

from core.models import first_folding


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0009_battles_of_fixtures"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        *first_folding("battles", battle=("title",)),
    ]
