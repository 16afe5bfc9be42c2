from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0002_dice_corrections_and_follow_ups"),
        ("campaigns", "0003_classic_campaigns"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="part",
            field=models.CharField(
                blank=True,
                choices=[("", "A battle of its own"), ("small-game", "Small game"), ("final", "Final")],
                default="",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="side",
            name="plan",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddConstraint(
            model_name="battle",
            constraint=models.UniqueConstraint(
                condition=models.Q(models.Q(("part", ""), _negated=True), models.Q(("state", "void"), _negated=True)),
                fields=("campaign", "part", "scenario"),
                name="part_of_a_campaign_played_once",
            ),
        ),
    ]
