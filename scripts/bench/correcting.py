"""The processor time of a correction of the first of many battles."""

import time
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from battles.models import Battle, BattleState
from battles.services.corrections import Correction, correct_battle
from battles.services.logbook import NewEvent
from scripts.bench.findings import Finding, at_most_processor_seconds
from scripts.bench.processor import Usage
from scripts.bench.world import World

MOST_SECONDS = 0.100


def correction_findings(world: World, turns: int) -> list[Finding]:
    """Return the finding for a correction of the first battle of a world.

    All battles after it are replayed. Each correction strikes another light wound, so that nothing
    later becomes impossible.
    """
    battles = Battle.objects.filter(campaign=world.campaign, state=BattleState.CONFIRMED)
    number, first = battles.count(), battles.earliest("confirmed_at")
    # The first correction loads what the process keeps.
    took = min([_corrected(world, first.pk, place) for place in range(1, 2 + turns)][1:])
    return [
        at_most_processor_seconds(
            f"Correct the first of {number:,} battles", took, MOST_SECONDS, "2 x 20 fighters."
        )
    ]


def _corrected(world: World, battle: UUID, event: int) -> float:
    """Strike an event, and return the processor time with that of the database."""
    reason = "The wound was misread."
    events = (NewEvent(uuid4(), "correction", {"event": event, "reason": reason}),)
    correction = Correction(events, reason)
    server: Any = connection.connection
    database = Usage(server.info.backend_pid)
    # In this order, since asking for the database's time takes time of this process.
    before = database.seconds() + time.process_time()
    correct_battle(battle_id=battle, user=world.alice, correction=correction)
    return time.process_time() + database.seconds() - before
