"""The queue to which this process sends its tasks."""

from typing import Any

from config.celery import app


def use_queue(url: str, options: dict[str, Any], name: str = "muster") -> None:
    """Send tasks to this broker from now on, into the queue with this name."""
    app.conf.update(
        broker_url=url,
        broker_write_url=url,
        broker_read_url=url,
        broker_transport_options=options,
        task_default_queue=name,
    )
    # Celery keeps both for the life of a process, with the broker of their creation.
    app._pool = None  # type: ignore[attr-defined]
    app.amqp._producer_pool = None  # type: ignore[attr-defined]
