from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0010_names_are_found"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="example",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.UniqueConstraint(
                condition=models.Q(("example", True)), fields=("example",), name="one_example_campaign"
            ),
        ),
    ]
