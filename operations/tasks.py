"""Tasks that keep the installation running: heartbeat, and deleting what has expired."""

from celery import shared_task
from django.core.management import call_command
from django.utils.timezone import now
from knox.models import AuthToken

from core.sent_requests import forget_sent_requests
from operations.health import note_heartbeat


@shared_task
def heartbeat() -> None:
    """Prove that clock, broker and worker all work: see operations.health."""
    note_heartbeat()


@shared_task
def forget_expired() -> None:
    """Delete sessions, tokens and keys of what was sent whose time is over. Safe to run twice."""
    call_command("clearsessions")
    AuthToken.objects.filter(expiry__lt=now()).delete()
    forget_sent_requests()
