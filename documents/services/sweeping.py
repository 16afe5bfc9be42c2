"""Sending again what was lost on the way: messages of a broker that was down, work of workers that died."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from documents.models import Document, DocumentPart, DocumentState
from documents.services.claims import UNFINISHED, WANTED, due, lapsed
from documents.services.queueing import RENDER, RENDER_PART, send

logger = logging.getLogger("muster.documents")

PATIENCE = timedelta(seconds=30)
"""How long something may wait for a worker before it is sent again: with the clock's round nobody waits for a full
minute. A message too many does no harm, and there are few: a sweep stands in the queue behind what was sent before it.
"""
MOST = 500
Message = tuple[str, str | int]
"""A task's name and its key."""


def sweep_documents() -> int:
    """Queue again what has waited too long; returns how many messages that were. Stops where the broker is down."""
    sent_count = 0
    for message in _documents() + _parts():
        if not send(*message):
            break
        sent_count += 1
    return sent_count


def take_over() -> int:
    """Let go of what dead workers had in hand, and queue it again; returns how much that was. Four queries at most."""
    parts = DocumentPart.objects.filter(lapsed(), UNFINISHED)
    return take_over_rows({RENDER_PART: parts, RENDER: Document.objects.filter(lapsed(), state__in=WANTED)})


def take_over_rows(lapsed_rows: Mapping[str, QuerySet[Any]]) -> int:
    """As ``take_over``, for rows whose claims have lapsed, by the task that makes them. Two queries at most for each.

    Without its claim nothing is found twice here: what is lost on the way waits for its sweep.
    """
    messages_to_send: list[Message] = []
    for task, rows in lapsed_rows.items():
        keys: list[Any] = list(rows.values_list("pk", flat=True)[:MOST])
        if keys:
            rows.filter(pk__in=keys).update(claimed_by="", claimed_at=None)
            messages_to_send += [(task, key if isinstance(key, int) else str(key)) for key in keys]
    if messages_to_send:
        logger.warning("Took over from workers that are dead: %s rows", len(messages_to_send))
    return sum(send(*message) for message in messages_to_send)


def _documents() -> list[Message]:
    """Documents that nobody has in hand, or only a dead worker, and that wait neither for their parts nor for further
    changes. What was postponed has never been sent: it is as soon as it is due."""
    unfinished = DocumentPart.objects.filter(UNFINISHED, document=OuterRef("pk"))
    candidates = Document.objects.filter(due(), state__in=WANTED)
    postponed = Q(state=DocumentState.QUEUED, claimed_by="", due_at__isnull=False)
    waiting = candidates.filter(postponed | _stuck(asked_at__lt=timezone.now() - PATIENCE), ~Exists(unfinished))
    return [(RENDER, str(key)) for key in waiting.order_by("asked_at").values_list("pk", flat=True)[:MOST]]


def _parts() -> list[Message]:
    """Parts of documents that were split a while ago."""
    unfinished = DocumentPart.objects.filter(UNFINISHED)
    waiting = unfinished.filter(_stuck(document__started_at__lt=timezone.now() - PATIENCE))
    return [(RENDER_PART, key) for key in waiting.order_by("pk").values_list("pk", flat=True)[:MOST]]


def _stuck(**long_ago: Any) -> Q:
    return Q(claimed_by="", **long_ago) | lapsed()
