"""Background tasks: prepared rank-ups after a battle, and tasks that are sent again."""

from uuid import UUID

from celery import shared_task
from django.db import InterfaceError, OperationalError

from core.errors import NotFound
from warbands.outbox import send_kept as send_what_was_kept
from warbands.services.rank_up_offers import prepare_offers


@shared_task
def send_kept() -> int:
    """Send the tasks that the broker did not accept.

    The scheduler runs this several times a minute.
    """
    return send_what_was_kept()


@shared_task(
    autoretry_for=(OperationalError, InterfaceError),
    retry_backoff=2,
    retry_backoff_max=120,
    max_retries=6,
    soft_time_limit=60,
    time_limit=90,
)
def prepare_rank_up_offers(warband_id: str) -> None:
    """Store the steps that each veteran of a warband can take.

    Safe to run twice, at the same time, or after an interrupted run.
    """
    try:
        prepare_offers(warband_id=UUID(warband_id))
    except NotFound:
        return
