"""What a service record counts is the rule system's: tallies by their keys, in the place of two columns."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

BEFORE = ("wounds_dealt", "kills")
"""The two numbers of before, which are tallies by the same names."""
ROWS = 500


def name_tallies(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Turn the two numbers of each stored state into tallies."""
    _rewrite(apps, schema_editor, ["state"], _with_tallies)


def name_numbers(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Turn the tallies into the two numbers of before, and the columns with them."""
    _rewrite(apps, schema_editor, ["state", *BEFORE], _with_numbers)


def _rewrite(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor, columns: list[str], change: Any) -> None:
    fighters = apps.get_model("warbands", "Fighter").objects.using(schema_editor.connection.alias)
    changed: list[Any] = []
    for fighter in fighters.only("pk", "state").iterator(chunk_size=ROWS):
        if change(fighter):
            changed.append(fighter)
        if len(changed) == ROWS:
            fighters.bulk_update(changed, columns)
            changed.clear()
    fighters.bulk_update(changed, columns)


def _with_tallies(fighter: Any) -> bool:
    if not any(name in fighter.state for name in BEFORE):
        return False
    tallies = {name: fighter.state[name] for name in BEFORE if fighter.state.get(name)}
    fighter.state = {key: value for key, value in fighter.state.items() if key not in BEFORE} | {"tallies": tallies}
    return True


def _with_numbers(fighter: Any) -> bool:
    if "tallies" not in fighter.state:
        return False
    numbers = {name: fighter.state["tallies"].get(name, 0) for name in BEFORE}
    fighter.state = {key: value for key, value in fighter.state.items() if key != "tallies"} | numbers
    fighter.wounds_dealt, fighter.kills = (numbers[name] for name in BEFORE)
    return True


class Migration(migrations.Migration):
    dependencies = [("warbands", "0004_posts_of_a_warband")]
    operations = [
        migrations.RunPython(name_tallies, name_numbers),
        *(migrations.RemoveField(model_name="fighter", name=name) for name in BEFORE),
    ]
