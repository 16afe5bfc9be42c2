"""Telling the inbox, which no room below it may import, that something has changed which may wait for somebody."""

import logging
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

LOOK = "inbox.tasks.look"

logger = logging.getLogger("muster.warbands")


def announce(what: str, key: UUID) -> None:
    """Once the present transaction is committed, have a worker look whom the "battle", "campaign", "member" or
    "warband" gives something to do. If the broker is down nobody waits for it: the clock looks again."""
    transaction.on_commit(partial(_send, what, key))


def _send(what: str, key: UUID) -> None:
    try:
        current_app.send_task(LOOK, [what, str(key)], retry=False)
    except (OperationalError, OSError):
        logger.warning("The broker does not answer: news of a %s waits for the clock", what)
