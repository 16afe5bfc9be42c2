"""Sending again what was lost on the way: messages of a broker that was down, work of workers that died."""

from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from documents.models import Document, DocumentPart
from documents.services.claims import UNFINISHED, WANTED, claim_limit
from documents.services.queueing import RENDER, RENDER_PART, send

PATIENCE = timedelta(minutes=3)
"""How long something may wait for a worker before it is sent again. A message too many does no harm."""
MOST = 500
Message = tuple[str, str | int]
"""A task's name and its key."""


def sweep_documents() -> int:
    """Queue again what has waited too long; returns how many messages that were. Stops where the broker is down."""
    sent = 0
    for message in _documents() + _parts():
        if not send(*message):
            break
        sent += 1
    return sent


def _documents() -> list[Message]:
    """Documents that nobody has in hand, or only a dead worker, and that do not wait for their parts."""
    unfinished = DocumentPart.objects.filter(UNFINISHED, document=OuterRef("pk"))
    wanted = Document.objects.filter(state__in=WANTED)
    waiting = wanted.filter(_stuck(asked_at__lt=timezone.now() - PATIENCE), ~Exists(unfinished))
    return [(RENDER, str(key)) for key in waiting.order_by("asked_at").values_list("pk", flat=True)[:MOST]]


def _parts() -> list[Message]:
    """Parts of documents that were split a while ago."""
    unfinished = DocumentPart.objects.filter(UNFINISHED)
    waiting = unfinished.filter(_stuck(document__started_at__lt=timezone.now() - PATIENCE))
    return [(RENDER_PART, key) for key in waiting.order_by("pk").values_list("pk", flat=True)[:MOST]]


def _stuck(**long_ago: Any) -> Q:
    return Q(claimed_by="", **long_ago) | Q(claimed_at__lt=timezone.now() - claim_limit())
