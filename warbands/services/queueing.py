"""Having rank-up offers renewed in the background: what a change of rules or of campaign makes of them."""

import logging
from collections.abc import Iterable
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

OFFERS = "warbands.tasks.prepare_rank_up_offers"

logger = logging.getLogger("muster.warbands")


def queue_offers(warbands: Iterable[UUID]) -> None:
    """Have the offers of these warbands prepared once the present transaction is committed.

    If the broker is down they stay as they are until the next fact; taking a step asks the rules in any case.
    """
    transaction.on_commit(partial(_send, list(warbands)))


def _send(warbands: list[UUID]) -> None:
    try:
        for warband_id in warbands:
            current_app.send_task(OFFERS, [str(warband_id)], retry=False)
    except (OperationalError, OSError):
        logger.warning("The broker does not answer: rank-up offers wait for the next fact of their warbands")
