from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0021_lists_of_what_is_open"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="campaign",
            name="campaigns_open_to_all",
        ),
        migrations.RemoveIndex(
            model_name="club",
            name="clubs_open_to_all",
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
        migrations.AddIndex(
            model_name="club",
            index=models.Index(
                condition=models.Q(("visibility__in", ("public", "unlisted"))),
                fields=["visibility", "name", "id"],
                name="clubs_open_to_all_by_name",
            ),
        ),
        migrations.AddIndex(
            model_name="club",
            index=models.Index(fields=["name", "id"], name="clubs_by_name"),
        ),
    ]
