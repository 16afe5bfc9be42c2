"""Small marks made of the icon sprite: icons, and warbands' colours."""

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString


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
