"""Small marks made of the icon sprite: icons, and warbands' colours."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from PIL import Image

PICTURES = "site/pictures"


def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite; with a label it speaks, without one it is an ornament."""
    address = f"{static('site/icons.svg')}#{name}"
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>', label, address)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', address)


def pennant(colour: str | None) -> SafeString:
    """A warband's colours. The fill is an attribute, because a page may hold no inline style."""
    address = f"{static('site/icons.svg')}#pennant"
    return format_html(
        '<svg class="pennant" fill="{}" aria-hidden="true"><use href="{}"></use></svg>', colour or "#8a7b66", address
    )


@cache
def _picture(name: str, language: str) -> tuple[str, int, int]:
    """Where the picture lies in this language, or else in English, with its width and height in pixels."""
    for path in (f"{PICTURES}/{name}-{language}.webp", f"{PICTURES}/{name}.webp"):
        if (file := Path(settings.BASE_DIR) / "static" / path).exists():
            break
    with Image.open(file) as image:
        return path, *image.size


def screenshot(name: str, alt: str) -> SafeString:
    """One of the pictures that ``python -m scripts.pictures`` takes, in half its size: screens with two pixels for
    one get all of it, others the smaller file."""
    path, width, height = _picture(name, get_language() or "")
    half = path.replace(".webp", "-half.webp")
    return format_html(
        '<img src="{}" srcset="{} 2x" alt="{}" width="{}" height="{}" loading="lazy" decoding="async">',
        static(half), static(path), alt, width // 2, height // 2,
    )  # fmt: skip
