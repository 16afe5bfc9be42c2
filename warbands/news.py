"""Notices to the inbox that something changed; apps below ``home`` may not import the inbox."""

from functools import partial
from uuid import UUID

from django.db import transaction

from warbands.outbox import send_or_keep

LOOK = "home.tasks.queue_news_for"


def announce(what: str, key: UUID) -> None:
    """Queue the search for members who now have something to do, for after the commit.

    ``what`` is "battle", "campaign", "evening", "member" or "warband". If the broker is down,
    nobody waits for it: the scheduler sends the task later.
    """
    transaction.on_commit(partial(send_or_keep, LOOK, [[what, str(key)]]))
