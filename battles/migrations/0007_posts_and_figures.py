"""Combatants fill posts, sides have figures: before, there were a leader, a bearer of the banner, and Morale."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

POSTS = ("leader", "banner")


def name_posts_and_figures(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the new columns from those of before."""
    alias = schema_editor.connection.alias
    combatants = apps.get_model("battles", "Combatant").objects.using(alias)
    combatants.filter(leader=True, banner=True).update(posts=["leader", "banner"])
    combatants.filter(leader=True, banner=False).update(posts=["leader"])
    combatants.filter(leader=False, banner=True).update(posts=["banner"])
    sides = apps.get_model("battles", "Side").objects.using(alias).exclude(morale=None)
    for morale in set(sides.values_list("morale", flat=True)):
        sides.filter(morale=morale).update(figures=[{"key": "morale", "label": "Morale", "value": morale}])


def name_leaders_banners_and_morale(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the columns of before from the new ones."""
    alias = schema_editor.connection.alias
    for combatant in apps.get_model("battles", "Combatant").objects.using(alias).exclude(posts=[]).iterator():
        combatant.leader, combatant.banner = ("leader" in combatant.posts, "banner" in combatant.posts)
        combatant.save(update_fields=["leader", "banner"])
    for side in apps.get_model("battles", "Side").objects.using(alias).exclude(figures=[]).iterator():
        side.morale = next((each["value"] for each in side.figures if each["key"] == "morale"), None)
        side.save(update_fields=["morale"])


class Migration(migrations.Migration):
    dependencies = [("battles", "0006_combatants_take_the_field_in_a_condition")]
    # Postgres changes no table in a transaction that has rows of it waiting to be checked.
    atomic = False
    operations = [
        migrations.AddField("side", "figures", models.JSONField(blank=True, default=list)),
        migrations.AddField("combatant", "posts", models.JSONField(blank=True, default=list)),
        migrations.RunPython(name_posts_and_figures, name_leaders_banners_and_morale),
        migrations.RemoveField("side", "morale"),
        migrations.RemoveField("combatant", "leader"),
        migrations.RemoveField("combatant", "banner"),
    ]
