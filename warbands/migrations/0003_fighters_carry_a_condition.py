"""A fighter's row has what it carries from battle to battle: until now no rule system has carried anything."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("warbands", "0002_chronicle_is_append_only")]
    operations = [
        migrations.AddField(
            model_name="fighter",
            name="condition",
            field=models.JSONField(default=dict),
        ),
    ]
