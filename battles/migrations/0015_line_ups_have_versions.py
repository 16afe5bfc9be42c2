from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery


def forms_open_now_stay_as_strict(apps, schema_editor):
    """What is open in browsers during the upgrade is asked for the newest version, as it was before."""
    battles, sides = apps.get_model("battles", "Battle"), apps.get_model("battles", "Side")
    battles.objects.update(shared_version=F("version"))
    newest = battles.objects.filter(pk=OuterRef("battle")).values("version")
    sides.objects.update(version=Subquery(newest[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("battles", "0014_recorded_elsewhere"),
    ]

    operations = [
        migrations.AddField(
            model_name="battle",
            name="shared_version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="side",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        migrations.RunPython(forms_open_now_stay_as_strict, migrations.RunPython.noop),
    ]
