from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0010_names_are_found"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="battle",
            index=models.Index(fields=("-fought_on", "-created_at", "id"), name="battle_newest_first"),
        ),
    ]
