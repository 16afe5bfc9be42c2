"""The stored states of warbands say who fills which post: before, there were a leader and a bearer of the banner."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

BEFORE = {"leader": "leader", "bearer": "banner"}
"""The fields of before, and the posts that they are now."""


def name_posts(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Turn the two fields into posts."""
    rows = apps.get_model("warbands", "Warband").objects.using(schema_editor.connection.alias)
    for warband in rows.only("pk", "state").iterator():
        if BEFORE.keys() & warband.state.keys():
            posts = {post: [warband.state[field]] for field, post in BEFORE.items() if warband.state.get(field)}
            warband.state = {
                **{key: value for key, value in warband.state.items() if key not in BEFORE},
                "posts": posts,
            }
            warband.save(update_fields=["state"])


def name_leader_and_bearer(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Turn the posts into the two fields of before."""
    rows = apps.get_model("warbands", "Warband").objects.using(schema_editor.connection.alias)
    for warband in rows.only("pk", "state").iterator():
        posts = warband.state.get("posts", {})
        before = {field: next(iter(posts.get(post, ())), None) for field, post in BEFORE.items()}
        warband.state = {**{key: value for key, value in warband.state.items() if key != "posts"}, **before}
        warband.save(update_fields=["state"])


class Migration(migrations.Migration):
    dependencies = [("warbands", "0003_fighters_carry_a_condition")]
    operations = [migrations.RunPython(name_posts, name_leader_and_bearer)]
