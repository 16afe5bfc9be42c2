"""Tasks of webhooks. Each may run twice, at the same time or be killed, and calls one function."""

from uuid import UUID

from celery import shared_task

from outbox.services import deliveries, discord_posts, relay


@shared_task
def relay_changes() -> int:
    """Pass committed changes on to webhooks. Runs several times a minute."""
    return relay.relay_changes()


@shared_task(soft_time_limit=60, time_limit=75)
def deliver(delivery_id: str) -> None:
    """Send a change to a webhook. What fails is due again later, so Celery does not retry it."""
    deliveries.deliver(delivery_id=UUID(delivery_id))


@shared_task(soft_time_limit=60, time_limit=75)
def learn_guild(webhook_id: str) -> None:
    """Learn the server of a webhook in Discord."""
    discord_posts.learn_guild(webhook_id=UUID(webhook_id))


@shared_task
def tidy() -> int:
    """Delete old deliveries. Runs once a night."""
    return relay.forget_old_deliveries()
