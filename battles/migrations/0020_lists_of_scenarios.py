from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0019_rows_are_signed"),
        ("campaigns", "0022_lists_in_their_order"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(fields=["ruleset", "scenario"], name="battle_of_scenario"),
        ),
    ]
