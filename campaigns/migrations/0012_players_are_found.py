from django.db import migrations, models

from core.models import first_folding


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0011_example_for_strangers"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="folded",
            field=models.TextField(blank=True, default="", editable=False),
        ),
        *first_folding("campaigns", membership=("name",)),
    ]
