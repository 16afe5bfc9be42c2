from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exchange", "0005_rows_are_signed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="export",
            index=models.Index(
                condition=models.Q(("file", ""), _negated=True), fields=["expires_at"], name="export_file_expires"
            ),
        ),
        migrations.AddIndex(
            model_name="import",
            index=models.Index(
                condition=models.Q(("file", ""), _negated=True), fields=["expires_at"], name="import_file_expires"
            ),
        ),
    ]
