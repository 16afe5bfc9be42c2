"""Tasks of pictures."""

from celery import shared_task

from pictures.services.sweeping import sweep_pictures


@shared_task
def sweep() -> int:
    """Delete what nobody refers to. For the clock, once a night."""
    return sweep_pictures()
