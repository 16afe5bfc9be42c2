"""``check_chronicle`` names a row that cannot be read, and goes on to the others."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from battles.models import Battle, BattleEvent, Combatant, Side
from campaigns.models import Campaign
from tests.battles.field import confirmed, fighters, muster, wound
from tests.battles.test_proving_battles import undone
from tests.warbands.test_check_chronicle import behind_its_back
from warbands.models import ChronicleEntry, Fighter, Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return confirmed(
        alice, campaign, reds, blues, events=(wound(fighters(reds)[0], fighters(blues)[1], "dead"),)
    )


@pytest.fixture
def sound(battle: Battle, bob: User) -> Warband:
    """Return a forged warband. It sorts last, so the check must report it after all others."""
    warband = muster(bob, "Forged")
    Warband.objects.filter(pk=warband.pk).update(points=9999)
    return warband


def complaint() -> str:
    lines = StringIO()
    with pytest.raises(CommandError) as refusal:
        call_command("check_chronicle", stdout=lines, stderr=lines, every=True)
    assert refusal.value.returncode == 1
    return f"{lines.getvalue()}{refusal.value}"


def raw(sql: str, *values: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def side(battle: Battle) -> Side:
    return battle.sides.order_by("place")[0]


def warband_of(battle: Battle) -> str:
    return str(side(battle).warband_id)


def deleted_warband(battle: Battle) -> str:
    """Delete a warband of a confirmed duel, with everything but its side, and return its id."""
    warband = side(battle).warband_id
    if connection.vendor == "postgresql":
        raw("SET CONSTRAINTS ALL DEFERRED")
    Fighter.objects.filter(warband=warband)._raw_delete("default")
    Warband.objects.filter(pk=warband)._raw_delete("default")
    return str(warband)


def nonsense_state(battle: Battle) -> str:
    Warband.objects.filter(pk=side(battle).warband_id).update(state={"fighters": 7})
    return warband_of(battle)


def state_of_another_type(battle: Battle) -> str:
    Warband.objects.filter(pk=warband_of(battle)).update(state=["a", "list"])
    return warband_of(battle)


def unknown_rules_of_a_battle(battle: Battle) -> str:
    Battle.objects.filter(pk=battle.pk).update(ruleset="nonsense")
    return str(battle.pk)


def unknown_edition_of_a_battle(battle: Battle) -> str:
    Battle.objects.filter(pk=battle.pk).update(edition="1812")
    return str(battle.pk)


def unknown_rules_of_a_campaign(battle: Battle) -> str:
    Campaign.objects.filter(battles=battle).update(ruleset="nonsense")
    return str(battle.campaign_id)


def unknown_fact(battle: Battle) -> str:
    ChronicleEntry.objects.filter(warband=UUID(warband_of(battle)), kind="fought").update(
        payload={"kind": "nonsense"}
    )
    return warband_of(battle)


def fact_of_another_type(battle: Battle) -> str:
    ChronicleEntry.objects.filter(warband=UUID(warband_of(battle)), kind="fought").update(
        payload=[1, 2]
    )
    return warband_of(battle)


def unknown_event(battle: Battle) -> str:
    BattleEvent.objects.filter(battle=battle, sequence=1).update(kind="nonsense", data={"a": None})
    return str(battle.pk)


def event_of_another_type(battle: Battle) -> str:
    BattleEvent.objects.filter(battle=battle, sequence=1).update(data=[None])
    return str(battle.pk)


def nonsense_build(battle: Battle) -> str:
    Combatant.objects.filter(side=side(battle)).update(build=[7], condition="x")
    return str(battle.pk)


def result_of_another_type(battle: Battle) -> str:
    Battle.objects.filter(pk=battle.pk).update(result=["nothing", {"sides": None}])
    return str(battle.pk)


def no_result(battle: Battle) -> str:
    Battle.objects.filter(pk=battle.pk).update(result=None)
    return str(battle.pk)


def unknown_fighter(battle: Battle) -> str:
    Combatant.objects.filter(pk=side(battle).combatants.all()[0].pk).update(fighter=uuid4())
    return str(battle.pk)


def unknown_state(battle: Battle) -> str:
    Battle.objects.filter(pk=battle.pk).update(state="lost")
    return str(battle.pk)


KINDS: list[Callable[[Battle], str]] = [
    deleted_warband,
    nonsense_state,
    state_of_another_type,
    unknown_rules_of_a_battle,
    unknown_edition_of_a_battle,
    unknown_rules_of_a_campaign,
    unknown_fact,
    fact_of_another_type,
    unknown_event,
    event_of_another_type,
    nonsense_build,
    result_of_another_type,
    no_result,
    unknown_fighter,
    unknown_state,
]


def test_broken_row_is_named_and_ends_nothing(battle: Battle, sound: Warband) -> None:
    for break_row in KINDS:
        with undone(), behind_its_back():
            named = break_row(battle)
            lines = complaint()
            assert named in lines, break_row.__name__
            assert f"({sound.pk})" in lines, (
                f"{break_row.__name__}: the check did not come to the others"
            )


@contextmanager
def lenient() -> Iterator[None]:
    """Disable the checks of SQLite, so that it accepts invalid rows."""
    raw("PRAGMA ignore_check_constraints = ON")
    yield
    raw("PRAGMA ignore_check_constraints = OFF")


BROKEN_COLUMNS = (
    ("warbands_warband", "id", "no uuid"),
    ("battles_battle", "id", "no uuid"),
    ("warbands_warband", "state", "{not json"),
    ("warbands_fighter", "state", "{not json"),
    ("warbands_chronicleentry", "payload", "{not json"),
    ("battles_battle", "result", "{not json"),
    ("battles_battle", "fought_on", "the day before"),
    ("battles_battleevent", "data", "{not json"),
    ("battles_side", "extras", "{not json"),
    ("battles_side", "warband_id", "nobody"),
    ("campaigns_campaign", "house_rules", "{not json"),
    ("campaigns_campaign", "id", "no uuid"),
)
"""Return values that SQLite stores and PostgreSQL refuses."""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL takes none of these values")
def test_column_of_a_wrong_type_ends_nothing(battle: Battle, sound: Warband) -> None:
    for table, column, value in BROKEN_COLUMNS:
        with undone(), behind_its_back(), lenient():
            raw(
                f"UPDATE {table} SET {column} = %s WHERE rowid = (SELECT min(rowid) FROM {table})",
                value,
            )
            lines = complaint()
            assert f"({sound.pk})" in lines, (
                f"{table}.{column}: the check did not come to the others"
            )
            reported = sum(line.startswith("  ") for line in lines.splitlines())
            assert reported > 1, f"{table}.{column}: {lines}"
