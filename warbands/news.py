"""Telling the inbox, which no room below it may import, that something has changed which may wait
for somebody."""

from functools import partial
from uuid import UUID

from django.db import transaction

from warbands.outbox import send_or_keep

LOOK = "home.tasks.queue_news_for"


def announce(what: str, key: UUID) -> None:
    """Once the present transaction is committed, have a worker look whom the "battle", "campaign",
    "member" or "warband" gives something to do. If the broker is down nobody waits for it: the
    clock sends it later."""
    transaction.on_commit(partial(send_or_keep, LOOK, [[what, str(key)]]))
