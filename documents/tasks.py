"""Tasks of documents.

Each one takes an id, calls one plain function, and may run twice, run twice at once or be
interrupted.

The two that print load WeasyPrint themselves: it takes 30 MB, and most processes that know the
tasks never print. The workers of a server load it before they start (config.celery).
"""

import gc
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from celery import Task, shared_task

from core.jobs.running import TASK_OPTIONS
from documents.content.link_cards import LinkSubject
from documents.models import DocumentKind, Language
from documents.services.link_cards import make_card
from documents.services.queue import sweep_documents
from documents.services.queue import take_over as take_over_now
from documents.services.requesting import add_preview_card, refresh_documents
from documents.services.stored_files import sweep_files


@cache
def _rendering() -> Any:
    """Return the module that prints, which is loaded with WeasyPrint for the first document.

    What is loaded stays, so the search for garbage after each document leaves it out. In a book of
    200 battles that saves 2 seconds.
    """
    from documents.services import rendering  # noqa: PLC0415 - see above

    gc.collect()
    gc.freeze()
    return rendering


@shared_task(bind=True, **TASK_OPTIONS)
def render(self: "Task[Any, Any]", document_id: str) -> None:
    """Do the next step of a document."""
    _rendering().render_document(UUID(document_id), task=self.request.id or "")


@shared_task(bind=True, **TASK_OPTIONS)
def render_part(self: "Task[Any, Any]", part_id: int) -> None:
    """Render a part of a big document. After the last part, the document is merged."""
    _rendering().render_part(part_id, task=self.request.id or "")


@shared_task(**TASK_OPTIONS)
def refresh_battle(battle_id: str, changed_at: str) -> None:
    """Update a battle's summary, and its result cards, after a confirmation or a correction.

    A battle that strangers may see gets a card for link previews.
    """
    key, since = UUID(battle_id), datetime.fromisoformat(changed_at)
    refresh_documents(DocumentKind.BATTLE, key, since=since)
    refresh_documents(DocumentKind.RESULT_CARD, key, since=since, add_plain=False)
    add_preview_card(key, Language.ENGLISH)


@shared_task(**TASK_OPTIONS)
def preview_card(battle_id: str, language: str) -> None:
    """Queue the result card of a battle for link previews, if it never had one."""
    add_preview_card(UUID(battle_id), Language(language))


@shared_task(**TASK_OPTIONS)
def link_card(subject: str, key: str, language: str) -> None:
    """Make the card of a campaign, club, warband or fighter for link previews."""
    make_card(LinkSubject(subject), UUID(key), Language(language))


@shared_task(**TASK_OPTIONS)
def refresh_campaign(campaign_id: str, changed_at: str) -> None:
    """Update a campaign's summary after a confirmation or a correction."""
    since = datetime.fromisoformat(changed_at)
    refresh_documents(DocumentKind.CAMPAIGN, UUID(campaign_id), since=since)


@shared_task
def sweep() -> int:
    """Send lost messages again. Scheduled every few minutes."""
    return sweep_documents()


@shared_task
def take_over() -> int:
    """Queue again what dead workers had claimed. Scheduled several times a minute."""
    return take_over_now()


@shared_task
def tidy() -> int:
    """Delete files without a row. Scheduled once a night."""
    return sweep_files()
