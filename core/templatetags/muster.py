"""Tags and filters for all pages: icons, colours, badges, fields. They make no queries."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.template import Context
from django.template.base import Parser, Token
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext
from PIL import Image

from core.manual import manual_address, page_address
from core.markdown import story_html
from core.ruleset_words import state_label

PICTURES = "site/pictures"


def icon(name: str, label: str = "") -> SafeString:
    """Return an icon of the sprite. Screen readers read its label, or skip it without one."""
    address = f"{static('site/icons.svg')}#{name}"
    if label:
        return format_html(
            '<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>',
            label,
            address,
        )
    return _icon_without_label(address)


@lru_cache(maxsize=256)
def _icon_without_label(address: str) -> SafeString:
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', address)


def pennant(colour: str | None) -> SafeString:
    """Return a warband's pennant. Its colour is an attribute: inline styles are forbidden."""
    return _pennant(colour or "#8a7b66", f"{static('site/icons.svg')}#pennant")


@lru_cache(maxsize=256)
def _pennant(colour: str, address: str) -> SafeString:
    return format_html(
        '<svg class="pennant" fill="{}" aria-hidden="true"><use href="{}"></use></svg>',
        colour,
        address,
    )


@cache
def _picture(name: str, language: str) -> tuple[str, int, int]:
    """Return the path, width and height (in pixels) of a picture in this language or in English."""
    for path in (f"{PICTURES}/{name}-{language}.webp", f"{PICTURES}/{name}.webp"):
        if (file := Path(settings.BASE_DIR) / "static" / path).exists():
            break
    with Image.open(file) as image:
        return path, *image.size


def screenshot(name: str, alt: str) -> SafeString:
    """Return a picture of ``python -m scripts.pictures`` at half its size.

    Screens with double resolution load the full file, others the smaller one.
    """
    path, width, height = _picture(name, get_language() or "")
    half = path.replace(".webp", "-half.webp")
    return format_html(
        '<img src="{}" srcset="{} 2x" alt="{}" width="{}" height="{}" loading="lazy" '
        'decoding="async">',
        static(half), static(path), alt, width // 2, height // 2,
    )  # fmt: skip


register = template.Library()


class CaptureNode(template.Node):
    """Render the content of ``{% capture %}`` into a variable instead of the page."""

    def __init__(self, name: str, nodelist: template.NodeList) -> None:
        self.name = name
        self.nodelist = nodelist

    def render(self, context: template.Context) -> str:
        """Set the variable to the content in one line, safe as text and in attributes."""
        text = " ".join(self.nodelist.render(context).split())
        context[self.name] = mark_safe(text.replace('"', "&quot;"))  # noqa: S308
        return ""


@register.tag
def capture(parser: Parser, token: Token) -> CaptureNode:
    """``{% capture "name" %}...{% endcapture %}``: keep rendered text for several places."""
    name = token.split_contents()[1].strip('"')
    nodelist = parser.parse(("endcapture",))
    parser.delete_first_token()
    return CaptureNode(name, nodelist)


@register.simple_tag(takes_context=True)
def absolute(context: template.Context, address: str) -> str:
    """Return an address of this site with its scheme and host."""
    return str(context["request"].build_absolute_uri(address))


BADGES = {
    "planned": "idle",
    "running": "busy",
    "finished": "good",
    "under-way": "busy",
    "submitted": "warn",
    "disputed": "bad",
    "confirmed": "good",
    "void": "idle",
    "waiting": "idle",
    "sent": "good",
    "skipped": "idle",
    "open": "idle",
    "overdue": "bad",
    "walkover": "good",
    "bye": "good",
    "queued": "idle",
    "rendering": "busy",
    "ready": "good",
    "failed": "bad",
    "uploaded": "busy",
    "done": "good",
    "fit": "good",
    "recovering": "warn",
    "captured": "warn",
    "dead": "bad",
    "retired": "idle",
    "won": "good",
    "drew": "idle",
    "lost": "bad",
}
"""The colour of a badge by its key. The text says the same: never rely on colour alone."""


VOWELS = frozenset("aeiou")
"""Letters before which "a" becomes "an". Rule systems have no nouns like "hour" or "union"."""

register.filter(state_label)


@register.simple_tag(takes_context=True)
def manual(context: Context) -> str:
    """Return the address of the manual's page about the page that is shown."""
    request = context.get("request")
    return manual_address(getattr(request, "resolver_match", None))


register.simple_tag(page_address, name="manual_page")
register.simple_tag(icon)
register.simple_tag(pennant)
register.simple_tag(screenshot)


@register.filter
def story(text: str) -> SafeString:
    """Return a Markdown story as HTML for a page."""
    return story_html(text, on_a_page=True)


@register.simple_tag
def badge(key: str, label: str = "") -> SafeString:
    """Return a badge for a state, an outcome or a fate."""
    words = label or state_label(key).capitalize()
    return format_html('<span class="badge {}">{}</span>', BADGES.get(str(key), "idle"), words)


@register.inclusion_tag("parts/field.html")
def field(bound: BoundField, label: str = "") -> dict[str, Any]:
    """Render a form field with its label, help and errors."""
    return {"field": bound, "label": label or bound.label}


@register.inclusion_tag("parts/boxes.html")
def boxes(full: int, of: int | None) -> dict[str, Any]:
    """Render experience boxes, as on a roster sheet: ``full`` of ``of`` for the next Rank."""
    drawn = min(of or 0, 15)
    return {"full": full, "of": of, "boxes": [place < full for place in range(drawn)]}


@register.filter
def webcal(address: str) -> str:
    """Return the address of a calendar so that calendar programs open it and subscribe to it."""
    return f"webcal://{address.partition('://')[2]}"


@register.filter
def signed(number: int) -> str:
    """Return "+2", "−1" with a true minus, or "0"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


@register.filter
def with_article(noun: str) -> str:
    """Return a rule system's noun with its article: "an army", "a warband", in German "eine
    Armee"."""
    if noun[:1].lower() in VOWELS:
        return pgettext("what a system calls a warband, beginning with a vowel", "an %(noun)s") % {
            "noun": noun
        }
    return pgettext("what a system calls a warband", "a %(noun)s") % {"noun": noun}
