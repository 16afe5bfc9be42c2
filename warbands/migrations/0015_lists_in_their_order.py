from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0014_lists_of_what_is_open"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="warband",
            name="warbands_open_to_all",
        ),
        migrations.AddIndex(
            model_name="warband",
            index=models.Index(
                condition=models.Q(("visibility__in", ("public", "unlisted"))),
                fields=["visibility", "name", "id"],
                name="warbands_open_by_name",
            ),
        ),
    ]
