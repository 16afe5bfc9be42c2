"""Pictures for link previews, of what everybody may see: result cards, and cards of clubs,
campaigns, warbands and fighters."""

from uuid import UUID

from celery import current_app
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from battles.models import Battle
from core.errors import StateConflict, Unavailable
from core.views import get_visible_or_404, public_file
from documents.content.link_cards import LinkSubject
from documents.languages import language_of
from documents.models import PNG, Document, Language
from documents.selectors.result_cards import newest_result_card
from documents.services.link_cards import stored_card
from documents.services.stored_files import open_file

PREVIEW_CARD = "documents.tasks.preview_card"
FRESH = 600
"""The seconds for which browsers and chat services may keep a card."""
ASKED_ONCE = 600
"""The seconds for which a card is not queued again."""
PLACEHOLDER = "site/pictures/season.webp"


@require_safe
@public_file
def battle_card(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Return the result card of a battle as PNG, or redirect to a placeholder without one.

    Everybody gets the same: signed-in members too see only the cards of battles that strangers may
    see. A worker makes a missing card. The request itself prints and writes nothing.
    """
    get_visible_or_404(Battle.objects.all(), AnonymousUser(), pk)
    language = language_of(request)
    card = newest_result_card(pk, language=language)
    if card is None:
        _queue_card(pk, language)
    else:
        answer = _file_of(card)
        if answer is not None:
            return answer
    return _placeholder()


@require_safe
@public_file
def card(request: HttpRequest, pk: UUID, subject: LinkSubject) -> HttpResponse:
    """Return the card of a campaign, club, warband or fighter as PNG, or redirect as
    ``battle_card`` does.

    Everybody gets the same: members too see only the cards of what strangers may see. A worker
    makes the card, for which the request waits less than a second.
    """
    png = stored_card(subject, pk, language_of(request))
    if png is None:
        raise Http404
    if not png:
        return _placeholder()
    answer = HttpResponse(png, content_type=PNG.content_type)
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer


def _placeholder() -> HttpResponse:
    waiting = redirect(static(PLACEHOLDER))
    # Whoever comes again in a minute gets the card.
    waiting.headers["Cache-Control"] = "no-store"
    return waiting


def _file_of(card: Document) -> FileResponse | None:
    try:
        file = open_file(card)
    except (StateConflict, Unavailable):
        return None
    answer = FileResponse(file, filename=f"card.{PNG.extension}", content_type=PNG.content_type)
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer


def _queue_card(battle: UUID, language: Language) -> None:
    """Let a worker make a card, at most once in ``ASKED_ONCE`` however many ask for it.

    The worker adds a card only to a battle that has none, so strangers cannot start more prints.
    """
    if not cache.add(f"preview-card-{battle}-{language.value}", True, ASKED_ONCE):
        return
    try:
        current_app.send_task(PREVIEW_CARD, [str(battle), language.value], retry=False)
    except (OperationalError, OSError):
        # The next request after ``ASKED_ONCE`` asks again.
        return
