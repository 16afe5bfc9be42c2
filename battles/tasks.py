"""Tasks that follow a battle.

Each takes a key, may run twice or stop half way, and calls one plain function.
"""

from typing import Any
from uuid import UUID

from celery import Task, shared_task
from django.db import InterfaceError
from django.db import OperationalError as DatabaseError
from kombu.exceptions import OperationalError

from battles.follow_ups import queue_overdue, run_follow_ups


@shared_task(
    bind=True,
    autoretry_for=(OperationalError, DatabaseError, InterfaceError, OSError),
    retry_backoff=True,
    retry_backoff_max=300,
    max_retries=5,
)
def follow_up(self: "Task[Any, Any]", battle_id: str, changed_at: str) -> None:
    """Prepare what follows from a battle: rank-up offers, battle summary, campaign book."""
    run_follow_ups(UUID(battle_id), changed_at)


@shared_task
def sweep() -> int:
    """Queue the follow-ups that never ran. Runs periodically, every few minutes."""
    return queue_overdue()
