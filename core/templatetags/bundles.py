"""Template tags that load style sheets and scripts."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from core.bundles import bundle_files

register = template.Library()
SHEET = '<link rel="stylesheet" href="{}">'
SCRIPT = '<script src="{}" defer></script>'


@register.simple_tag
def bundle(name: str) -> SafeString:
    """Load a bundle of ``core.bundles``: one file, or its parts during development."""
    tag = SHEET if name.endswith(".css") else SCRIPT
    return format_html_join("\n  ", tag, ((static(file),) for file in bundle_files(name)))
