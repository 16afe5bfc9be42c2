"""Update rank-up offers and documents after a battle has changed warbands.

The battle's row notes that this is due, in the transaction that changes the warbands. After the
commit a task is queued; if the broker is down, the note stays and ``battles.tasks.sweep`` queues
the task later. The note is removed once a worker has prepared the offers and queued the documents:
a lost message is sent again, and the work of a killed worker is done by another one.
"""

import logging
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from battles.models import Battle
from warbands.services.rank_up_offers import prepare_offers

FOLLOW_UP = "battles.tasks.follow_up"
BATTLE_DOCUMENT = "documents.tasks.refresh_battle"
CAMPAIGN_DOCUMENT = "documents.tasks.refresh_campaign"
PATIENCE = timedelta(seconds=30)
"""The time that a follow-up may wait for a worker before it is queued again.

The periodic task checks every 15 seconds.
"""

logger = logging.getLogger("muster.battles")


def schedule_follow_ups(battle: Battle) -> None:
    """Note on the row that follow-ups are due, and queue them after the commit.

    The caller saves the row.
    """
    battle.follow_ups_due_since = timezone.now()
    transaction.on_commit(partial(queue_follow_ups, battle.pk))


def queue_follow_ups(battle_id: UUID) -> bool:
    """Queue the follow-ups of a battle, after the commit.

    Returns False if the broker cannot be reached: the sweep tries again.
    """
    changed_at = timezone.now().isoformat()
    try:
        current_app.send_task(FOLLOW_UP, [str(battle_id), changed_at], retry=False)
    except (OperationalError, OSError):
        logger.warning(
            "The broker does not answer: follow-ups of a battle wait",
            extra={"battle": str(battle_id)},
        )
        return False
    return True


def run_follow_ups(battle_id: UUID, changed_at: str) -> None:
    """Queue the documents that follow from a battle, and prepare its warbands' rank-up offers.

    ``changed_at`` is a time after the change was committed: documents that were read since then
    show it. Can be repeated safely. Raises the OperationalError of broker and database, OSError.
    """
    battle = Battle.objects.filter(pk=battle_id).first()
    if battle is None:
        return
    current_app.send_task(BATTLE_DOCUMENT, [str(battle_id), changed_at])
    if battle.campaign_id is not None:
        current_app.send_task(CAMPAIGN_DOCUMENT, [str(battle.campaign_id), changed_at])
    for warband_id in battle.sides.order_by("place").values_list("warband_id", flat=True):
        prepare_offers(warband_id=warband_id)
    # If the battle was changed meanwhile, new follow-ups were noted: that note stays.
    noted = battle.follow_ups_due_since
    Battle.objects.filter(pk=battle_id, follow_ups_due_since=noted).update(
        follow_ups_due_since=None
    )


def queue_overdue() -> int:
    """Queue follow-ups again that have waited too long, and return their number.

    Stops if the broker is down.
    """
    overdue = Battle.objects.filter(follow_ups_due_since__lt=timezone.now() - PATIENCE).order_by(
        "follow_ups_due_since"
    )
    queued = 0
    for battle_id in overdue.values_list("pk", flat=True)[:500]:
        if not queue_follow_ups(battle_id):
            break
        queued += 1
    return queued
