import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inbox", "0004_account_letters"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="preferences",
            name="preferences_mail",
        ),
        migrations.AddField(
            model_name="device",
            name="looked_at",
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="preferences",
            name="looked_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(fields=["-claimed_at", "id"], name="letters_newest_first"),
        ),
        migrations.AddIndex(
            model_name="preferences",
            index=models.Index(fields=["mail", "time_zone", "digested_on"], name="preferences_digest"),
        ),
        migrations.AddIndex(
            model_name="preferences",
            index=models.Index(fields=["mail", "looked_at"], name="preferences_looked_at"),
        ),
    ]
