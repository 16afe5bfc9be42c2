"""The filter for sentences of rule systems. It is built in: templates need no ``{% load %}``."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.ruleset_words import rules_text

register = template.Library()


@register.filter("rules_text")
def in_reader_language(text: object) -> str:
    """Return a sentence or label of a rule system in the reader's language."""
    return rules_text(str(text)) if text else ""


@register.filter("rules_lang")
def language_of_rules(text: object) -> SafeString | str:
    """Return the attribute that marks a text of a rule system as English, "" if it is translated.

    On an English page it is "" as well.
    """
    is_foreign = not (get_language() or "en").startswith("en")
    if is_foreign and text and rules_text(str(text)) == str(text):
        return mark_safe(' lang="en"')
    return ""
