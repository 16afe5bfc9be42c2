"""Tasks of pictures."""

from celery import shared_task

from pictures.services.sweeping import sweep_pictures


@shared_task
def sweep() -> int:
    """Delete pictures and files that are not used. Scheduled once a night."""
    return sweep_pictures()
