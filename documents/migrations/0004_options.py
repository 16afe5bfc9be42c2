from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0003_language"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="options",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
        migrations.AlterField(
            model_name="document",
            name="kind",
            field=models.CharField(
                choices=[
                    ("campaign", "Campaign summary"),
                    ("roster", "Warband roster"),
                    ("career", "Fighter's career"),
                    ("battle", "Battle summary"),
                    ("rank-ups", "Rank-up sheet"),
                    ("blank", "Blank roster"),
                ],
                max_length=10,
            ),
        ),
        migrations.RemoveConstraint(model_name="document", name="one_document_per_subject"),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("kind", "subject", "paper", "language", "options"), name="one_document_per_subject"
            ),
        ),
    ]
