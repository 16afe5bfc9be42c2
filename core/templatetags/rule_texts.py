"""The filter for sentences of rule systems. It is built in: templates need no ``{% load %}``."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.ruleset_words import WrittenText, rules_text

register = template.Library()


@register.filter("rules_text")
def in_reader_language(text: object) -> str:
    """Return a sentence or label of a rule system in the reader's language."""
    return rules_text(_kept(text)) if text else ""


@register.filter("rules_lang")
def language_of_rules(text: object) -> SafeString | str:
    """Return the attribute that marks a text of a rule system as English, "" if it is translated.

    It is "" as well on an English page, and for what a user wrote.
    """
    is_foreign = not (get_language() or "en").startswith("en")
    if not is_foreign or not text or isinstance(text, WrittenText):
        return ""
    return mark_safe(' lang="en"') if rules_text(str(text)) == str(text) else ""


def _kept(text: object) -> str:
    """Return the value as text; one that a user wrote remains marked as such."""
    return text if isinstance(text, WrittenText) else str(text)
