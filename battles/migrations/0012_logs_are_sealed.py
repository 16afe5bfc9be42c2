from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0011_battles_are_listed_newest_first")]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="log_seal",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="battle",
            name="signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
    ]
