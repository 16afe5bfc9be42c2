"""Create a history of ten thousand battles by copying one battle inside PostgreSQL.

Each copy has its own battle, sides, combatants and events, its own entry in both chronicles and its
own ledger lines; ids and seals follow from the number of the copy. The seals do not form a chain,
and nothing here verifies them.
"""

from collections.abc import Mapping
from uuid import UUID

from django.db import connection, models, transaction

from battles.models import Battle, BattleEvent, Combatant, Side
from warbands.models import ChronicleEntry, ExperienceEntry

COPY = "md5(n || {}::text)::uuid"
SEAL = "md5(n || {0}) || md5({0} || n)"
BATTLE_ID = COPY.format("battle_id")


def add_history(template: UUID, count: int) -> None:
    """Make ``count`` copies of the template, the last battle that its warbands fought."""
    with transaction.atomic(), connection.cursor() as cursor:
        # The copies are consistent by construction; checking each key again would take most of the
        # time.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in (*COPIES, LAST):
            cursor.execute(statement, {"count": count, "battle": template})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _copy(model: type[models.Model], which: str, changed: Mapping[str, str]) -> str:
    """Return SQL that copies rows of a table, with some columns changed.

    The database numbers the rows.
    """
    fields = model._meta.concrete_fields
    columns = [
        str(field.column)
        for field in fields
        if not (field.primary_key and field.column not in changed)
    ]
    values = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    named = ", ".join(f'"{column}"' for column in columns)
    table = model._meta.db_table
    # Names come from the models and this module, never from input.
    copies = f"{table}, generate_series(1, %(count)s) n"
    return f"INSERT INTO {table} ({named}) SELECT {values} FROM {copies} WHERE {which}"  # noqa: S608


OF_BATTLE = "battle_id = %(battle)s"
OF_SIDES = f"side_id IN (SELECT id FROM {Side._meta.db_table} WHERE {OF_BATTLE})"  # noqa: S608
ENTRIES = (
    f"SELECT warband_id, sequence FROM {ChronicleEntry._meta.db_table} WHERE subject = "  # noqa: S608
    "%(battle)s"
)
COPIES = (
    _copy(Battle, "id = %(battle)s", {"id": COPY.format("id")}),
    _copy(Side, OF_BATTLE, {"id": COPY.format("id"), "battle_id": BATTLE_ID}),
    _copy(Combatant, OF_SIDES, {"side_id": COPY.format("side_id")}),
    _copy(BattleEvent, OF_BATTLE, {"battle_id": BATTLE_ID, "client_id": COPY.format("client_id")}),
    _copy(ExperienceEntry, f"(warband_id, sequence) IN ({ENTRIES})", {"sequence": "sequence + n"}),
    _copy(
        ChronicleEntry,
        "subject = %(battle)s",
        {
            "sequence": "sequence + n",
            "subject": COPY.format("subject"),
            "payload": f"jsonb_set(payload, '{{battle}}', to_jsonb({COPY.format('subject')}))",
            "previous_seal": SEAL.format("previous_seal"),
            "seal": SEAL.format("seal"),
        },
    ),
)
LAST = f"""
UPDATE warbands_warband w SET
    sequence = w.sequence + %(count)s,
    head_seal = {SEAL.format("e.seal")},
    state = jsonb_set(w.state, '{{sequence}}', to_jsonb(w.sequence + %(count)s))
FROM warbands_chronicleentry e, (SELECT %(count)s AS n) counted
WHERE e.subject = %(battle)s AND e.warband_id = w.id
"""  # noqa: S608
