"""Tasks that maintain the installation: heartbeat, and deleting expired rows."""

from celery import shared_task
from django.core.management import call_command
from django.utils.timezone import now
from knox.models import AuthToken

from core.sent_requests import forget_sent_requests
from operations.health import note_heartbeat


@shared_task
def heartbeat() -> None:
    """Show that clock, broker and worker all work: see operations.health."""
    note_heartbeat()


@shared_task
def forget_expired() -> None:
    """Delete expired sessions, tokens and keys of sent requests. Safe to run twice."""
    call_command("clearsessions")
    AuthToken.objects.filter(expiry__lt=now()).delete()
    forget_sent_requests()
