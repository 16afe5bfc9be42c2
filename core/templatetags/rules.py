"""Links from a number to the rule behind it."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.rule_links import RuleLink, rule_links
from core.ruleset_words import rules_text
from rulebook.registry import system_name
from rulebook.values.answers import LONGEST

register = template.Library()
SOURCE = re.compile(r"[A-Z][a-z ]*: ")
"""Matches the source of a rule, which is dropped next to a link that leads there."""


@register.simple_tag
def rule(ruleset: str, named: str) -> SafeString:
    """Write the name of a rule with links to headings and rulings: {% rule "key" line.rule %}."""
    return _linked_rule(ruleset, named, (get_language() or "en")[:2])


@lru_cache(maxsize=1024)
def _linked_rule(ruleset: str, named: str, language: str) -> SafeString:
    """Return the HTML of ``rule`` in a language: a page repeats a few rules in many lines."""
    page = reverse("reference:rules", args=[ruleset])
    links = (
        link
        for link in rule_links(ruleset, named)
        if link.anchor or not SOURCE.fullmatch(link.text)
    )
    return format_html_join("", "{}", ((_piece(page, link, language),) for link in links))


@register.simple_tag(takes_context=True)
def source(context: Context, named: str) -> SafeString:
    """Write the same as ``rule`` for parts that many pages share.

    The rule system is that of the row that the page shows.
    """
    shown = _shown_system(context)
    return rule(shown, named) if shown else conditional_escape(named)


@register.simple_tag
def system(ruleset: str) -> SafeString:
    """Return a badge with the name of a rule system: {% system campaign.ruleset %}."""
    return format_html('<span class="badge system">{}</span>', system_name(ruleset))


@register.filter
def has_long_fractions(table: Mapping[str, Any]) -> bool:
    """Return whether a table of chances has fractions that are too long for a narrow column."""
    return any(len(row["chance"]) > LONGEST for row in table["rows"])


def _shown_system(context: Context) -> str:
    ruleset: Any = context.get("ruleset")
    if isinstance(ruleset, str):
        return ruleset
    keys = (
        getattr(context.get(name), "ruleset", None)
        for name in ("page", "warband", "campaign", "battle")
    )
    return next((each for each in keys if isinstance(each, str)), "")


def _piece(page: str, link: RuleLink, language: str) -> str | SafeString:
    """Return a link. A rulebook's heading is marked as English on pages in other languages."""
    if not link.anchor:
        words = link.text.strip()
        return link.text.replace(words, rules_text(words)) if words else link.text
    is_foreign = language != "en" and " " in link.text
    mark = mark_safe(' lang="en"') if is_foreign else ""
    return format_html('<a href="{}#{}"{}>{}</a>', page, link.anchor, mark, link.text)
