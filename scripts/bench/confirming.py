"""Confirm a battle of 2 x 20 fighters and 60 events, compared with bare SQL.

The bare SQL writes the same rows.

There are two identical worlds. In the first one the service confirms a battle. The rows that it
wrote are then written for the twin battle of the second world, through the driver alone: the same
tables, indexes, keys and triggers.
"""

from functools import partial
from uuid import UUID

from audit.models import AuditChain, AuditEntry
from audit.verbs import Verb
from battles.models import Battle, Side
from battles.services.review import confirm_side
from scripts.bench.bare import Statement, bare_connection, insert, update, upsert, write
from scripts.bench.timing import Pair, best, seconds
from scripts.bench.twins import Twins
from scripts.bench.world import World, fought
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.services.projection import WARBAND_COLUMNS

BATTLE = ("state", "result", "confirmed_at", "follow_ups_due_since", "version")
SIDE = (
    "outcome",
    "victory_points",
    "victory_points_against",
    "verdict",
    "decided_by_id",
    "decided_at",
)
CHAIN = ("length", "seal", "signature")
WARM_UP = 2


def confirming(world: World, twin: World, turns: int) -> Pair:
    """Return the time of a confirmation and of its bare writes."""
    twins = Twins(world, twin)
    samples: list[tuple[float, float]] = []
    with bare_connection() as bare:
        for _ in range(WARM_UP + turns):
            battle, other = fought(world), fought(twin)
            twins.add_battle(battle, other)
            took = seconds(partial(confirm_side, battle_id=battle, user=world.bob))
            statements = written(battle, twins)
            samples.append((took, seconds(partial(write, bare, statements))))
    return best(samples[WARM_UP:])


def written(battle_id: UUID, twins: Twins) -> list[Statement]:
    """Return the statements that write the rows of a battle's confirmation for its twin."""
    entries = list(ChronicleEntry.objects.filter(subject=battle_id, kind="fought"))
    places = {entry.warband_id: entry.sequence for entry in entries}
    ledger = [
        line
        for warband, sequence in places.items()
        for line in ExperienceEntry.objects.filter(warband=warband, sequence=sequence)
    ]
    fighters = Fighter.objects.filter(warband__in=places)
    audit_entry = _audit_entry(battle_id)
    return [
        insert([twins.of(entry) for entry in entries], without=("id",)),
        upsert([twins.of(fighter) for fighter in fighters]),
        insert([twins.of(line) for line in ledger], without=("id",)),
        *(
            update(twins.of(warband), *WARBAND_COLUMNS)
            for warband in Warband.objects.filter(pk__in=places)
        ),
        *(update(twins.of(side), *SIDE) for side in Side.objects.filter(battle=battle_id)),
        update(twins.of(Battle.objects.get(pk=battle_id)), *BATTLE),
        # The place in the chain is taken, so the twin's entry is written outside the chain.
        insert([twins.of(audit_entry)], without=("id", "chain", "place", "seal")),
        update(AuditChain.objects.get(pk=audit_entry.chain or 0), *CHAIN),
    ]


def _audit_entry(battle_id: UUID) -> AuditEntry:
    """Return the audit entry of the confirmation."""
    return AuditEntry.objects.get(subject_id=battle_id, verb=Verb.BATTLE_CONFIRMED)


def rows_written(battle_id: UUID) -> int:
    """Return the number of rows that the confirmation of a battle wrote."""
    entries = list(ChronicleEntry.objects.filter(subject=battle_id, kind="fought"))
    lines = sum(
        ExperienceEntry.objects.filter(warband=each.warband_id, sequence=each.sequence).count()
        for each in entries
    )
    fighters = Fighter.objects.filter(warband__in=[each.warband_id for each in entries]).count()
    return 3 * len(entries) + lines + fighters + 3
