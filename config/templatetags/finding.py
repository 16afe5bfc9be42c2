"""Marks in what a search has found."""

from collections.abc import Sequence

from django import template
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe

from search.marking import pieces

register = template.Library()


@register.filter
def marked(text: str, words: Sequence[str]) -> SafeString:
    """The text, escaped, with what was looked for in <mark>."""
    return format_html_join("", "{}", ((_piece(each.text, each.marked),) for each in pieces(text, words)))


def _piece(text: str, is_marked: bool) -> SafeString:
    return mark_safe(f"<mark>{escape(text)}</mark>" if is_marked else escape(text))  # noqa: S308  both are escaped
