"""The result card of a battle for link previews."""

from uuid import UUID

from documents.models import Document, DocumentKind, DocumentState, Paper


def newest_result_card(
    battle: UUID, *, paper: Paper = Paper.WIDE, language: str = ""
) -> Document | None:
    """Return the newest ready result card of a battle in a format, or None. One query.

    Without ``language``, the card may be in any.

    Users who may see the battle may see it. While a card is made again after a correction, there is
    none, so that nobody sees an outdated result.
    """
    cards = Document.objects.filter(
        kind=DocumentKind.RESULT_CARD, subject=battle, paper=paper, state=DocumentState.READY
    )
    if language:
        cards = cards.filter(language=language)
    return cards.order_by("-finished_at", "pk").first()
