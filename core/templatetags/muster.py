"""Tags and filters of all pages: icons, colours, badges, fields. They format and never query the
database."""

from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from PIL import Image

from core.markdown import story_html
from core.ruleset_words import state_label

PICTURES = "site/pictures"


def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite; with a label it speaks, without one it is an ornament."""
    address = f"{static('site/icons.svg')}#{name}"
    if label:
        return format_html(
            '<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>',
            label,
            address,
        )
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', address)


def pennant(colour: str | None) -> SafeString:
    """A warband's colours. The fill is an attribute, because a page may hold no inline style."""
    address = f"{static('site/icons.svg')}#pennant"
    return format_html(
        '<svg class="pennant" fill="{}" aria-hidden="true"><use href="{}"></use></svg>',
        colour or "#8a7b66",
        address,
    )


@cache
def _picture(name: str, language: str) -> tuple[str, int, int]:
    """Where the picture lies in this language, or else in English, with its width and height in
    pixels."""
    for path in (f"{PICTURES}/{name}-{language}.webp", f"{PICTURES}/{name}.webp"):
        if (file := Path(settings.BASE_DIR) / "static" / path).exists():
            break
    with Image.open(file) as image:
        return path, *image.size


def screenshot(name: str, alt: str) -> SafeString:
    """One of the pictures that ``python -m scripts.pictures`` takes, in half its size: screens with
    two pixels for one get all of it, others the smaller file."""
    path, width, height = _picture(name, get_language() or "")
    half = path.replace(".webp", "-half.webp")
    return format_html(
        '<img src="{}" srcset="{} 2x" alt="{}" width="{}" height="{}" loading="lazy" '
        'decoding="async">',
        static(half), static(path), alt, width // 2, height // 2,
    )  # fmt: skip


register = template.Library()

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
"""The colour of a badge by the key of what it says. The words say it too: colour is never alone."""


VOWELS = frozenset("aeiou")
"""Letters before which "a" becomes "an". The nouns of rule systems know no hours and no unions."""

register.filter(state_label)
register.simple_tag(icon)
register.simple_tag(pennant)
register.simple_tag(screenshot)


@register.filter
def story(text: str) -> SafeString:
    """A story as people write it, in Markdown, as it stands on a page."""
    return story_html(text, on_a_page=True)


@register.simple_tag
def badge(key: str, label: str = "") -> SafeString:
    """A badge for a state, an outcome or a fate."""
    words = label or state_label(key).capitalize()
    return format_html('<span class="badge {}">{}</span>', BADGES.get(str(key), "idle"), words)


@register.inclusion_tag("parts/field.html")
def field(bound: BoundField, label: str = "") -> dict[str, Any]:
    """A field of a form with its label, help and complaints."""
    return {"field": bound, "label": label or bound.label}


@register.inclusion_tag("parts/boxes.html")
def boxes(full: int, of: int | None) -> dict[str, Any]:
    """Boxes of experience, as on a roster sheet: so many ticked of so many for the next Rank."""
    drawn = min(of or 0, 15)
    return {"full": full, "of": of, "boxes": [place < full for place in range(drawn)]}


@register.filter
def signed(number: int) -> str:
    """ "+2", "−1" with a true minus, "0"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


@register.filter
def with_article(noun: str) -> str:
    """What a rule system calls a warband as one of many: "an army", "a warband", in German "eine
    Armee"."""
    if noun[:1].lower() in VOWELS:
        return pgettext("what a system calls a warband, beginning with a vowel", "an %(noun)s") % {
            "noun": noun
        }
    return pgettext("what a system calls a warband", "a %(noun)s") % {"noun": noun}
