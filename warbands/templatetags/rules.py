"""Links from a number to the rule behind it."""

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from warbands.summaries.rule_links import RuleLink, rule_links

register = template.Library()
BOOK = "Rule book: "
"""Goes without saying on a page full of links."""


@register.simple_tag
def rule(ruleset: str, named: str) -> SafeString:
    """What names a rule, with links to its headings and rulings: {% rule "en-garde" line.rule %}."""
    page = reverse("warbands:rules", args=[ruleset])
    links = (link for link in rule_links(ruleset, named) if link.text != BOOK)
    return format_html_join("", "{}", ((_piece(page, link),) for link in links))


def _piece(page: str, link: RuleLink) -> str | SafeString:
    if not link.anchor:
        return link.text
    return format_html('<a href="{}#{}">{}</a>', page, link.anchor, link.text)
