from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0004_options")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="file_hash",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
    ]
