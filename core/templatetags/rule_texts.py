"""The filter for sentences of rule systems. It is built in: templates need no ``{% load %}``."""

from django import template

from core.ruleset_words import rules_text

register = template.Library()


@register.filter("rules_text")
def in_reader_language(text: object) -> str:
    """Return a sentence or label of a rule system in the reader's language."""
    return rules_text(str(text)) if text else ""
