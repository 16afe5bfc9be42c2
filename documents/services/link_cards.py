"""Link cards: made by workers, and stored in the cache under what they show.

A card has no row. Any change of what it shows is another name in the cache, so no card is ever out
of date, and one that nobody asks for any more is forgotten.
"""

import hashlib
import time
from threading import BoundedSemaphore
from uuid import UUID

import msgspec
from celery import current_app
from django.core.cache import cache
from django.utils.translation import get_language
from kombu.exceptions import OperationalError

from core.page_cache import code_version
from documents.content.link_cards import LinkCard, LinkSubject, link_card
from documents.languages import speaking
from documents.models import Language

MAKE = "documents.tasks.link_card"
KEPT = 7 * 24 * 60 * 60
"""The seconds for which a card is kept."""
ASKED_ONCE = 30
"""The seconds for which a card is not queued again."""
PATIENCE, LOOK_EVERY = 0.8, 0.05
"""The seconds for which a request waits for a card: chats ask once, and show what they got."""
WAITING = BoundedSemaphore(2)
"""At most so many requests of a process wait: the others are needed for pages."""


def stored_card(subject: LinkSubject, key: UUID, language: Language) -> bytes | None:
    """Return the PNG of a row's card; b"" if it is not ready, None if strangers may not see it."""
    with speaking(language):
        content = link_card(subject, key)
        if content is None:
            return None
        name = card_name(content)
    png = cache.get(name)
    if png is None and cache.add(f"{name}-asked", True, ASKED_ONCE):
        _queue(subject, key, language)
    if png is None and WAITING.acquire(blocking=False):
        try:
            png = _wait_for(name)
        finally:
            WAITING.release()
    return png or b""


def make_card(subject: LinkSubject, key: UUID, language: Language) -> None:
    """Print the card of a row as it is now, and store it. May run twice, or die half way."""
    # WeasyPrint takes 30 MB, and only workers print.
    from documents.printing import printed_card  # noqa: PLC0415 - see above

    with speaking(language):
        content = link_card(subject, key)
        if content is None:
            return
        name = card_name(content)
        if cache.get(name) is None:
            cache.set(name, printed_card(content, identifier=name[-32:]), KEPT)


def card_name(content: LinkCard) -> str:
    """Return the name of a card in the cache: it depends on everything that the card shows."""
    spoken = f"{get_language()} {code_version()} ".encode()
    return f"link-card-{hashlib.sha256(spoken + msgspec.json.encode(content)).hexdigest()}"


def _queue(subject: LinkSubject, key: UUID, language: Language) -> None:
    try:
        current_app.send_task(MAKE, [subject.value, str(key), language.value], retry=False)
    except (OperationalError, OSError):
        # The next request after ``ASKED_ONCE`` asks again.
        return


def _wait_for(name: str) -> bytes | None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        png: bytes | None = cache.get(name)
        if png is not None:
            return png
        time.sleep(LOOK_EVERY)
    return None
