"""Tasks of webhooks. Each may run twice, at the same time or be killed, and calls one function."""

from uuid import UUID

from celery import shared_task

from outbox.services import deliveries, discord_posts, relay

LIMIT = 30
"""The seconds for a delivery, with all its requests. A single read of a socket has its own limit,
but a receiver that sends a byte now and then would keep a worker."""


@shared_task
def relay_changes() -> int:
    """Pass committed changes on to webhooks. Runs several times a minute."""
    return relay.relay_changes()


@shared_task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
def deliver(delivery_id: str) -> None:
    """Send a change to a webhook. What fails is due again later, so Celery does not retry it."""
    deliveries.deliver(delivery_id=UUID(delivery_id))


@shared_task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
def learn_guild(webhook_id: str) -> None:
    """Learn the server of a webhook in Discord."""
    discord_posts.learn_guild(webhook_id=UUID(webhook_id))


@shared_task
def tidy() -> int:
    """Delete old deliveries. Runs once a night."""
    return relay.forget_old_deliveries()
