from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("warbands", "0007_names_are_found")]

    operations = [
        migrations.AddField(
            model_name="warband",
            name="head_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.CreateModel(
            name="ChronicleRegister",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("count", models.PositiveIntegerField(default=0)),
                ("digest", models.CharField(default="", max_length=64)),
                ("signature", models.CharField(default="", max_length=64)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="one_register_of_chronicles")
                ],
            },
        ),
    ]
