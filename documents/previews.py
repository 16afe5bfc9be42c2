"""Pictures for link previews: result cards of battles that everybody may see."""

from uuid import UUID

from celery import current_app
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from battles.models import Battle, BattleState
from campaigns.models import Campaign
from core.errors import StateConflict, Unavailable
from core.views import get_visible_or_404, public_file
from documents.languages import language_of
from documents.models import PNG, Document, Language
from documents.selectors.result_cards import newest_result_card
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
    waiting = redirect(static(PLACEHOLDER))
    # Whoever comes again in a minute gets the card.
    waiting.headers["Cache-Control"] = "no-store"
    return waiting


@require_safe
@public_file
def campaign_card(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Redirect to the result card of the campaign's last battle, or to a placeholder before.

    Everybody gets the same, as in ``battle_card``.
    """
    get_visible_or_404(Campaign.objects.all(), AnonymousUser(), pk)
    confirmed = Battle.objects.filter(campaign=pk, state=BattleState.CONFIRMED)
    battle = confirmed.latest_played_first().only("pk", "version").first()
    if battle is None:
        address = static(PLACEHOLDER)
    else:
        address = f"{reverse('documents:battle-card', args=[battle.pk])}?{battle.version}"
    answer = redirect(address)
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    return answer


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
