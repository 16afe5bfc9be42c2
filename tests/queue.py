"""Where this process sends its tasks."""

from typing import Any

from config.celery import app


def use_queue(url: str, options: dict[str, Any], name: str = "muster") -> None:
    """From now on tasks go to this broker, into the queue of that name."""
    app.conf.update(
        broker_url=url,
        broker_write_url=url,
        broker_read_url=url,
        broker_transport_options=options,
        task_default_queue=name,
    )
    # Both are kept for the life of a process otherwise, with the broker that was right when they
    # were made.
    app._pool = None  # type: ignore[attr-defined]
    app.amqp._producer_pool = None  # type: ignore[attr-defined]
