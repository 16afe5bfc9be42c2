"""Leaders, bearers and Morale that were stored before are posts and figures after the migration, and back."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps

BEFORE, AFTER = ("battles", "0006_combatants_take_the_field_in_a_condition"), ("battles", "0007_posts_and_figures")


def migrated(target: tuple[str, str]) -> StateApps:
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    others = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] == "warbands"]
    return executor.loader.project_state([target, *others]).apps


def rows_of_before(apps: StateApps) -> None:
    user = apps.get_model("auth", "User").objects.create(username="bob")
    battle = apps.get_model("battles", "Battle").objects.create(
        created_by=user, ruleset="toy", edition="1", scenario="brawl", fought_on="2026-01-01"
    )
    warband = apps.get_model("warbands", "Warband").objects.create(
        owner=user, ruleset="toy", edition="1", faction="reds", state={}
    )
    side = apps.get_model("battles", "Side").objects.create(
        battle=battle, key="a", place=0, warband=warband, role="side", morale=7
    )
    for place, (leader, banner) in enumerate([(True, False), (False, True), (True, True), (False, False)]):
        fighter = apps.get_model("warbands", "Fighter").objects.create(
            warband=warband, name=str(place), rank=1, points=1, place=place, state={}
        )
        apps.get_model("battles", "Combatant").objects.create(
            side=side, fighter=fighter, place=place, name="x", rank=1, points=1, build={}, leader=leader, banner=banner
        )


@pytest.mark.django_db(transaction=True)
def test_what_was_stored_stays_readable() -> None:
    try:
        rows_of_before(migrated(BEFORE))
        apps = migrated(AFTER)
        combatants = apps.get_model("battles", "Combatant").objects.order_by("place")
        posts = list(combatants.values_list("posts", flat=True))
        assert posts == [["leader"], ["banner"], ["leader", "banner"], []]
        side = apps.get_model("battles", "Side").objects.get()
        assert side.figures == [{"key": "morale", "label": "Morale", "value": 7}]
        back = migrated(BEFORE)
        assert back.get_model("battles", "Side").objects.get().morale == 7
        rows = back.get_model("battles", "Combatant").objects.order_by("place").values_list("leader", "banner")
        assert list(rows) == [(True, False), (False, True), (True, True), (False, False)]
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
