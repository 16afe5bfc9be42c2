"""The state of a warband names when the latest of its battles was played; its ledger is read in the order of play."""

from collections.abc import Iterable
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ROWS = 200


def name_last_played(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write into each stored state what the replay of its chronicle comes to now."""
    alias = schema_editor.connection.alias
    warbands = apps.get_model("warbands", "Warband").objects.using(alias)
    entries = apps.get_model("warbands", "ChronicleEntry").objects.using(alias)
    keys = list(warbands.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ROWS):
        chunk = keys[start : start + ROWS]
        told: dict[Any, list[tuple[int, dict[str, Any]]]] = {key: [] for key in chunk}
        rows = entries.filter(warband__in=chunk, kind__in=("fought", "corrected")).order_by("warband", "sequence")
        for warband, sequence, payload in rows.values_list("warband_id", "sequence", "payload"):
            told[warband].append((sequence, payload))
        changed = []
        for warband in warbands.filter(pk__in=chunk).only("pk", "state"):
            # A warband whose state was never written has nothing to be read.
            if warband.state and "last_played" not in warband.state:
                warband.state = {**warband.state, "last_played": _last_played(told[warband.pk])}
                changed.append(warband)
        warbands.bulk_update(changed, ["state"])


def _last_played(told: Iterable[tuple[int, dict[str, Any]]]) -> list[str]:
    """The day and the place in it of the latest battle that counts, by its facts as they are stored."""
    current: dict[int, dict[str, Any] | None] = {}
    for sequence, payload in told:
        if payload["kind"] == "corrected":
            current[payload["target"]] = payload.get("replacement")
            current.update(dict.fromkeys(payload.get("undone", ())))
        else:
            current[sequence] = payload
    played = [
        [fact.get("fought_on", ""), fact.get("place_in_day", "")]
        for fact in current.values()
        if fact is not None and fact["kind"] == "fought"
    ]
    return max(played, default=["", ""])


class Migration(migrations.Migration):
    dependencies = [("warbands", "0010_recorded_elsewhere")]
    operations = [
        migrations.RunPython(name_last_played, migrations.RunPython.noop, elidable=False),
        migrations.RemoveIndex(model_name="experienceentry", name="ledger_fighter"),
        migrations.AddIndex(
            model_name="experienceentry", index=models.Index(fields=["fighter", "id"], name="ledger_of_a_fighter")
        ),
        migrations.AddIndex(
            model_name="experienceentry", index=models.Index(fields=["warband", "id"], name="ledger_of_a_warband")
        ),
        migrations.AlterModelOptions(name="experienceentry", options={"ordering": ("warband", "id")}),
    ]
