"""A combatant keeps what it had carried over when it took the field: until now no rule system has carried anything."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0005_secret_choices")]
    operations = [
        migrations.AddField(
            model_name="combatant",
            name="condition",
            field=models.JSONField(default=dict),
        ),
    ]
