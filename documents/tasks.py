"""Tasks of documents. Each takes a key, may run twice, twice at once or die half way, and calls one
plain function."""

from typing import Any
from uuid import UUID

from celery import Task, shared_task

from core.jobs.running import TASK_OPTIONS
from documents.models import DocumentKind
from documents.services.queue import sweep_documents
from documents.services.queue import take_over as take_over_now
from documents.services.rendering import render_document as render_one
from documents.services.rendering import render_part as render_one_part
from documents.services.requesting import refresh_documents
from documents.services.stored_files import sweep_files


@shared_task(bind=True, **TASK_OPTIONS)
def render(self: "Task[Any, Any]", document_id: str) -> None:
    """Take a document one step on."""
    render_one(UUID(document_id), task=self.request.id or "")


@shared_task(bind=True, **TASK_OPTIONS)
def render_part(self: "Task[Any, Any]", part_id: int) -> None:
    """Render a part of a big document; whoever finishes the last one has the document bound."""
    render_one_part(part_id, task=self.request.id or "")


@shared_task(**TASK_OPTIONS)
def refresh_battle(battle_id: str) -> None:
    """Bring a battle's summary up to date, after a confirmation or a correction."""
    refresh_documents(DocumentKind.BATTLE, UUID(battle_id))


@shared_task(**TASK_OPTIONS)
def refresh_campaign(campaign_id: str) -> None:
    """Bring a campaign's summary up to date, after a confirmation or a correction."""
    refresh_documents(DocumentKind.CAMPAIGN, UUID(campaign_id))


@shared_task
def sweep() -> int:
    """Send again what was lost on the way. For the clock, every few minutes."""
    return sweep_documents()


@shared_task
def take_over() -> int:
    """Queue again what dead workers had in hand. For the clock, several times a minute."""
    return take_over_now()


@shared_task
def tidy() -> int:
    """Delete files of which no row knows. For the clock, once a night."""
    return sweep_files()
