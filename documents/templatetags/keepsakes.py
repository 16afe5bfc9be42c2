"""Tags and filters of result cards, certificates and memorial cards."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from documents.content.documents import CardSide, ResultCard
from documents.print_resources import image
from documents.prose.variation import ARTICLE, name, within
from documents.templatetags.charts import inline
from drawings.ornaments import crossed_swords
from drawings.ornaments import seal as draw_seal

register = template.Library()
CARD_PHOTO = (1400, 1400)
"""The largest size in pixels of a photo on a result card, which is cut by the style sheet."""
ORDER = ("won", "drew", "lost")


@register.simple_tag
def card_photo(card: ResultCard) -> SafeString:
    """Return the photo of a result card, or "" without a readable one."""
    alternative = gettext("Photo of %(battle)s") % {"battle": card.title}
    photo = image(card.photo, CARD_PHOTO, alternative)
    return format_html('<div class="card-photo">{}</div>', photo) if photo else photo


@register.filter
def ranked_sides(card: ResultCard) -> list[CardSide]:
    """Return the sides of a battle of many: the winners first, then by points."""
    return sorted(card.sides, key=lambda side: (ORDER.index(side.outcome), -side.points))


@register.simple_tag
def swords() -> SafeString:
    """Return two crossed swords, as an ornament."""
    return inline(crossed_swords())


@register.simple_tag
def seal(name: str) -> SafeString:
    """Return a seal with the charge of a club."""
    return inline(draw_seal(name, gettext("Seal of %(name)s") % {"name": name}))


@register.filter
def in_sentence(text: str) -> str:
    """Return a name after a preposition: "of the Crew" in English, "von Crew" in German."""
    language = (get_language() or "en")[:2]
    if language == "en":
        return within(text)
    return name(ARTICLE.sub("", text) if language == "de" else text)
