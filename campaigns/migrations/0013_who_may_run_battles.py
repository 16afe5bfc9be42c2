from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0012_players_are_found"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="battles_run_by",
            field=models.CharField(
                choices=[
                    ("those-who-play", "Organisers, and whoever plays in the battle"),
                    ("every-player", "Every player of the club, also battles between two others"),
                ],
                default="those-who-play",
                max_length=20,
            ),
        ),
    ]
